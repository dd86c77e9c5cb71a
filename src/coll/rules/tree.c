/* SPDX-License-Identifier: BSD-3-Clause */
/* tree: builds a selector rule by rule, and writes it in the text form. */
#include "coll/rules/tree.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct coll_rules *coll_rules_create(const char *name)
{
    struct coll_rules *s = base_zalloc(sizeof *s, "selectors");
    for (int op = 0; op <= COLL_RULES_ANY; op++)
        s->section[op] = COLL_RULES_NONE;
    for (int op = 0; op < COLL_RULES_OPS; op++)
        s->treat[op] = (enum coll_rules_op)op;
    s->name = coll_rules_keep(s, name, strlen(name));
    s->source = s->library = s->base = "";
    BASE_ARRAY_PUSH(&s->file, s->name);
    return s;
}

void coll_rules_destroy(struct coll_rules *s)
{
    if (!s)
        return;
    coll_rules_destroy(s->under);
    for (size_t k = 0; k < s->leaf.n; k++)
        free(s->leaf.at[k]);
    for (size_t k = 0; k < s->text.n; k++)
        free(s->text.at[k]);
    free(s->rule.at);
    free(s->test.at);
    free(s->leaf.at);
    free(s->meaning.at);
    free(s->file.at);
    free(s->text.at);
    free(s);
}

const char *coll_rules_name(const struct coll_rules *s)
{
    return s->name;
}

const char *coll_rules_source(const struct coll_rules *s)
{
    return s->source;
}

const char *coll_rules_keep(struct coll_rules *s, const char *text, size_t bytes)
{
    for (size_t k = 0; k < s->text.n; k++)
        if (!strncmp(s->text.at[k], text, bytes) && !s->text.at[k][bytes])
            return s->text.at[k];
    char *copy = base_alloc(bytes + 1, "selectors");
    memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    BASE_ARRAY_PUSH(&s->text, copy);
    return copy;
}

struct coll_leaf *coll_rules_add_leaf(struct coll_rules *s)
{
    struct coll_leaf *l = base_zalloc(sizeof *l, "selectors");
    BASE_ARRAY_PUSH(&s->leaf, l);
    return l;
}

void coll_rules_add_test(struct coll_rules *s, const struct coll_test *t)
{
    BASE_ARRAY_PUSH(&s->test, *t);
    s->rule.at[s->rule.n - 1].tests++;
}

uint32_t coll_rules_add(struct coll_rules *s, uint32_t parent, uint32_t *last, uint32_t line)
{
    uint32_t n = (uint32_t)s->rule.n;
    struct coll_rule r = {.test = (uint32_t)s->test.n,
                          .next = COLL_RULES_NONE,
                          .child = COLL_RULES_NONE,
                          .parent = parent,
                          .leaf = COLL_RULES_NONE,
                          .file = (uint32_t)s->file.n - 1,
                          .line = line};
    BASE_ARRAY_PUSH(&s->rule, r);
    if (*last != COLL_RULES_NONE)
        s->rule.at[*last].next = n;
    else if (parent != COLL_RULES_NONE)
        s->rule.at[parent].child = n;
    return *last = n;
}

uint32_t coll_rules_add_first(struct coll_rules *s, uint32_t parent, uint32_t line)
{
    uint32_t old = s->rule.at[parent].child, none = COLL_RULES_NONE;
    uint32_t rule = coll_rules_add(s, parent, &none, line);
    s->rule.at[rule].next = old;
    return rule;
}

struct coll_leaf *coll_rules_set_leaf(struct coll_rules *s, uint32_t rule, const char *library,
                                      const char *algorithm)
{
    struct coll_leaf *l = coll_rules_add_leaf(s);
    l->library = library ? coll_rules_keep(s, library, strlen(library)) : s->library;
    l->algorithm = coll_rules_keep(s, algorithm, strlen(algorithm));
    s->rule.at[rule].leaf = (uint32_t)s->leaf.n - 1;
    return l;
}

uint32_t coll_rules_meaning(const struct coll_rules *s, enum coll_rules_op op, const char *library,
                            const char *algorithm)
{
    for (size_t k = 0; k < s->meaning.n; k++) {
        const struct coll_meaning *m = &s->meaning.at[k];
        if (m->op == op && m->algorithm == algorithm && !strcmp(m->library, library))
            return m->first;
    }
    return COLL_RULES_NONE;
}

