/* SPDX-License-Identifier: BSD-3-Clause */
/* vector: exchanges and trees on a reduction's vector. */
#include "coll/schedule/vector.h"
#include "coll/schedule/pairing.h"

static coll_place at(struct coll_run run)
{
    return coll_at(COLL_DEST, run.at);
}

void coll_add_swap(struct coll_schedule *s, uint32_t peer, uint32_t tag, struct coll_run out,
                   struct coll_run in, bool reduce)
{
    bool overlap = out.at < in.at + in.bytes && in.at < out.at + out.bytes;
    uint32_t r = reduce ? coll_add_reduce(s, peer, tag, at(in), in.bytes)
                        : coll_add_receive(s, peer, tag, at(in), in.bytes);
    uint32_t k = coll_add_send(s, peer, tag, at(out), out.bytes);
    if (overlap)
        coll_order(s, k, r);
}

void coll_add_fold(struct coll_schedule *s, uint32_t tag)
{
    if (coll_pair_takes(s))
        coll_add_reduce(s, s->me - 1, tag, coll_at(COLL_DEST, 0), s->bytes);
    else if (coll_pair_gives(s))
        coll_add_send(s, s->me + 1, tag, coll_at(COLL_DEST, 0), s->bytes);
}

void coll_add_unfold(struct coll_schedule *s, uint32_t tag)
{
    if (coll_pair_takes(s))
        coll_add_send(s, s->me - 1, tag, coll_at(COLL_DEST, 0), s->bytes);
    else if (coll_pair_gives(s))
        coll_add_receive(s, s->me + 1, tag, coll_at(COLL_DEST, 0), s->bytes);
}

bool coll_blocking_up(struct coll_schedule *s, uint32_t round, uint32_t tag, struct coll_run run)
{
    if (round >= coll_log2_above(s->size))
        return false;
    uint32_t mask = UINT32_C(1) << round, below = s->me & (mask - 1);
    if (!below && s->me & mask)
        coll_add_send(s, s->me - mask, tag, at(run), run.bytes);
    else if (!below && s->size - s->me > mask)
        coll_add_reduce(s, s->me + mask, tag, at(run), run.bytes);
    return true;
}

bool coll_blocking_down(struct coll_schedule *s, uint32_t round, uint32_t tag, struct coll_run run)
{
    uint32_t levels = coll_log2_above(s->size);
    if (round >= levels)
        return false;
    uint32_t mask = UINT32_C(1) << (levels - 1 - round), below = s->me & (mask - 1);
    if (!below && s->me & mask)
        coll_add_receive(s, s->me - mask, tag, at(run), run.bytes);
    else if (!below && s->size - s->me > mask)
        coll_add_send(s, s->me + mask, tag, at(run), run.bytes);
    return true;
}
