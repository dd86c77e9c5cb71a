/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * own: which heap is whose. Each rank has its own, or with too many ranks all share one, or blocks are
 * libc's; that is settled when the job begins.
 */
#include <unistd.h>

#include "base/sanitizer.h"
#include "base/table.h"
#include "fold/heap/own.h"

enum { A_RANK = 16 << 10, PARTS = 8, KEPT_ALL = 64 << 20, KEPT_LEAST = 32 << 10 };

struct heaps heaps = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- a job ----------------------------------------------------------------------------------------- */

bool heaps_possible(void)
{
    return BASE_ASAN + BASE_TSAN == 0 && !base_checked();
}

/* Whether the ranks' heaps, a few pages each, take only a small part of the machine's memory. */
static bool there_is_memory(uint32_t ranks)
{
    long pages = sysconf(_SC_PHYS_PAGES);
    return pages <= 0 || (uint64_t)ranks * A_RANK <= (uint64_t)pages * base_page_size() / PARTS;
}

static void settle(struct fold_job *job, bool traced)
{
    uint64_t most = base_settings_count(job->settings, "heap/ranks");
    bool by_default = base_settings_is_default(job->settings, "heap/ranks");
    if (!heaps_possible() || (!most && !traced) ||
        base_settings_count(job->settings, "memory/fold-threshold") || !heap_range_open())
        heaps.way = LIBC;
    else if (traced)
        heaps.way = TRACED;
    else
        heaps.way = job->ranks <= most && (!by_default || there_is_memory(job->ranks)) ? EACH : SHARED;
}

void heaps_begin(struct fold_job *job)
{
    bool leaks = base_settings_flag(job->settings, "heap/leaks");
    bool guards = base_settings_flag(job->settings, "heap/guard");
    long pages = sysconf(_SC_PHYS_PAGES);
    heaps.job = job;
    heaps.counts = (struct heap_counts){0};
    heaps.shared = NULL;
    heaps.ended = 0;
    heaps.idle_most = KEPT_ALL / job->ranks < KEPT_LEAST ? KEPT_LEAST : KEPT_ALL / job->ranks;
    heaps.block_most = pages > 0 ? (size_t)pages * base_page_size() : SIZE_MAX;
    settle(job, leaks || guards);
    if (!heaps.secret)
        heaps.secret = (uintptr_t)&heaps ^ (uint64_t)getpid() << 40;
    if (heaps.way == TRACED)
        traced_begin(leaks, guards);
    else if (leaks || guards)
        base_warn("heap/traced",
                  "leaks and guards of heaps: not with a sanitizer, valgrind, folded blocks of malloc, or "
                  "limited addresses (ulimit -v)");
}

static void count(struct heap *h, uint32_t owner)
{
    size_t peak = heap_peak(h);
    heaps.counts.heaps++;
    heaps.counts.bytes += peak;
    if (heaps.counts.most < peak) {
        heaps.counts.most = peak;
        heaps.counts.rank = owner;
    }
}

void heaps_release(struct rank *r)
{
    struct heap *h = fold_part(r)->heap_of_rank;
    fold_part(r)->heap = NULL;
    heaps.ended += r == rank_current;
    if (!h)
        return;
    if (heaps.way == TRACED)
        traced_release(r);
    count(h, r->id);
    fold_part(r)->heap_of_rank = NULL;
    heap_destroy(h);
}

void heaps_end(struct fold_job *job)
{
    for (uint32_t k = 0; k < job->ranks; k++) /* of jobs that were stopped */
        heaps_release(fold_rank_at(job, k));
    if (heaps.shared) {
        count(heaps.shared, OWNERLESS);
        heap_destroy(heaps.shared);
        heaps.shared = NULL;
    }
    if (heaps.way == TRACED)
        traced_end(job, heaps.ended == job->ranks);
    if (heaps.way != LIBC)
        heap_range_clear();
    heaps.way = LIBC;
    heaps.job = NULL;
}

struct heap_counts heaps_counts(void)
{
    struct heap_counts c = heaps.counts;
    c.shared = c.shared || heaps.shared;
    return c;
}

/* --- a rank's heap ---------------------------------------------------------------------------------- */

struct heap *heaps_of(struct rank *r)
{
    struct fold_part *part = fold_part(r);
    if (!part->heap_of_rank && !r->ended)
        part->heap_of_rank = heap_create(r->id, base_hash_fold(heaps.secret + r->id) >> 8, heaps.idle_most);
    if (heaps.way == EACH)
        part->heap = part->heap_of_rank;
    return part->heap_of_rank;
}

struct rank *heaps_owner(const void *p)
{
    struct heap *h = heap_of(p);
    return h && heaps.job && heap_owner(h) != OWNERLESS ? fold_rank_at(heaps.job, heap_owner(h)) : NULL;
}

struct heap *heaps_shared_locked(void)
{
    pthread_mutex_lock(&heaps.lock);
    if (!heaps.shared) {
        heaps.shared = heap_create(OWNERLESS, base_hash_fold(heaps.secret) >> 8, KEPT_ALL);
        heaps.counts.shared = heaps.shared != NULL;
    }
    return heaps.shared;
}

/* --- start-up --------------------------------------------------------------------------------------- */

void heaps_register(void)
{
    heap_report_register();
}
