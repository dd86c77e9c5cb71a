/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompi: the table as rules of Open MPI's component `tuned`, as numbers (4.1) or JSON (5). The component
 * numbers operations and algorithms, and compares the bytes of all parts together, except where the whole
 * is one vector. Its scans and alltoallv's are left out: it does not look at their sizes.
 *
 * Source: Open MPI 4.1.4, ompi/mca/coll/tuned: coll_tuned_dynamic_file.c, coll_tuned_decision_dynamic.c,
 * coll_tuned_*_decision.c; head, docs/tuning-apps/tuned_dynamic_file_schema.json.
 */
#include "base/json.h"
#include "tune/form.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ALGORITHMS = 9 };
static const struct row {
    enum coll_op op;
    unsigned number;
    const char *name;
    bool all_parts;                    /* sizes are those of all ranks' parts */
    const char *algorithm[ALGORITHMS]; /* from number 1 on */
} rows[] = {
    {COLL_FCOLLECT,
     0,
     "allgather",
     true,
     {"linear", "bruck", "recursive_doubling", "ring", "neighbor", "two_proc"}},
    {COLL_REDUCE,
     2,
     "allreduce",
     false,
     {"basic_linear", "nonoverlapping", "recursive_doubling", "ring", "segmented_ring", "rabenseifner"}},
    {COLL_ALLTOALL, 3, "alltoall", true, {"linear", "pairwise", "modified_bruck", "linear_sync", "two_proc"}},
    {COLL_BARRIER,
     6,
     "barrier",
     false,
     {"linear", "double_ring", "recursive_doubling", "bruck", "two_proc", "tree"}},
    {COLL_BROADCAST,
     7,
     "bcast",
     false,
     {"basic_linear", "chain", "pipeline", "split_binary_tree", "binary_tree", "binomial", "knomial",
      "scatter_allgather", "scatter_allgather_ring"}},
    {COLL_GATHER, 9, "gather", true, {"basic_linear", "binomial", "linear_sync"}},
    {COLL_REDUCE_ROOT,
     11,
     "reduce",
     false,
     {"linear", "chain", "pipeline", "binary", "binomial", "in-order_binary", "rabenseifner"}},
    {COLL_REDUCE_SCATTER,
     12,
     "reducescatter",
     true,
     {"non-overlapping", "recursive_halving", "ring", "butterfly"}},
    {COLL_REDUCE_SCATTER_BLOCK,
     13,
     "reducescatterblock",
     true,
     {"basic_linear", "recursive_doubling", "recursive_halving", "butterfly"}},
    {COLL_SCATTER, 15, "scatter", true, {"basic_linear", "binomial", "linear_nb"}},
};

static const struct row *row_of(enum coll_op op)
{
    for (size_t k = 0; k < BASE_LENGTH(rows); k++)
        if (rows[k].op == op)
            return &rows[k];
    return NULL;
}

/* 0: it has no such algorithm. */
static unsigned number(const struct coll_algorithm_info *a)
{
    const struct row *row = row_of(a->op);
    for (unsigned k = 0; row && k < ALGORITHMS && row->algorithm[k]; k++)
        if (tune_has_alias(a, "ompi", row->algorithm[k]))
            return k + 1;
    return 0;
}

/* Of algorithms whose radix no rule can change: that of knomial is coll_tuned_bcast_knomial_radix. */
static const struct {
    const char *name;
    uint32_t radix;
} fixed[] = {{"knomial", 4}, {"binary_tree", 2}, {"binary", 2}, {"in-order_binary", 2}};

bool tune_ompi_has(const struct coll_algorithm_info *a, const struct tune_choice *c)
{
    unsigned k = number(a);
    const char *name = k ? row_of(a->op)->algorithm[k - 1] : "";
    for (size_t f = 0; f < BASE_LENGTH(fixed); f++)
        if (!strcmp(fixed[f].name, name) && a->traits & COLL_RADIX)
            return c->radix == fixed[f].radix;
    return k != 0;
}

/* 0: Open MPI decides as without rules. */
static unsigned number_of(const struct tune_rule *r)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    return r->known ? number(&a[r->choice.algorithm]) : 0;
}

/* How many sets of rules by size the operation has. */
static size_t sets_of(const struct tune_space *s, const struct tune_table *t, enum coll_op op)
{
    struct tune_rules r = {0};
    size_t sets = 0;
    for (size_t k = 0; k < t->n;) {
        tune_rules_next(s, t, &k, &r);
        sets += r.op == op;
    }
    free(r.at.at);
    return sets;
}

