/* SPDX-License-Identifier: BSD-3-Clause */
/* parse_leaf: the tests and the leaves of the text form. */
#include "coll/rules/parse.h"

#include <stdlib.h>
#include <string.h>

int coll_number_parse(const char *text, uint64_t *out)
{
    struct base_status why;
    if (*text < '0' || *text > '9')
        return -1;
    return base_parse_size(text, out, &why);
}

/* "64", "8KiB", "32*ranks", "50%pipe", "pow2". */
static int parse_value(struct coll_reader *r, struct coll_test *t)
{
    static const struct {
        const char *end;
        enum coll_times times;
    } of[] = {{"*ranks", COLL_TIMES_RANKS}, {"*nodes", COLL_TIMES_NODES}, {"%pipe", COLL_TIMES_PIPE}};
    static const char expected[] = "a number, a number*ranks, a number*nodes, a number%pipe or pow2";
    if (r->kind != COLL_READ_WORD)
        return coll_reader_fail(r, expected);
    if (coll_reader_accept(r, "pow2")) {
        t->times = COLL_TIMES_POW2;
        return 0;
    }
    char number[COLL_TOKEN];
    strcpy(number, r->word);
    for (size_t k = 0; k < BASE_LENGTH(of); k++) {
        char *end = strstr(number, of[k].end);
        if (!end || strcmp(end, of[k].end))
            continue;
        *end = '\0';
        t->times = (uint8_t)of[k].times;
    }
    if (coll_number_parse(number, &t->value))
        return coll_reader_fail(r, expected);
    coll_reader_next(r);
    return 0;
}

static int parse_comparison(struct coll_reader *r, enum coll_fact fact, struct coll_test *t)
{
    t->fact = (uint8_t)fact;
    for (t->compare = 0; t->compare < COLL_COMPARES; t->compare++)
        if (coll_reader_is(r, coll_compare_sign[t->compare]))
            break;
    bool word = fact == COLL_FACT_TOPOLOGY;
    if (t->compare == COLL_COMPARES || (word && t->compare != COLL_EQUAL))
        return coll_reader_fail(r, word ? "=" : "<, <=, =, >= or >");
    coll_reader_next(r);
    if (!word)
        return parse_value(r, t);
    t->value = r->kind == COLL_READ_WORD ? coll_topology_find(r->word) : COLL_TOPOLOGIES;
    if (t->value == COLL_TOPOLOGIES)
        return coll_reader_fail(r, coll_topology_expected);
    coll_reader_next(r);
    return 0;
}

int coll_test_parse(struct coll_reader *r, struct coll_rules *s)
{
    struct coll_test t = {.negated = coll_reader_accept(r, "not"), .fact = COLL_FACT_FLAG};
    enum coll_fact fact = r->kind == COLL_READ_WORD ? coll_fact_find(r->word) : COLL_FACT_FLAG;
    t.value = r->kind == COLL_READ_WORD ? coll_flag_find(r->word) : COLL_IS_FLAGS;
    if (fact == COLL_FACT_FLAG ? t.value == COLL_IS_FLAGS : t.negated)
        return coll_reader_fail(r, t.negated ? "a property, as commutative, behind 'not'"
                                             : "a fact, as ranks, or a property, as commutative");
    coll_reader_next(r);
    if (fact != COLL_FACT_FLAG && parse_comparison(r, fact, &t))
        return -1;
    coll_rules_add_test(s, &t);
    return 0;
}

/* --- leaves ------------------------------------------------------------------------------------------- */

void coll_leaf_name(struct coll_reader *r, struct coll_rules *s, struct coll_leaf *l)
{
    const char *colon = strchr(r->word, ':');
    l->library = colon ? coll_rules_keep(s, r->word, (size_t)(colon - r->word)) : s->library;
    const char *name = colon ? colon + 1 : r->word;
    l->algorithm = coll_rules_keep(s, name, strlen(name));
    coll_reader_next(r);
}

