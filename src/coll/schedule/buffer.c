/* SPDX-License-Identifier: BSD-3-Clause */
/* buffer: translates places to addresses, and finds the sizes and places of parts. */
#include "coll/schedule/buffer.h"
#include "coll/schedule/parts.h"

static const struct coll_side *side_of(const struct coll_local *l, enum coll_base base)
{
    return base == COLL_DEST ? &l->dest : &l->source;
}

static const struct types_layout *layout_of(const struct coll_side *side, uint32_t part)
{
    return side->layouts ? side->layouts[part] : side->layout;
}

static uint64_t size_of(const struct types_layout *l)
{
    return l ? types_layout_size(l) : 1;
}

static int64_t extent_of(const struct types_layout *l)
{
    return l ? types_layout_bounds(l).extent : 1;
}

/* --- parts -------------------------------------------------------------------------------------- */

uint64_t coll_part_counted(const struct coll_schedule *s, enum coll_base base, uint32_t part)
{
    const struct coll_side *side = side_of(s->local, base);
    if (!side->counts)
        return s->local->neighbors ? side->part : s->bytes;
    uint64_t bytes = (uint64_t)coll_side_entry(side, side->counts, part) * size_of(layout_of(side, part));
    if (BASE_UNLIKELY(bytes > COLL_MOST_BYTES))
        base_fatal(BASE_EXIT_PROGRAM, "%s: a part of %llu bytes: at most %llu fit", s->call->name,
                   (unsigned long long)bytes, (unsigned long long)COLL_MOST_BYTES);
    return bytes;
}

coll_place coll_part_placed(const struct coll_schedule *s, enum coll_base base, uint32_t part)
{
    BASE_ASSERT("C15", part < UINT32_C(1) << COLL_PART_BITS);
    if (side_of(s->local, base)->counts)
        return coll_at(base, (uint64_t)part << COLL_BYTES_BITS);
    return coll_at(base, part * coll_part_counted(s, base, part));
}

/* --- addresses ---------------------------------------------------------------------------------- */

struct coll_spot coll_buffer_spot(const struct coll_schedule *s, coll_place at, uint64_t bytes)
{
    const struct coll_side *side = side_of(s->local, coll_place_base(at));
    struct coll_spot spot = {(uintptr_t)(coll_place_base(at) == COLL_DEST ? s->dest : s->source), NULL, 0};
    const struct types_layout *l = side->layout;
    uint64_t offset = coll_place_offset(at);
    int64_t first;
    if (side->counts) {
        uint32_t part = (uint32_t)(offset >> COLL_BYTES_BITS);
        l = layout_of(side, part);
        spot.address +=
            (uintptr_t)(coll_side_entry(side, side->at, part) * (side->layouts ? 1 : extent_of(l)));
        offset &= COLL_MOST_BYTES;
    }
    if (!l || !types_layout_size(l)) {
        spot.address += offset;
        return spot;
    }
    uint64_t item = offset / types_layout_size(l);
    spot.address += (uintptr_t)((int64_t)item * extent_of(l));
    spot.from = offset - item * types_layout_size(l);
    spot.layout = l;
    if (types_layout_is_run(l, coll_spot_items(&spot, bytes), &first))
        return (struct coll_spot){spot.address + (uintptr_t)first + spot.from, NULL, 0};
    return spot;
}

/* --- in place ----------------------------------------------------------------------------------- */

/* The address of the caller's part in dest. */
static void *own_part(const struct coll_call *c, const struct coll_local *l)
{
    if (!l)
        return (char *)c->dest + c->me * c->bytes;
    const struct coll_side *side = &l->dest;
    uint64_t size = size_of(side->layout);
    int64_t item = side->counts ? coll_side_entry(side, side->at, c->me)
                   : size       ? (int64_t)(c->me * c->bytes / size)
                                : 0;
    return (char *)c->dest + item * extent_of(side->layout);
}

static void use_source(struct coll_call *c, struct coll_local *l, const void *source)
{
    c->source = source;
    if (l)
        l->source.layout = l->dest.layout;
}

void coll_in_place(struct coll_call *c, struct coll_local *l)
{
    switch (c->op) {
    case COLL_FCOLLECT:
    case COLL_ALLGATHERV:
    case COLL_GATHER:
    case COLL_GATHERV:
        use_source(c, l, own_part(c, l));
        return;
    case COLL_SCATTER:
    case COLL_SCATTERV:
        c->dest = NULL;
        return;
    case COLL_ALLTOALL:
    case COLL_ALLTOALLV:
    case COLL_ALLTOALLW:
        c->in_place = true;
        c->source = c->dest;
        if (l)
            l->source = l->dest;
        return;
    case COLL_REDUCE_SCATTER:
    case COLL_REDUCE_SCATTER_BLOCK:
        c->in_place = true;
        use_source(c, l, c->dest);
        return;
    default:
        use_source(c, l, c->dest);
    }
}
