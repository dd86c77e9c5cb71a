/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich: the table as MPICH's JSON. Such a file replaces MPICH's own as a whole, so it also has an entry
 * for each operation that was not tuned: an algorithm that is always possible, not the one that MPICH
 * would choose. What was tuned is for commutative operators and separate buffers; others get that
 * algorithm, too. MPICH knows the size of a part only of some operations, else that of all parts together; it
 * aborts if it is asked for what it does not know. Operations of which it knows neither (gather, scatter, scan,
 * exscan, barrier) have one algorithm each.
 *
 * Source: MPICH 4.0.2, maint/tuning/coll/mpir/generic.json, src/mpi/coll/src/csel.c.
 */
#include "base/json.h"
#include "tune/form.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct row {
    const char *name, *intra, *inter; /* inter NULL: the same */
    const char *in_place;             /* NULL: the same */
    enum coll_op op;                  /* COLL_OPS: never tuned */
} rows[] = {
    {"bcast", "Bcast_intra_binomial", "Bcast_inter_remote_send_local_bcast", NULL, COLL_BROADCAST},
    {"allreduce", "Allreduce_intra_recursive_doubling", "Allreduce_inter_reduce_exchange_bcast", NULL,
     COLL_REDUCE},
    {"allgather", "Allgather_intra_ring", "Allgather_inter_local_gather_remote_bcast", NULL, COLL_FCOLLECT},
    {"allgatherv", "Allgatherv_intra_ring", "Allgatherv_inter_remote_gather_local_bcast", NULL,
     COLL_ALLGATHERV},
    {"reduce", "Reduce_intra_binomial", "Reduce_inter_local_reduce_remote_send", NULL, COLL_REDUCE_ROOT},
    {"reduce_scatter", "Reduce_scatter_intra_recursive_doubling",
     "Reduce_scatter_inter_remote_reduce_local_scatter", NULL, COLL_REDUCE_SCATTER},
    {"reduce_scatter_block", "Reduce_scatter_block_intra_recursive_doubling",
     "Reduce_scatter_block_inter_remote_reduce_local_scatter", NULL, COLL_REDUCE_SCATTER_BLOCK},
    {"gather", "Gather_intra_binomial", "Gather_inter_linear", NULL, COLL_OPS},
    {"scatter", "Scatter_intra_binomial", "Scatter_inter_linear", NULL, COLL_OPS},
    {"gatherv", "Gatherv_allcomm_linear", NULL, NULL, COLL_OPS},
    {"scatterv", "Scatterv_allcomm_linear", NULL, NULL, COLL_OPS},
    {"scan", "Scan_intra_recursive_doubling", NULL, NULL, COLL_OPS},
    {"exscan", "Exscan_intra_recursive_doubling", NULL, NULL, COLL_OPS},
    {"barrier", "Barrier_intra_dissemination", "Barrier_inter_bcast", NULL, COLL_OPS},
    {"alltoall", "Alltoall_intra_pairwise", "Alltoall_inter_pairwise_exchange",
     "Alltoall_intra_pairwise_sendrecv_replace", COLL_ALLTOALL},
    {"alltoallv", "Alltoallv_intra_scattered", "Alltoallv_inter_pairwise_exchange",
     "Alltoallv_intra_pairwise_sendrecv_replace", COLL_ALLTOALLV},
    {"alltoallw", "Alltoallw_intra_scattered", "Alltoallw_inter_pairwise_exchange",
     "Alltoallw_intra_pairwise_sendrecv_replace", COLL_ALLTOALLW},
    {"neighbor_allgather", "Neighbor_allgather_allcomm_nb", NULL, NULL, COLL_OPS},
    {"neighbor_allgatherv", "Neighbor_allgatherv_allcomm_nb", NULL, NULL, COLL_OPS},
    {"neighbor_alltoall", "Neighbor_alltoall_allcomm_nb", NULL, NULL, COLL_OPS},
    {"neighbor_alltoallv", "Neighbor_alltoallv_allcomm_nb", NULL, NULL, COLL_OPS},
    {"neighbor_alltoallw", "Neighbor_alltoallw_allcomm_nb", NULL, NULL, COLL_OPS},
    {"ibarrier", "Ibarrier_intra_sched_recursive_doubling", "Ibarrier_inter_sched_bcast", NULL, COLL_OPS},
    {"iallreduce", "Iallreduce_intra_sched_recursive_doubling",
     "Iallreduce_inter_sched_remote_reduce_local_bcast", NULL, COLL_OPS},
    {"iallgather", "Iallgather_intra_sched_ring", "Iallgather_inter_sched_local_gather_remote_bcast", NULL,
     COLL_OPS},
    {"iallgatherv", "Iallgatherv_intra_sched_ring", "Iallgatherv_inter_sched_remote_gather_local_bcast", NULL,
     COLL_OPS},
    {"ibcast", "Ibcast_intra_sched_binomial", "Ibcast_inter_sched_flat", NULL, COLL_OPS},
    {"ireduce", "Ireduce_intra_sched_binomial", "Ireduce_inter_sched_local_reduce_remote_send", NULL,
     COLL_OPS},
    {"ireduce_scatter", "Ireduce_scatter_intra_sched_recursive_doubling",
     "Ireduce_scatter_inter_sched_remote_reduce_local_scatterv", NULL, COLL_OPS},
    {"ireduce_scatter_block", "Ireduce_scatter_block_intra_sched_recursive_doubling",
     "Ireduce_scatter_block_inter_sched_remote_reduce_local_scatterv", NULL, COLL_OPS},
    {"igather", "Igather_intra_sched_binomial", "Igather_inter_sched_long", NULL, COLL_OPS},
    {"iscatter", "Iscatter_intra_sched_binomial", "Iscatter_inter_sched_linear", NULL, COLL_OPS},
    {"igatherv", "Igatherv_allcomm_sched_linear", NULL, NULL, COLL_OPS},
    {"iscatterv", "Iscatterv_allcomm_sched_linear", NULL, NULL, COLL_OPS},
    {"iscan", "Iscan_intra_sched_recursive_doubling", NULL, NULL, COLL_OPS},
    {"iexscan", "Iexscan_intra_sched_recursive_doubling", NULL, NULL, COLL_OPS},
    {"ialltoall", "Ialltoall_intra_sched_pairwise", "Ialltoall_inter_sched_pairwise_exchange",
     "Ialltoall_intra_sched_inplace", COLL_OPS},
    {"ialltoallv", "Ialltoallv_intra_sched_blocked", "Ialltoallv_inter_sched_pairwise_exchange",
     "Ialltoallv_intra_sched_inplace", COLL_OPS},
    {"ialltoallw", "Ialltoallw_intra_sched_blocked", "Ialltoallw_inter_sched_pairwise_exchange",
     "Ialltoallw_intra_sched_inplace", COLL_OPS},
    {"ineighbor_allgather", "Ineighbor_allgather_allcomm_sched_linear", NULL, NULL, COLL_OPS},
    {"ineighbor_allgatherv", "Ineighbor_allgatherv_allcomm_sched_linear", NULL, NULL, COLL_OPS},
    {"ineighbor_alltoall", "Ineighbor_alltoall_allcomm_sched_linear", NULL, NULL, COLL_OPS},
    {"ineighbor_alltoallv", "Ineighbor_alltoallv_allcomm_sched_linear", NULL, NULL, COLL_OPS},
    {"ineighbor_alltoallw", "Ineighbor_alltoallw_allcomm_sched_linear", NULL, NULL, COLL_OPS},
};