/* --- numbers -------------------------------------------------------------------------------------- */

static void print_set(const struct row *row, const struct tune_rules *r, FILE *out)
{
    fprintf(out, "%u # ranks\n%zu # sizes\n", r->ranks, r->at.n);
    for (size_t k = 0; k < r->at.n; k++) {
        const struct tune_rule *rule = &r->at.at[k];
        unsigned algorithm = number_of(rule);
        fprintf(out, "%" PRIu64 " %u %u %" PRIu64 " # %s\n", rule->from * (row->all_parts ? r->ranks : 1),
                algorithm, algorithm ? rule->choice.radix : 0, algorithm ? rule->choice.segment : 0,
                algorithm ? row->algorithm[algorithm - 1] : "as without rules");
    }
}

static void print_op(const struct tune_space *s, const struct tune_table *t, const struct row *row, FILE *out)
{
    struct tune_rules r = {0};
    fprintf(out, "%u # %s\n%zu # numbers of ranks\n0 # ranks\n1 # sizes\n0 0 0 0 # as without rules\n",
            row->number, row->name, sets_of(s, t, row->op) + 1);
    for (size_t k = 0; k < t->n;) {
        tune_rules_next(s, t, &k, &r);
        if (r.op == row->op)
            print_set(row, &r, out);
    }
    free(r.at.at);
}

void tune_write_ompi(const struct tune_space *s, const struct tune_table *t, FILE *out)
{
    size_t ops = 0;
    for (size_t k = 0; k < BASE_LENGTH(rows); k++)
        ops += tune_rules_any(t, rows[k].op);
    fprintf(out,
            "%zu # operations; each line of a size: from so many bytes on, algorithm, fan-out, segment\n",
            ops);
    for (size_t k = 0; k < BASE_LENGTH(rows); k++)
        if (tune_rules_any(t, rows[k].op))
            print_op(s, t, &rows[k], out);
}

/* --- JSON ----------------------------------------------------------------------------------------- */

static void json_set(struct base_json *j, const struct row *row, const struct tune_rules *r, uint32_t next)
{
    uint64_t times = row->all_parts ? r->ranks : 1;
    base_json_open(j, NULL, '{');
    base_json_count(j, "comm_size_min", r->ranks);
    if (next)
        base_json_count(j, "comm_size_max", next - 1);
    base_json_open(j, "rules", '[');
    for (size_t k = 0; k < r->at.n; k++) {
        const struct tune_rule *rule = &r->at.at[k];
        unsigned algorithm = number_of(rule);
        if (!algorithm)
            continue;
        base_json_open(j, NULL, '{');
        base_json_count(j, "msg_size_min", rule->from * times);
        if (k + 1 < r->at.n)
            base_json_count(j, "msg_size_max", rule[1].from * times - 1);
        base_json_text(j, "alg", row->algorithm[algorithm - 1]);
        if (rule->choice.radix)
            base_json_count(j, "faninout", rule->choice.radix);
        if (rule->choice.window)
            base_json_count(j, "reqs", rule->choice.window);
        if (rule->choice.segment)
            base_json_count(j, "seg_size", rule->choice.segment);
        base_json_close(j);
    }
    base_json_close(j);
    base_json_close(j);
}

/* The ranks of the next set of the same operation; 0: there is none. */
static uint32_t next_ranks(const struct tune_space *s, const struct tune_table *t, size_t k, enum coll_op op)
{
    return k < t->n && t->at[k].point.op == op ? s->place.at[t->at[k].point.place].ranks : 0;
}

void tune_write_ompi_json(const struct tune_space *s, const struct tune_table *t, FILE *out)
{
    struct base_json j;
    struct tune_rules r = {0};
    base_json_init(&j, out, &(struct base_json_form){.indent = "  "});
    base_json_open(&j, NULL, '{');
    base_json_count(&j, "rule_file_version", 3);
    base_json_text(&j, "module", "tuned");
    base_json_open(&j, "collectives", '{');
    for (size_t row = 0; row < BASE_LENGTH(rows); row++) {
        if (!tune_rules_any(t, rows[row].op))
            continue;
        base_json_open(&j, rows[row].name, '[');
        for (size_t k = 0; k < t->n;) {
            tune_rules_next(s, t, &k, &r);
            if (r.op == rows[row].op)
                json_set(&j, &rows[row], &r, next_ranks(s, t, k, r.op));
        }
        base_json_close(&j);
    }
    base_json_close(&j);
    base_json_close(&j);
    base_json_end(&j);
    fputc('\n', out);
    free(r.at.at);
}
