/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lock: a file system's locks on the stripes of a file. One client may hold a stripe to write, or several to read;
 * they keep it until another client wants it otherwise.
 *
 * A request locks its stripes in ascending order, so that no two can wait for each other. It waits for requests
 * under way of other clients that exclude it, in the order of arrival. One that takes a lock from another client
 * pays for it (storage_request_locked).
 */
#include "storage/internal.h"

static struct storage_lock *lock_at(struct storage_inode *i, uint64_t stripe)
{
    bool fresh;
    struct storage_lock *l = base_table_add(&i->locks, stripe, &fresh);
    if (fresh)
        l->holder = l->user = STORAGE_NONE;
    return l;
}

/* Its requests under way allow it. */
static bool is_free_for(const struct storage_lock *l, const struct storage_request *q)
{
    return !l->users || l->user == q->host || (q->how == STORAGE_READ && !l->exclusive);
}

static void drop_others(const struct storage_request *q, uint64_t stripe)
{
    uint64_t size = q->inode->stripe;
    storage_caches_drop(q->inode, q->host, stripe * size, (stripe + 1) * size);
}

static void take(struct storage_lock *l, struct storage_request *q, uint64_t stripe)
{
    bool writes = q->how == STORAGE_WRITE, others = l->holder != STORAGE_NONE && l->holder != q->host;
    bool conflicts = others && (writes || l->exclusive);
    q->conflicts |= conflicts;
    if (conflicts && writes)
        drop_others(q, stripe);
    if (writes) {
        l->holder = q->host;
        l->exclusive = true;
    } else if (others) {
        l->holder = STORAGE_MANY;
        l->exclusive = false;
    } else {
        l->holder = q->host; /* what it holds to write, it may read */
    }
    l->user = l->users && l->user != q->host ? STORAGE_MANY : q->host;
    l->users++;
}

static uint64_t last_stripe(const struct storage_request *q)
{
    return (q->high - 1) / q->inode->stripe;
}

static void wait_at(struct storage_lock *l, struct storage_request *q)
{
    if (!l->first)
        l->last = NULL;
    q->next = NULL;
    if (l->last)
        l->last->next = q;
    else
        l->first = q;
    l->last = q;
}

/* Locks the next stripes; false: it waits for one. */
static bool go_on(struct storage_request *q)
{
    for (; q->locked <= last_stripe(q); q->locked++) {
        struct storage_lock *l = lock_at(q->inode, q->locked);
        if (l->first || !is_free_for(l, q)) {
            wait_at(l, q);
            return false;
        }
        take(l, q, q->locked);
    }
    return true;
}

void storage_lock_begin(struct storage_request *q)
{
    q->locked = q->low / q->inode->stripe;
    if (go_on(q))
        storage_request_locked(q);
}

/* Those that wait longest get it, while they allow each other. They may lock further stripes, which may move the
 * table's entries. */
static void hand_on(struct storage_inode *i, uint64_t stripe)
{
    for (;;) {
        struct storage_lock *l = lock_at(i, stripe);
        struct storage_request *q = l->first;
        if (!q || !is_free_for(l, q))
            return;
        l->first = q->next;
        take(l, q, q->locked++);
        if (go_on(q))
            storage_request_locked(q);
    }
}

void storage_lock_end(struct storage_request *q)
{
    struct storage_inode *i = q->inode;
    uint64_t last = last_stripe(q);
    for (uint64_t stripe = q->low / i->stripe; stripe <= last; stripe++) {
        struct storage_lock *l = lock_at(i, stripe);
        BASE_ASSERT("S2", l->users > 0);
        if (--l->users == 0)
            hand_on(i, stripe);
    }
}
