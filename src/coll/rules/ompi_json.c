/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompi_json: Open MPI's files of dynamic rules, as JSON (docs/tuning-apps/tuned_dynamic_file_schema.json in
 * its sources): for each operation a list of groups, each with a list of rules. The first group that fits
 * decides; if none of its rules fits, the fixed rules choose.
 */
#include "base/json_tree.h"
#include "coll/rules/ompi.h"

#include <stdlib.h>
#include <string.h>

struct file {
    const struct base_json_tree *j;
    struct coll_rules *s;
    const char *name;
    struct base_status *st;
};

static int fail(const struct file *f, const struct base_json_node *v, const char *expected)
{
    const char *what = v->key ? v->key : v->text ? v->text : "a value";
    return base_fail(f->st, "%.200s:%u: %.60s: expected %s", f->name, (unsigned)v->line, what, expected);
}

/* A number of at most `most`, or "inf"; what is absent is left as it is. */
static int read_count(const struct file *f, const struct base_json_node *of, const char *key, uint64_t most,
                      uint64_t *out)
{
    const struct base_json_node *v = base_json_member(f->j, of, key);
    if (!v)
        return 0;
    if (v->kind == BASE_JSON_TEXT &&
        (!strcmp(v->text, "inf") || !strcmp(v->text, "Inf") || !strcmp(v->text, "INF"))) {
        *out = UINT64_MAX;
        return 0;
    }
    struct base_status why;
    if (v->kind != BASE_JSON_NUMBER || base_parse_uint(v->text, out, &why) || *out > most)
        return fail(f, v, "a whole number or \"inf\"");
    return 0;
}

/* Only these keys are known. */
static int check_keys(const struct file *f, const struct base_json_node *of, const char *const *known,
                      const char *expected)
{
    if (of->kind != BASE_JSON_OBJECT)
        return fail(f, of, "an object");
    for (const struct base_json_node *v = base_json_at(f->j, of->child); v; v = base_json_at(f->j, v->next)) {
        size_t k = 0;
        while (known[k] && strcmp(known[k], v->key))
            k++;
        if (!known[k])
            return fail(f, v, expected);
    }
    return 0;
}

static int read_algorithm(const struct file *f, const struct base_json_node *of, enum coll_rules_op op,
                          char *buf, size_t size, bool *fixed)
{
    const struct base_json_node *v = base_json_member(f->j, of, "alg");
    if (!v)
        return fail(f, of, "\"alg\", an algorithm's name or number");
    uint64_t number = 0;
    struct base_status why;
    *fixed = v->kind == BASE_JSON_TEXT && !strcmp(v->text, "ignore");
    if (*fixed)
        return 0;
    if (v->kind == BASE_JSON_TEXT && coll_ompi_knows(op, v->text)) {
        snprintf(buf, size, "%s", v->text);
        return 0;
    }
    if (v->kind != BASE_JSON_NUMBER || base_parse_uint(v->text, &number, &why))
        return fail(f, v, "an algorithm of this operation, by name or number");
    *fixed = number == 0;
    return *fixed || coll_ompi_algorithm(op, number, buf, size)
               ? 0
               : fail(f, v, "an algorithm of this operation, by name or number");
}

static int read_rule(const struct file *f, const struct base_json_node *v, enum coll_rules_op op,
                     uint32_t group, uint32_t *last)
{
    static const char *const known[] = {"msg_size_min", "msg_size_max", "alg",     "reqs",
                                        "faninout",     "seg_size",     "segsize", NULL};
    uint64_t least = 0, most = UINT64_MAX;
    struct coll_ompi_rule r = {0};
    char name[64];
    bool fixed = false;
    if (check_keys(f, v, known, "msg_size_min, msg_size_max, alg, reqs, faninout or seg_size") ||
        read_count(f, v, "msg_size_min", INT64_MAX, &least) ||
        read_count(f, v, "msg_size_max", INT64_MAX, &most) ||
        read_count(f, v, "reqs", UINT32_MAX, &r.requests) ||
        read_count(f, v, "faninout", UINT32_MAX, &r.fan) ||
        read_count(f, v, "seg_size", INT64_MAX, &r.segment) ||
        read_count(f, v, "segsize", INT64_MAX, &r.segment) ||
        read_algorithm(f, v, op, name, sizeof name, &fixed))
        return -1;
    if (!coll_ompi_has_size(op) && least)
        return 0;
    uint32_t rule = coll_rules_add(f->s, group, last, v->line);
    coll_ompi_between(f->s, coll_ompi_size(op), least, coll_ompi_has_size(op) ? most : UINT64_MAX);
    r.algorithm = fixed ? NULL : name;
    coll_ompi_leaf(f->s, rule, &r);
    return 0;
}