/* Algorithms without parameters, by their names in MPICH. */
enum needs {
    NOTHING,
    POWER,
    POWER_REGULAR, /* and parts of equal size */
    ITEMS          /* built-in operator, an item for each of the largest power of two of ranks */
};
static const struct known {
    enum coll_op op;
    const char *name;
    enum needs needs;
} known[] = {
    {COLL_BROADCAST, "binomial", NOTHING},
    {COLL_BROADCAST, "scatter_recursive_doubling_allgather", NOTHING},
    {COLL_BROADCAST, "scatter_ring_allgather", NOTHING},
    {COLL_REDUCE, "recursive_doubling", NOTHING},
    {COLL_REDUCE, "reduce_scatter_allgather", ITEMS},
    {COLL_FCOLLECT, "brucks", NOTHING},
    {COLL_FCOLLECT, "recursive_doubling", POWER},
    {COLL_FCOLLECT, "ring", NOTHING},
    {COLL_ALLGATHERV, "brucks", NOTHING},
    {COLL_ALLGATHERV, "recursive_doubling", POWER},
    {COLL_ALLGATHERV, "ring", NOTHING},
    {COLL_REDUCE_ROOT, "binomial", NOTHING},
    {COLL_REDUCE_ROOT, "reduce_scatter_gather", ITEMS},
    {COLL_REDUCE_SCATTER, "noncommutative", POWER_REGULAR},
    {COLL_REDUCE_SCATTER, "pairwise", NOTHING},
    {COLL_REDUCE_SCATTER, "recursive_doubling", NOTHING},
    {COLL_REDUCE_SCATTER, "recursive_halving", NOTHING},
    {COLL_REDUCE_SCATTER_BLOCK, "noncommutative", POWER},
    {COLL_REDUCE_SCATTER_BLOCK, "pairwise", NOTHING},
    {COLL_REDUCE_SCATTER_BLOCK, "recursive_doubling", NOTHING},
    {COLL_REDUCE_SCATTER_BLOCK, "recursive_halving", NOTHING},
    {COLL_GATHER, "binomial", NOTHING},
    {COLL_SCATTER, "binomial", NOTHING},
    {COLL_INSCAN, "recursive_doubling", NOTHING},
    {COLL_EXSCAN, "recursive_doubling", NOTHING},
    {COLL_BARRIER, "dissemination", NOTHING},
    {COLL_ALLTOALL, "brucks", NOTHING},
    {COLL_ALLTOALL, "pairwise", NOTHING},
    {COLL_ALLTOALL, "scattered", NOTHING},
    {COLL_ALLTOALLV, "scattered", NOTHING},
    {COLL_ALLTOALLW, "scattered", NOTHING},
};

