/* SPDX-License-Identifier: BSD-3-Clause */
/* library: the user's OpenSHMEM: its constants, and what is asked of it. Teams and signals are of version 1.5. */
#include "shmem_recorder.h"

#include <shmem.h>
#include <stdlib.h>

#define RECORDER_SHMEM (SHMEM_MAJOR_VERSION * 10 + SHMEM_MINOR_VERSION)
enum { TRACED_INVALID, TRACED_DEFAULT = 1, TRACED_WORLD = 1, TRACED_SHARED = 2 };
enum { TRACED_SERIALIZED = 1, TRACED_PRIVATE = 2, TRACED_NOSTORE = 4 };

int64_t recorder_default_ctx(void)
{
    return RECORDER_BITS(SHMEM_CTX_DEFAULT);
}

int64_t recorder_world_team(void)
{
#if RECORDER_SHMEM >= 15
    return RECORDER_BITS(SHMEM_TEAM_WORLD);
#else
    return -1;
#endif
}

void recorder_list_handles(void)
{
    recorder_predefine(RECORD_CTX, 0, TRACED_INVALID);
    recorder_predefine(RECORD_CTX, recorder_default_ctx(), TRACED_DEFAULT);
    recorder_predefine(RECORD_TEAM, 0, TRACED_INVALID);
    recorder_predefine(RECORD_TEAM, recorder_world_team(), TRACED_WORLD);
#if RECORDER_SHMEM >= 15
    recorder_predefine(RECORD_CTX, RECORDER_BITS(SHMEM_CTX_INVALID), TRACED_INVALID);
    recorder_predefine(RECORD_TEAM, RECORDER_BITS(SHMEM_TEAM_INVALID), TRACED_INVALID);
    recorder_predefine(RECORD_TEAM, RECORDER_BITS(SHMEM_TEAM_SHARED), TRACED_SHARED);
#endif
}

int64_t recorder_signal(int op)
{
#if RECORDER_SHMEM >= 15
    return op == SHMEM_SIGNAL_ADD;
#else
    return op;
#endif
}

bool recorder_is_equal(int cmp)
{
    return cmp == SHMEM_CMP_EQ;
}

void recorder_translate(const struct record_function *f, struct record_words *w)
{
    uint32_t function = RECORD_MPI_FUNCTIONS + (uint32_t)(f - record_shmem);
    if (function != RECORD_SHMEM_CTX_CREATE && function != RECORD_SHMEM_TEAM_CREATE_CTX)
        return;
    int64_t *options = &w->at[function == RECORD_SHMEM_TEAM_CREATE_CTX], here = *options;
    *options = (here & SHMEM_CTX_SERIALIZED ? TRACED_SERIALIZED : 0) |
               (here & SHMEM_CTX_PRIVATE ? TRACED_PRIVATE : 0) |
               (here & SHMEM_CTX_NOSTORE ? TRACED_NOSTORE : 0);
}

/* --- contexts of teams, whose PEs have numbers of their own ----------------------------------------------- */

static struct pair {
    int64_t ctx, team;
} * pairs;
static size_t n_pairs, cap_pairs;

void recorder_ctx_made(int64_t ctx, int64_t team)
{
    if (!ctx || team == recorder_world_team())
        return;
    if (n_pairs == cap_pairs)
        pairs = base_array_grow(pairs, &cap_pairs, n_pairs + 1, sizeof *pairs, "contexts");
    pairs[n_pairs++] = (struct pair){ctx, team};
}

void recorder_ctx_gone(int64_t ctx)
{
    for (size_t k = n_pairs; k-- > 0;)
        if (pairs[k].ctx == ctx)
            pairs[k] = pairs[--n_pairs];
}

int64_t recorder_world_pe(int64_t ctx, int64_t pe)
{
#if RECORDER_SHMEM >= 15
    static __typeof__(shmem_team_translate_pe) *translate;
    for (size_t k = 0; k < n_pairs; k++) {
        if (pairs[k].ctx != ctx)
            continue;
        if (!translate)
            translate = (__typeof__(translate))recorder_shmem_real("shmem_team_translate_pe");
        return translate((shmem_team_t)pairs[k].team, (int)pe, SHMEM_TEAM_WORLD);
    }
#endif
    (void)ctx;
    return pe;
}

/* --- the world -------------------------------------------------------------------------------------------- */

int recorder_my_pe(void)
{
    return ((__typeof__(shmem_my_pe) *)recorder_shmem_real("shmem_my_pe"))();
}

int recorder_n_pes(void)
{
    return ((__typeof__(shmem_n_pes) *)recorder_shmem_real("shmem_n_pes"))();
}

void recorder_barrier(void)
{
    ((__typeof__(shmem_barrier_all) *)recorder_shmem_real("shmem_barrier_all"))();
}

/* `made`: handles are of what the call has made. */
static int64_t number(void *made, enum record_object o, uint64_t bits)
{
    return recorder_handle(o, bits, *(const bool *)made);
}

const struct record_library *recorder_library(void)
{
    static struct record_library l;
    if (!l.number) {
        l = (struct record_library){.number = number, .place = recorder_place};
        l.handle[RECORD_CTX] = l.handle[RECORD_TEAM] = sizeof(void *);
    }
    return &l;
}
