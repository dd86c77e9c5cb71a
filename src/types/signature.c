/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * signature: sequences of elements, as parts that are repeated, and their hash. A sequence c0 c1 ... of n
 * elements hashes to the sum of c(i) B^(n-1-i) modulo the prime 2^61 - 1, so that the hash of a
 * concatenation, of a repetition and of a beginning follow from those of the parts in logarithmic time (Rabin
 * and Karp's rolling hash).
 */
#include "types/internal.h"

static const uint64_t prime = (UINT64_C(1) << 61) - 1, B = UINT64_C(1152921504606846883);

/* --- elements' own -------------------------------------------------------------------------------- */

static const struct types_sequence_part pair_parts[TYPES_ELEMENTS][2] = {
#define TYPES_ELEMENT(...)
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    [TYPES_##NAME] = {{&types_element_sequences[TYPES_##FIRST], TYPES_##FIRST == TYPES_##SECOND ? 2 : 1},    \
                      {&types_element_sequences[TYPES_##SECOND], 1}},
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
};

/* Hashes of these are not stored. */
const struct types_sequence types_element_sequences[TYPES_ELEMENTS] = {
#define TYPES_ELEMENT(NAME, text, T, KIND, CLASS) [TYPES_##NAME] = {.elements = 1, .bytes = sizeof(T)},
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    [TYPES_##NAME] = {.elements = 2,                                                                         \
                      .bytes = sizeof(A) + sizeof(B),                                                        \
                      .n = TYPES_##FIRST == TYPES_##SECOND ? 1 : 2,                                          \
                      .part = pair_parts[TYPES_##NAME]},
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
};

static bool is_static(const struct types_sequence *s)
{
    return s >= types_element_sequences && s < types_element_sequences + TYPES_ELEMENTS;
}

/* --- arithmetic ----------------------------------------------------------------------------------- */

static uint64_t times(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    uint64_t sum = (uint64_t)(product & prime) + (uint64_t)(product >> 61);
    return sum >= prime ? sum - prime : sum;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    return a + b >= prime ? a + b - prime : a + b;
}

/* A code spread over the numbers below the prime, never 0 (the finalizer of MurmurHash3's 64-bit form). */
static uint64_t spread(uint64_t code)
{
    code += 1;
    code = (code ^ code >> 33) * UINT64_C(0xff51afd7ed558ccd);
    code = (code ^ code >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (code ^ code >> 33) % (prime - 1) + 1;
}

/* A sequence as far as it is known; power is B to the number of elements. */
struct state {
    uint64_t elements, power;
    uint64_t hash[2];
};
static const struct state nothing = {0, 1, {0, 0}};

static struct state join(const struct state *a, const struct state *b)
{
    return (struct state){
        a->elements + b->elements,
        times(a->power, b->power),
        {plus(times(a->hash[0], b->power), b->hash[0]), plus(times(a->hash[1], b->power), b->hash[1])}};
}

static struct state repeat(struct state s, uint64_t n)
{
    struct state all = nothing;
    for (; n; n /= 2) {
        if (n & 1)
            all = join(&all, &s);
        if (n > 1)
            s = join(&s, &s);
    }
    return all;
}

static struct state state_of(const struct types_sequence *s)
{
    if (!is_static(s)) {
        struct state b = repeat((struct state){1, B, {0, 0}}, s->elements);
        return (struct state){s->elements, b.power, {s->hash[0], s->hash[1]}};
    }
    if (s->n == 0) {
        size_t e = (size_t)(s - types_element_sequences);
        return (struct state){1, B, {spread(e), spread(types_elements[e].code)}};
    }
    struct state all = nothing;
    for (uint64_t k = 0; k < s->n; k++) {
        struct state part = repeat(state_of(s->part[k].of), s->part[k].times);
        all = join(&all, &part);
    }
    return all;
}

/* --- building ------------------------------------------------------------------------------------- */

void types_sequence_add(struct types_sequence *s, struct types_sequence_part *room,
                        const struct types_sequence *of, uint64_t count)
{
    if (of->n == 1) {
        count *= of->part->times;
        of = of->part->of;
    }
    if (!of->elements || !count)
        return;
    struct state before = state_of(s), more = repeat(state_of(of), count), all = join(&before, &more);
    if (s->n && room[s->n - 1].of == of)
        room[s->n - 1].times += count;
    else
        room[s->n++] = (struct types_sequence_part){of, count};
    s->part = room;
    s->elements = all.elements;
    s->bytes += of->bytes * count;
    s->hash[0] = all.hash[0];
    s->hash[1] = all.hash[1];
}

/* --- asking --------------------------------------------------------------------------------------- */

static struct types_signature signature(const struct state *s)
{
    return (struct types_signature){s->elements, s->hash[0], s->hash[1]};
}

struct types_signature types_signature(const struct types_layout *l, uint64_t count)
{
    struct state s = repeat(state_of(l->sequence), count);
    return signature(&s);
}

/* Adds n of `part`, as many as begin in what is left. Whether all of them did. */
static bool add_whole(struct state *s, const struct types_sequence *part, uint64_t n, uint64_t *left)
{
    uint64_t whole = *left / part->elements < n ? *left / part->elements : n;
    struct state more = repeat(state_of(part), whole);
    *s = join(s, &more);
    *left -= whole * part->elements;
    return whole == n;
}

struct types_signature types_signature_prefix(const struct types_layout *l, uint64_t count, uint64_t elements)
{
    struct state s = nothing;
    const struct types_sequence *in = l->sequence;
    if (in->elements && !add_whole(&s, in, count, &elements)) {
        for (uint64_t k = 0; elements; k++) {
            const struct types_sequence_part *p = &in->part[k];
            if (!add_whole(&s, p->of, p->times, &elements)) {
                in = p->of;
                k = UINT64_MAX;
            }
        }
    }
    return signature(&s);
}

bool types_signature_equal(const struct types_signature *a, const struct types_signature *b, bool by_name)
{
    return a->elements == b->elements && a->kinds == b->kinds && (!by_name || a->names == b->names);
}

/* Element number `at` of items of the sequence. */
static enum types_element element_at(const struct types_sequence *in, uint64_t at)
{
    for (at %= in->elements; in->n; at %= in->elements) {
        const struct types_sequence_part *p = in->part;
        for (; at >= p->times * p->of->elements; p++)
            at -= p->times * p->of->elements;
        in = p->of;
    }
    return (enum types_element)(in - types_element_sequences);
}

static bool same_beginning(const struct types_layout *a, uint64_t n, const struct types_layout *b, uint64_t m,
                           uint64_t elements)
{
    struct types_signature left = types_signature_prefix(a, n, elements),
                           right = types_signature_prefix(b, m, elements);
    return left.kinds == right.kinds;
}

bool types_first_unlike(const struct types_layout *a, uint64_t n, const struct types_layout *b, uint64_t m,
                        struct types_unlike *out)
{
    uint64_t left = types_signature(a, n).elements, right = types_signature(b, m).elements,
             high = left < right ? left : right, low = 0;
    if (same_beginning(a, n, b, m, high))
        return false;
    while (high - low > 1) { /* alike in `low`, not in `high` */
        uint64_t middle = low + (high - low) / 2;
        if (same_beginning(a, n, b, m, middle))
            low = middle;
        else
            high = middle;
    }
    *out = (struct types_unlike){low, element_at(a->sequence, low), element_at(b->sequence, low)};
    return true;
}

uint64_t types_elements_in(const struct types_layout *l, uint64_t count, uint64_t bytes, bool *whole)
{
    const struct types_sequence *in = l->sequence;
    uint64_t n = 0, items = in->bytes ? bytes / in->bytes : 0;
    *whole = true;
    if (!in->bytes || items >= count)
        return in->elements * count;
    n = items * in->elements;
    bytes %= in->bytes;
    for (uint64_t k = 0; bytes && in->n; k++) {
        const struct types_sequence *of = in->part[k].of;
        uint64_t times = bytes / of->bytes;
        if (times >= in->part[k].times) {
            n += in->part[k].times * of->elements;
            bytes -= in->part[k].times * of->bytes;
        } else {
            n += times * of->elements;
            bytes -= times * of->bytes;
            in = of;
            k = UINT64_MAX;
        }
    }
    *whole = bytes == 0;
    return n + (bytes > 0);
}
