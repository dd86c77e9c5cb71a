/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parse: reads a selector in the text form; docs/selectors.md has its grammar. One pass, one token ahead.
 *
 * An error names the file, the line, what is there and what was expected; nothing is kept of the selector.
 */
#include "coll/rules/parse.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

static bool in_word(const char *at, const char *end)
{
    if (*at == '-')
        return end - at < 2 || at[1] != '>';
    return *at == '_' || *at == '.' || *at == ':' || *at == '+' || *at == '/' || *at == '*' || *at == '%' ||
           (*at >= '0' && *at <= '9') || ((*at | 32) >= 'a' && (*at | 32) <= 'z');
}

static void skip_space(struct coll_reader *r)
{
    for (; r->at < r->end; r->at++) {
        if (*r->at == '#')
            while (r->at < r->end && *r->at != '\n')
                r->at++;
        if (r->at == r->end)
            return;
        if (*r->at == '\n')
            r->line++;
        else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r')
            return;
    }
}

static void take_text(struct coll_reader *r)
{
    const char *from = ++r->at;
    while (r->at < r->end && *r->at != '"' && *r->at != '\n')
        r->at++;
    size_t n = (size_t)(r->at - from);
    bool closed = r->at < r->end && *r->at == '"', is = closed && n < COLL_TOKEN;
    r->at += closed;
    if (n >= COLL_TOKEN)
        n = COLL_TOKEN - 1;
    memcpy(r->word, from, n);
    r->word[n] = '\0';
    r->kind = is && strlen(r->word) == n && base_utf8_is_valid(r->word) ? COLL_READ_TEXT : COLL_READ_BAD;
}

static void take_word(struct coll_reader *r)
{
    const char *from = r->at;
    while (r->at < r->end && in_word(r->at, r->end))
        r->at++;
    size_t n = (size_t)(r->at - from);
    r->kind = n < COLL_TOKEN ? COLL_READ_WORD : COLL_READ_BAD;
    if (r->kind == COLL_READ_BAD)
        n = COLL_TOKEN - 1;
    memcpy(r->word, from, n);
    r->word[n] = '\0';
}

static void take_sign(struct coll_reader *r)
{
    static const char *const signs[] = {"->", "<=", ">=", "<", ">", "=", "{", "}", "(", ")", ","};
    for (size_t k = 0; k < BASE_LENGTH(signs); k++) {
        size_t n = strlen(signs[k]);
        if ((size_t)(r->end - r->at) < n || memcmp(r->at, signs[k], n))
            continue;
        r->kind = COLL_READ_SIGN;
        memcpy(r->word, signs[k], n + 1);
        r->at += n;
        return;
    }
    r->kind = COLL_READ_BAD;
    r->word[0] = *r->at++;
    r->word[1] = '\0';
}

void coll_reader_next(struct coll_reader *r)
{
    skip_space(r);
    r->token_line = r->line;
    if (r->at == r->end) {
        r->kind = COLL_READ_END;
        strcpy(r->word, "the end of the file");
    } else if (*r->at == '"') {
        take_text(r);
    } else if (in_word(r->at, r->end)) {
        take_word(r);
    } else {
        take_sign(r);
    }
}

int coll_reader_fail(struct coll_reader *r, const char *expected)
{
    const char *quote = r->kind == COLL_READ_END ? "" : "'";
    return base_fail(r->st, "%.200s:%u: %s%.60s%s: expected %s", r->file, (unsigned)r->token_line, quote,
                     r->word, quote, expected);
}

bool coll_reader_is(const struct coll_reader *r, const char *word)
{
    return (r->kind == COLL_READ_SIGN || r->kind == COLL_READ_WORD) && !strcmp(r->word, word);
}

bool coll_reader_accept(struct coll_reader *r, const char *word)
{
    if (!coll_reader_is(r, word))
        return false;
    coll_reader_next(r);
    return true;
}

int coll_reader_expect(struct coll_reader *r, const char *word, const char *expected)
{
    return coll_reader_accept(r, word) ? 0 : coll_reader_fail(r, expected);
}

/* --- blocks ------------------------------------------------------------------------------------------- */

static int parse_block(struct coll_reader *r, struct coll_rules *s, uint32_t parent, uint32_t *first);