static int parse_count(struct coll_reader *r, uint64_t most, uint64_t *out, const char *expected)
{
    if (coll_reader_expect(r, "=", "'=' behind the name of a parameter"))
        return -1;
    if (r->kind != COLL_READ_WORD || coll_number_parse(r->word, out) || !*out || *out > most)
        return coll_reader_fail(r, expected);
    coll_reader_next(r);
    return 0;
}

static int parse_tree(struct coll_reader *r, struct coll_leaf *l)
{
    if (coll_reader_expect(r, "=", "'=' behind the name of a parameter"))
        return -1;
    l->tree = r->kind == COLL_READ_WORD ? coll_tree_find(r->word) : COLL_TREES;
    if (l->tree == COLL_TREES) {
        l->tree = COLL_TREE_ANY;
        return coll_reader_fail(r, "kary, knomial_1, knomial_2, topology_aware or topology_wave");
    }
    coll_reader_next(r);
    return 0;
}

static int parse_level(struct coll_reader *r, struct coll_rules *s, const struct coll_leaf **out,
                       uint32_t depth)
{
    if (coll_reader_expect(r, "(", "'(' and the choice for this level"))
        return -1;
    if (*out)
        return coll_reader_fail(r, "each level once");
    if (depth == 4)
        return coll_reader_fail(r, "at most four levels");
    struct coll_leaf *l = coll_rules_add_leaf(s);
    *out = l;
    return coll_leaf_parse(r, s, l, depth + 1) ? -1 : coll_reader_expect(r, ")", "a parameter or ')'");
}

/* 1: a parameter; 0: something else follows. */
static int parse_parameter(struct coll_reader *r, struct coll_rules *s, struct coll_leaf *l, uint32_t depth)
{
    uint64_t n = 0;
    int rc;
    if (coll_reader_accept(r, "k")) {
        rc = parse_count(r, UINT32_MAX, &n, "a number from 1 to 4294967295");
        l->k = (uint32_t)n;
    } else if (coll_reader_accept(r, "outstanding")) {
        rc = parse_count(r, UINT32_MAX, &n, "a number from 1 to 4294967295");
        l->outstanding = (uint32_t)n;
    } else if (coll_reader_accept(r, "segment")) {
        rc = parse_count(r, UINT64_MAX, &l->segment, "a size of at least one byte, as 64KiB");
    } else if (coll_reader_accept(r, "tree")) {
        rc = parse_tree(r, l);
    } else if (coll_reader_accept(r, "intra")) {
        rc = parse_level(r, s, &l->intra, depth);
    } else if (coll_reader_accept(r, "inter")) {
        rc = parse_level(r, s, &l->inter, depth);
    } else {
        return 0;
    }
    return rc ? -1 : 1;
}

static bool is_inter_level(const struct coll_reader *r)
{
    const char *at = r->at;
    while (at < r->end && (*at == ' ' || *at == '\t'))
        at++;
    return !coll_reader_is(r, "inter") || (at < r->end && *at == '(');
}

int coll_leaf_parse(struct coll_reader *r, struct coll_rules *s, struct coll_leaf *l, uint32_t depth)
{
    if (r->kind != COLL_READ_WORD)
        return coll_reader_fail(r, "an algorithm, pass, or use and a selector's name");
    if (coll_reader_accept(r, "pass")) {
        l->pass = true;
        return 0;
    }
    if (coll_reader_accept(r, "use")) {
        size_t bytes;
        if (r->kind != COLL_READ_WORD || !coll_rules_table(r->word, &bytes))
            return coll_reader_fail(r, "a selector that pgasim has (pgasim info selectors)");
        l->use = coll_rules_keep(s, r->word, strlen(r->word));
        coll_reader_next(r);
        return 0;
    }
    coll_leaf_name(r, s, l);
    int more = 1;
    while (more > 0 && is_inter_level(r)) /* `inter` is a property, too: of the next rule */
        more = parse_parameter(r, s, l, depth);
    return more < 0 ? -1 : 0;
}
