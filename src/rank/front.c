/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * front: what modules want to do at the ends of a job and of its ranks, when a thread's stores become
 * visible, when memory that is waited for changes, when the program crashes. These lists are filled at
 * start-up and never change afterwards.
 */
#include "rank/internal.h"

enum { MOST = 16 };
static const struct rank_front *fronts[MOST];
static unsigned n_fronts;
static void (*stored[MOST])(struct rank *r);
static unsigned n_stored;
static void (*changed[MOST])(struct rank *r, uintptr_t low, uintptr_t high);
static unsigned n_changed;
static bool (*explains[MOST])(struct rank_fault *fault, char *buf, size_t size);
static unsigned n_explains;
static bool (*knows[MOST])(struct rank *r, uintptr_t address, char *buf, size_t size);
static unsigned n_knows;
static void (*roots[MOST])(struct rank_job *job, rank_root_fn root);
static unsigned n_roots;

void rank_front_register(const struct rank_front *front)
{
    for (unsigned i = 0; i < n_fronts; i++)
        if (fronts[i] == front)
            return;
    BASE_ASSERT("N7: at most 16 fronts", n_fronts < MOST);
    fronts[n_fronts++] = front;
}

void rank_fronts_job_begin(struct rank_job *job)
{
    for (unsigned i = 0; i < n_fronts; i++)
        if (fronts[i]->job_begin)
            fronts[i]->job_begin(job);
}

void rank_fronts_job_end(struct rank_job *job)
{
    for (unsigned i = n_fronts; i-- > 0;)
        if (fronts[i]->job_end)
            fronts[i]->job_end(job);
}

void rank_fronts_rank_exit(struct rank *r, int code)
{
    for (unsigned i = n_fronts; i-- > 0;)
        if (fronts[i]->rank_exit)
            fronts[i]->rank_exit(r, code);
}

void rank_on_roots(void (*fn)(struct rank_job *job, rank_root_fn root))
{
    for (unsigned i = 0; i < n_roots; i++)
        if (roots[i] == fn)
            return;
    BASE_ASSERT("N7", n_roots < MOST);
    roots[n_roots++] = fn;
}

void rank_roots(struct rank_job *job, rank_root_fn root)
{
    for (unsigned i = 0; i < n_roots; i++)
        roots[i](job, root);
}

void rank_on_stored(void (*fn)(struct rank *r))
{
    for (unsigned i = 0; i < n_stored; i++)
        if (stored[i] == fn)
            return;
    BASE_ASSERT("N7", n_stored < MOST);
    stored[n_stored++] = fn;
}

void rank_stored(struct rank *r)
{
    for (unsigned i = 0; i < n_stored; i++)
        stored[i](r);
}

void rank_on_changed(void (*fn)(struct rank *r, uintptr_t low, uintptr_t high))
{
    for (unsigned i = 0; i < n_changed; i++)
        if (changed[i] == fn)
            return;
    BASE_ASSERT("N7", n_changed < MOST);
    changed[n_changed++] = fn;
}

void rank_changed(struct rank *r, uintptr_t low, uintptr_t high)
{
    for (unsigned i = 0; i < n_changed; i++)
        changed[i](r, low, high);
}

void rank_on_crash(bool (*fn)(struct rank_fault *fault, char *buf, size_t size))
{
    for (unsigned i = 0; i < n_explains; i++)
        if (explains[i] == fn)
            return;
    BASE_ASSERT("N7", n_explains < MOST);
    explains[n_explains++] = fn;
}

bool rank_crash_explain(struct rank_fault *fault, char *buf, size_t size)
{
    for (unsigned i = 0; i < n_explains; i++)
        if (explains[i](fault, buf, size))
            return true;
    return false;
}

static bool (*blocks)(uintptr_t address, struct rank_block *out);

void rank_on_block(bool (*fn)(uintptr_t address, struct rank_block *out))
{
    blocks = fn;
}

bool rank_block_find(uintptr_t address, struct rank_block *out)
{
    return blocks && blocks(address, out);
}

void rank_on_address(bool (*fn)(struct rank *r, uintptr_t address, char *buf, size_t size))
{
    for (unsigned i = 0; i < n_knows; i++)
        if (knows[i] == fn)
            return;
    BASE_ASSERT("N7", n_knows < MOST);
    knows[n_knows++] = fn;
}

bool rank_address_explain(struct rank *r, uintptr_t address, char *buf, size_t size)
{
    for (unsigned i = 0; i < n_knows; i++)
        if (knows[i](r, address, buf, size))
            return true;
    return false;
}
