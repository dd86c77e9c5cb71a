/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * notes: what a PE's operations write to others, and what its waits saw, in a file beside the trace. Operations have numbers
 * as their players count them, for each thread: of moves those with bytes, and all others.
 */
#include "shmem_recorder.h"

#include <stdlib.h>
#include <string.h>

enum { SMALL = sizeof(uint64_t) };
static FILE *file;
static char *name;
static __thread uint64_t operations;
static bool seen;

static char *name_of(const char *path, int rank)
{
    char *out = malloc(strlen(path) + 64);
    if (!out)
        recorder_stop("no memory left");
    sprintf(out, "%s_files/rank-%d.notes", path, rank);
    return out;
}

void recorder_notes_open(const char *path, int rank)
{
    name = name_of(path, rank);
    file = fopen(name, "wb");
    if (!file)
        recorder_stop("the trace's folder cannot be written");
}

void recorder_note(const struct recorder_note *n)
{
    seen = seen || n->kind == NOTED_SEEN;
    if (fwrite(n, sizeof *n, 1, file) != 1)
        recorder_stop("the trace's folder cannot be written");
}

void recorder_notes_flush(void)
{
    if (fflush(file))
        recorder_stop("the trace's folder cannot be written");
}

bool recorder_notes_remove(void)
{
    if (!file)
        return false;
    fclose(file);
    file = NULL;
    remove(name);
    free(name);
    return seen;
}

void recorder_notes_read(const char *path, int rank,
                         void (*fn)(void *arg, int rank, const struct recorder_note *n), void *arg)
{
    char *of = name_of(path, rank);
    struct recorder_note n;
    FILE *in = fopen(of, "rb");
    if (!in)
        recorder_stop("the trace's folder is not the same for all PEs");
    while (fread(&n, sizeof n, 1, in) == 1)
        fn(arg, rank, &n);
    fclose(in);
    free(of);
}

/* --- the operations of a call ----------------------------------------------------------------------------- */

struct written {
    const void *at;
    size_t bytes;
    uint32_t kind;
    uint64_t value;
    bool second; /* of its operation */
};

static void note(const struct recorder_shmem_call *c, int64_t ctx, int64_t pe, const struct written *w)
{
    recorder_note(&(struct recorder_note){.kind = w->kind,
                                          .begin = recorder_shmem_time(c->call.begin),
                                          .end = recorder_shmem_time(c->call.end),
                                          .place = recorder_place(NULL, w->at),
                                          .bytes = w->bytes,
                                          .value = w->value,
                                          .number = 2 * operations + w->second,
                                          .thread = recorder_thread(),
                                          .pe = (uint32_t)recorder_world_pe(ctx, pe)});
}

static struct written data(const void *dest, const void *source, size_t bytes)
{
    struct written w = {.at = dest, .bytes = bytes, .kind = bytes <= SMALL ? NOTED_SET : NOTED_WRITE};
    if (bytes <= SMALL)
        memcpy(&w.value, source, bytes);
    return w;
}

static void note_put(const struct recorder_shmem_call *c, const struct record_value *v)
{
    if (!v[3].i)
        return;
    operations++;
    const struct written w = data(v[1].p, v[2].p, (size_t)v[3].i);
    note(c, v[0].i, v[4].i, &w);
}

/* v: ctx, dest, source, dst, sst, bsize, nblocks, size, pe. Blocks that overlap are moved one by one. */
static void note_strided(const struct recorder_shmem_call *c, const struct record_value *v, bool puts)
{
    int64_t block = v[5].i, n = v[6].i, stride = v[3].i < v[4].i ? v[3].i : v[4].i;
    if (block <= 0 || n <= 0)
        return;
    operations += n > 1 && stride < block ? (uint64_t)n : 1;
    const struct written w = {
        .at = v[1].p, .bytes = (size_t)(((n - 1) * v[3].i + block) * v[7].i), .kind = NOTED_WRITE};
    if (puts && v[3].i >= 0)
        note(c, v[0].i, v[8].i, &w);
}

static void note_signal(const struct recorder_shmem_call *c, const struct record_value *v)
{
    operations++;
    if (v[3].i) {
        const struct written w = data(v[1].p, v[2].p, (size_t)v[3].i);
        note(c, v[0].i, v[6].i, &w);
    }
    const struct written word = {.at = v[4].p,
                                 .bytes = sizeof(uint64_t),
                                 .kind = v[5].i ? NOTED_ADD : NOTED_SET,
                                 .value = c->operand,
                                 .second = true};
    note(c, v[0].i, v[6].i, &word);
}

/* enum recorder_noted; -1: it writes nothing. */
static int effect_of(const struct recorder_shmem_call *c)
{
    switch (c->call.function) {
    case RECORD_SHMEM_FETCH:
    case RECORD_SHMEM_FETCH_NBI:
        return -1;
    case RECORD_SHMEM_SET:
    case RECORD_SHMEM_SWAP:
    case RECORD_SHMEM_SWAP_NBI:
    case RECORD_SHMEM_SIGNAL_SET:
        return NOTED_SET;
    case RECORD_SHMEM_COMPARE_SWAP:
        return c->vain ? -1 : NOTED_SET;
    case RECORD_SHMEM_ADD:
    case RECORD_SHMEM_FETCH_ADD:
    case RECORD_SHMEM_FETCH_ADD_NBI:
    case RECORD_SHMEM_SIGNAL_ADD:
        return NOTED_ADD;
    default:
        return NOTED_WRITE;
    }
}

static void note_word(const struct recorder_shmem_call *c, const void *at, int64_t bytes, int64_t ctx,
                      int64_t pe)
{
    int kind = effect_of(c);
    operations++;
    if (kind < 0)
        return;
    const struct written w = {.at = at, .bytes = (size_t)bytes, .kind = (uint32_t)kind, .value = c->operand};
    note(c, ctx, pe, &w);
}

static bool is_nbi_atomic(uint32_t function)
{
    return function >= RECORD_SHMEM_FETCH && function <= RECORD_SHMEM_FETCH_XOR_NBI &&
           (function - RECORD_SHMEM_FETCH) % 2;
}

void recorder_note_effects(const struct recorder_shmem_call *c, const struct record_value *v)
{
    uint32_t f = c->call.function;
    if (f == RECORD_SHMEM_PUT || f == RECORD_SHMEM_PUT_NBI)
        note_put(c, v);
    else if (f == RECORD_SHMEM_GET || f == RECORD_SHMEM_GET_NBI)
        operations += v[3].i > 0;
    else if (f == RECORD_SHMEM_IBPUT || f == RECORD_SHMEM_IBGET)
        note_strided(c, v, f == RECORD_SHMEM_IBPUT);
    else if (f == RECORD_SHMEM_PUT_SIGNAL || f == RECORD_SHMEM_PUT_SIGNAL_NBI)
        note_signal(c, v);
    else if (f == RECORD_SHMEM_SIGNAL_ADD || f == RECORD_SHMEM_SIGNAL_SET)
        note_word(c, v[1].p, sizeof(uint64_t), v[0].i, v[2].i);
    else if (is_nbi_atomic(f))
        note_word(c, v[2].p, v[3].i, v[0].i, v[4].i);
    else if (f >= RECORD_SHMEM_SET && f <= RECORD_SHMEM_FETCH_XOR_NBI)
        note_word(c, v[1].p, v[2].i, v[0].i, v[3].i);
}
