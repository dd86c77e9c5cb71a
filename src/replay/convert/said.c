/* SPDX-License-Identifier: BSD-3-Clause */
/* said: what a format cannot say, counted by name; the names are those of lines. */
#include "coll/coll.h"
#include "p2p/p2p.h"
#include "replay/convert/parts.h"

#include <string.h>

void replay_unsay(struct replay_conversion *c, const char *what, const char *became)
{
    for (size_t k = 0; k < c->n; k++)
        if (!strcmp(c->unsaid[k].what, what) && !strcmp(c->unsaid[k].became, became)) {
            c->unsaid[k].count++;
            return;
        }
    if (c->n == BASE_LENGTH(c->unsaid)) { /* the last one is of all others */
        c->unsaid[c->n - 1].what = "others";
        c->unsaid[c->n - 1].became = "left out, or said otherwise";
        c->unsaid[c->n - 1].count++;
        return;
    }
    c->unsaid[c->n++] = (struct replay_unsaid){what, became, 1};
}

static const char *of_collective(const struct replay_action *a)
{
    static const char *const names[COLL_OPS] = {[COLL_BARRIER] = "ibarrier",
                                                [COLL_BROADCAST] = "ibcast",
                                                [COLL_REDUCE_ROOT] = "ireduce",
                                                [COLL_REDUCE] = "iallreduce",
                                                [COLL_INSCAN] = "iscan",
                                                [COLL_EXSCAN] = "iexscan",
                                                [COLL_GATHER] = "igather",
                                                [COLL_SCATTER] = "iscatter",
                                                [COLL_FCOLLECT] = "iallgather",
                                                [COLL_ALLTOALL] = "ialltoall",
                                                [COLL_GATHERV] = "igatherv",
                                                [COLL_SCATTERV] = "iscatterv",
                                                [COLL_ALLGATHERV] = "iallgatherv",
                                                [COLL_ALLTOALLV] = "ialltoallv",
                                                [COLL_REDUCE_SCATTER] = "ireducescatter"};
    return names[a->number] + (a->kind == REPLAY_COLLECTIVE);
}

const char *replay_name_of(const struct replay_action *a)
{
    bool later = a->kind == REPLAY_ISEND;
    switch (a->kind) {
    case REPLAY_SKIP:
        return a->text;
    case REPLAY_COLLECTIVE:
    case REPLAY_ICOLLECTIVE:
        return of_collective(a);
    case REPLAY_SEND:
    case REPLAY_ISEND:
        if (a->number == P2P_SYNCHRONOUS)
            return later ? "ISsend" : "Ssend";
        if (a->number == P2P_BUFFERED)
            return later ? "ibsend" : "bsend";
        return later ? "isend" : "send";
    default:
        return replay_kind_name(a->kind);
    }
}
