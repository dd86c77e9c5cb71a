/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names: the texts of a trace get small numbers, in order of their first appearance. Equal texts have one
 * number, whatever their addresses; the last addresses asked for are remembered, as events repeat them. What
 * a name of a call or a wait stands for is asked of the trace once.
 *
 * Invariants
 *  N1  text[k] is the text of number k; number 0 is "".
 *  N2  what[k].asked is set exactly for names that came as those of calls or waits.
 */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 65000, RECENT = 1 << 10 };

struct what {
    bool asked;
    uint8_t kind, awaited; /* as in struct trace_call */
};

struct report_names {
    const struct trace_about *about;
    char **text;
    struct what *what;
    size_t cap, whats;
    uint32_t n;
    uint32_t unknown; /* names that were asked for, and stand for nothing that is known */
    struct base_index by_text;
    struct {
        const char *text;
        report_name name;
        bool asked;
    } recent[RECENT];
};

static uint32_t add(struct report_names *n, const char *text)
{
    if (n->n == n->cap)
        n->text = base_array_grow(n->text, &n->cap, n->n + 1, sizeof *n->text, "names of the trace");
    if (n->n == n->whats)
        n->what = base_array_grow(n->what, &n->whats, n->n + 1, sizeof *n->what, "names of the trace");
    n->what[n->n] = (struct what){0};
    n->text[n->n] = base_strdup(text);
    return n->n++;
}

struct report_names *report_names_create(const struct trace_about *about)
{
    struct report_names *n = base_zalloc(sizeof *n, "names of the trace");
    n->about = about;
    base_index_init(&n->by_text, "names of the trace");
    add(n, "");
    return n;
}

void report_names_destroy(struct report_names *n)
{
    for (uint32_t k = 0; k < n->n; k++)
        free(n->text[k]);
    free(n->text);
    free(n->what);
    base_index_release(&n->by_text);
    free(n);
}

static report_name intern(struct report_names *n, const char *text)
{
    if (!*text)
        return 0;
    uint32_t hash = base_hash_bytes(text, strlen(text));
    for (uint32_t at = hash, k; (k = base_index_next(&n->by_text, hash, &at)) != BASE_NONE;)
        if (!strcmp(n->text[k], text))
            return (report_name)k;
    if (n->n >= NAMES_MOST)
        return (report_name)(n->n == NAMES_MOST ? add(n, "(others)") : NAMES_MOST);
    base_index_add(&n->by_text, hash, n->n);
    return (report_name)add(n, text);
}

/* Where a text's number is remembered, by its address. */
static size_t place_of(struct report_names *n, const char *text)
{
    size_t at = ((uintptr_t)text >> 3 ^ (uintptr_t)text >> 13) % RECENT;
    if (n->recent[at].text != text) {
        n->recent[at].name = intern(n, text);
        n->recent[at].text = text;
        n->recent[at].asked = false;
    }
    return at;
}

report_name report_names_find(struct report_names *n, const char *text)
{
    return text ? n->recent[place_of(n, text)].name : 0;
}

static void ask(struct report_names *n, report_name name, const char *text)
{
    struct what *w = &n->what[name];
    if (w->asked || !name)
        return;
    struct trace_call call = trace_about_call(n->about, text);
    *w = (struct what){true, call.kind, call.awaited};
    n->unknown += call.kind == TRACE_KIND_OTHER;
}

report_name report_names_call(struct report_names *n, const char *text)
{
    if (!text)
        return 0;
    size_t at = place_of(n, text);
    if (!n->recent[at].asked)
        ask(n, n->recent[at].name, text);
    n->recent[at].asked = true;
    return n->recent[at].name;
}

enum trace_awaited report_names_awaited(const struct report_names *n, report_name name)
{
    BASE_ASSERT("N1", name < n->n);
    return (enum trace_awaited)n->what[name].awaited;
}

enum trace_group report_names_group(struct report_names *n, const char *text)
{
    report_name name = report_names_call(n, text); /* which may move the names */
    return trace_kinds[n->what[name].kind].group;
}

uint32_t report_names_unknown(const struct report_names *n)
{
    return n->unknown;
}

const char *report_names_text(const struct report_names *n, report_name name)
{
    BASE_ASSERT("N1", name < n->n);
    return n->text[name];
}

uint32_t report_names_count(const struct report_names *n)
{
    return n->n;
}
