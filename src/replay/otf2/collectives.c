/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * collectives: sizes of collectives from what all members have sent and received, of which archives have sums alone.
 * Score-P counts what a member gives to all others once for each member, itself included, or not if it is in place. Where
 * sums do not say who got how much from whom, it is taken to be in proportion to both.
 */
#include "replay/otf2/reader.h"

#include "coll/coll.h"

#include <stdlib.h>

/* What makes or allocates something for all members has them meet. */
int replay_otf2_operation(OTF2_CollectiveOp op)
{
    static const int8_t ops[] = {
        [OTF2_COLLECTIVE_OP_BARRIER] = COLL_BARRIER + 1,
        [OTF2_COLLECTIVE_OP_BCAST] = COLL_BROADCAST + 1,
        [OTF2_COLLECTIVE_OP_GATHER] = COLL_GATHER + 1,
        [OTF2_COLLECTIVE_OP_GATHERV] = COLL_GATHERV + 1,
        [OTF2_COLLECTIVE_OP_SCATTER] = COLL_SCATTER + 1,
        [OTF2_COLLECTIVE_OP_SCATTERV] = COLL_SCATTERV + 1,
        [OTF2_COLLECTIVE_OP_ALLGATHER] = COLL_FCOLLECT + 1,
        [OTF2_COLLECTIVE_OP_ALLGATHERV] = COLL_ALLGATHERV + 1,
        [OTF2_COLLECTIVE_OP_ALLTOALL] = COLL_ALLTOALL + 1,
        [OTF2_COLLECTIVE_OP_ALLTOALLV] = COLL_ALLTOALLV + 1,
        [OTF2_COLLECTIVE_OP_ALLTOALLW] = COLL_ALLTOALLV + 1,
        [OTF2_COLLECTIVE_OP_ALLREDUCE] = COLL_REDUCE + 1,
        [OTF2_COLLECTIVE_OP_REDUCE] = COLL_REDUCE_ROOT + 1,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = COLL_REDUCE_SCATTER + 1,
        [OTF2_COLLECTIVE_OP_SCAN] = COLL_INSCAN + 1,
        [OTF2_COLLECTIVE_OP_EXSCAN] = COLL_EXSCAN + 1,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = COLL_REDUCE_SCATTER + 1,
        [OTF2_COLLECTIVE_OP_CREATE_HANDLE] = COLL_BARRIER + 1,
        [OTF2_COLLECTIVE_OP_ALLOCATE] = COLL_BARRIER + 1,
        [OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE] = COLL_BARRIER + 1,
    };
    return op < BASE_LENGTH(ops) ? ops[op] - 1 : -1;
}

uint32_t replay_otf2_place(const struct replay_otf2_comm *c, uint32_t rank)
{
    for (uint32_t k = c->world ? rank : 0; k < c->n; k++)
        if (c->rank[k] == rank)
            return k;
    return c->n;
}

void replay_otf2_note(struct replay_otf2_comm *c, uint32_t rank, uint32_t number, struct replay_otf2_volume v)
{
    uint32_t place = replay_otf2_place(c, rank);
    while (c->volume.n < ((size_t)number + 1) * c->n)
        BASE_ARRAY_PUSH(&c->volume, (struct replay_otf2_volume){0});
    c->volume.at[(size_t)number * c->n + place] = v;
}

/* --- sizes ---------------------------------------------------------------------------------------------------- */

struct sizer {
    const struct replay_otf2 *x;
    const struct replay_otf2_comm *c;
    const struct replay_otf2_volume *v; /* of all members */
    uint32_t me;
    int64_t *counts; /* room for twice the members */
};

/* Of one member's data that was counted for each of `n`: once. */
static uint64_t once(const struct sizer *s, uint64_t bytes)
{
    uint32_t n = s->c->n;
    if (!s->x->multiplied)
        return bytes;
    return bytes % n == 0 || n == 1 || bytes % (n - 1) ? bytes / n : bytes / (n - 1);
}

static uint64_t most(const struct sizer *s, bool received)
{
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < s->c->n; k++) {
        uint64_t b = received ? s->v[k].received : s->v[k].sent;
        bytes = b > bytes ? b : bytes;
    }
    return bytes;
}

/* The first member gets its own operand alone, or nothing if that is in place. */
static uint64_t of_scan(const struct sizer *s)
{
    if (!s->x->multiplied || s->c->n == 1)
        return most(s, false);
    return s->v[0].received ? s->v[0].received : s->v[0].sent / (s->c->n - 1);
}

static uint64_t part(const struct sizer *s, enum coll_op op)
{
    switch (op) {
    case COLL_BROADCAST:
    case COLL_SCATTER:
        return most(s, true);
    case COLL_GATHER:
    case COLL_REDUCE_ROOT:
        return most(s, false);
    case COLL_INSCAN:
    case COLL_EXSCAN:
        return of_scan(s);
    case COLL_BARRIER:
        return 0;
    default:
        return once(s, most(s, false));
    }
}

