/* SPDX-License-Identifier: BSD-3-Clause */
/* group_actions: SMPI's collectives as calls. Those that have no counts for all ranks are of a part of them: refused. */
#include <strings.h>

#include "play/actions.h"

/* Words of a collective, whose request, if it has one, comes last. */
static void collective(struct play_reader *x, uint32_t function, bool later, struct record_words *words)
{
    uint64_t turns = 1;
    for (int k = 0; k < x->depth; k++)
        turns *= x->trace->step[x->loop[k]].times;
    x->trace->collectives += turns;
    if (!x->depth)
        x->trace->order = (x->trace->order ^ function) * UINT64_C(1099511628211);
    if (later)
        record_push(words, play_open_request(x, OF_NO_MESSAGE, OF_NO_MESSAGE, 0));
    play_add_call(x, function, words->at, words->n);
}

static void push(struct record_words *words, const int64_t *at, size_t n)
{
    for (size_t k = 0; k < n; k++)
        record_push(words, at[k]);
}

struct shape {
    const char *name;
    uint32_t function, later; /* blocking; not */
    int (*read)(struct play_reader *x, const struct play_words *w, struct record_words *out,
                struct base_status *st);
};

static int read_barrier(struct play_reader *x, const struct play_words *w, struct record_words *out,
                        struct base_status *st)
{
    (void)x, (void)w, (void)st;
    record_push(out, play_world());
    return 0;
}

/* count [root [type]] */
static int read_bcast(struct play_reader *x, const struct play_words *w, struct record_words *out,
                      struct base_status *st)
{
    int64_t bytes, root = 0;
    if (play_bytes(x, w, 2, 4, &bytes, st) || (w->n > 3 && play_rank(x, w, 3, false, &root, st)))
        return -1;
    push(out, (int64_t[]){RECORD_SOMEWHERE, bytes, play_byte_type(), root, play_world()}, 5);
    return 0;
}

/* Elements of this size: how many, and of what. */
static int64_t elements(int64_t size, int64_t *count)
{
    if (size > 8) {
        *count *= size / 8;
        size = 8;
    }
    if (!size)
        *count = 0;
    return play_named(RECORD_TYPE, size == 8   ? "MPI_DOUBLE"
                                   : size == 4 ? "MPI_INT"
                                   : size == 2 ? "MPI_SHORT"
                                               : "MPI_UNSIGNED_CHAR");
}

/* count flops [root] [type] */
static int reduction(struct play_reader *x, const struct play_words *w, bool rooted, struct record_words *out,
                     struct base_status *st)
{
    int64_t count, size, root = 0;
    double flops;
    if (play_whole(w, 2, "a count", 0, MOST, &count, st) || play_amount(w, 3, &flops, st) ||
        (rooted && w->n > 4 && play_rank(x, w, 4, false, &root, st)) ||
        play_type_size(x, w, rooted ? 5 : 4, &size, st))
        return -1;
    int64_t type = elements(size, &count);
    push(out, (int64_t[]){RECORD_SOMEWHERE, RECORD_SOMEWHERE, count, type, play_named(RECORD_OP, "MPI_SUM")},
         5);
    if (rooted)
        record_push(out, root);
    record_push(out, play_world());
    return 0;
}

static int read_reduce(struct play_reader *x, const struct play_words *w, struct record_words *out,
                       struct base_status *st)
{
    return reduction(x, w, true, out, st);
}

static int read_allreduce(struct play_reader *x, const struct play_words *w, struct record_words *out,
                          struct base_status *st)
{
    return reduction(x, w, false, out, st);
}

/* scount rcount [root] [stype rtype]: one part, of the side that has one, where the data is in place. */
static int parts(struct play_reader *x, const struct play_words *w, bool rooted, bool scatter,
                 struct record_words *out, struct base_status *st)
{
    int64_t sent, received, root = 0;
    size_t types = rooted ? 5 : 4;
    if (play_bytes(x, w, 2, types, &sent, st) || play_bytes(x, w, 3, types + 1, &received, st) ||
        (rooted && w->n > 4 && play_rank(x, w, 4, false, &root, st)))
        return -1;
    int64_t part = scatter ? received : sent;
    if (!part)
        part = scatter ? sent : received;
    push(out, (int64_t[]){RECORD_SOMEWHERE, part, play_byte_type(), RECORD_SOMEWHERE, part, play_byte_type()},
         6);
    if (rooted)
        record_push(out, root);
    record_push(out, play_world());
    return 0;
}

