/* SPDX-License-Identifier: BSD-3-Clause */
/* choose: what a selector says about a point, and why. */
#include "coll/rules/tree.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static uint32_t power_below(uint32_t n)
{
    return n ? UINT32_C(1) << (31 - __builtin_clz(n)) : 0;
}

uint32_t coll_point_flags(const struct coll_point *p)
{
    bool shared = p->nodes < p->ranks && !(p->flags >> COLL_IS_INNER & 1);
    bool blocking = !(p->flags >> COLL_IS_NONBLOCKING & 1) && !(p->flags >> COLL_IS_PERSISTENT & 1);
    bool blocks = shared && p->nodes > 1 && (p->flags >> COLL_IS_CONSECUTIVE & 1);
    return p->flags | (uint32_t)blocking << COLL_IS_BLOCKING |
           (uint32_t) !(p->ranks & (p->ranks - 1)) << COLL_IS_POW2 |
           (uint32_t) !(p->ranks & 1) << COLL_IS_EVEN | (uint32_t)(p->nodes == 1) << COLL_IS_SINGLE_NODE |
           (uint32_t)(p->nodes == p->ranks) << COLL_IS_DISJOINT | (uint32_t)shared << COLL_IS_SHARED |
           (uint32_t)blocks << COLL_IS_BLOCKS;
}

static uint64_t number(const struct coll_point *p, unsigned fact)
{
    switch (fact) {
    case COLL_FACT_RANKS:
        return p->ranks;
    case COLL_FACT_NODES:
        return p->nodes;
    case COLL_FACT_PER_NODE:
        return p->per_node;
    case COLL_FACT_PART:
        return p->part;
    case COLL_FACT_TOTAL:
        return p->total;
    case COLL_FACT_LARGEST:
        return p->largest;
    case COLL_FACT_PIPE:
        return p->pipe;
    case COLL_FACT_BURST:
        return p->burst;
    case COLL_FACT_COUNT:
        return p->count;
    case COLL_FACT_DEGREE:
        return p->degree;
    case COLL_FACT_DIMENSIONS:
        return p->dimensions;
    default:
        return p->topology;
    }
}

static uint64_t limit(const struct coll_point *p, const struct coll_test *t)
{
    if (t->times == COLL_TIMES_POW2)
        return power_below(p->ranks);
    const uint64_t by[] = {1, p->ranks, p->nodes, p->pipe};
    uint64_t product;
    if (__builtin_mul_overflow(t->value, by[t->times], &product))
        return UINT64_MAX;
    return t->times == COLL_TIMES_PIPE ? product / 100 : product;
}

static bool holds(const struct coll_point *p, uint32_t flags, const struct coll_test *t)
{
    if (t->fact == COLL_FACT_FLAG)
        return (flags >> t->value & 1) != t->negated;
    uint64_t x = number(p, t->fact), y = limit(p, t);
    switch (t->compare) {
    case COLL_LESS:
        return x < y;
    case COLL_MOST:
        return x <= y;
    case COLL_EQUAL:
        return x == y;
    case COLL_LEAST:
        return x >= y;
    default:
        return x > y;
    }
}

bool coll_rules_ask_graphs(const struct coll_rules *s)
{
    for (; s; s = s->under)
        for (size_t k = 0; k < s->test.n; k++)
            if (s->test.at[k].fact == COLL_FACT_DEGREE || s->test.at[k].fact == COLL_FACT_DIMENSIONS)
                return true;
    return false;
}

/* The rule with the leaf that decides (R2), or NONE. */
static uint32_t decide(const struct coll_rules *s, uint32_t at, const struct coll_point *p, uint32_t flags)
{
    while (at != COLL_RULES_NONE) {
        const struct coll_rule *r = &s->rule.at[at];
        uint32_t t = 0;
        while (t < r->tests && holds(p, flags, &s->test.at[r->test + t]))
            t++;
        if (t < r->tests)
            at = r->next;
        else if (r->leaf != COLL_RULES_NONE)
            return at;
        else
            at = r->child;
    }
    return COLL_RULES_NONE;
}

static void hop(struct coll_choice *c, const struct coll_rules *s, uint32_t rule)
{
    if (c->hops == COLL_CHOICE_HOPS)
        return;
    c->hop[c->hops].rules = s;
    c->hop[c->hops++].rule = rule;
}