/* What follows the tests of a rule: a leaf, or rules within it. */
static int parse_body(struct coll_reader *r, struct coll_rules *s, uint32_t rule)
{
    if (coll_reader_accept(r, "->")) {
        struct coll_leaf *l = coll_rules_add_leaf(s);
        s->rule.at[rule].leaf = (uint32_t)s->leaf.n - 1;
        return coll_leaf_parse(r, s, l, 0);
    }
    if (coll_reader_is(r, "{")) {
        uint32_t first;
        return parse_block(r, s, rule, &first);
    }
    return coll_reader_fail(r, "a test, '->' or '{'");
}

static int parse_rule(struct coll_reader *r, struct coll_rules *s, uint32_t parent, uint32_t *last)
{
    uint32_t rule = coll_rules_add(s, parent, last, r->token_line);
    while (r->kind == COLL_READ_WORD)
        if (coll_test_parse(r, s))
            return -1;
    return parse_body(r, s, rule);
}

static int parse_block(struct coll_reader *r, struct coll_rules *s, uint32_t parent, uint32_t *first)
{
    if (r->depth == COLL_RULES_DEPTH)
        return coll_reader_fail(r, "at most 32 blocks within each other");
    r->depth++;
    coll_reader_next(r);
    uint32_t last = COLL_RULES_NONE, begin = (uint32_t)s->rule.n;
    while (!coll_reader_accept(r, "}")) {
        if (r->kind == COLL_READ_END || r->kind == COLL_READ_BAD)
            return coll_reader_fail(r, "a rule or '}'");
        if (parse_rule(r, s, parent, &last))
            return -1;
    }
    r->depth--;
    *first = last == COLL_RULES_NONE ? COLL_RULES_NONE : begin;
    return 0;
}

/* The body of a section or a definition: one rule without tests, or a block. */
static int parse_top(struct coll_reader *r, struct coll_rules *s, uint32_t *first)
{
    if (coll_reader_is(r, "{"))
        return parse_block(r, s, COLL_RULES_NONE, first);
    uint32_t last = COLL_RULES_NONE;
    *first = coll_rules_add(s, COLL_RULES_NONE, &last, r->token_line);
    return coll_reader_is(r, "->") ? parse_body(r, s, *first) : coll_reader_fail(r, "'->' or '{'");
}

/* --- what stands at the top of a file ------------------------------------------------------------------ */

static int parse_name(struct coll_reader *r, struct coll_rules *s, const char **out, const char *expected)
{
    if (r->kind != COLL_READ_WORD && r->kind != COLL_READ_TEXT)
        return coll_reader_fail(r, expected);
    *out = coll_rules_keep(s, r->word, strlen(r->word));
    coll_reader_next(r);
    return 0;
}

static int parse_op(struct coll_reader *r, enum coll_rules_op *op)
{
    *op = r->kind == COLL_READ_WORD ? coll_rules_op_find(r->word) : COLL_RULES_OPS;
    if (*op == COLL_RULES_OPS)
        return coll_reader_fail(r, "an operation, as allreduce");
    coll_reader_next(r);
    return 0;
}

/* A file that includes another has what it says itself first: that is not replaced, nor an error. */
static int parse_section(struct coll_reader *r, struct coll_rules *s)
{
    bool wanted[COLL_RULES_OPS + 1] = {false};
    do {
        enum coll_rules_op op = (enum coll_rules_op)COLL_RULES_ANY;
        uint32_t line = r->token_line;
        if (!coll_reader_accept(r, "any") && parse_op(r, &op))
            return -1;
        if (s->section[op] != COLL_RULES_NONE && !r->included)
            return base_fail(
                r->st, "%.200s:%u: %s has rules already, from line %u of %s; expected one section", r->file,
                (unsigned)line, op == COLL_RULES_OPS ? "any" : coll_rules_op_name(op),
                (unsigned)s->rule.at[s->section[op]].line, s->file.at[s->rule.at[s->section[op]].file]);
        wanted[op] = s->section[op] == COLL_RULES_NONE;
    } while (coll_reader_accept(r, ","));
    uint32_t first;
    if (parse_top(r, s, &first))
        return -1;
    for (int op = 0; op <= COLL_RULES_ANY; op++)
        if (wanted[op])
            s->section[op] = first;
    return 0;
}

