/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich: MPICH's decision tree in JSON. Keys are tests, in order, within the object of the test before; the
 * innermost object has one key, "algorithm=..." or "composition=...", with parameters as keys of its own.
 * Tests of the group may stand around those of the collective; the tests above a collective become its
 * first ones.
 */
#include "coll/rules/mpich.h"
#include "base/json_tree.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_TESTS = 16, WORD = 128 };

struct file {
    const struct base_json_tree *j;
    struct coll_rules *s;
    const char *name;
    struct base_status *st;
    struct coll_test outer[MOST_TESTS]; /* those above the collective */
    uint32_t n_outer, depth;
    uint32_t last[2][COLL_RULES_OPS]; /* by blocking: the newest rule in the section's block */
    uint32_t block[2][COLL_RULES_OPS];
    bool nonblocking; /* of the collective that is read */
    enum coll_rules_op op;
};

static int fail(const struct file *f, const struct base_json_node *v, const char *expected)
{
    return base_fail(f->st, "%.200s:%u: %.60s: expected %s", f->name, (unsigned)v->line,
                     v->key ? v->key : "a value", expected);
}

enum coll_rules_op coll_mpich_operation(const char *name, bool *nonblocking)
{
    enum coll_rules_op op = coll_rules_op_find(name);
    *nonblocking = op == COLL_RULES_OPS && name[0] == 'i';
    return *nonblocking ? coll_rules_op_find(name + 1) : op;
}

/* The key without spaces, as the library compares it. */
static void squeeze(const char *key, char *out)
{
    size_t n = 0;
    for (; *key && n < WORD - 1; key++)
        if (*key != ' ' && *key != '\t')
            out[n++] = *key;
    out[n] = '\0';
}

/* --- tests -------------------------------------------------------------------------------------------- */

static const struct {
    const char *key;
    enum coll_point_flag flag;
    bool negated;
} flags[] = {
    {"comm_type=intra", COLL_IS_INTER, true},
    {"comm_type=inter", COLL_IS_INTER, false},
    {"comm_size=pow2", COLL_IS_POW2, false},
    {"comm_size=node_comm_size", COLL_IS_SINGLE_NODE, false},
    {"comm_hierarchy=parent", COLL_IS_SHARED, false},
    {"comm_hierarchy=node", COLL_IS_INNER, false},
    {"is_node_consecutive=yes", COLL_IS_BLOCKS, false},
    {"is_node_consecutive=no", COLL_IS_BLOCKS, true},
    {"is_multi_threaded=yes", COLL_IS_THREADED, false},
    {"is_multi_threaded=no", COLL_IS_THREADED, true},
    {"is_sendbuf_inplace=yes", COLL_IS_IN_PLACE, false},
    {"is_sendbuf_inplace=no", COLL_IS_IN_PLACE, true},
    {"is_block_regular=yes", COLL_IS_REGULAR, false},
    {"is_block_regular=no", COLL_IS_REGULAR, true},
    {"is_commutative=yes", COLL_IS_COMMUTATIVE, false},
    {"is_commutative=no", COLL_IS_COMMUTATIVE, true},
    {"is_op_built_in=yes", COLL_IS_BUILTIN, false},
    {"is_op_built_in=no", COLL_IS_BUILTIN, true},
};
static const struct {
    const char *key;
    enum coll_fact fact;
    enum coll_times times;
} numbers[] = {
    {"comm_size", COLL_FACT_RANKS, COLL_TIMES_ONE},      {"avg_msg_size", COLL_FACT_PART, COLL_TIMES_ONE},
    {"total_msg_size", COLL_FACT_TOTAL, COLL_TIMES_ONE}, {"count", COLL_FACT_COUNT, COLL_TIMES_ONE},
    {"comm_avg_ppn", COLL_FACT_RANKS, COLL_TIMES_NODES},
};

