/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strings: numbers of texts. A text stays where it is until the trace is closed, so that its address stands
 * for it; equal texts at other addresses have the same number, and no number depends on an address. What a
 * text stands for is looked up when it comes first.
 */
#include "trace/pgt/pgt.h"

#include <stdlib.h>

/* Open addressing, at most half full; a slot is free when its number is 0. */
struct slot {
    const char *text;
    uint32_t number;
};
struct table {
    struct slot *slots;
    uint32_t cap, used; /* cap: a power of two */
};

struct pgt_strings {
    const struct trace_about *about;
    struct table by_address, by_content;
    BASE_ARRAY(struct trace_call) text; /* by number - 1: the text, as a name */
};

static uint32_t hash_address(const char *text)
{
    return (uint32_t)((uintptr_t)text * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static uint32_t hash_content(const char *text)
{
    return pgt_sum((const unsigned char *)text, strlen(text));
}

static void table_init(struct table *t, uint32_t cap)
{
    t->slots = base_zalloc(cap * sizeof *t->slots, "texts of a trace");
    t->cap = cap;
    t->used = 0;
}

static void table_add(struct table *t, uint32_t hash, const char *text, uint32_t number)
{
    uint32_t k = hash & (t->cap - 1);
    while (t->slots[k].number)
        k = (k + 1) & (t->cap - 1);
    t->slots[k] = (struct slot){text, number};
    t->used++;
}

static void table_widen(struct table *t, uint32_t (*hash)(const char *))
{
    struct table old = *t;
    if (2 * (old.used + 1) <= old.cap)
        return;
    table_init(t, 2 * old.cap);
    for (uint32_t k = 0; k < old.cap; k++)
        if (old.slots[k].number)
            table_add(t, hash(old.slots[k].text), old.slots[k].text, old.slots[k].number);
    free(old.slots);
}

static uint32_t number_of_content(struct pgt_strings *s, const char *text)
{
    const struct table *t = &s->by_content;
    uint32_t hash = hash_content(text);
    for (uint32_t k = hash & (t->cap - 1); t->slots[k].number; k = (k + 1) & (t->cap - 1))
        if (!strcmp(t->slots[k].text, text))
            return t->slots[k].number;
    const struct trace_call call = trace_about_call(s->about, text);
    BASE_ARRAY_PUSH(&s->text, call);
    table_widen(&s->by_content, hash_content);
    table_add(&s->by_content, hash, text, (uint32_t)s->text.n);
    return (uint32_t)s->text.n;
}

uint32_t pgt_string_number(struct pgt_strings *s, const char *text)
{
    const struct table *t = &s->by_address;
    if (!text)
        return 0;
    uint32_t hash = hash_address(text);
    for (uint32_t k = hash & (t->cap - 1); t->slots[k].number; k = (k + 1) & (t->cap - 1))
        if (t->slots[k].text == text)
            return t->slots[k].number;
    uint32_t number = number_of_content(s, text);
    table_widen(&s->by_address, hash_address);
    table_add(&s->by_address, hash, text, number);
    return number;
}

uint32_t pgt_strings_put(const struct pgt_strings *s, uint32_t first, struct trace_buffer *b)
{
    trace_buffer_varint(b, s->text.n + 1 - first);
    for (size_t k = first - 1; k < s->text.n; k++) {
        const struct trace_call *call = &s->text.at[k];
        size_t length = strlen(call->name);
        trace_buffer_varint(b, length);
        trace_buffer_bytes(b, call->name, length);
        trace_buffer_varint(b, call->kind);
        trace_buffer_varint(b, call->awaited);
    }
    return (uint32_t)s->text.n + 1;
}

struct pgt_strings *pgt_strings_create(const struct trace_about *about)
{
    struct pgt_strings *s = base_zalloc(sizeof *s, "texts of a trace");
    s->about = about;
    table_init(&s->by_address, 64);
    table_init(&s->by_content, 64);
    return s;
}

void pgt_strings_destroy(struct pgt_strings *s)
{
    free(s->by_address.slots);
    free(s->by_content.slots);
    free(s->text.at);
    free(s);
}