static double total(const struct sizer *s)
{
    double sent = 0, received = 0;
    for (uint32_t k = 0; k < s->c->n; k++) {
        sent += (double)s->v[k].sent;
        received += (double)s->v[k].received;
    }
    return sent > received ? sent : received;
}

/* What one member sends to another one. */
static int64_t between(const struct sizer *s, double all, uint32_t from, uint32_t to)
{
    double bytes = all > 0 ? (double)s->v[from].sent * ((double)s->v[to].received / all) : 0;
    return bytes < 0x1p50 ? (int64_t)bytes : INT64_C(1) << 50;
}

static void exchange(const struct sizer *s)
{
    double all = total(s);
    for (uint32_t k = 0; k < s->c->n; k++) {
        s->counts[k] = between(s, all, s->me, k);
        s->counts[s->c->n + k] = between(s, all, k, s->me);
    }
}

/* Counts of all members, for those collectives that have them. */
static void set_counts(const struct sizer *s, struct replay_action *a)
{
    for (uint32_t k = 0; k < s->c->n; k++) {
        uint64_t bytes = a->number == COLL_GATHERV      ? s->v[k].sent
                         : a->number == COLL_SCATTERV   ? s->v[k].received
                         : a->number == COLL_ALLGATHERV ? once(s, s->v[k].sent)
                                                        : once(s, s->v[k].received);
        s->counts[k] = (int64_t)bytes;
    }
    if (a->number == COLL_ALLTOALLV) {
        exchange(s);
        base_notice(
            "replay/otf2-alltoallv",
            "%s: of MPI_Alltoallv the archive has sums alone: who got how much from whom is taken to be "
            "in proportion to what each one sent and received",
            s->x->path);
    }
    a->counts = s->counts;
    a->counts2 = s->counts + s->c->n;
    a->n = s->c->n;
    a->n2 = a->number == COLL_ALLTOALLV ? a->n : 0;
    a->bytes = a->n2 || a->number == COLL_REDUCE_SCATTER ? 0 : (uint64_t)s->counts[s->me];
}

/* Elements of reductions: the largest of the usual numbers that fits. */
static uint64_t element_of(const struct replay_action *a)
{
    uint64_t all = a->bytes;
    for (uint32_t k = 0; k < a->n; k++)
        all |= (uint64_t)a->counts[k];
    return all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : all % 2 == 0 ? 2 : 1;
}

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE_ROOT || op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN ||
           op == COLL_REDUCE_SCATTER;
}

static void set_sizes(const struct sizer *s, struct replay_action *a)
{
    a->n = a->n2 = 0;
    a->bytes2 = 1;
    if (a->number == COLL_GATHERV || a->number == COLL_SCATTERV || a->number == COLL_ALLGATHERV ||
        a->number == COLL_ALLTOALLV || a->number == COLL_REDUCE_SCATTER)
        set_counts(s, a);
    else
        a->bytes = part(s, (enum coll_op)a->number);
    if (reduces((enum coll_op)a->number))
        a->bytes2 = element_of(a);
}

/* --- the tape again --------------------------------------------------------------------------------------------- */

static void copy_rank(const struct replay_otf2 *x, uint32_t rank, int64_t *counts, struct replay_tape *to)
{
    uint32_t *calls = base_zalloc((x->comm.n + 1) * sizeof *calls, "communicators of a trace");
    struct replay_action a = {0};
    struct replay_cursor at;
    replay_cursor_begin(x->tape, rank, &at);
    while (replay_cursor_next(x->tape, &at, &a)) {
        if (a.kind == REPLAY_COLLECTIVE || a.kind == REPLAY_ICOLLECTIVE) {
            const struct replay_otf2_comm *c = &x->comm.at[a.group];
            const struct sizer s = {x, c, c->volume.at + (size_t)calls[a.group]++ * c->n,
                                    replay_otf2_place(c, rank), counts};
            a.group = c->world ? 0 : replay_tape_group(to, c->rank, c->n);
            set_sizes(&s, &a);
        }
        replay_tape_write(to, rank, &a);
    }
    replay_cursor_end(&at);
    free(calls);
}

struct replay_tape *replay_otf2_sized(struct replay_otf2 *x)
{
    struct replay_tape *to = replay_tape_create();
    int64_t *counts = base_alloc(2 * ((size_t)x->ranks + 1) * sizeof *counts, "counts of members");
    replay_tape_seal(x->tape);
    replay_tape_ranks_least(to, x->ranks);
    for (uint32_t rank = 0; rank < x->ranks; rank++)
        copy_rank(x, rank, counts, to);
    replay_tape_seal(to);
    free(counts);
    return to;
}