static int read_gather(struct play_reader *x, const struct play_words *w, struct record_words *out,
                       struct base_status *st)
{
    return parts(x, w, true, false, out, st);
}

static int read_scatter(struct play_reader *x, const struct play_words *w, struct record_words *out,
                        struct base_status *st)
{
    return parts(x, w, true, true, out, st);
}

static int read_alltoall(struct play_reader *x, const struct play_words *w, struct record_words *out,
                         struct base_status *st)
{
    return parts(x, w, false, false, out, st);
}

/* Counts of all ranks from word k on, and displacements behind one another. */
static int lists(struct play_reader *x, const struct play_words *w, size_t k, size_t type,
                 struct record_words *out, struct base_status *st)
{
    int n = x->wanted->ranks;
    int64_t bytes, sum = 0;
    size_t first = out->n + 1;
    record_push(out, n);
    for (int r = 0; r < n; r++) {
        if (play_bytes(x, w, k + (size_t)r, type, &bytes, st))
            return -1;
        record_push(out, bytes);
        sum += bytes;
    }
    if (sum > MOST)
        return base_fail(st, "%.40s: %lld bytes; expected less than 2 GiB", w->at[1], (long long)sum);
    record_push(out, n);
    sum = 0;
    for (int r = 0; r < n; r++) {
        record_push(out, sum);
        sum += out->at[first + (size_t)r];
    }
    return 0;
}

static int counts_there(const struct play_reader *x, const struct play_words *w, size_t least,
                        struct base_status *st)
{
    return w->n >= least ? 0
                         : base_fail(st,
                                     "%.40s: expected counts of all %d ranks; collectives of a part of the "
                                     "ranks cannot be played",
                                     w->at[1], x->wanted->ranks);
}

/* scount r1 ... rN [root] [stype rtype] */
static int read_gatherv(struct play_reader *x, const struct play_words *w, struct record_words *out,
                        struct base_status *st)
{
    size_t n = (size_t)x->wanted->ranks;
    int64_t sent, root = 0;
    if (counts_there(x, w, 3 + n, st) || play_bytes(x, w, 2, n + 4, &sent, st) ||
        (w->n > 3 + n && play_rank(x, w, 3 + n, false, &root, st)))
        return -1;
    push(out, (int64_t[]){RECORD_SOMEWHERE, sent, play_byte_type(), RECORD_SOMEWHERE}, 4);
    if (lists(x, w, 3, n + 5, out, st))
        return -1;
    push(out, (int64_t[]){play_byte_type(), root, play_world()}, 3);
    return 0;
}

/* scount r1 ... rN [stype rtype] [displacements] */
static int read_allgatherv(struct play_reader *x, const struct play_words *w, struct record_words *out,
                           struct base_status *st)
{
    size_t n = (size_t)x->wanted->ranks;
    int64_t sent;
    if (counts_there(x, w, 3 + n, st) || play_bytes(x, w, 2, n + 3, &sent, st))
        return -1;
    push(out, (int64_t[]){RECORD_SOMEWHERE, sent, play_byte_type(), RECORD_SOMEWHERE}, 4);
    if (lists(x, w, 3, n + 4, out, st))
        return -1;
    push(out, (int64_t[]){play_byte_type(), play_world()}, 2);
    return 0;
}

/* s1 ... sN rcount [root] [stype rtype] */
static int read_scatterv(struct play_reader *x, const struct play_words *w, struct record_words *out,
                         struct base_status *st)
{
    size_t n = (size_t)x->wanted->ranks;
    int64_t received, root = 0;
    record_push(out, RECORD_SOMEWHERE);
    if (counts_there(x, w, 3 + n, st) || lists(x, w, 2, n + 4, out, st) ||
        play_bytes(x, w, n + 2, n + 5, &received, st) ||
        (w->n > 3 + n && play_rank(x, w, 3 + n, false, &root, st)))
        return -1;
    push(out, (int64_t[]){play_byte_type(), RECORD_SOMEWHERE, received, play_byte_type(), root, play_world()},
         6);
    return 0;
}

/* sbuf s1 ... sN rbuf r1 ... rN [stype rtype] */
static int read_alltoallv(struct play_reader *x, const struct play_words *w, struct record_words *out,
                          struct base_status *st)
{
    size_t n = (size_t)x->wanted->ranks;
    record_push(out, RECORD_SOMEWHERE);
    if (counts_there(x, w, 4 + 2 * n, st) || lists(x, w, 3, 2 * n + 4, out, st))
        return -1;
    push(out, (int64_t[]){play_byte_type(), RECORD_SOMEWHERE}, 2);
    if (lists(x, w, n + 4, 2 * n + 5, out, st))
        return -1;
    push(out, (int64_t[]){play_byte_type(), play_world()}, 2);
    return 0;
}

