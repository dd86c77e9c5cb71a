/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * match: see match.h. A queue is sorted when it grows beyond LONG items, and unsorted when it has shrunk to
 * SHORT, so that small changes in length do not sort it again and again.
 */
#include "p2p/match.h"

#include <stdlib.h>

enum { SHORT = 4, LONG = 16 };

/* What the items of a bin have in common: wildcards stand for what they may differ in. */
struct p2p_bin {
    struct p2p_item *head, *tail;
    struct p2p_envelope key;
    uint32_t queue; /* its number */
    uint32_t next;  /* of the free ones */
};

void p2p_bins_init(struct p2p_bins *b)
{
    *b = (struct p2p_bins){.free = BASE_NONE};
    base_index_init(&b->index, "bins of messages");
    base_pool_init(&b->one, sizeof(struct p2p_link), "receives in bins");
    base_pool_init(&b->all, P2P_CLASSES * sizeof(struct p2p_link), "messages in bins");
}

void p2p_bins_release(struct p2p_bins *b)
{
    base_index_release(&b->index);
    base_pool_release(&b->one);
    base_pool_release(&b->all);
    free(b->bin.at);
    p2p_bins_init(b);
}

/* --- bins ---------------------------------------------------------------------------------------- */

/* What items of a bin of this class, among which is one of this envelope, have in common. */
static struct p2p_envelope key_of(const struct p2p_envelope *e, enum p2p_class class)
{
    return (struct p2p_envelope){.context = e->context,
                                 .source = class & P2P_WITH_ANY_SOURCE ? P2P_ANY_SOURCE : e->source,
                                 .tag = class & P2P_WITH_ANY_TAG ? P2P_ANY_TAG : e->tag};
}

static bool same_key(const struct p2p_envelope *a, const struct p2p_envelope *b)
{
    return a->context == b->context && a->source == b->source && a->tag == b->tag;
}

static uint32_t hash_of(uint32_t queue, const struct p2p_envelope *key)
{
    uint64_t place = (uint64_t)queue << 32 | key->context,
             what = (uint64_t)key->source << 32 | (uint32_t)key->tag;
    return base_hash(base_hash_fold(place) ^ what);
}

static uint32_t bin_find(const struct p2p_bins *b, uint32_t queue, const struct p2p_envelope *key,
                         uint32_t hash)
{
    for (uint32_t at = hash, k; (k = base_index_next(&b->index, hash, &at)) != BASE_NONE;)
        if (b->bin.at[k].queue == queue && same_key(&b->bin.at[k].key, key))
            return k;
    return BASE_NONE;
}

static uint32_t bin_create(struct p2p_bins *b, uint32_t queue, const struct p2p_envelope *key, uint32_t hash)
{
    uint32_t k = b->free;
    if (k == BASE_NONE) {
        k = (uint32_t)b->bin.n;
        BASE_ARRAY_PUSH(&b->bin, (struct p2p_bin){0});
    } else {
        b->free = b->bin.at[k].next;
    }
    b->bin.at[k] = (struct p2p_bin){.key = *key, .queue = queue};
    base_index_add(&b->index, hash, k);
    b->used++;
    return k;
}

static void bin_destroy(struct p2p_bins *b, uint32_t k)
{
    struct p2p_bin *bin = &b->bin.at[k];
    base_index_remove(&b->index, hash_of(bin->queue, &bin->key), k);
    bin->next = b->free;
    b->free = k;
    b->used--;
}

static struct p2p_link *link_of(const struct p2p_queue *q, struct p2p_item *item, enum p2p_class class)
{
    return &item->links[q->messages ? class : 0];
}

static void bin_join(struct p2p_bins *b, const struct p2p_queue *q, struct p2p_item *item,
                     enum p2p_class class)
{
    struct p2p_envelope key = key_of(&item->envelope, class);
    uint32_t hash = hash_of(q->number, &key), k = bin_find(b, q->number, &key, hash);
    struct p2p_link *link = link_of(q, item, class);
    if (k == BASE_NONE)
        k = bin_create(b, q->number, &key, hash);
    struct p2p_bin *bin = &b->bin.at[k];
    *link = (struct p2p_link){.prev = bin->tail, .bin = k};
    if (bin->tail)
        link_of(q, bin->tail, class)->next = item;
    else
        bin->head = item;
    bin->tail = item;
}