static int parse_definition(struct coll_reader *r, struct coll_rules *s)
{
    struct coll_meaning m = {.first = COLL_RULES_NONE};
    struct coll_leaf named = {0};
    if (parse_op(r, &m.op))
        return -1;
    if (r->kind != COLL_READ_WORD)
        return coll_reader_fail(r, "the name of an algorithm");
    coll_leaf_name(r, s, &named);
    m.library = named.library;
    m.algorithm = named.algorithm;
    bool known = coll_rules_meaning(s, m.op, m.library, m.algorithm) != COLL_RULES_NONE;
    if (known && !r->included)
        return coll_reader_fail(r, "one definition of each name");
    if (parse_top(r, s, &m.first))
        return -1;
    if (!known)
        BASE_ARRAY_PUSH(&s->meaning, m);
    return 0;
}

static int parse_builtin(struct coll_reader *r, const char **name, struct coll_rules *s)
{
    size_t bytes;
    if (r->kind != COLL_READ_WORD || !coll_rules_table(r->word, &bytes))
        return coll_reader_fail(r, "a selector that pgasim has (pgasim info selectors)");
    return parse_name(r, s, name, "");
}

static int parse_treat(struct coll_reader *r, struct coll_rules *s)
{
    enum coll_rules_op op, as;
    if (parse_op(r, &op) || coll_reader_expect(r, "as", "'as' and an operation") || parse_op(r, &as))
        return -1;
    if (s->treat[op] == op)
        s->treat[op] = as;
    return 0;
}

static int parse_file(struct coll_reader *r, struct coll_rules *s);

static int parse_like(struct coll_reader *r, struct coll_rules *s)
{
    const char *name = NULL;
    if (parse_builtin(r, &name, s))
        return -1;
    struct coll_reader other = {.file = name, .line = 1, .included = true, .st = r->st};
    size_t bytes;
    other.at = coll_rules_table(name, &bytes);
    other.end = other.at + bytes;
    const char *library = s->library;
    BASE_ARRAY_PUSH(&s->file, name);
    other.own_file = (uint32_t)s->file.n - 1;
    s->library = "";
    int rc = parse_file(&other, s);
    s->library = library;
    BASE_ARRAY_PUSH(&s->file, s->file.at[r->own_file]);
    return rc;
}

static int parse_header(struct coll_reader *r, struct coll_rules *s)
{
    const char *ignored;
    if (coll_reader_accept(r, "selector"))
        return parse_name(r, s, r->included ? &ignored : &s->name, "a name");
    if (coll_reader_accept(r, "source"))
        return parse_name(r, s, r->included ? &ignored : &s->source,
                          "a text in double quotes, of UTF-8 and at most 255 bytes");
    if (coll_reader_accept(r, "library"))
        return parse_name(r, s, &s->library, "a library's name");
    if (coll_reader_accept(r, "base")) /* a file's own wins over that of what it includes */
        return parse_builtin(r, r->included && s->base[0] ? &ignored : &s->base, s);
    if (coll_reader_accept(r, "like"))
        return parse_like(r, s);
    if (coll_reader_accept(r, "treat"))
        return parse_treat(r, s);
    if (coll_reader_accept(r, "define"))
        return parse_definition(r, s);
    if (coll_reader_accept(r, "on"))
        return parse_section(r, s);
    return coll_reader_fail(r, "selector, source, library, base, like, treat, define or on");
}

static int parse_file(struct coll_reader *r, struct coll_rules *s)
{
    coll_reader_next(r);
    while (r->kind != COLL_READ_END)
        if (parse_header(r, s))
            return -1;
    return 0;
}

int coll_rules_parse(struct coll_rules **out, const char *text, size_t bytes, const char *name,
                     struct base_status *st)
{
    struct coll_rules *s = coll_rules_create(name);
    struct coll_reader r = {.at = text, .end = text + bytes, .file = name, .line = 1, .st = st};
    if (parse_file(&r, s)) {
        coll_rules_destroy(s);
        return -1;
    }
    *out = s;
    return 0;
}