/* --- the text form ------------------------------------------------------------------------------------ */

static void print_level(const struct coll_leaf *l, const char *name, struct base_text *out)
{
    if (!l)
        return;
    base_text_format(out, " %s(", name);
    coll_leaf_print(l, out);
    base_text_char(out, ')');
}

void coll_leaf_print(const struct coll_leaf *l, struct base_text *out)
{
    if (l->pass)
        base_text_add(out, "pass");
    else if (l->use)
        base_text_format(out, "use %s", l->use);
    else
        base_text_format(out, "%s:%s", l->library, l->algorithm);
    if (l->tree != COLL_TREE_ANY)
        base_text_format(out, " tree=%s", coll_tree_name(l->tree));
    if (l->k)
        base_text_format(out, " k=%" PRIu32, l->k);
    if (l->segment)
        base_text_format(out, " segment=%" PRIu64, l->segment);
    if (l->outstanding)
        base_text_format(out, " outstanding=%" PRIu32, l->outstanding);
    print_level(l->intra, "intra", out);
    print_level(l->inter, "inter", out);
}

void coll_test_print(const struct coll_test *t, struct base_text *out)
{
    static const char *const times[] = {"", "*ranks", "*nodes", "%pipe"};
    if (t->fact == COLL_FACT_FLAG) {
        base_text_format(out, "%s%s", t->negated ? "not " : "",
                         coll_flag_name((enum coll_point_flag)t->value));
        return;
    }
    base_text_format(out, "%s%s", coll_fact_name((enum coll_fact)t->fact), coll_compare_sign[t->compare]);
    if (t->fact == COLL_FACT_TOPOLOGY)
        base_text_add(out, coll_topology_name((enum coll_topology)t->value));
    else if (t->times == COLL_TIMES_POW2)
        base_text_add(out, "pow2");
    else
        base_text_format(out, "%" PRIu64 "%s", t->value, times[t->times]);
}

static void print_block(const struct coll_rules *s, uint32_t first, uint32_t depth, struct base_text *out)
{
    for (uint32_t k = first; k != COLL_RULES_NONE; k = s->rule.at[k].next) {
        const struct coll_rule *r = &s->rule.at[k];
        base_text_format(out, "%*s", (int)(2 * depth), "");
        for (uint32_t t = 0; t < r->tests; t++) {
            coll_test_print(&s->test.at[r->test + t], out);
            base_text_char(out, ' ');
        }
        if (r->leaf != COLL_RULES_NONE) {
            base_text_add(out, "-> ");
            coll_leaf_print(s->leaf.at[r->leaf], out);
            base_text_char(out, '\n');
            continue;
        }
        base_text_add(out, "{\n");
        print_block(s, r->child, depth + 1, out);
        base_text_format(out, "%*s}\n", (int)(2 * depth), "");
    }
}

static void print_text(const char *key, const char *text, struct base_text *out)
{
    base_text_format(out, "%s ", key);
    base_text_quoted(out, text);
    base_text_char(out, '\n');
}

/* Meanings may be used before their definition, so where they stand does not matter. */
void coll_rules_print(const struct coll_rules *s, struct base_text *out)
{
    print_text("selector", s->name, out);
    if (s->source[0])
        print_text("source", s->source, out);
    if (s->base[0])
        base_text_format(out, "base %s\n", s->base);
    for (int op = 0; op < COLL_RULES_OPS; op++)
        if (s->treat[op] != (enum coll_rules_op)op)
            base_text_format(out, "treat %s as %s\n", coll_rules_op_name((enum coll_rules_op)op),
                             coll_rules_op_name(s->treat[op]));
    for (size_t k = 0; k < s->meaning.n; k++) {
        const struct coll_meaning *m = &s->meaning.at[k];
        base_text_format(out, "\ndefine %s %s:%s {\n", coll_rules_op_name(m->op), m->library, m->algorithm);
        print_block(s, m->first, 1, out);
        base_text_add(out, "}\n");
    }
    for (int k = 0; k <= COLL_RULES_OPS; k++) {
        int op = k ? k - 1 : COLL_RULES_ANY;
        if (s->section[op] == COLL_RULES_NONE)
            continue;
        base_text_format(out, "\non %s {\n", k ? coll_rules_op_name((enum coll_rules_op)op) : "any");
        print_block(s, s->section[op], 1, out);
        base_text_add(out, "}\n");
    }
}
