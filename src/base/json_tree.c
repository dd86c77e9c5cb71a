/* SPDX-License-Identifier: BSD-3-Clause */
/* json_tree: the reader. Texts are unescaped where they lie, in a copy of the file. */
#include "base/json_tree.h"

#include <stdlib.h>
#include <string.h>

enum { NONE = UINT32_MAX, DEPTH = 64 };

struct parser {
    struct base_json_tree *j;
    char *at, *end;
    const char *name;
    uint32_t line, depth;
    struct base_status *st;
};

static int fail(struct parser *p, const char *expected)
{
    if (p->at == p->end)
        return base_fail(p->st, "%.200s:%u: the end of the file: expected %s", p->name, (unsigned)p->line,
                         expected);
    return base_fail(p->st, "%.200s:%u: '%c': expected %s", p->name, (unsigned)p->line, *p->at, expected);
}

static void skip(struct parser *p)
{
    for (; p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'); p->at++)
        p->line += *p->at == '\n';
}

static bool accept(struct parser *p, char c)
{
    skip(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

/* What stands behind a backslash; names and keys need no more than these. */
static int unescape(struct parser *p, char *out)
{
    static const char codes[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *code = p->at < p->end && *p->at ? strchr(codes, *p->at) : NULL;
    if (!code)
        return fail(p, "one of \" \\ / b f n r t behind a backslash");
    *out = means[code - codes];
    p->at++;
    return 0;
}

static int read_text(struct parser *p, const char **out)
{
    if (!accept(p, '"'))
        return fail(p, "a text in double quotes");
    char *to = p->at;
    *out = to;
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < ' ')
            return fail(p, "a text that ends on its line");
        char c = *p->at++;
        if (c == '\\' && unescape(p, &c))
            return -1;
        *to++ = c;
    }
    if (p->at == p->end)
        return fail(p, "the closing quote of a text");
    p->at++;
    *to = '\0'; /* where the quote was, or before it */
    return 0;
}

static uint32_t add(struct parser *p, enum base_json_kind kind, const char *key)
{
    struct base_json_node v = {.kind = kind, .key = key, .line = p->line, .child = NONE, .next = NONE};
    BASE_ARRAY_PUSH(&p->j->value, v);
    return (uint32_t)p->j->value.n - 1;
}

static int read_value(struct parser *p, const char *key, uint32_t *out);

static int read_members(struct parser *p, uint32_t of, bool named, char close)
{
    uint32_t last = NONE;
    if (accept(p, close))
        return 0;
    do {
        const char *key = NULL;
        uint32_t value;
        if (named && (read_text(p, &key) || (!accept(p, ':') && fail(p, "':' behind a key"))))
            return -1;
        if (read_value(p, key, &value))
            return -1;
        if (last == NONE)
            p->j->value.at[of].child = value;
        else
            p->j->value.at[last].next = value;
        last = value;
    } while (accept(p, ','));
    return accept(p, close) ? 0 : fail(p, named ? "',' or '}'" : "',' or ']'");
}

static int read_word(struct parser *p, uint32_t value)
{
    static const char *const words[] = {"true", "false", "null"};
    for (size_t k = 0; k < BASE_LENGTH(words); k++) {
        size_t n = strlen(words[k]);
        if ((size_t)(p->end - p->at) < n || memcmp(p->at, words[k], n))
            continue;
        p->j->value.at[value].text = words[k];
        p->at += n;
        return 0;
    }
    return fail(p, "a value");
}

static int read_number(struct parser *p, uint32_t value)
{
    char *from = p->at;
    while (p->at < p->end && strchr("+-.eE0123456789", *p->at) && *p->at)
        p->at++;
    char buf[32];
    size_t n = (size_t)(p->at - from);
    if (n >= sizeof buf)
        return fail(p, "a number of at most 31 characters");
    memcpy(buf, from, n);
    buf[n] = '\0';
    struct base_status why;
    double x;
    if (base_parse_double(buf, &x, &why))
        return fail(p, "a number");
    p->j->value.at[value].kind = BASE_JSON_NUMBER;
    p->j->value.at[value].text = base_strdup(buf);
    return 0;
}

static int read_value(struct parser *p, const char *key, uint32_t *out)
{
    skip(p);
    uint32_t v = *out = add(p, BASE_JSON_OTHER, key);
    if (p->at == p->end)
        return fail(p, "a value");
    if (*p->at == '"') {
        p->j->value.at[v].kind = BASE_JSON_TEXT;
        return read_text(p, &p->j->value.at[v].text);
    }
    if (*p->at == '-' || (*p->at >= '0' && *p->at <= '9'))
        return read_number(p, v);
    if (*p->at != '{' && *p->at != '[')
        return read_word(p, v);
    if (p->depth == DEPTH)
        return fail(p, "at most 64 brackets within each other");
    bool named = *p->at++ == '{';
    p->j->value.at[v].kind = named ? BASE_JSON_OBJECT : BASE_JSON_ARRAY;
    p->depth++;
    int rc = read_members(p, v, named, named ? '}' : ']');
    p->depth--;
    return rc;
}

int base_json_tree_read(struct base_json_tree *j, const char *text, size_t bytes, const char *name,
                        struct base_status *st)
{
    *j = (struct base_json_tree){.text = base_alloc(bytes + 1, "JSON")};
    memcpy(j->text, text, bytes);
    j->text[bytes] = '\0';
    struct parser p = {.j = j, .at = j->text, .end = j->text + bytes, .name = name, .line = 1, .st = st};
    uint32_t root;
    int rc = read_value(&p, NULL, &root);
    if (!rc) {
        skip(&p);
        rc = p.at == p.end ? 0 : fail(&p, "the end of the file");
    }
    if (rc)
        base_json_tree_release(j);
    return rc;
}

void base_json_tree_release(struct base_json_tree *j)
{
    for (size_t k = 0; k < j->value.n; k++)
        if (j->value.at[k].kind == BASE_JSON_NUMBER)
            free((char *)j->value.at[k].text);
    free(j->value.at);
    free(j->text);
    *j = (struct base_json_tree){0};
}

const struct base_json_node *base_json_member(const struct base_json_tree *j, const struct base_json_node *of,
                                              const char *key)
{
    for (const struct base_json_node *v = base_json_at(j, of->child); v; v = base_json_at(j, v->next))
        if (v->key && !strcmp(v->key, key))
            return v;
    return NULL;
}
