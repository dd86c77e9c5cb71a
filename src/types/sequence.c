/* SPDX-License-Identifier: BSD-3-Clause */
/* sequence: walks the elements of a layout in order, for those who convert or count them. */
#include "types/internal.h"

#include <stdlib.h>

/* Elements are the sequences without parts: their places in the table of elements. Pairs are sequences of two. */
static bool is_element(const struct types_sequence *s)
{
    return s >= types_element_sequences && s < types_element_sequences + TYPES_ELEMENTS && !s->n;
}

/* Sequences whose parts are under way, the outermost first. In the heap: types may be nested more deeply than a
 * stack. */
struct level {
    const struct types_sequence *of;
    uint64_t part, times;
};
struct levels {
    size_t n, cap;
    struct level *at;
};

static void open_level(struct levels *s, const struct types_sequence *of, uint64_t times)
{
    s->at = base_array_grow(s->at, &s->cap, s->n + 1, sizeof *s->at, "a data layout");
    s->at[s->n++] = (struct level){of, 0, times};
}

void types_each_element(const struct types_layout *l, uint64_t count, types_element_fn fn, void *arg)
{
    struct levels s = {0};
    const struct types_sequence *all = l->sequence;
    if (count && is_element(all))
        fn(arg, (enum types_element)(all - types_element_sequences), count);
    else if (count && all->n)
        open_level(&s, all, count);
    while (s.n) {
        struct level *top = &s.at[s.n - 1];
        if (top->part == top->of->n) {
            top->part = 0;
            if (--top->times == 0)
                s.n--;
            continue;
        }
        const struct types_sequence_part *p = &top->of->part[top->part++];
        if (is_element(p->of))
            fn(arg, (enum types_element)(p->of - types_element_sequences), p->times);
        else
            open_level(&s, p->of, p->times);
    }
    free(s.at);
}

uint64_t types_bytes_of(const struct types_layout *l, uint64_t elements)
{
    const struct types_sequence *in = l->sequence;
    uint64_t bytes = 0;
    if (!in->elements)
        return 0;
    if (in->elements == 1 || elements >= in->elements) {
        bytes = elements / in->elements * in->bytes;
        elements %= in->elements;
    }
    for (uint64_t k = 0; elements; k++) {
        const struct types_sequence_part *p = &in->part[k];
        uint64_t whole = elements / p->of->elements < p->times ? elements / p->of->elements : p->times;
        bytes += whole * p->of->bytes;
        elements -= whole * p->of->elements;
        if (whole < p->times && elements) {
            in = p->of;
            k = UINT64_MAX;
        }
    }
    return bytes;
}
