/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What checkers are told of collectives: who comes before whom, compared with what each kind promises, for
 * members, roots and sizes of all kinds, on both transports; what is in use, and for how long; no moment and no
 * action is left.
 */
#include "rank/naive.h"
#include "coll/stage.h"

enum { RANKS = 6, PART = 64, AREA = 4096 };

static struct trial {
    enum coll_op op;
    uint32_t root;
    uint64_t bytes;
    bool two_sided;
} trial;
static int counts[RANKS][RANKS], at[RANKS][RANKS], columns[RANKS][RANKS]; /* [to or from][...] */
static struct coll_local local[RANKS];
static struct naive_event before[RANKS];

/* How many bytes go from a member to another, where that differs from pair to pair. */
static int between(uint32_t from, uint32_t to)
{
    return trial.bytes ? (int)((from + 2 * to) % 3) * 8 : 0;
}
static uint64_t own(uint32_t r)
{
    bool differs = trial.op == COLL_COLLECT || trial.op == COLL_GATHERV || trial.op == COLL_SCATTERV ||
                   trial.op == COLL_ALLGATHERV;
    return differs && r % 3 == 1 ? 0 : trial.bytes;
}

/* The ring's next member and the one after it get something. */
static bool is_neighbor(uint32_t from, uint32_t to)
{
    return to == (from + 1) % RANKS || to == (from + 2) % RANKS;
}

static bool is_ordered(uint32_t from, uint32_t to)
{
    uint64_t mine = own(from), theirs = own(to);
    switch (trial.op) {
    case COLL_BARRIER:
        return true;
    case COLL_BROADCAST:
    case COLL_SCATTER:
    case COLL_SCATTERV:
        return from == trial.root && theirs;
    case COLL_GATHER:
    case COLL_GATHERV:
    case COLL_REDUCE_ROOT:
        return to == trial.root && mine;
    case COLL_INSCAN:
    case COLL_EXSCAN:
        return from < to && mine;
    case COLL_ALLTOALLV:
        return between(from, to);
    case COLL_NEIGHBOR_ALLGATHER:
        return is_neighbor(from, to) && mine;
    default:
        return mine;
    }
}

/* --- calls ---------------------------------------------------------------------------------------- */

static const struct coll_neighbors *ring(uint32_t me)
{
    struct base_status st;
    const uint32_t from[] = {(me + RANKS - 1) % RANKS, (me + RANKS - 2) % RANKS},
                   to[] = {(me + 1) % RANKS, (me + 2) % RANKS};
    return coll_neighbors_create(&(struct coll_graph){from, to, 2, 2, false, NULL}, me, &st);
}

static struct coll_side side_of(const int *n, int *where)
{
    for (uint32_t k = 0; k < RANKS; k++)
        where[k] = (int)k * PART;
    return (struct coll_side){.counts = n, .at = where};
}

static const struct coll_local *local_of(uint32_t me)
{
    struct coll_local *l = &local[me];
    *l = (struct coll_local){.neighbors = NULL};
    bool from_root = trial.op == COLL_SCATTERV;
    for (uint32_t k = 0; k < RANKS; k++) {
        columns[me][k] = trial.op == COLL_ALLTOALLV ? between(k, me) : (int)own(k);
        counts[me][k] = trial.op == COLL_ALLTOALLV ? between(me, k) : (int)own(k);
    }
    switch (trial.op) {
    case COLL_ALLTOALLV:
        l->source = side_of(counts[me], at[me]);
        l->dest = side_of(columns[me], at[me]);
        return l;
    case COLL_GATHERV:
    case COLL_SCATTERV:
    case COLL_ALLGATHERV:
        if (trial.op == COLL_ALLGATHERV || me == trial.root)
            *(from_root ? &l->source : &l->dest) = side_of(counts[me], at[me]);
        return l;
    case COLL_NEIGHBOR_ALLGATHER:
        l->neighbors = ring(me);
        l->dest.part = trial.bytes;
        return l;
    default:
        return NULL;
    }
}

static struct coll_call call_of(const struct rank *r)
{
    return (struct coll_call){.name = "collective",
                              .op = trial.op,
                              .me = r->id,
                              .dest = stage_at(r, AREA),
                              .source = stage_at(r, 0),
                              .bytes = own(r->id),
                              .element = 8,
                              .operator= {TYPES_SUM, TYPES_UINT64, false},
                              .local = local_of(r->id),
                              .group = {.stride = 1, .size = RANKS, .id = trial.two_sided ? 1 : 0},
                              .root = trial.root,
                              .transport =
                                  trial.two_sided ? stage_two_sided() : coll_put_transport(stage_puts)};
}

static void check_order(const struct rank *r)
{
    for (uint32_t k = 0; k < RANKS; k++)
        if (k != r->id && naive_follows(r, before[k]) != is_ordered(k, r->id))
            fail_msg("%s of %zu bytes, root %u, %s-sided: rank %u comes %safter rank %u",
                     coll_op_name(trial.op), (size_t)trial.bytes, trial.root, trial.two_sided ? "two" : "one",
                     r->id, is_ordered(k, r->id) ? "not " : "", k);
}

static void finish(uint32_t me)
{
    coll_neighbors_release((struct coll_neighbors *)(uintptr_t)local[me].neighbors);
    local[me].neighbors = NULL;
}