/* NULL: MPICH has no such algorithm. */
static const struct known *known_of(const struct coll_algorithm_info *a)
{
    for (size_t k = 0; k < BASE_LENGTH(known); k++)
        if (known[k].op == a->op && tune_has_alias(a, "mpich", known[k].name))
            return &known[k];
    return NULL;
}

bool tune_mpich_has(const struct coll_algorithm_info *a)
{
    return known_of(a) != NULL;
}

/* --- the tree ------------------------------------------------------------------------------------- */

static void open_test(struct base_json *j, const char *test)
{
    base_json_open(j, test, '{');
}

static void algorithm(struct base_json *j, const char *name)
{
    char key[160];
    snprintf(key, sizeof key, "algorithm=MPIR_%s", name);
    base_json_open(j, key, '{');
    base_json_close(j);
}

static void either(struct base_json *j, const char *test, const char *name)
{
    open_test(j, test);
    algorithm(j, name);
    base_json_close(j);
}

/* Where MPICH itself asks before it takes the algorithm, so does the file. */
static void choice_where(struct base_json *j, const struct row *row, enum needs needs, const char *name)
{
    switch (needs) {
    case POWER_REGULAR:
        either(j, "is_block_regular=no", row->intra);
        open_test(j, "is_block_regular=yes");
        choice_where(j, row, POWER, name);
        base_json_close(j);
        return;
    case POWER:
        either(j, "comm_size=pow2", name);
        either(j, "comm_size=any", row->intra);
        return;
    case ITEMS:
        either(j, "is_op_built_in=no", row->intra);
        open_test(j, "is_op_built_in=yes");
        either(j, "count<pow2", row->intra);
        either(j, "count=any", name);
        base_json_close(j);
        return;
    default:
        algorithm(j, name);
    }
}

