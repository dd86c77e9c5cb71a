/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective_psync: pSync arrays of active sets (OpenSHMEM 1.6 section 9.10, active-set-based collectives). An array
 * may be used again when all members have completed the collectives that used it; barriers and syncs of one
 * active set may follow each other at once. The simulator sees all members: what breaks this is reported, though
 * coll itself does not look at the arrays.
 *
 * An array is known by its address at PE 0. The collective it was last used for is open until all members have
 * left it.
 */
#include "shmem/collective.h"

#include <stdlib.h>
#include <string.h>

#include <uthash.h>

struct shmem_psync {
    uintptr_t key;
    struct coll_group group; /* of the last use, with its function */
    const char *call;
    bool sync; /* a barrier or sync */
    uint32_t generation, entered, left;
    uint32_t words;
    uint64_t *bits; /* places that have entered, then places that have left */
    UT_hash_handle hh;
};

static bool has(const uint64_t *bits, uint32_t place)
{
    return bits[place / 64] >> place % 64 & 1;
}
static void set(uint64_t *bits, uint32_t place)
{
    bits[place / 64] |= UINT64_C(1) << place % 64;
}

static struct shmem_psync *array_of(struct shmem_job *job, uintptr_t key)
{
    struct shmem_psync *a;
    HASH_FIND(hh, job->psyncs, &key, sizeof key, a);
    if (a)
        return a;
    a = base_zalloc(sizeof *a, "a pSync array");
    a->key = key;
    HASH_ADD(hh, job->psyncs, key, sizeof a->key, a);
    return a;
}

void shmem_psyncs_release(struct shmem_job *job)
{
    struct shmem_psync *a = job->psyncs, *next;
    HASH_CLEAR(hh, job->psyncs); /* the table; the records stay linked */
    for (; a; a = next) {
        next = a->hh.next;
        free(a->bits);
        free(a);
    }
}

static bool same_set(const struct coll_group *a, const struct coll_group *b)
{
    return a->first == b->first && a->stride == b->stride && a->size == b->size;
}

static void warn(const struct shmem_pe *self, const struct shmem_psync *a, const long *psync,
                 const char *call)
{
    char name[256];
    const uint64_t *left = a->bits + a->words;
    uint32_t p = 0;
    while (has(left, p))
        p++;
    shmem_object_name(self, (uintptr_t)psync, name, sizeof name);
    base_warn(
        "misuse/psync",
        "%s: the pSync array %s is in use: by %s of %u PEs from %u in steps of %u, which PE %u has not %s",
        call, name, a->call, a->group.size, a->group.first, a->group.stride, coll_group_rank(&a->group, p),
        has(a->bits, p) ? "left" : "called yet");
}

static void begin(struct shmem_psync *a, const struct coll_call *c)
{
    uint32_t words = c->group.size / 64 + 1;
    if (words > a->words) {
        free(a->bits);
        a->bits = base_alloc(2 * words * sizeof *a->bits, "members that use a pSync array");
        a->words = words;
    }
    memset(a->bits, 0, 2 * a->words * sizeof *a->bits);
    a->group = c->group;
    a->call = c->name;
    a->sync = c->op == COLL_BARRIER;
    a->generation++;
    a->entered = a->left = 0;
}

struct shmem_psync_use shmem_psync_enter(const struct shmem_pe *self, const long *psync,
                                         const struct coll_call *c)
{
    struct shmem_psync *a = array_of(self->job, rma_symmetric(self->rank, psync, sizeof *psync, 0, c->name));
    bool open = a->entered && a->left < a->group.size, same = same_set(&a->group, &c->group);
    if (!open || !same || has(a->bits, c->me)) {
        bool follows = a->sync && c->op == COLL_BARRIER && same && a->entered == a->group.size;
        if (open && !follows)
            warn(self, a, psync, c->name);
        begin(a, c);
    }
    a->entered++;
    set(a->bits, c->me);
    return (struct shmem_psync_use){a, a->generation};
}

void shmem_psync_leave(struct shmem_psync_use use, const struct coll_call *c)
{
    struct shmem_psync *a = use.array;
    if (a->generation != use.generation)
        return;
    a->left++;
    set(a->bits + a->words, c->me);
}