static void bin_leave(struct p2p_bins *b, const struct p2p_queue *q, struct p2p_item *item,
                      enum p2p_class class)
{
    struct p2p_link *link = link_of(q, item, class);
    struct p2p_bin *bin = &b->bin.at[link->bin];
    if (link->prev)
        link_of(q, link->prev, class)->next = link->next;
    else
        bin->head = link->next;
    if (link->next)
        link_of(q, link->next, class)->prev = link->prev;
    else
        bin->tail = link->prev;
    if (!bin->head)
        bin_destroy(b, link->bin);
}

/* --- which bins an item is in -------------------------------------------------------------------- */

static struct base_pool *pool_of(struct p2p_bins *b, const struct p2p_queue *q)
{
    return q->messages ? &b->all : &b->one;
}

static void sort_in(struct p2p_bins *b, struct p2p_queue *q, struct p2p_item *item)
{
    item->links = base_pool_get(pool_of(b, q));
    if (!q->messages) {
        enum p2p_class class = p2p_class_of(&item->envelope);
        q->of_class[class]++;
        bin_join(b, q, item, class);
        return;
    }
    for (enum p2p_class class = 0; class < P2P_CLASSES; class ++)
        if (q->classes & 1u << class)
            bin_join(b, q, item, class);
}

static void leave_bins(struct p2p_bins *b, struct p2p_queue *q, struct p2p_item *item)
{
    if (!q->messages) {
        enum p2p_class class = p2p_class_of(&item->envelope);
        q->of_class[class]--;
        bin_leave(b, q, item, class);
        return;
    }
    for (enum p2p_class class = 0; class < P2P_CLASSES; class ++)
        if (q->classes & 1u << class)
            bin_leave(b, q, item, class);
}

static void sort_out(struct p2p_bins *b, struct p2p_queue *q, struct p2p_item *item)
{
    leave_bins(b, q, item);
    base_pool_put(pool_of(b, q), item->links);
}

static void sort(struct p2p_bins *b, struct p2p_queue *q)
{
    q->sorted = true;
    for (struct p2p_item *item = q->head; item; item = item->next)
        sort_in(b, q, item);
}

static void unsort(struct p2p_bins *b, struct p2p_queue *q)
{
    for (struct p2p_item *item = q->head; item; item = item->next)
        sort_out(b, q, item);
    q->sorted = false;
    q->classes = 0;
}

/* A receive asks for messages by a class for the first time since the queue is sorted. */
static void sort_by(struct p2p_bins *b, struct p2p_queue *q, enum p2p_class class)
{
    q->classes |= (uint8_t)(1u << class);
    for (struct p2p_item *item = q->head; item; item = item->next)
        bin_join(b, q, item, class);
}

/* --- queues -------------------------------------------------------------------------------------- */

void p2p_queue_add(struct p2p_bins *b, struct p2p_queue *q, struct p2p_item *item)
{
    BASE_ASSERT("A1", !item->queued);
    item->queued = true;
    item->age = ++b->ages;
    item->prev = q->tail;
    item->next = NULL;
    if (q->tail)
        q->tail->next = item;
    else
        q->head = item;
    q->tail = item;
    q->n++;
    if (q->sorted)
        sort_in(b, q, item);
    else if (q->n > LONG)
        sort(b, q);
}

void p2p_queue_remove(struct p2p_bins *b, struct p2p_queue *q, struct p2p_item *item)
{
    BASE_ASSERT("A1", item->queued);
    if (q->sorted)
        sort_out(b, q, item);
    item->queued = false;
    if (item->prev)
        item->prev->next = item->next;
    else
        q->head = item->next;
    if (item->next)
        item->next->prev = item->prev;
    else
        q->tail = item->prev;
    if (--q->n <= SHORT && q->sorted)
        unsort(b, q);
}