static void choice(struct base_json *j, const struct row *row, const struct tune_rule *r)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    const struct known *c = r->known ? known_of(&a[r->choice.algorithm]) : NULL;
    char name[100];
    if (!c) {
        algorithm(j, row->intra);
        return;
    }
    snprintf(name, sizeof name, "%.*s%s", (int)(strstr(row->intra, "_intra_") + 7 - row->intra), row->intra,
             c->name);
    choice_where(j, row, c->needs, name);
}

/* Of other operations MPICH knows the size of all parts together. */
static bool knows_part(enum coll_op op)
{
    return op == COLL_BROADCAST || op == COLL_REDUCE || op == COLL_REDUCE_ROOT || op == COLL_ALLTOALL;
}

static void sizes(struct base_json *j, const struct row *row, const struct tune_rules *r)
{
    const char *size = knows_part(row->op) ? "avg_msg_size" : "total_msg_size";
    uint64_t times = knows_part(row->op) ? 1 : r->ranks;
    char test[48];
    for (size_t k = 0; k < r->at.n; k++) {
        if (k + 1 < r->at.n)
            snprintf(test, sizeof test, "%s<=%" PRIu64, size, r->at.at[k + 1].from * times - 1);
        else
            snprintf(test, sizeof test, "%s=any", size);
        open_test(j, test);
        choice(j, row, &r->at.at[k]);
        base_json_close(j);
    }
}

/* The first number of ranks stands for all smaller ones, too. */
static void tuned(struct base_json *j, const struct tune_space *s, const struct tune_table *t,
                  const struct row *row)
{
    struct tune_rules r = {0};
    char test[32];
    for (size_t k = 0; k < t->n;) {
        tune_rules_next(s, t, &k, &r);
        if (r.op != row->op)
            continue;
        bool last = k == t->n || t->at[k].point.op != row->op;
        if (!last)
            snprintf(test, sizeof test, "comm_size<%u", s->place.at[t->at[k].point.place].ranks);
        open_test(j, last ? "comm_size=any" : test);
        sizes(j, row, &r);
        base_json_close(j);
    }
    free(r.at.at);
}

/* Tests come in pairs: what holds in the general case, and what needs another algorithm. */
static void tuned_where(struct base_json *j, const struct tune_space *s, const struct tune_table *t,
                        const struct row *row, const char *special, const char *general,
                        const char *otherwise)
{
    open_test(j, special);
    algorithm(j, otherwise);
    base_json_close(j);
    open_test(j, general);
    if (row->op < COLL_OPS && tune_rules_any(t, row->op))
        tuned(j, s, t, row);
    else
        algorithm(j, row->intra);
    base_json_close(j);
}

static bool reduces(enum coll_op op)
{
    return op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN || op == COLL_REDUCE_ROOT ||
           coll_op_scatters_result(op);
}

static void intra(struct base_json *j, const struct tune_space *s, const struct tune_table *t,
                  const struct row *row)
{
    if (row->in_place)
        tuned_where(j, s, t, row, "is_sendbuf_inplace=yes", "is_sendbuf_inplace=no", row->in_place);
    else if (row->op == COLL_OPS || !tune_rules_any(t, row->op))
        algorithm(j, row->intra);
    else if (reduces(row->op))
        tuned_where(j, s, t, row, "is_commutative=no", "is_commutative=yes", row->intra);
    else
        tuned(j, s, t, row);
}

void tune_write_mpich(const struct tune_space *s, const struct tune_table *t, FILE *out)
{
    struct base_json j;
    char key[48];
    base_json_init(&j, out, &(struct base_json_form){.indent = "    "});
    base_json_open(&j, NULL, '{');
    for (size_t k = 0; k < BASE_LENGTH(rows); k++) {
        snprintf(key, sizeof key, "collective=%s", rows[k].name);
        base_json_open(&j, key, '{');
        open_test(&j, "comm_type=intra");
        intra(&j, s, t, &rows[k]);
        base_json_close(&j);
        open_test(&j, "comm_type=inter");
        algorithm(&j, rows[k].inter ? rows[k].inter : rows[k].intra);
        base_json_close(&j);
        base_json_close(&j);
    }
    base_json_close(&j);
    base_json_end(&j);
    fputc('\n', out);
}
