/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collective_call: collectives of actions as calls of MPI. An action has one size for what is sent and what is received, and
 * counts of all members at each of them, also where only the root needs them.
 */
#include "coll/coll.h"
#include "replay/convert/whole.h"

#include <stdlib.h>

struct saying {
    const struct replay_action *a;
    const struct replay_call_on *on;
    struct record_words *out;
    struct replay_data data;                      /* of the rank's own part */
    uint64_t element;                             /* bytes of an element */
    int64_t *counts, *places, *counts2, *places2; /* of all members, in elements */
};

static uint32_t function_of(enum coll_op op)
{
    static const struct {
        enum coll_op op;
        uint32_t function;
    } known[] = {{COLL_BARRIER, RECORD_MPI_BARRIER},
                 {COLL_BROADCAST, RECORD_MPI_BCAST},
                 {COLL_REDUCE_ROOT, RECORD_MPI_REDUCE},
                 {COLL_REDUCE, RECORD_MPI_ALLREDUCE},
                 {COLL_INSCAN, RECORD_MPI_SCAN},
                 {COLL_EXSCAN, RECORD_MPI_EXSCAN},
                 {COLL_GATHER, RECORD_MPI_GATHER},
                 {COLL_SCATTER, RECORD_MPI_SCATTER},
                 {COLL_FCOLLECT, RECORD_MPI_ALLGATHER},
                 {COLL_ALLTOALL, RECORD_MPI_ALLTOALL},
                 {COLL_GATHERV, RECORD_MPI_GATHERV},
                 {COLL_SCATTERV, RECORD_MPI_SCATTERV},
                 {COLL_ALLGATHERV, RECORD_MPI_ALLGATHERV},
                 {COLL_ALLTOALLV, RECORD_MPI_ALLTOALLV},
                 {COLL_REDUCE_SCATTER, RECORD_MPI_REDUCE_SCATTER}};
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (known[k].op == op)
            return known[k].function;
    return RECORD_MPI_FUNCTIONS;
}

/* The size of the elements in which all counts are whole: the action's own, or a byte. */
static uint64_t element_of(const struct replay_action *a)
{
    uint64_t size = a->bytes2 ? a->bytes2 : 1;
    bool whole = a->bytes % size == 0;
    for (uint32_t k = 0; whole && k < a->n; k++)
        whole = (uint64_t)a->counts[k] % size == 0;
    for (uint32_t k = 0; whole && k < a->n2; k++)
        whole = (uint64_t)a->counts2[k] % size == 0;
    return whole ? size : 1;
}

static void fill(const struct saying *s, const int64_t *bytes, int64_t *counts, int64_t *places)
{
    int64_t at = 0;
    for (uint32_t k = 0; k < s->on->members; k++) {
        counts[k] = bytes[k] / (int64_t)s->element;
        places[k] = at;
        at = __builtin_add_overflow(at, counts[k], &at) ? 0 : at;
    }
}

static void say(const struct saying *s)
{
    int64_t n = s->on->members, element = replay_data_of(s->element, s->element).type;
    bool each = s->a->n != 0; /* parts differ */
    const struct replay_argument given[] = {
        {"count", s->data.count, NULL},
        {"sendcount", s->data.count, NULL},
        {"recvcount", s->data.count, NULL},
        {"datatype", each ? element : s->data.type, NULL},
        {"sendtype", each ? element : s->data.type, NULL},
        {"recvtype", each ? element : s->data.type, NULL},
        {"sendcounts", n, s->counts},
        {"recvcounts", n, s->a->n2 ? s->counts2 : s->counts},
        {"displs", n, s->places},
        {"sdispls", n, s->places},
        {"rdispls", n, s->a->n2 ? s->places2 : s->places},
        {"root", s->a->peer, NULL},
        {"op", s->on->op, NULL},
        {"comm", s->on->comm, NULL},
    };
    replay_put_words(s->out, function_of((enum coll_op)s->a->number), given, BASE_LENGTH(given));
}

uint32_t replay_collective_call_words(const struct replay_action *a, const struct replay_call_on *on,
                                      struct record_words *out)
{
    uint32_t function = function_of((enum coll_op)a->number);
    struct saying s = {.a = a, .on = on, .out = out, .element = element_of(a)};
    bool listed = a->n == on->members && (!a->n2 || a->n2 == a->n);
    if (function == RECORD_MPI_FUNCTIONS || (a->n && !listed))
        return RECORD_MPI_FUNCTIONS;
    s.data = replay_data_of(a->bytes, s.element);
    if (!a->n) {
        say(&s);
        return function;
    }
    if (replay_data_of(s.element, s.element).count != 1)
        s.element = 1; /* no type has this size */
    s.data.count = (int64_t)(a->bytes / s.element);
    int64_t *room = base_alloc(4 * (size_t)on->members * sizeof *room, "counts of members");
    s.counts = room;
    s.places = room + on->members;
    s.counts2 = room + 2 * (size_t)on->members;
    s.places2 = room + 3 * (size_t)on->members;
    fill(&s, a->counts, s.counts, s.places);
    if (a->n2)
        fill(&s, a->counts2, s.counts2, s.places2);
    say(&s);
    free(room);
    return function;
}
