/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names: numbers for the names of states, operations and marks. A name is its kind and its texts, wherever
 * these lie; an address seen before says the same without reading the texts.
 */
#include "trace/foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(uint64_t h, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)(text ? text : ""); *p; p++)
        h = (h ^ *p) * UINT64_C(0x100000001b3);
    return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

static uint64_t hash_of(const struct trace_name *name)
{
    uint64_t h = hash_text(hash_text(UINT64_C(0xcbf29ce484222325) + name->kind, name->text), name->detail);
    return h ^ h >> 32;
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool is_same(const struct trace_name *a, const struct trace_name *b)
{
    return a->kind == b->kind && same_text(a->text, b->text) && same_text(a->detail, b->detail);
}

/* Where the name is, or where it goes. */
static uint32_t *slot_of(const struct trace_names *n, const struct trace_name *name)
{
    size_t k = hash_of(name) & (n->slots - 1);
    while (n->slot[k] && !is_same(&n->name.at[n->slot[k] - 1], name))
        k = (k + 1) & (n->slots - 1);
    return &n->slot[k];
}

static void grow(struct trace_names *n)
{
    free(n->slot);
    n->slots = n->slots ? 2 * n->slots : 256;
    n->slot = base_zalloc(n->slots * sizeof *n->slot, "names in a trace");
    for (size_t k = 0; k < n->name.n; k++)
        *slot_of(n, &n->name.at[k]) = (uint32_t)k + 1;
}

static uint32_t look_up(struct trace_names *n, const struct trace_name *name)
{
    if (2 * (n->name.n + 1) > n->slots)
        grow(n);
    uint32_t *slot = slot_of(n, name);
    if (!*slot) {
        BASE_ARRAY_PUSH(&n->name, *name);
        *slot = (uint32_t)n->name.n;
    }
    return *slot - 1;
}

uint32_t trace_names_number(struct trace_names *n, enum trace_name_kind kind, const char *text,
                            const char *detail)
{
    const struct trace_name name = {.kind = kind, .text = text ? text : "", .detail = detail};
    uint64_t place =
        ((uint64_t)(uintptr_t)text + 31 * (uint64_t)(uintptr_t)detail + kind) * UINT64_C(0x9e3779b97f4a7c15);
    __typeof__(n->lately[0]) *l = &n->lately[place >> 56];
    if (text && l->text == text && l->detail == detail && l->kind == kind)
        return l->number;
    uint32_t number = look_up(n, &name);
    l->text = text;
    l->detail = detail;
    l->kind = kind;
    l->number = number;
    return number;
}

void trace_names_release(struct trace_names *n)
{
    free(n->name.at);
    free(n->slot);
}

const char *trace_name_show(const struct trace_name *n, char *buf, size_t size)
{
    switch (n->kind) {
    case TRACE_NAME_LIFE:
        return "running";
    case TRACE_NAME_COMPUTE:
        return "computing";
    case TRACE_NAME_WAIT:
        snprintf(buf, size, "waiting: %s", n->text);
        return buf;
    case TRACE_NAME_COLLECTIVE:
        if (!n->detail)
            return n->text;
        snprintf(buf, size, "%s (%s)", n->text, n->detail);
        return buf;
    default:
        return n->text;
    }
}