/* r1 ... rN flops [type] */
static int read_reducescatter(struct play_reader *x, const struct play_words *w, struct record_words *out,
                              struct base_status *st)
{
    size_t n = (size_t)x->wanted->ranks;
    int64_t size, count, type = 0;
    if (counts_there(x, w, 3 + n, st) || play_type_size(x, w, n + 3, &size, st))
        return -1;
    push(out, (int64_t[]){RECORD_SOMEWHERE, RECORD_SOMEWHERE, (int64_t)n}, 3);
    for (size_t r = 0; r < n; r++) {
        if (play_whole(w, 2 + r, "a count", 0, MOST, &count, st))
            return -1;
        type = elements(size, &count);
        record_push(out, count);
    }
    push(out, (int64_t[]){type, play_named(RECORD_OP, "MPI_SUM"), play_world()}, 3);
    return 0;
}

static const struct shape shapes[] = {
    {"barrier", RECORD_MPI_BARRIER, RECORD_MPI_IBARRIER, read_barrier},
    {"bcast", RECORD_MPI_BCAST, RECORD_MPI_IBCAST, read_bcast},
    {"reduce", RECORD_MPI_REDUCE, RECORD_MPI_IREDUCE, read_reduce},
    {"allreduce", RECORD_MPI_ALLREDUCE, RECORD_MPI_IALLREDUCE, read_allreduce},
    {"scan", RECORD_MPI_SCAN, RECORD_MPI_ISCAN, read_allreduce},
    {"exscan", RECORD_MPI_EXSCAN, RECORD_MPI_IEXSCAN, read_allreduce},
    {"gather", RECORD_MPI_GATHER, RECORD_MPI_IGATHER, read_gather},
    {"scatter", RECORD_MPI_SCATTER, RECORD_MPI_ISCATTER, read_scatter},
    {"allgather", RECORD_MPI_ALLGATHER, RECORD_MPI_IALLGATHER, read_alltoall},
    {"alltoall", RECORD_MPI_ALLTOALL, RECORD_MPI_IALLTOALL, read_alltoall},
    {"gatherv", RECORD_MPI_GATHERV, RECORD_MPI_IGATHERV, read_gatherv},
    {"scatterv", RECORD_MPI_SCATTERV, RECORD_MPI_ISCATTERV, read_scatterv},
    {"allgatherv", RECORD_MPI_ALLGATHERV, RECORD_MPI_IALLGATHERV, read_allgatherv},
    {"alltoallv", RECORD_MPI_ALLTOALLV, RECORD_MPI_IALLTOALLV, read_alltoallv},
    {"reducescatter", RECORD_MPI_REDUCE_SCATTER, RECORD_MPI_IREDUCE_SCATTER, read_reducescatter}};

/* Where the flops of a reduction stand in its line; 0: it has none. */
static size_t flops_at(const struct play_reader *x, const struct shape *s)
{
    if (s->read == read_reduce || s->read == read_allreduce)
        return 3;
    return s->read == read_reducescatter ? 2 + (size_t)x->wanted->ranks : 0;
}

static int collective_read(struct play_reader *x, const struct play_words *w, const struct shape *s,
                           bool later, struct base_status *st)
{
    struct record_words out = {0};
    double flops = 0;
    size_t at = flops_at(x, s);
    int rc = s->read(x, w, &out, st) || (at && play_amount(w, at, &flops, st)) ? -1 : 0;
    if (!rc)
        collective(x, later ? s->later : s->function, later, &out);
    if (!rc && flops > 0) {
        x->trace->flops = true;
        play_add_step(x, (struct play_step){.what = PLAY_FLOPS, .amount = flops});
    }
    record_words_release(&out);
    return rc;
}

int play_group_action(struct play_reader *x, const struct play_words *w, struct base_status *st)
{
    const char *name = w->at[1];
    for (size_t k = 0; k < BASE_LENGTH(shapes); k++)
        if (!strcasecmp(shapes[k].name, name) ||
            ((*name | 0x20) == 'i' && !strcasecmp(shapes[k].name, name + 1)))
            return collective_read(x, w, &shapes[k], strcasecmp(shapes[k].name, name) != 0, st) ? -1 : 1;
    return 0;
}