static void waits(struct rank *r)
{
    struct coll_call c = call_of(r);
    engine_sleep(r->engine, (r->id * 7 % 4) * 1e-6);
    before[r->id] = naive_event(r);
    coll_run(r, &c);
    check_order(r);
    finish(r->id);
}

static void on_done(void *arg)
{
    *(bool *)arg = true;
}

/* Told of the end, a thread learns of it later. */
static void starts(struct rank *r)
{
    static bool done[RANKS];
    struct rank_pending p = {0};
    struct coll_call c = call_of(r);
    done[r->id] = false;
    engine_sleep(r->engine, (r->id * 7 % 4) * 1e-6);
    before[r->id] = naive_event(r);
    coll_pending_begin(r, &c, &p);
    c.pending = &p;
    coll_start(r, &c, on_done, &done[r->id]);
    while (!done[r->id])
        engine_sleep(r->engine, 1e-6);
    for (uint32_t k = 0; k < RANKS; k++)
        assert_true(k == r->id || !naive_follows(r, before[k]));
    rank_pending_end(r, &p);
    check_order(r);
    finish(r->id);
}

static void play(ranks_body_fn body)
{
    struct base_status st;
    stage_prepare(RANKS, (size_t)2 * AREA);
    (void)st;
    stage_begin(ranks_platform(&stage, "<?xml version='1.0'?>\n"
                                       "<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
                                       "<platform version='4.1'><cluster id='c' prefix='node-' suffix='' "
                                       "radical='0-5' speed='1Gf' bw='1GBps' lat='1us'/></platform>\n"),
                1);
    naive_install();
    if (stage_run(body) != ENGINE_ALL_DONE)
        fail_msg("%s", stage.report);
    ranks_end(&stage);
    naive_remove();
}

/* --- tests ---------------------------------------------------------------------------------------- */

static bool is_tried(enum coll_op op)
{
    return op != COLL_ALLTOALLW && op != COLL_NEIGHBOR_ALLTOALL;
}

static void every(ranks_body_fn body, bool two_sided)
{
    for (int op = 0; op < COLL_OPS; op++)
        for (uint64_t n = 0; is_tried((enum coll_op)op) && n < 3; n++) {
            trial = (struct trial){(enum coll_op)op, (uint32_t)(op + (int)n) % RANKS, n * 24, two_sided};
            if (op != COLL_COLLECT || !two_sided)
                play(body);
        }
}

static void those_who_give_come_first(void **state)
{
    (void)state;
    every(waits, false);
}
static void also_by_messages(void **state)
{
    (void)state;
    every(waits, true);
}
static void when_the_end_is_learned(void **state)
{
    (void)state;
    every(starts, false);
}

/* Bytes read of the source, and written of the dest. */
static void uses(struct rank *r)
{
    struct coll_call c = call_of(r);
    uintptr_t source = (uintptr_t)c.source, dest = (uintptr_t)c.dest;
    before[r->id] = naive_event(r);
    coll_run(r, &c);
    for (size_t k = 0; k < naive.actions.n; k++)
        assert_true(naive.actions.at[k].begin.strand != before[r->id].strand || naive.actions.at[k].over);
    size_t reads = 0, writes = 0;
    for (size_t k = 0; k < naive.uses.n; k++) {
        const struct naive_use *u = &naive.uses.at[k];
        if (u->rank == r->id && u->how == RANK_READS && u->address - source < AREA)
            reads += u->bytes;
        if (u->rank == r->id && u->how == RANK_WRITES && u->address - dest < AREA)
            writes += u->bytes;
    }
    bool root = r->id == trial.root;
    switch (trial.op) {
    case COLL_BROADCAST:
        assert_int_equal(reads, root ? 24 : 0);
        assert_int_equal(writes, 24); /* a root with another dest gets the data, too */
        break;
    case COLL_GATHER:
        assert_int_equal(reads, 24);
        assert_int_equal(writes, root ? 24 * RANKS : 0);
        break;
    case COLL_SCATTERV: /* members 1 and 4 get nothing */
        assert_int_equal(reads, root ? 24 * 4 : 0);
        assert_int_equal(writes, own(r->id));
        break;
    case COLL_COLLECT: /* the same members give nothing */
        assert_int_equal(reads, own(r->id));
        assert_int_equal(writes, 24 * 4);
        break;
    case COLL_NEIGHBOR_ALLGATHER:
        assert_int_equal(reads, 24);
        assert_int_equal(writes, 48);
        break;
    case COLL_REDUCE_SCATTER:
        assert_int_equal(reads, 24 * RANKS);
        assert_int_equal(writes, 24);
        break;
    default:
        fail();
    }
    finish(r->id);
}

static void what_is_used(void **state)
{
    static const enum coll_op ops[] = {COLL_BROADCAST,          COLL_GATHER,  COLL_SCATTERV,
                                       COLL_NEIGHBOR_ALLGATHER, COLL_COLLECT, COLL_REDUCE_SCATTER};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(ops); k++) {
        trial = (struct trial){ops[k], 2, 24, false};
        play(uses);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_who_give_come_first), cmocka_unit_test(also_by_messages),
        cmocka_unit_test(when_the_end_is_learned), cmocka_unit_test(what_is_used)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