static bool any(const char *key)
{
    size_t n = strlen(key);
    return !strcmp(key, "any") || (n > 4 && !strcmp(key + n - 4, "=any"));
}

/* "comm_size<8", "avg_msg_size<=2048", "count<pow2". */
static bool read_comparison(const char *key, struct coll_test *t)
{
    size_t n = strcspn(key, "<");
    const char *value = key + n + (key[n] == '<') + (key[n] && key[n + 1] == '=');
    for (size_t k = 0; k < BASE_LENGTH(numbers) && key[n]; k++) {
        if (strlen(numbers[k].key) != n || memcmp(key, numbers[k].key, n))
            continue;
        struct base_status why;
        t->fact = (uint8_t)numbers[k].fact;
        t->times = (uint8_t)numbers[k].times;
        t->compare = key[n + 1] == '=' ? COLL_MOST : COLL_LESS;
        if (!strcmp(value, "pow2")) {
            t->times = COLL_TIMES_POW2;
            return numbers[k].fact == COLL_FACT_COUNT;
        }
        return !base_parse_uint(value, &t->value, &why);
    }
    return false;
}

/* 1: a test; 0: one that always holds; -1: neither. */
static int read_test(const char *key, struct coll_test *t)
{
    *t = (struct coll_test){.fact = COLL_FACT_FLAG};
    if (any(key))
        return 0;
    for (size_t k = 0; k < BASE_LENGTH(flags); k++)
        if (!strcmp(flags[k].key, key)) {
            t->value = flags[k].flag;
            t->negated = flags[k].negated;
            return 1;
        }
    return read_comparison(key, t) ? 1 : -1;
}

/* --- leaves ------------------------------------------------------------------------------------------- */

/* The parameters that change what is sent; others are the library's own affair. */
static int read_parameter(const struct file *f, const struct base_json_node *v, struct coll_leaf *l)
{
    char key[WORD];
    squeeze(v->key, key);
    char *value = strchr(key, '=');
    if (!value)
        return fail(f, v, "a parameter, as k=4");
    *value++ = '\0';
    uint64_t n = 0;
    struct base_status why;
    bool number = !base_parse_uint(value, &n, &why) && n <= UINT32_MAX;
    if (!strcmp(key, "tree_type")) {
        l->tree = coll_tree_find(value);
        if (l->tree < COLL_TREES)
            return 0;
        l->tree = COLL_TREE_ANY;
        return fail(f, v, "kary, knomial_1, knomial_2, topology_aware or topology_wave");
    }
    bool k = !strcmp(key, "k"), chunk = !strcmp(key, "chunk_size"), batch = !strcmp(key, "batch_size");
    if ((k || chunk || batch) && !number)
        return fail(f, v, "a number behind '='");
    if (k)
        l->k = (uint32_t)n;
    else if (chunk)
        l->segment = n;
    else if (batch)
        l->outstanding = (uint32_t)n;
    return 0;
}

