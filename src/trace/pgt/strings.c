/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * strings: numbers of texts. A text stays where it is until the trace is closed, so that its address stands
 * for it; equal texts at other addresses have the same number, and no number depends on an address. What a
 * text stands for is looked up at its first use.
 */
#include "trace/pgt/pgt.h"

#include <stdlib.h>

struct pgt_strings {
    const struct trace_about *about;
    struct base_table by_address; /* uint32_t: number */
    struct base_table by_content; /* struct trace_call: the text, as a name; its number is the entry's + 1 */
};

static uint32_t number_of_content(struct pgt_strings *s, const char *text)
{
    bool fresh;
    struct trace_call *call = base_table_add_bytes(&s->by_content, text, strlen(text), &fresh);
    if (fresh)
        *call = trace_about_call(s->about, text);
    return base_table_number(&s->by_content, call) + 1;
}

uint32_t pgt_string_number(struct pgt_strings *s, const char *text)
{
    bool fresh;
    if (!text)
        return 0;
    uint32_t *number = base_table_add(&s->by_address, (uintptr_t)text, &fresh);
    if (fresh)
        *number = number_of_content(s, text);
    return *number;
}

uint32_t pgt_strings_put(const struct pgt_strings *s, uint32_t first, struct trace_buffer *b)
{
    uint32_t end = s->by_content.n + 1;
    trace_buffer_varint(b, end - first);
    for (uint32_t number = first; number < end; number++) {
        const struct trace_call *call = base_table_at(&s->by_content, number - 1);
        const struct base_table_bytes *text = base_table_bytes(call);
        trace_buffer_varint(b, text->length);
        trace_buffer_bytes(b, text->at, text->length);
        trace_buffer_varint(b, call->kind);
        trace_buffer_varint(b, call->awaited);
    }
    return end;
}

struct pgt_strings *pgt_strings_create(const struct trace_about *about)
{
    struct pgt_strings *s = base_zalloc(sizeof *s, "texts of a trace");
    s->about = about;
    base_table_init(&s->by_address, BASE_NUMBERS, sizeof(uint32_t), "texts of a trace");
    base_table_init(&s->by_content, BASE_BYTES, sizeof(struct trace_call), "texts of a trace");
    return s;
}

void pgt_strings_destroy(struct pgt_strings *s)
{
    base_table_release(&s->by_address);
    base_table_release(&s->by_content);
    free(s);
}
