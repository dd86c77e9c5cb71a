/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective_psync: pSync arrays of active sets (OpenSHMEM 1.6 section 9.10, active-set-based collectives).
 * An array may be reused once all members have completed the collectives that used it; barriers and syncs of
 * one active set may reuse it at once. The simulator sees all members and reports violations, though coll
 * itself never reads the arrays.
 *
 * An array is known by its address at PE 0. It has one record per active set that uses it, since disjoint
 * sets may use it at once, and one of size 0 for the array itself. A set's last collective is open until all
 * members have left it.
 */
#include "shmem/collective.h"

#include "base/table.h"

#include <stdlib.h>
#include <string.h>

struct key {
    uintptr_t array;
    uint32_t first, stride, size; /* the active set, in PE numbers */
    uint32_t zero;                /* so that no byte of a key is left open */
};

struct shmem_psync {
    struct key key;
    struct shmem_psync *last; /* of an array's own record: the set that began last */
    const char *call;         /* of the last use */
    bool sync;                /* a barrier or sync */
    uint32_t generation, entered, left;
    uint64_t *bits; /* places that have entered, then places that have left */
};

static bool has(const uint64_t *bits, uint32_t place)
{
    return bits[place / 64] >> place % 64 & 1;
}
static size_t words(uint32_t size)
{
    return size / 64 + 1;
}
static void set(uint64_t *bits, uint32_t place)
{
    bits[place / 64] |= UINT64_C(1) << place % 64;
}

static struct shmem_psync *record_of(struct shmem_job *job, const struct key *key)
{
    if (!job->psyncs) {
        job->psyncs = base_zalloc(sizeof *job->psyncs, "pSync arrays");
        base_table_init(job->psyncs, BASE_BYTES, sizeof(struct shmem_psync *), "pSync arrays");
    }
    struct shmem_psync **found = base_table_find_bytes(job->psyncs, key, sizeof *key);
    if (found)
        return *found;
    struct shmem_psync *a = base_zalloc(sizeof *a, "a pSync array");
    a->key = *key;
    if (key->size)
        a->bits = base_zalloc(2 * words(key->size) * sizeof *a->bits, "members that use a pSync array");
    *(struct shmem_psync **)base_table_add_bytes(job->psyncs, &a->key, sizeof a->key, NULL) = a;
    return a;
}

void shmem_psyncs_release(struct shmem_job *job)
{
    uint32_t at = 0;
    if (!job->psyncs)
        return;
    for (struct shmem_psync **a; (a = base_table_next(job->psyncs, &at));) {
        free((*a)->bits);
        free(*a);
    }
    base_table_release(job->psyncs);
    free(job->psyncs);
}

static bool is_open(const struct shmem_psync *a)
{
    return a->entered && a->left < a->key.size;
}

static bool is_member(const struct shmem_psync *a, uint32_t pe)
{
    uint32_t place = (pe - a->key.first) / a->key.stride;
    return pe >= a->key.first && place < a->key.size && a->key.first + place * a->key.stride == pe;
}

static void warn(const struct shmem_pe *self, const struct shmem_psync *a, const long *psync,
                 const char *call)
{
    char name[256];
    const uint64_t *left = a->bits + words(a->key.size);
    uint32_t p = 0;
    while (has(left, p))
        p++;
    shmem_object_name(self, (uintptr_t)psync, name, sizeof name);
    base_warn(
        "misuse/psync",
        "%s: the pSync array %s is in use: by %s of %u PEs from %u in steps of %u, which PE %u has not %s",
        call, name, a->call, a->key.size, a->key.first, a->key.stride, a->key.first + p * a->key.stride,
        has(a->bits, p) ? "left" : "called yet");
}

static void begin(struct shmem_psync *a, const struct coll_call *c)
{
    memset(a->bits, 0, 2 * words(a->key.size) * sizeof *a->bits);
    a->call = c->name;
    a->sync = c->op == COLL_BARRIER;
    a->generation++;
    a->entered = a->left = 0;
}

/* A real library works in the array and counts on what it finds there. */
static void check_value(const struct shmem_pe *self, const long *psync, const char *call)
{
    char name[256];
    if (self->rank->memory->nowhere || BASE_LIKELY(*psync == SHMEM_SYNC_VALUE))
        return;
    shmem_object_name(self, (uintptr_t)psync, name, sizeof name);
    base_warn("misuse/psync-value", "%s: the pSync array %s is not initialized: its first element is %ld",
              call, name, *psync);
}

struct shmem_psync_use *shmem_psync_enter(const struct shmem_pe *self, const struct shmem_who *who,
                                          const struct coll_call *c)
{
    const long *psync = who->psync;
    check_value(self, psync, c->name);
    struct key key = {.array = shmem_symmetric(self, psync, sizeof *psync, 0, c->name).address};
    struct shmem_psync *array = record_of(self->job, &key), *other = array->last;
    key.first = (uint32_t)who->start;
    key.stride = UINT32_C(1) << who->log_stride;
    key.size = c->group.size;
    struct shmem_psync *a = record_of(self->job, &key);
    if (other && other != a && is_open(other) && is_member(other, self->me))
        warn(self, other, psync, c->name);
    if (!is_open(a) || has(a->bits, c->me)) {
        if (is_open(a) && !(a->sync && c->op == COLL_BARRIER && a->entered == a->key.size))
            warn(self, a, psync, c->name);
        begin(a, c);
        array->last = a;
    }
    a->entered++;
    set(a->bits, c->me);
    struct shmem_psync_use *use = base_pool_get(&self->job->apart);
    *use = (struct shmem_psync_use){a, a->generation, c->me};
    return use;
}

void shmem_psync_leave(struct shmem_job *job, struct shmem_psync_use *use)
{
    struct shmem_psync *a = use->array;
    bool same = a->generation == use->generation;
    uint32_t place = use->place;
    base_pool_put(&job->apart, use);
    if (!same)
        return;
    a->left++;
    set(a->bits + words(a->key.size), place);
}