/* One selector's own rules: a leaf with an algorithm or with `use`, or NULL. */
static const struct coll_leaf *choose_here(const struct coll_rules *s, const struct coll_point *p,
                                           uint32_t flags, struct coll_choice *c)
{
    uint32_t rule = decide(s, s->section[COLL_RULES_ANY], p, flags);
    if (rule == COLL_RULES_NONE)
        rule = decide(s, s->section[p->op], p, flags);
    if (rule == COLL_RULES_NONE)
        return NULL;
    hop(c, s, rule);
    const struct coll_leaf *l = s->leaf.at[s->rule.at[rule].leaf];
    uint32_t meaning = l->algorithm
                           ? coll_rules_meaning(s, (enum coll_rules_op)p->op, l->library, l->algorithm)
                           : COLL_RULES_NONE;
    if (meaning == COLL_RULES_NONE)
        return l->pass ? NULL : l;
    rule = decide(s, meaning, p, flags);
    if (rule == COLL_RULES_NONE)
        return NULL;
    hop(c, s, rule);
    const struct coll_leaf *stands_for = s->leaf.at[s->rule.at[rule].leaf];
    bool itself = stands_for->algorithm == l->algorithm && stands_for->library == l->library;
    return itself ? l : stands_for->pass ? NULL : stands_for;
}

bool coll_rules_choose(const struct coll_rules *s, const struct coll_point *p, struct coll_choice *out)
{
    struct coll_choice c = {0};
    struct coll_point at = *p;
    uint32_t flags = coll_point_flags(p);
    while (s) {
        at.op = (uint32_t)s->treat[at.op];
        const struct coll_leaf *l = choose_here(s, &at, flags, &c);
        if (l && !l->use) {
            c.leaf = l;
            c.op = at.op;
            *out = c;
            return true;
        }
        if (l) {
            s = coll_rules_builtin(l->use);
        } else {
            c.hops = 0; /* who does not choose is no reason */
            s = s->under ? s->under : s->base[0] ? coll_rules_builtin(s->base) : NULL;
        }
    }
    return false;
}

/* --- why ---------------------------------------------------------------------------------------------- */

static bool is_first(const struct coll_rules *s, uint32_t rule)
{
    uint32_t parent = s->rule.at[rule].parent;
    if (parent != COLL_RULES_NONE)
        return s->rule.at[parent].child == rule;
    bool first = false;
    for (int op = 0; op <= COLL_RULES_ANY; op++)
        first = first || s->section[op] == rule;
    for (size_t k = 0; k < s->meaning.n; k++)
        first = first || s->meaning.at[k].first == rule;
    return first;
}

static void explain_rule(const struct coll_rules *s, uint32_t rule, struct base_text *out)
{
    const struct coll_rule *r = &s->rule.at[rule];
    if (r->parent != COLL_RULES_NONE)
        explain_rule(s, r->parent, out);
    if (!r->tests && !is_first(s, rule))
        base_text_add(out, "else ");
    for (uint32_t t = 0; t < r->tests; t++) {
        coll_test_print(&s->test.at[r->test + t], out);
        base_text_char(out, ' ');
    }
}

static char *take(struct base_text *text, char *buf, size_t size)
{
    char *all = base_text_take(text);
    snprintf(buf, size, "%s", all);
    free(all);
    return buf;
}

char *coll_choice_explain(const struct coll_choice *c, char *buf, size_t size)
{
    struct base_text text;
    base_text_init(&text, "selectors");
    for (uint32_t k = 0; k < c->hops; k++) {
        const struct coll_rules *s = c->hop[k].rules;
        const struct coll_rule *r = &s->rule.at[c->hop[k].rule];
        base_text_format(&text, "%s%s:%u: %s ", k ? ", " : "", s->file.at[r->file], (unsigned)r->line,
                         coll_rules_op_name((enum coll_rules_op)c->op));
        explain_rule(s, c->hop[k].rule, &text);
        base_text_add(&text, "-> ");
        coll_leaf_print(s->leaf.at[r->leaf], &text);
    }
    return take(&text, buf, size);
}

char *coll_leaf_show(const struct coll_leaf *l, char *buf, size_t size)
{
    struct base_text text;
    base_text_init(&text, "selectors");
    coll_leaf_print(l, &text);
    return take(&text, buf, size);
}
