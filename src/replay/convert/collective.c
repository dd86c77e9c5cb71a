/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective: collectives of MPI as actions. What a member has in place, or what only the root gives, is taken from what
 * the others give: an action has one size for both.
 */
#include "coll/coll.h"
#include "replay/convert/parts.h"

#include <string.h>

enum { MOST = 1 << 30 }; /* of elements */

struct maker {
    const struct replay_words *w;
    const struct replay_sizes *sizes;
    uint32_t rank, ranks;
    int64_t *counts;
    struct replay_action *a;
};

static bool in_place(const struct replay_words *w, const char *buffer)
{
    return replay_words_part(w, buffer) && replay_words_number(w, buffer) == RECORD_IN_PLACE;
}

static bool data(const struct maker *m, const char *count, const char *type, uint64_t *bytes)
{
    int64_t n = replay_words_number(m->w, count);
    m->a->bytes2 = replay_size_of(m->sizes, replay_words_number(m->w, type));
    *bytes = (uint64_t)n * m->a->bytes2;
    return n >= 0 && n <= MOST;
}

/* One part: as it is sent, or, where that is not said, received. */
static bool part(const struct maker *m)
{
    bool scatter = m->a->number == COLL_SCATTER;
    bool received = scatter ? !in_place(m->w, "recvbuf") : in_place(m->w, "sendbuf");
    return received ? data(m, "recvcount", "recvtype", &m->a->bytes)
                    : data(m, "sendcount", "sendtype", &m->a->bytes);
}

/* Counts of all members, appended; their type is one, or an array of types. */
static bool list(struct maker *m, const char *counts, const char *type, const char *types)
{
    const struct record_part *p = replay_words_part(m->w, counts), *each = replay_words_part(m->w, types);
    uint64_t size = replay_size_of(m->sizes, replay_words_number(m->w, type));
    if (!p || p->n != m->ranks || (each && each->n != p->n))
        return false;
    for (int64_t k = 0; k < p->n; k++) {
        if (p->at[k] < 0 || p->at[k] > MOST)
            return false;
        m->counts[m->a->n + m->a->n2 + k] =
            p->at[k] * (int64_t)(each ? replay_size_of(m->sizes, each->at[k]) : size);
    }
    *(m->a->n ? &m->a->n2 : &m->a->n) = m->ranks;
    m->a->bytes2 = each ? 1 : size;
    return true;
}

/* All members' counts where they are not said, and do not matter: only this one's own is. */
static bool own(struct maker *m)
{
    memset(m->counts, 0, m->ranks * sizeof *m->counts);
    m->counts[m->rank] = (int64_t)m->a->bytes;
    m->a->n = m->ranks;
    return true;
}

static bool at_root(struct maker *m, const char *counts, const char *type)
{
    return replay_words_part(m->w, counts)->n > 0 ? list(m, counts, type, "") : own(m);
}

static bool varying(struct maker *m)
{
    const char *types[2] = {"sendtypes", "recvtypes"};
    const char *counts[2] = {"sendcounts", "recvcounts"}, *type[2] = {"sendtype", "recvtype"};
    unsigned first = in_place(m->w, "sendbuf");
    switch (m->a->number) {
    case COLL_GATHERV:
        if (!data(m, "sendcount", "sendtype", &m->a->bytes) || !at_root(m, "recvcounts", "recvtype"))
            return false;
        break;
    case COLL_SCATTERV:
        return data(m, "recvcount", "recvtype", &m->a->bytes) && at_root(m, "sendcounts", "sendtype");
    case COLL_ALLGATHERV:
        if (!data(m, "sendcount", "sendtype", &m->a->bytes) || !list(m, "recvcounts", "recvtype", ""))
            return false;
        break;
    case COLL_REDUCE_SCATTER:
        return list(m, "recvcounts", "datatype", "");
    default:
        return list(m, counts[first], type[first], types[first]) && list(m, counts[1], type[1], types[1]);
    }
    if (first)
        m->a->bytes = (uint64_t)m->counts[m->rank];
    return true;
}

/* The same count for all. */
static bool blocks(struct maker *m)
{
    uint64_t bytes;
    if (!data(m, "recvcount", "datatype", &bytes))
        return false;
    for (uint32_t k = 0; k < m->ranks; k++)
        m->counts[k] = (int64_t)bytes;
    m->a->n = m->ranks;
    return true;
}

static bool arguments(struct maker *m)
{
    switch (m->a->number) {
    case COLL_BARRIER:
        return true;
    case COLL_GATHER:
    case COLL_SCATTER:
    case COLL_FCOLLECT:
    case COLL_ALLTOALL:
        return part(m);
    case COLL_BROADCAST:
    case COLL_REDUCE:
    case COLL_REDUCE_ROOT:
    case COLL_INSCAN:
    case COLL_EXSCAN:
        return data(m, "count", "datatype", &m->a->bytes);
    default:
        return replay_words_part(m->w, "recvcounts") || replay_words_part(m->w, "sendcounts") ? varying(m)
                                                                                              : blocks(m);
    }
}

bool replay_collective_of(const struct replay_words *w, const struct replay_sizes *sizes, uint32_t rank,
                          uint32_t ranks, int64_t *counts, struct replay_action *a)
{
    struct maker m = {w, sizes, rank, ranks, counts, a};
    int64_t root = replay_words_number(w, "root");
    if (root < 0 || root >= ranks || !arguments(&m))
        return false;
    a->peer = (uint32_t)root;
    a->counts = counts;
    a->counts2 = counts + a->n;
    return true;
}
