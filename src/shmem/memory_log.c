/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_log: compares the calls that the PEs make on the symmetric heap, and says how they differ. */
#include "shmem/internal.h"

static struct shmem_heap_origin origin_of(const struct shmem_pe *self, const struct shmem_heap_call *c)
{
    return (struct shmem_heap_origin){c->name, rank_code_of(self->rank, c->from), rank_now(self->rank)};
}

/* "shmem_malloc of 800 bytes (in main, heat.c:12)", "shmem_free of heap block of 80 bytes (...) (in main,
 * ...)" */
static void show_call(const struct shmem_pe *self, const struct shmem_heap_call *c, struct rank_code code,
                      char *buf, size_t size)
{
    char place[SHMEM_PLACE_SIZE], block[SHMEM_NAME_SIZE] = "", what[64] = "";
    if (c->op != SHMEM_HEAP_ALLOC && c->offset == SHMEM_HEAP_NONE)
        snprintf(block, sizeof block, "static data");
    else if (c->op != SHMEM_HEAP_ALLOC)
        shmem_heap_describe(self->rank, c->offset, 1, block, sizeof block);
    if (c->op == SHMEM_HEAP_ALLOC && c->alignment > SHMEM_HEAP_GRAIN)
        snprintf(what, sizeof what, "%zu bytes aligned to %zu", c->size, c->alignment);
    else if (c->op == SHMEM_HEAP_ALLOC)
        snprintf(what, sizeof what, "%zu bytes", c->size);
    else if (c->op == SHMEM_HEAP_REALLOC)
        snprintf(what, sizeof what, " to %zu bytes", c->size);
    snprintf(buf, size, "%s of %s%s%s", c->name, block, what,
             shmem_place_name(self->job, code, place, sizeof place));
}

/* Registers this PE's call; reports if the PEs make different ones. */
void shmem_heap_enter_log(struct shmem_pe *self, const struct shmem_heap_call *call)
{
    struct shmem_heap_log *log = &self->job->log;
    char mine[SHMEM_NAME_SIZE], theirs[SHMEM_NAME_SIZE];
    enum shmem_heap_turn turn = shmem_heap_enter(log, call, self->me, &self->heap_calls);
    if (BASE_LIKELY(turn == SHMEM_HEAP_SAME)) {
        if (log->first == self->me)
            log->origin = origin_of(self, call);
        return;
    }
    show_call(self, call, rank_code_of(self->rank, call->from), mine, sizeof mine);
    show_call(self, &log->call, log->origin.code, theirs, sizeof theirs);
    rank_program_error(self->rank, call->name,
                       "the PEs' calls on the symmetric heap differ: PE %u calls %s%s; PE %u called %s",
                       self->me, mine, turn == SHMEM_HEAP_BEHIND ? " later than all others" : "", log->first,
                       theirs);
}