static int read_leaf(const struct file *f, const struct base_json_node *v, const char *key, uint32_t rule)
{
    const char *name = strchr(key, '=') + 1;
    bool mpir = !strncmp(name, "MPIR_", 5), posix = !strncmp(name, "MPIDI_POSIX_", 12);
    struct coll_leaf *l = coll_rules_set_leaf(f->s, rule,
                                              posix  ? "posix"
                                              : mpir ? "mpich"
                                                     : "ch4",
                                              name + (posix                         ? 12
                                                      : mpir                        ? 5
                                                      : !strncmp(name, "MPIDI_", 6) ? 6
                                                                                    : 0));
    size_t word = strspn(l->algorithm, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (v->kind != BASE_JSON_OBJECT || !word || l->algorithm[word])
        return fail(f, v, "the name of an algorithm, and an object, empty or with parameters");
    for (const struct base_json_node *p = base_json_at(f->j, v->child); p; p = base_json_at(f->j, p->next))
        if (read_parameter(f, p, l))
            return -1;
    return 0;
}

/* --- the tree ----------------------------------------------------------------------------------------- */

static bool is_leaf(const char *key)
{
    return !strncmp(key, "algorithm=", 10) || !strncmp(key, "composition=", 12);
}

/* The members of an object as rules within `parent`. */
static int read_rules(struct file *f, const struct base_json_node *of, uint32_t parent)
{
    uint32_t last = COLL_RULES_NONE;
    if (of->kind != BASE_JSON_OBJECT || ++f->depth > COLL_RULES_DEPTH)
        return fail(f, of, "an object, at most 32 within each other");
    for (const struct base_json_node *v = base_json_at(f->j, of->child); v; v = base_json_at(f->j, v->next)) {
        char key[WORD] = "";
        struct coll_test t;
        squeeze(v->key, key);
        uint32_t rule = coll_rules_add(f->s, parent, &last, v->line);
        if (is_leaf(key)) {
            if (read_leaf(f, v, key, rule))
                return -1;
            continue;
        }
        int rc = read_test(key, &t);
        if (rc < 0)
            return fail(f, v, "a test of MPICH's, as comm_size<8, or algorithm=NAME");
        if (rc)
            coll_rules_add_test(f->s, &t);
        if (read_rules(f, v, rule))
            return -1;
    }
    f->depth--;
    return 0;
}

/* The rule that holds those of one operation, blocking or not; the first one makes the section. */
static uint32_t block_of(struct file *f, uint32_t line)
{
    enum coll_rules_op op = f->op;
    uint32_t *block = &f->block[f->nonblocking][op];
    if (*block != COLL_RULES_NONE)
        return *block;
    uint32_t other = f->block[!f->nonblocking][op], last = other;
    *block = coll_rules_add(f->s, COLL_RULES_NONE, &last, line);
    if (other == COLL_RULES_NONE)
        f->s->section[op] = *block;
    struct coll_test t = {.fact = COLL_FACT_FLAG, .value = COLL_IS_BLOCKING, .negated = f->nonblocking};
    coll_rules_add_test(f->s, &t);
    return *block;
}

static int read_collective(struct file *f, const struct base_json_node *v, const char *name)
{
    f->op = coll_mpich_operation(name, &f->nonblocking);
    if (f->op == COLL_RULES_OPS)
        return fail(f, v, "an operation, as allreduce or iallreduce");
    uint32_t block = block_of(f, v->line);
    uint32_t rule = coll_rules_add(f->s, block, &f->last[f->nonblocking][f->op], v->line);
    for (uint32_t k = 0; k < f->n_outer; k++)
        coll_rules_add_test(f->s, &f->outer[k]);
    return read_rules(f, v, rule);
}

/* What stands above the collectives. */
static int read_top(struct file *f, const struct base_json_node *of)
{
    if (of->kind != BASE_JSON_OBJECT)
        return fail(f, of, "an object");
    for (const struct base_json_node *v = base_json_at(f->j, of->child); v; v = base_json_at(f->j, v->next)) {
        char key[WORD] = "";
        squeeze(v->key, key);
        if (!strncmp(key, "collective=", 11)) {
            if (read_collective(f, v, key + 11))
                return -1;
            continue;
        }
        struct coll_test t;
        int rc = read_test(key, &t);
        if (rc < 0 || f->n_outer == MOST_TESTS)
            return fail(f, v, "collective=NAME, or a test of the communicator");
        if (rc)
            f->outer[f->n_outer++] = t;
        if (read_top(f, v))
            return -1;
        f->n_outer -= (uint32_t)rc;
    }
    return 0;
}

int coll_mpich_parse(struct coll_rules *s, const struct base_json_tree *j, const char *name,
                     struct base_status *st)
{
    struct file f = {.j = j, .s = s, .name = name, .st = st};
    memset(f.last, 0xff, sizeof f.last); /* NONE */
    memset(f.block, 0xff, sizeof f.block);
    return read_top(&f, base_json_at(j, 0));
}
