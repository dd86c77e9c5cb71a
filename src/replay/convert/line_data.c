/* SPDX-License-Identifier: BSD-3-Clause */
/* line_data: collectives as lines: their data in elements of a type that SMPI numbers. */
#include "replay/convert/lines.h"

#include "coll/coll.h"

/* --- types ------------------------------------------------------------------------------------------------ */

/* SMPI's number of a type of that size, which sums know, too; -1: there is none. */
static int type_of(uint64_t size)
{
    switch (size) {
    case 1:
        return REPLAY_LINES_BYTE;
    case 2:
        return 3;
    case 4:
        return 1;
    case 8:
        return 0;
    case 16:
        return 26;
    case 32:
        return 27;
    default:
        return -1;
    }
}

/* The size of the elements in which a collective's data can be counted: its own, or a byte. */
static uint64_t element_of(const struct replay_action *a)
{
    uint64_t size = a->bytes2;
    bool whole = type_of(size) >= 0 && a->bytes % size == 0;
    for (uint32_t k = 0; whole && k < a->n; k++)
        whole = (uint64_t)a->counts[k] % size == 0;
    for (uint32_t k = 0; whole && k < a->n2; k++)
        whole = (uint64_t)a->counts2[k] % size == 0;
    return whole ? size : 1;
}

/* --- collectives --------------------------------------------------------------------------------------------- */

static void counts(struct replay_lines *x, const int64_t *each, uint32_t n, uint64_t size)
{
    for (uint32_t k = 0; k < n; k++)
        replay_lines_count(x, (uint64_t)each[k] / size);
}

/* A buffer's size in front of its counts, which SMPI skips. */
static void exchange_counts(struct replay_lines *x, const int64_t *each, uint32_t n, uint64_t size)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += (uint64_t)each[k] / size;
    replay_lines_count(x, sum);
    counts(x, each, n, size);
}

static void put_data(struct replay_lines *x, const struct replay_action *a, uint64_t size)
{
    uint64_t own = a->bytes / size;
    switch (a->number) {
    case COLL_GATHER:
    case COLL_SCATTER:
    case COLL_FCOLLECT:
    case COLL_ALLTOALL:
        replay_lines_count(x, own);
        replay_lines_count(x, own);
        break;
    case COLL_SCATTERV:
        counts(x, a->counts, a->n, size);
        replay_lines_count(x, own);
        break;
    case COLL_GATHERV:
    case COLL_ALLGATHERV:
        replay_lines_count(x, own);
        counts(x, a->counts, a->n, size);
        break;
    case COLL_REDUCE_SCATTER:
        counts(x, a->counts, a->n, size);
        break;
    case COLL_ALLTOALLV:
        exchange_counts(x, a->counts, a->n, size);
        exchange_counts(x, a->n2 ? a->counts2 : a->counts, a->n, size);
        break;
    default:
        replay_lines_count(x, own);
    }
}

static bool reduces(uint32_t op)
{
    return op == COLL_REDUCE_ROOT || op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN ||
           op == COLL_REDUCE_SCATTER;
}

void replay_lines_collective(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    enum coll_op op = (enum coll_op)a->number;
    uint64_t size = element_of(a);
    const char *name = replay_name_of(a);
    bool later = a->kind == REPLAY_ICOLLECTIVE;
    replay_lines_begin(x, rank, later && !x->calls ? name + 1 : name);
    if (later && !x->calls)
        replay_unsay(x->sink.out, name, "as the blocking one");
    if (op != COLL_BARRIER) {
        put_data(x, a, size);
        if (reduces(op))
            replay_lines_amount(x, a->amount);
        if (coll_op_is_rooted(op))
            replay_lines_number(x, a->peer);
        for (int types = op == COLL_BROADCAST || reduces(op) ? 1 : 2; types > 0; types--)
            replay_lines_number(x, (uint64_t)type_of(size));
    }
    replay_lines_flush(x);
    if (later && x->calls)
        replay_started_add(&x->open, a, rank, 0);
}
