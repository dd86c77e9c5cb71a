/* SPDX-License-Identifier: BSD-3-Clause */
/* inter: the list of algorithms between two groups, and the choice among them. */
#include "coll/inter.h"
#include "coll/job.h"

#include <string.h>

#define COLL_INTER_ALGORITHM(op, key, name, aliases, source, good_for)                                       \
    {COLL_INTER_##op, name, aliases, source, good_for},
const struct coll_inter_info coll_inter_algorithms[COLL_INTER_KEYS] = {
#include "coll/inter.def"
};

#define COLL_INTER_OPERATION(op, rules, name, what) [COLL_INTER_##op] = {name, COLL_RULES_##rules},
static const struct {
    const char *name;
    enum coll_rules_op rules;
} operation[COLL_INTER_OPS] = {
#include "coll/inter.def"
};

const char *coll_inter_op_name(enum coll_inter_op op)
{
    return operation[op].name;
}

static int find(enum coll_inter_op op, const char *name)
{
    for (int way = 0; way < COLL_NAME_WAYS; way++)
        for (int k = 0; k < COLL_INTER_KEYS; k++) {
            const struct coll_inter_info *a = &coll_inter_algorithms[k];
            if (a->op == op && coll_name_is(a->name, a->aliases, name, way))
                return k;
        }
    return COLL_AUTO;
}

static int unknown(enum coll_inter_op op, const char *name, struct base_status *st)
{
    char known[256] = "auto";
    for (int k = 0; k < COLL_INTER_KEYS; k++)
        if (coll_inter_algorithms[k].op == op)
            snprintf(known + strlen(known), sizeof known - strlen(known), ", %s",
                     coll_inter_algorithms[k].name);
    return base_fail(st, "coll/inter-%s: no algorithm \"%s\"; expected one of %s", operation[op].name, name,
                     known);
}

int coll_inter_read(struct coll_select *s, const struct base_settings *settings, struct base_status *st)
{
    for (int op = 0; op < COLL_INTER_OPS; op++) {
        char key[48];
        snprintf(key, sizeof key, "coll/inter-%s", operation[op].name);
        const char *name = base_settings_text(settings, key);
        s->inter[op] = find((enum coll_inter_op)op, name);
        if (s->inter[op] == COLL_AUTO && strcmp(name, "auto"))
            return unknown((enum coll_inter_op)op, name, st);
    }
    return 0;
}

int coll_inter_leaf(enum coll_inter_op op, const struct coll_leaf *l)
{
    enum { NAME = 160 };
    char name[NAME];
    int k = COLL_AUTO;
    for (unsigned way = 0; k == COLL_AUTO && coll_leaf_alias(l, way, name, sizeof name); way++)
        k = find(op, name);
    return k;
}

static int by_selector(const struct coll_select *s, const struct coll_inter_call *c)
{
    const struct coll_point p = {
        .op = operation[c->op].rules,
        .ranks = c->ranks,
        .nodes = c->ranks,
        .per_node = 1,
        .part = c->part,
        .largest = c->part,
        .total = c->total,
        .flags = UINT32_C(1) << COLL_IS_INTER | UINT32_C(1) << COLL_IS_TWO_SIDED |
                 (uint32_t)c->nonblocking << COLL_IS_NONBLOCKING |
                 (uint32_t)!c->ordered << COLL_IS_COMMUTATIVE | (uint32_t)!c->user << COLL_IS_BUILTIN,
    };
    struct coll_choice choice;
    bool chooses = s->rules && coll_rules_choose(s->rules, &p, &choice);
    return chooses ? coll_inter_leaf(c->op, choice.leaf) : COLL_AUTO;
}

enum coll_inter_key coll_inter_pick(const struct coll_select *s, const struct coll_inter_call *c)
{
    int k = s->inter[c->op];
    if (k == COLL_AUTO)
        k = by_selector(s, c);
    for (int first = 0; k == COLL_AUTO; first++)
        if (coll_inter_algorithms[first].op == c->op)
            k = first;
    return (enum coll_inter_key)k;
}

static void (*on_call)(const struct rank_job *job, const struct coll_inter_call *c);

void coll_on_inter_call(void (*fn)(const struct rank_job *job, const struct coll_inter_call *c))
{
    on_call = fn;
}

enum coll_inter_key coll_inter_choose(const struct rank_job *job, const struct coll_inter_call *c)
{
    if (BASE_UNLIKELY(on_call != NULL) && c->tells)
        on_call(job, c);
    return coll_inter_pick(&coll_job_of(job)->exec.select, c);
}
