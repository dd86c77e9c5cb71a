/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code: actions as bytes. Whole numbers take seven bits to a byte, signed ones with the sign in the lowest bit.
 * Amounts are mostly whole, too: twice the number, or a 1 and the eight bytes of a double.
 */
#include "replay/tape/code.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    unsigned fields;
} kinds[] = {
#define PEER                       REPLAY_PEER
#define PEER2                      REPLAY_PEER2
#define TAG                        REPLAY_TAG
#define BYTES                      REPLAY_BYTES
#define BYTES2                     REPLAY_BYTES2
#define AMOUNT                     REPLAY_AMOUNT
#define NUMBER                     REPLAY_NUMBER
#define TEXT                       REPLAY_TEXT
#define COUNTS                     REPLAY_COUNTS
#define GROUP                      REPLAY_GROUP
#define ACTION(KIND, name, fields) {name, fields},
#include "replay/tape/actions.def"
#undef ACTION
#undef PEER
#undef PEER2
#undef TAG
#undef BYTES
#undef BYTES2
#undef AMOUNT
#undef NUMBER
#undef TEXT
#undef COUNTS
#undef GROUP
};

const char *replay_kind_name(enum replay_kind kind)
{
    return kinds[kind].name;
}

unsigned replay_kind_fields(enum replay_kind kind)
{
    return kinds[kind].fields;
}

/* --- texts ------------------------------------------------------------------------------------------ */

/* There are few, and neighbours mostly have the same. */
uint32_t replay_text_number(struct replay_texts *t, const char *text)
{
    for (size_t k = t->n; k-- > 0;)
        if (!strcmp(t->at[k], text))
            return (uint32_t)k;
    BASE_ARRAY_PUSH(t, base_strdup(text));
    return (uint32_t)t->n - 1;
}

void replay_texts_release(struct replay_texts *t)
{
    for (size_t k = 0; k < t->n; k++)
        free(t->at[k]);
    free(t->at);
}

/* --- writing ---------------------------------------------------------------------------------------- */

static void put(replay_bytes *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        BASE_ARRAY_PUSH(out, (unsigned char)(value | 0x80));
    BASE_ARRAY_PUSH(out, (unsigned char)value);
}

static void put_signed(replay_bytes *out, int64_t value)
{
    put(out, (uint64_t)value << 1 ^ -(uint64_t)(value < 0));
}

static void put_amount(replay_bytes *out, double amount)
{
    unsigned char bytes[sizeof amount];
    if (amount >= 0 && amount < 0x1p53 && amount == floor(amount) && !(amount == 0 && signbit(amount))) {
        put(out, (uint64_t)amount << 1);
        return;
    }
    put(out, 1);
    memcpy(bytes, &amount, sizeof bytes);
    for (size_t k = 0; k < sizeof bytes; k++)
        BASE_ARRAY_PUSH(out, bytes[k]);
}

static void put_counts(replay_bytes *out, const int64_t *counts, uint32_t n)
{
    put(out, n);
    for (uint32_t k = 0; k < n; k++)
        put_signed(out, counts[k]);
}

void replay_encode(replay_bytes *out, struct replay_texts *texts, const struct replay_action *a,
                   uint32_t *line)
{
    unsigned has = kinds[a->kind].fields;
    put(out, (uint64_t)a->kind);
    put_signed(out, (int64_t)a->line - *line);
    *line = a->line;
    if (has & REPLAY_PEER)
        put(out, (a->peer + UINT64_C(1)) & UINT32_MAX);
    if (has & REPLAY_PEER2)
        put(out, (a->peer2 + UINT64_C(1)) & UINT32_MAX);
    if (has & REPLAY_TAG)
        put_signed(out, a->tag);
    if (has & REPLAY_BYTES)
        put(out, a->bytes + 1);
    if (has & REPLAY_BYTES2)
        put(out, a->bytes2 + 1);
    if (has & REPLAY_AMOUNT)
        put_amount(out, a->amount);
    if (has & REPLAY_NUMBER)
        put(out, a->number);
    if (has & REPLAY_GROUP)
        put(out, a->group);
    if (has & REPLAY_TEXT)
        put(out, replay_text_number(texts, a->text));
    if (has & REPLAY_COUNTS) {
        put_counts(out, a->counts, a->n);
        put_counts(out, a->counts2, a->n2);
    }
}

/* --- reading ---------------------------------------------------------------------------------------- */

static inline uint64_t get(const unsigned char **at)
{
    uint64_t value = 0;
    unsigned shift = 0;
    while (**at & 0x80) {
        value |= (uint64_t)(*(*at)++ & 0x7f) << shift;
        shift += 7;
    }
    return value | (uint64_t) * (*at)++ << shift;
}

static inline int64_t get_signed(const unsigned char **at)
{
    uint64_t value = get(at);
    return (int64_t)(value >> 1 ^ -(value & 1));
}

static double get_amount(const unsigned char **at)
{
    double amount;
    uint64_t value = get(at);
    if (!(value & 1))
        return (double)(value >> 1);
    memcpy(&amount, *at, sizeof amount);
    *at += sizeof amount;
    return amount;
}

static uint32_t get_counts(const unsigned char **at, struct replay_counts *to)
{
    uint32_t n = (uint32_t)get(at);
    if (to->n + n > to->cap)
        to->at = base_array_grow(to->at, &to->cap, to->n + n, sizeof *to->at, "counts of members");
    for (uint32_t k = 0; k < n; k++)
        to->at[to->n++] = get_signed(at);
    return n;
}

const unsigned char *replay_decode(const unsigned char *at, const struct replay_texts *texts,
                                   struct replay_counts *counts, struct replay_action *a, uint32_t *line)
{
    a->kind = (enum replay_kind)get(&at);
    unsigned has = kinds[a->kind].fields;
    a->line = *line = (uint32_t)(*line + get_signed(&at));
    if (has & REPLAY_PEER)
        a->peer = (uint32_t)get(&at) - 1;
    if (has & REPLAY_PEER2)
        a->peer2 = (uint32_t)get(&at) - 1;
    if (has & REPLAY_TAG)
        a->tag = (int32_t)get_signed(&at);
    if (has & REPLAY_BYTES)
        a->bytes = get(&at) - 1;
    if (has & REPLAY_BYTES2)
        a->bytes2 = get(&at) - 1;
    if (has & REPLAY_AMOUNT)
        a->amount = get_amount(&at);
    if (has & REPLAY_NUMBER)
        a->number = (uint32_t)get(&at);
    if (has & REPLAY_GROUP)
        a->group = (uint32_t)get(&at);
    if (has & REPLAY_TEXT)
        a->text = texts->at[get(&at)];
    if (has & REPLAY_COUNTS) {
        counts->n = 0;
        a->n = get_counts(&at, counts);
        a->n2 = get_counts(&at, counts);
        a->counts = counts->at;
        a->counts2 = a->n2 ? counts->at + a->n : NULL;
    }
    return at;
}
