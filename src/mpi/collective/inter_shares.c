/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inter_shares: chains of inter-communicators in which the data of a side, `all` units of them, are shared out
 * evenly to the members of either side, so that every member's link carries some. What member k of n has is
 * [all k/n, all (k + 1)/n). Units are elements of a reduction, or members whose parts are gathered.
 */
#include "mpi/collective/inter.h"

#include <stdlib.h>

struct share {
    uint64_t low, high;
};

static struct share share_of(uint64_t all, uint32_t k, uint32_t n)
{
    return (struct share){(uint64_t)((unsigned __int128)all * k / n),
                          (uint64_t)((unsigned __int128)all * (k + 1) / n)};
}

static struct share my_share(const struct mpi_draft *d, uint64_t all)
{
    return share_of(all, d->comm->me, d->comm->group->size);
}

static struct mpi_parts *keep(struct mpi_draft *d, struct mpi_parts *p)
{
    BASE_ASSERT("M41", d->chain->lists < MPI_CHAIN_TEMPS);
    return d->chain->parts[d->chain->lists++] = p;
}

/* The side's or the other side's shares; one of them is so many items (of a layout, or bytes). */
static struct mpi_parts *shares(struct mpi_draft *d, uint64_t all, uint32_t n, uint64_t items)
{
    struct mpi_parts *p = keep(d, mpi_parts_wide(n));
    for (uint32_t k = 0; k < n; k++) {
        struct share s = share_of(all, k, n);
        mpi_parts_set(p, k, (int64_t)((s.high - s.low) * items), (int64_t)(s.low * items));
    }
    return p;
}

/* Those of the other side whose shares overlap with mine, in `list`, which has room for all. */
static struct mpi_peers partners(const struct mpi_draft *d, uint64_t all, uint32_t *list)
{
    struct mpi_peers p = {.list = list};
    struct share mine = my_share(d, all);
    for (uint32_t k = 0; k < d->comm->remote->size; k++) {
        struct share s = share_of(all, k, d->comm->remote->size);
        uint64_t low = s.low > mine.low ? s.low : mine.low, high = s.high < mine.high ? s.high : mine.high;
        if (low < high)
            list[p.n++] = k;
    }
    return p;
}

/* What my share has in common with each of theirs, counted from its begin. */
static struct mpi_parts *pieces(struct mpi_draft *d, uint64_t all, const struct mpi_peers *with,
                                uint64_t items)
{
    struct mpi_parts *p = keep(d, mpi_parts_wide(with->n));
    struct share mine = my_share(d, all);
    for (uint32_t k = 0; k < with->n; k++) {
        struct share s = share_of(all, mpi_peer(with, k), d->comm->remote->size);
        uint64_t low = s.low > mine.low ? s.low : mine.low, high = s.high < mine.high ? s.high : mine.high;
        mpi_parts_set(p, k, (int64_t)((high - low) * items), (int64_t)((low - mine.low) * items));
    }
    return p;
}

/* --- reductions ----------------------------------------------------------------------------------------- */

static uint64_t elements(const struct mpi_draft *d)
{
    return d->call.bytes / d->call.element;
}

/* An element is one item of a layout, or so many bytes. */
static uint64_t items_of(const struct mpi_draft *d, const struct types_layout *l)
{
    return l ? 1 : d->call.element;
}

static uint64_t share_bytes(const struct mpi_draft *d)
{
    struct share mine = my_share(d, elements(d));
    return (mine.high - mine.low) * d->call.element;
}

/* My share of the side's sum, in temporary memory. */
static struct mpi_spot reduce_shares(struct mpi_draft *d)
{
    struct mpi_spot sum = mpi_inter_temporary(d, share_bytes(d));
    struct mpi_step *s = mpi_inter_step(d, COLL_REDUCE_SCATTER);
    const struct types_layout *l = d->op ? d->user.layout : NULL;
    mpi_step_takes(s, mpi_inter_source(d));
    mpi_step_gives(s, sum);
    s->call.bytes = d->call.bytes;
    s->call.element = d->call.element;
    s->call.operator= d->call.operator;
    mpi_parts_use(d, &s->local.source, shares(d, elements(d), d->comm->group->size, items_of(d, l)), l);
    return sum;
}

