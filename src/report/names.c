/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names: the texts of a trace get small numbers, in order of their first appearance. Equal texts have one number,
 * whatever their addresses; the last addresses asked for are remembered, as events repeat them.
 *
 * Invariants
 *  N1  text[k] is the text of number k; number 0 is "".
 */
#include "report/inside.h"

#include <stdlib.h>
#include <string.h>

enum { NAMES_MOST = 65000, SLOTS = 1 << 17, RECENT = 1 << 10 };

struct report_names {
    char **text;
    size_t cap;
    uint32_t n;
    report_name *slot; /* by hash of the text; 0: free */
    struct {
        const char *text;
        report_name name;
    } recent[RECENT];
};

static uint32_t add(struct report_names *n, const char *text)
{
    if (n->n == n->cap)
        n->text = base_array_grow(n->text, &n->cap, n->n + 1, sizeof *n->text, "names of the trace");
    n->text[n->n] = base_strdup(text);
    return n->n++;
}

struct report_names *report_names_create(void)
{
    struct report_names *n = base_zalloc(sizeof *n, "names of the trace");
    n->slot = base_zalloc(sizeof *n->slot * SLOTS, "names of the trace");
    add(n, "");
    return n;
}

void report_names_destroy(struct report_names *n)
{
    for (uint32_t k = 0; k < n->n; k++)
        free(n->text[k]);
    free(n->text);
    free(n->slot);
    free(n);
}

/* FNV-1a. */
static uint32_t hash(const char *text)
{
    uint32_t h = 2166136261U;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619U;
    return h;
}

static report_name intern(struct report_names *n, const char *text)
{
    if (!*text)
        return 0;
    for (uint32_t at = hash(text) % SLOTS;; at = (at + 1) % SLOTS) {
        if (n->slot[at] && !strcmp(n->text[n->slot[at]], text))
            return n->slot[at];
        if (n->slot[at])
            continue;
        if (n->n >= NAMES_MOST)
            return (report_name)(n->n == NAMES_MOST ? add(n, "(others)") : NAMES_MOST);
        return n->slot[at] = (report_name)add(n, text);
    }
}

report_name report_names_find(struct report_names *n, const char *text)
{
    if (!text)
        return 0;
    size_t at = ((uintptr_t)text >> 3 ^ (uintptr_t)text >> 13) % RECENT;
    if (n->recent[at].text != text) {
        n->recent[at].name = intern(n, text);
        n->recent[at].text = text;
    }
    return n->recent[at].name;
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
