/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompi_text: Open MPI's files of dynamic rules, as numbers.
 *
 * Numbers, separated by anything that is none, with comments behind '#': how many operations; for each its
 * number, and how many sizes of communicators; for each the size from which on it holds, and how many sizes
 * of messages; for each the size from which on it holds, algorithm, fan-in or fan-out, segment, and in
 * version 2 ("rule-file-version-2") the requests at a time. The first size of messages is 0. Algorithm 0
 * leaves the choice to the fixed rules, as does whatever no rule holds for.
 */
#include "coll/rules/ompi.h"

#include <inttypes.h>
#include <string.h>

struct numbers {
    const char *at, *end, *name;
    uint32_t line, version;
    struct base_status *st;
};

static bool is_digit(const char *at, const char *end)
{
    return at < end && *at >= '0' && *at <= '9';
}

static int next(struct numbers *n, uint64_t most, uint64_t *out, const char *expected)
{
    while (n->at < n->end && !is_digit(n->at, n->end)) {
        if (*n->at == '#')
            while (n->at < n->end && *n->at != '\n')
                n->at++;
        if (n->at == n->end)
            break;
        if (*n->at == '-')
            return base_fail(n->st, "%.200s:%u: a negative number: expected %s", n->name, (unsigned)n->line,
                             expected);
        n->line += *n->at++ == '\n';
    }
    if (n->at == n->end)
        return base_fail(n->st, "%.200s:%u: the end of the file: expected %s", n->name, (unsigned)n->line,
                         expected);
    uint64_t x = 0;
    for (; is_digit(n->at, n->end); n->at++)
        if (__builtin_mul_overflow(x, 10, &x) || __builtin_add_overflow(x, (uint64_t)(*n->at - '0'), &x))
            x = UINT64_MAX;
    *out = x;
    return x <= most ? 0
                     : base_fail(n->st, "%.200s:%u: too large a number: expected %s of at most %" PRIu64,
                                 n->name, (unsigned)n->line, expected, most);
}

/* Version 2: another number on the same line is that of requests. */
static bool more_on_line(const struct numbers *n)
{
    const char *at = n->at;
    while (at < n->end && (*at == ' ' || *at == '\t'))
        at++;
    return n->version > 1 && is_digit(at, n->end);
}

static int read_message(struct numbers *n, struct coll_rules *s, size_t o, uint32_t parent, bool first,
                        uint64_t *previous)
{
    uint64_t size, number, fan, segment, requests = 0;
    if (next(n, INT64_MAX, &size, "a size of messages"))
        return -1;
    uint32_t line = n->line;
    if (first && size)
        return base_fail(n->st, "%.200s:%u: %" PRIu64 ": expected 0 as the first size of messages", n->name,
                         (unsigned)line, size);
    if (!first && size <= *previous)
        return base_fail(n->st, "%.200s:%u: %" PRIu64 ": expected a size of messages above %" PRIu64, n->name,
                         (unsigned)line, size, *previous);
    *previous = size;
    if (next(n, UINT32_MAX, &number, "the number of an algorithm") ||
        next(n, UINT32_MAX, &fan, "a fan-in or fan-out") ||
        next(n, INT64_MAX, &segment, "a segment's size") ||
        (more_on_line(n) && next(n, UINT32_MAX, &requests, "a number of requests")))
        return -1;
    char name[64];
    if (number && !coll_ompi_algorithm(coll_ompi_table[o].op, number, name, sizeof name))
        return base_fail(n->st, "%.200s:%u: %" PRIu64 ": expected the number of an algorithm of %s, or 0",
                         n->name, (unsigned)line, number, coll_ompi_table[o].key);
    if (size && !coll_ompi_has_size(coll_ompi_table[o].op))
        return 0;
    uint32_t rule = coll_rules_add_first(s, parent, line);
    coll_ompi_between(s, coll_ompi_size(coll_ompi_table[o].op), size, UINT64_MAX);
    coll_ompi_leaf(s, rule, &(struct coll_ompi_rule){number ? name : NULL, fan, segment, requests});
    return 0;
}

/* The first group's rules are those of smaller groups, too. */
static int read_group(struct numbers *n, struct coll_rules *s, size_t o, uint32_t parent, bool first,
                      uint64_t *previous)
{
    uint64_t ranks, messages, size = 0;
    if (next(n, INT32_MAX, &ranks, "a size of communicators"))
        return -1;
    if (!first && ranks <= *previous)
        return base_fail(n->st, "%.200s:%u: %" PRIu64 ": expected a size of communicators above %" PRIu64,
                         n->name, (unsigned)n->line, ranks, *previous);
    *previous = ranks;
    uint32_t rule = coll_rules_add_first(s, parent, n->line);
    coll_ompi_between(s, COLL_FACT_RANKS, first ? 0 : ranks, UINT64_MAX);
    if (next(n, UINT32_MAX, &messages, "how many sizes of messages follow"))
        return -1;
    for (uint64_t k = 0; k < messages; k++)
        if (read_message(n, s, o, rule, !k, &size))
            return -1;
    return 0;
}

static int read_operation(struct numbers *n, struct coll_rules *s)
{
    uint64_t number, groups, ranks = 0;
    if (next(n, coll_ompi_operations - 1, &number, "the number of an operation"))
        return -1;
    enum coll_rules_op op = coll_ompi_table[number].op;
    if (s->section[op] != COLL_RULES_NONE)
        return base_fail(n->st, "%.200s:%u: %s has rules already: expected each operation once", n->name,
                         (unsigned)n->line, coll_ompi_table[number].key);
    uint32_t line = n->line;
    if (next(n, UINT32_MAX, &groups, "how many sizes of communicators follow"))
        return -1;
    uint32_t section = coll_ompi_section(s, op, line);
    for (uint64_t k = 0; k < groups; k++)
        if (read_group(n, s, number, section, !k, &ranks))
            return -1;
    return 0;
}

static int read_version(struct numbers *n)
{
    static const char word[] = "rule-file-version-";
    size_t length = sizeof word - 1;
    n->version = 1;
    if ((size_t)(n->end - n->at) < length || memcmp(n->at, word, length))
        return 0;
    n->at += length;
    uint64_t version;
    if (next(n, 2, &version, "version 1 or 2"))
        return -1;
    n->version = (uint32_t)version;
    return 0;
}

int coll_ompi_parse(struct coll_rules *s, const char *text, size_t bytes, const char *name,
                    struct base_status *st)
{
    struct numbers n = {.at = text, .end = text + bytes, .name = name, .line = 1, .st = st};
    uint64_t operations;
    if (read_version(&n) || next(&n, coll_ompi_operations, &operations, "the number of operations"))
        return -1;
    for (uint64_t k = 0; k < operations; k++)
        if (read_operation(&n, s))
            return -1;
    return 0;
}