static int read_distribution(const struct file *f, const struct base_json_node *of)
{
    const struct base_json_node *v = base_json_member(f->j, of, "comm_rank_distribution");
    if (!v || (v->kind == BASE_JSON_TEXT && !strcmp(v->text, "any")))
        return 0;
    struct coll_test t = {.fact = COLL_FACT_FLAG, .value = COLL_IS_DISJOINT};
    if (v->kind == BASE_JSON_TEXT && !strcmp(v->text, "single-node"))
        t.value = COLL_IS_SINGLE_NODE;
    else if (v->kind != BASE_JSON_TEXT || strcmp(v->text, "one-per-node"))
        return fail(f, v, "any, one-per-node or single-node");
    coll_rules_add_test(f->s, &t);
    return 0;
}

static int read_group(const struct file *f, const struct base_json_node *v, enum coll_rules_op op,
                      uint32_t section, uint32_t *last)
{
    static const char *const known[] = {"comm_size_min", "comm_size_max", "comm_rank_distribution", "rules",
                                        NULL};
    uint64_t least = 0, most = UINT64_MAX;
    if (check_keys(f, v, known, "comm_size_min, comm_size_max, comm_rank_distribution or rules") ||
        read_count(f, v, "comm_size_min", INT64_MAX, &least) ||
        read_count(f, v, "comm_size_max", INT64_MAX, &most))
        return -1;
    uint32_t group = coll_rules_add(f->s, section, last, v->line), rule = COLL_RULES_NONE;
    coll_ompi_between(f->s, COLL_FACT_RANKS, least, most);
    if (read_distribution(f, v))
        return -1;
    const struct base_json_node *list = base_json_member(f->j, v, "rules");
    if (!list || list->kind != BASE_JSON_ARRAY)
        return fail(f, list ? list : v, "\"rules\", an array");
    for (const struct base_json_node *r = base_json_at(f->j, list->child); r; r = base_json_at(f->j, r->next))
        if (read_rule(f, r, op, group, &rule))
            return -1;
    return 0;
}

static int read_operation(const struct file *f, const struct base_json_node *v)
{
    enum coll_rules_op op = coll_ompi_operation(v->key);
    if (op == COLL_RULES_OPS)
        return fail(f, v, "an operation, as allreduce or reducescatter");
    if (v->kind != BASE_JSON_ARRAY)
        return fail(f, v, "an array of rules for sizes of communicators");
    if (f->s->section[op] != COLL_RULES_NONE)
        return fail(f, v, "each operation once");
    uint32_t section = coll_ompi_section(f->s, op, v->line), last = COLL_RULES_NONE;
    for (const struct base_json_node *g = base_json_at(f->j, v->child); g; g = base_json_at(f->j, g->next))
        if (read_group(f, g, op, section, &last))
            return -1;
    return 0;
}

int coll_ompi_parse_json(struct coll_rules *s, const struct base_json_tree *j, const char *name,
                         struct base_status *st)
{
    static const char *const known[] = {"rule_file_version", "module", "$schema", "collectives", NULL};
    struct file f = {.j = j, .s = s, .name = name, .st = st};
    const struct base_json_node *root = base_json_at(j, 0);
    if (check_keys(&f, root, known, "rule_file_version, module, $schema or collectives"))
        return -1;
    const struct base_json_node *module = base_json_member(j, root, "module");
    if (module && (module->kind != BASE_JSON_TEXT || strcmp(module->text, "tuned")))
        return fail(&f, module, "\"tuned\"");
    const struct base_json_node *all = base_json_member(j, root, "collectives");
    if (!all || all->kind != BASE_JSON_OBJECT)
        return fail(&f, all ? all : root, "\"collectives\", an object");
    for (const struct base_json_node *v = base_json_at(j, all->child); v; v = base_json_at(j, v->next))
        if (read_operation(&f, v))
            return -1;
    return 0;
}
