/* SPDX-License-Identifier: BSD-3-Clause */
/* rewrite: a rank's file again, with the causes of its waits in place of the `null` that ends their lines. */
#include "shmem_recorder.h"

#include <stdlib.h>
#include <string.h>

struct lines {
    const struct recorder_causes *causes;
    uint64_t next, waits;
};

static void put(const char *text, size_t n)
{
    memcpy(recorder_file_room(n), text, n);
    recorder_file_wrote(n);
}

static void put_causes(const struct recorder_causes *c)
{
    char number[RECORD_DIGITS + 1];
    if (c->unknown) {
        put("null", 4);
        return;
    }
    put("[", 1);
    for (size_t k = 0; k < c->n; k++) {
        put(",", k > 0);
        put(number, record_print_number(c->at[k], number));
    }
    put("]", 1);
}

static bool is_wait(const char *line, const char *end)
{
    static const char *const names[] = {"shmem_wait_until ", "shmem_test ", "shmem_signal_fetch "};
    const char *name = memchr(line, ' ', (size_t)(end - line));
    for (size_t k = 0; name && k < BASE_LENGTH(names); k++)
        if ((size_t)(end - name) > strlen(names[k]) && !memcmp(name + 1, names[k], strlen(names[k])))
            return true;
    return false;
}

/* The line and its end. */
static void put_line(struct lines *x, const char *line, const char *end)
{
    static const char empty[] = " null";
    const char *times = end;
    while (times > line && *times != '@')
        times--;
    const char *place = times - 1 - (sizeof empty - 1);
    if (place <= line || memcmp(place, empty, sizeof empty - 1) || !is_wait(line, end) ||
        x->next == x->waits) {
        put(line, (size_t)(end - line));
        return;
    }
    put(line, (size_t)(place - line) + 1);
    put_causes(&x->causes[x->next++]);
    put(times - 1, (size_t)(end - times) + 1);
}

void recorder_rewrite(const char *path, int rank, const struct recorder_causes *causes, uint64_t waits)
{
    struct lines x = {.causes = causes, .waits = waits};
    char *old = recorder_file_again(path, rank), *buffer = NULL;
    struct recorder_unpack *in = recorder_unpack_open(old);
    size_t n = 0, cap = 0, got;
    do {
        if (cap - n < (size_t)1 << 16)
            buffer = base_array_grow(buffer, &cap, n + ((size_t)1 << 16), 1, "lines");
        got = recorder_unpack_read(in, buffer + n, cap - n);
        n += got;
        const char *line = buffer, *end;
        while ((end = memchr(line, '\n', n - (size_t)(line - buffer)))) {
            put_line(&x, line, end + 1);
            line = end + 1;
        }
        n -= (size_t)(line - buffer);
        memmove(buffer, line, n);
    } while (got);
    recorder_unpack_close(in);
    recorder_file_close();
    remove(old);
    free(old);
    free(buffer);
}