static struct p2p_item *first_in(const struct p2p_bins *b, const struct p2p_queue *q,
                                 const struct p2p_envelope *e, enum p2p_class class)
{
    struct p2p_envelope key = key_of(e, class);
    uint32_t k = bin_find(b, q->number, &key, hash_of(q->number, &key));
    return k == BASE_NONE ? NULL : b->bin.at[k].head;
}

struct p2p_item *p2p_queue_receive(const struct p2p_bins *b, const struct p2p_queue *q,
                                   const struct p2p_envelope *message)
{
    struct p2p_item *oldest = NULL;
    if (!q->sorted) {
        struct p2p_item *item = q->head;
        while (item && !p2p_wants(&item->envelope, message))
            item = item->next;
        return item;
    }
    for (enum p2p_class class = 0; class < P2P_CLASSES; class ++) {
        struct p2p_item *item = q->of_class[class] ? first_in(b, q, message, class) : NULL;
        if (item && (!oldest || item->age < oldest->age))
            oldest = item;
    }
    return oldest;
}

struct p2p_item *p2p_queue_message(struct p2p_bins *b, struct p2p_queue *q, const struct p2p_envelope *wanted)
{
    enum p2p_class class = p2p_class_of(wanted);
    if (!q->sorted) {
        struct p2p_item *item = q->head;
        while (item && !p2p_wants(wanted, &item->envelope))
            item = item->next;
        return item;
    }
    if (!(q->classes & 1u << class))
        sort_by(b, q, class);
    return first_in(b, q, wanted, class);
}

static bool is_of_one(struct p2p_item *const *items, size_t n, uint32_t source)
{
    for (size_t k = 0; k < n; k++)
        if (items[k]->envelope.source == source)
            return true;
    return false;
}

size_t p2p_queue_senders(const struct p2p_queue *q, const struct p2p_envelope *wanted, struct p2p_item **out,
                         size_t n)
{
    size_t found = 0;
    for (struct p2p_item *item = q->head; item && found < n; item = item->next)
        if (p2p_wants(wanted, &item->envelope) && !is_of_one(out, found, item->envelope.source))
            out[found++] = item;
    return found;
}

/* --- check --------------------------------------------------------------------------------------- */

/* The bin's items are in order, and want or are what its key says; how many. */
static uint32_t bin_check(const struct p2p_queue *q, const struct p2p_bin *bin, enum p2p_class class)
{
    uint32_t n = 0;
    struct p2p_item *before = NULL;
    BASE_ASSERT("A3", bin->head && bin->tail);
    for (struct p2p_item *item = bin->head; item; item = link_of(q, item, class)->next, n++) {
        struct p2p_envelope key = key_of(&item->envelope, class);
        BASE_ASSERT("A1", link_of(q, item, class)->prev == before && (!before || before->age < item->age));
        BASE_ASSERT("A2", item->queued && same_key(&key, &bin->key));
        before = item;
    }
    BASE_ASSERT("A1", bin->tail == before);
    return n;
}

uint32_t p2p_queue_check(const struct p2p_bins *b, const struct p2p_queue *q)
{
    uint32_t n = 0, bins = 0, places = 0;
    struct p2p_item *before = NULL;
    for (struct p2p_item *item = q->head; item; item = item->next, n++) {
        BASE_ASSERT("A1", item->prev == before && (!before || before->age < item->age));
        before = item;
    }
    BASE_ASSERT("A1", n == q->n && q->tail == before);
    /* A bin's class is that of its key, for a message's key has wildcards where the class has. */
    for (uint32_t k = 0; k < b->bin.n; k++) {
        const struct p2p_bin *bin = &b->bin.at[k];
        if (bin->queue != q->number || bin_find(b, q->number, &bin->key, hash_of(q->number, &bin->key)) != k)
            continue; /* another queue's, or free */
        places += bin_check(q, bin, p2p_class_of(&bin->key));
        bins++;
    }
    unsigned classes = q->messages ? (unsigned)__builtin_popcount(q->classes) : q->sorted;
    BASE_ASSERT("A2", places == n * classes);
    uint32_t counted = 0;
    for (unsigned class = 0; class < P2P_CLASSES; class ++)
        counted += q->of_class[class];
    BASE_ASSERT("A2", counted == (q->sorted && !q->messages ? n : 0));
    return bins;
}