/* The other side's sum: my share of it. `dest` begins with that. */
static void swap_shares(struct mpi_draft *d, struct mpi_spot sum, struct mpi_spot dest)
{
    uint32_t *list = base_alloc(d->comm->remote->size * sizeof *list, "neighbours");
    struct mpi_peers with = partners(d, elements(d), list);
    struct mpi_parts *out = pieces(d, elements(d), &with, d->call.element), *in = out;
    if (dest.layout)
        in = pieces(d, elements(d), &with, 1);
    struct mpi_step *s = mpi_inter_exchange_with(d, COLL_NEIGHBOR_ALLTOALL, with, with);
    free(list);
    mpi_step_takes(s, sum);
    mpi_step_gives(s, dest);
    mpi_parts_use(d, &s->local.source, out, NULL);
    mpi_parts_use(d, &s->local.dest, in, dest.layout);
}

void mpi_inter_allreduce_shares(struct mpi_draft *d)
{
    const struct types_layout *l = d->local.dest.layout;
    struct mpi_spot sum = reduce_shares(d), theirs = mpi_inter_temporary(d, share_bytes(d));
    swap_shares(d, sum, theirs);
    struct mpi_step *s = mpi_inter_step(d, COLL_ALLGATHERV);
    s->call.bytes = share_bytes(d);
    mpi_step_takes(s, theirs);
    mpi_step_gives(s, mpi_inter_dest(d));
    mpi_parts_use(d, &s->local.dest, shares(d, elements(d), d->comm->group->size, items_of(d, l)), l);
}

void mpi_inter_reduce_scatter_shares(struct mpi_draft *d)
{
    struct mpi_spot sum = reduce_shares(d);
    swap_shares(d, sum, mpi_inter_dest(d));
}

void mpi_inter_reduce_shares(struct mpi_draft *d, int root)
{
    const struct types_layout *l = d->local.dest.layout;
    bool gets = root == MPI_ROOT, sends = root >= 0;
    struct mpi_spot sum = {NULL, NULL, true};
    if (sends)
        sum = reduce_shares(d);
    struct mpi_step *s =
        mpi_inter_exchange(d, COLL_NEIGHBOR_ALLTOALL, gets ? MPI_EVERYBODY : MPI_NOBODY,
                           sends ? MPI_ONE : MPI_NOBODY, sends ? (uint32_t)root : MPI_LEADER);
    s->call.bytes = s->local.source.part = sends ? share_bytes(d) : 0;
    mpi_step_takes(s, sum);
    mpi_step_gives(s, mpi_inter_dest(d));
    if (gets)
        mpi_parts_use(d, &s->local.dest, shares(d, elements(d), d->comm->remote->size, items_of(d, l)), l);
}

/* --- allgather ------------------------------------------------------------------------------------------ */

/* The member of n with unit k of `all` in its share. */
static uint32_t owner_of(uint64_t all, uint32_t k, uint32_t n)
{
    uint32_t low = 0;
    while (share_of(all, low, n).high <= k)
        low++;
    return low;
}

/* Each member sends its part to the one in whose share of the members it is; then both sides gather shares. */
void mpi_inter_allgather_shares(struct mpi_draft *d, uint64_t received)
{
    const struct types_layout *l = d->local.dest.layout;
    uint32_t mine = d->comm->group->size, theirs = d->comm->remote->size;
    uint64_t size = l ? types_layout_size(l) : 1, items = size ? received / size : 0;
    struct share share = my_share(d, theirs);
    struct mpi_peers from = {.first = (uint32_t)share.low, .n = (uint32_t)(share.high - share.low)};
    struct mpi_peers to = {.first = owner_of(mine, d->comm->me, theirs), .n = 1};
    struct mpi_step *s = mpi_inter_exchange_with(d, COLL_NEIGHBOR_ALLGATHER, from, to);
    s->call.bytes = d->call.bytes;
    mpi_step_takes(s, mpi_inter_source(d));
    mpi_step_gives(s, mpi_inter_dest(d));
    s->call.inner_dest = true; /* told as written by the second step */
    struct mpi_parts *in = keep(d, mpi_parts_wide(from.n));
    for (uint32_t k = 0; k < from.n; k++)
        mpi_parts_set(in, k, (int64_t)items, (int64_t)((from.first + k) * items));
    mpi_parts_use(d, &s->local.dest, in, l);
    s = mpi_inter_step(d, COLL_ALLGATHERV);
    s->call.bytes = from.n * received;
    mpi_step_gives(s, mpi_inter_dest(d));
    mpi_parts_use(d, &s->local.dest, shares(d, theirs, mine, items), l);
    coll_in_place(&s->call, &s->local);
}
