/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names: numbers for the names of states, operations and marks. Names are equal if their kinds and texts are,
 * wherever the texts lie. A text at an address seen before is not read again.
 */
#include "trace/foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

static uint32_t hash_text(const char *text)
{
    return text ? base_hash_bytes(text, strlen(text)) : 0;
}

static uint32_t hash_of(const struct trace_name *name)
{
    return base_hash(((uint64_t)hash_text(name->text) << 32 | hash_text(name->detail)) + name->kind);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool is_same(const struct trace_name *a, const struct trace_name *b)
{
    return a->kind == b->kind && same_text(a->text, b->text) && same_text(a->detail, b->detail);
}

static uint32_t look_up(struct trace_names *n, const struct trace_name *name)
{
    uint32_t hash = hash_of(name);
    for (uint32_t at = hash, k; (k = base_index_next(&n->index, hash, &at)) != BASE_NONE;)
        if (is_same(&n->name.at[k], name))
            return k;
    base_index_add(&n->index, hash, (uint32_t)n->name.n);
    BASE_ARRAY_PUSH(&n->name, *name);
    return (uint32_t)n->name.n - 1;
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

void trace_names_init(struct trace_names *n)
{
    *n = (struct trace_names){0};
    base_index_init(&n->index, "names in a trace");
}

void trace_names_release(struct trace_names *n)
{
    free(n->name.at);
    base_index_release(&n->index);
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
    case TRACE_NAME_FILE:
        snprintf(buf, size, "%s of %s", n->text, n->detail ? n->detail : "a file");
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
