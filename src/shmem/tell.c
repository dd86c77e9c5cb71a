/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tell: messages at start and end that the environment asks for (OpenSHMEM 1.6 section 8): SHMEM_VERSION,
 * SHMEM_INFO and SHMEM_DEBUG, or with SMA_ for SHMEM_. Version and help go to PE 0's output, debugging
 * messages to each PE's error output.
 */
#include "shmem/internal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

static bool asked(const char *shmem_name, const char *sma_name)
{
    return getenv(shmem_name) || getenv(sma_name);
}

BASE_PRINTF(3, 4) static void say(const struct shmem_pe *self, int fd, const char *fmt, ...)
{
    char text[256];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    rank_output(self->rank, fd, text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void shmem_tell_start(const struct shmem_pe *self)
{
    static const char *const levels[] = {"SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE"};
    char size[32];
    if (asked("SHMEM_DEBUG", "SMA_DEBUG"))
        say(self, 2, "pgasim: PE %" PRIu32 " of %" PRIu32 ": symmetric heap of %s, SHMEM_THREAD_%s\n",
            self->me, self->job->n, base_show_size(size, (double)self->job->heap.size), levels[self->level]);
    if (self->me != 0 || self->finalized)
        return;
    if (asked("SHMEM_VERSION", "SMA_VERSION"))
        say(self, 1, "pgasim %s: OpenSHMEM %d.%d\n", pgasim_version, SHMEM_MAJOR_VERSION,
            SHMEM_MINOR_VERSION);
    if (asked("SHMEM_INFO", "SMA_INFO")) {
        static const char info[] =
            "SHMEM_VERSION         print the library's version at start\n"
            "SHMEM_INFO            print this text\n"
            "SHMEM_SYMMETRIC_SIZE  bytes of each PE's symmetric heap, with k, m, g or t\n"
            "SHMEM_DEBUG           print what each PE has at start and what it used at the end\n";
        rank_output(self->rank, 1, info, sizeof info - 1);
    }
}

/* Not an error: the end of the library gives back all of its memory (section 9.1, shmem_finalize). */
static void tell_not_freed(const struct shmem_pe *self)
{
    const struct shmem_heap *heap = &self->job->heap;
    char bytes[32], origin[SHMEM_PLACE_SIZE];
    size_t total = 0;
    for (size_t i = 0; i < heap->blocks.n; i++)
        total += heap->blocks.at[i].size;
    if (total)
        say(self, 2, "pgasim: PE %" PRIu32 ": heap blocks not freed: %zu, of %s; the first by %s\n", self->me,
            heap->blocks.n, base_show_size(bytes, (double)total),
            shmem_origin_name(self->job, &heap->blocks.at[0].from, origin, sizeof origin));
}

void shmem_tell_end(const struct shmem_pe *self)
{
    char most[32];
    if (!asked("SHMEM_DEBUG", "SMA_DEBUG"))
        return;
    say(self, 2,
        "pgasim: PE %" PRIu32 ": %" PRIu64 " calls on the symmetric heap, %s of it used; %" PRIu32
        " contexts made\n",
        self->me, self->heap_calls, base_show_size(most, (double)self->job->heap.high_water),
        self->contexts_made);
    if (self->me == 0)
        tell_not_freed(self);
}
