/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * diff: the bytes in which two copies differ, and no others: several processes may write different bytes of
 * one chunk or page at a time, and what they have not written is another's.
 *
 * A diff is a sequence of runs: the number of bytes since the last run's end, the length, both in groups of
 * seven bits with the lowest first, and the bytes. Where most words differ in some of their bytes, as arrays
 * of numbers do, runs are many and slow. A diff of such copies begins with a gap and a length of 0, which no
 * run has. Then comes, for each word of eight bytes, a byte with a bit for each of its bytes that differs;
 * then the words that have such bytes, with 0 for the others.
 */
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

/* --- runs ----------------------------------------------------------------------------------------- */

static uint64_t word_at(const char *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static size_t equal_until(const char *old, const char *new, size_t size, size_t at)
{
    while (at + 8 <= size && word_at(old + at) == word_at(new + at))
        at += 8;
    while (at < size && old[at] == new[at])
        at++;
    return at;
}

/* Whether all eight bytes of the word are other than 0 (H. Warren, Hacker's Delight, section 6-1). */
static bool is_full(uint64_t word)
{
    const uint64_t low = UINT64_C(0x0101010101010101);
    return !((word - low) & ~word & low << 7);
}

static size_t different_until(const char *old, const char *new, size_t size, size_t at)
{
    while (at + 8 <= size && is_full(word_at(old + at) ^ word_at(new + at)))
        at += 8;
    while (at < size && old[at] != new[at])
        at++;
    return at;
}

/* --- words ---------------------------------------------------------------------------------------- */

enum { WORD = 8, WORDS_LEAST = 64, MARK = 2 };
#define ONES UINT64_C(0x0101010101010101)

/* Bit k of the result: byte k of the word, the lowest first, is other than 0. */
static unsigned char bits_of(uint64_t word)
{
    uint64_t high = ((word & 0x7f * ONES) + 0x7f * ONES) | word;
    return (unsigned char)((high >> 7 & ONES) * UINT64_C(0x0102040810204080) >> 56);
}

/* Byte k of the result: all ones if bit k is set. */
static uint64_t mask_of(unsigned char bits)
{
    uint64_t one = bits * ONES & UINT64_C(0x8040201008040201);
    return ((one + 0x7f * ONES) >> 7 & ONES) * 0xff;
}

/* The last word of a copy may be short. */
static uint64_t word_of(const char *copy, size_t size, size_t word)
{
    uint64_t value = 0;
    size_t left = size - word * WORD;
    memcpy(&value, copy + word * WORD, left < WORD ? left : WORD);
    return value;
}

/* Whether so many words differ in a part of their bytes that words are better than runs. */
static bool is_for_words(const char *old, const char *new, size_t size)
{
    size_t words = size / WORD, partly = 0;
    for (size_t k = 0; k < words; k++) {
        uint64_t word = word_at(old + k * WORD) ^ word_at(new + k *WORD);
        partly += word && !is_full(word);
    }
    return partly >= WORDS_LEAST && partly * 4 >= words;
}

static char *make_words(const char *old, const char *new, size_t size, uint64_t *bytes)
{
    size_t words = (size + WORD - 1) / WORD, n = MARK + words;
    char *diff = sat_grow(NULL, n + words * WORD);
    memset(diff, 0, MARK);
    for (size_t k = 0; k < words; k++) {
        uint64_t now = word_of(new, size, k);
        unsigned char bits = bits_of(word_of(old, size, k) ^ now);
        diff[MARK + k] = (char)bits;
        now &= mask_of(bits);
        memcpy(diff + n, &now, WORD); /* stays if it differs */
        n += bits ? WORD : 0;
    }
    *bytes = n;
    return diff;
}

static bool apply_words(char *to, size_t size, const char *diff, size_t bytes)
{
    size_t words = (size + WORD - 1) / WORD;
    if (bytes < words)
        return false;
    const char *at = diff + words, *end = diff + bytes;
    for (size_t k = 0; k < words; k++) {
        uint64_t mask = mask_of((unsigned char)diff[k]), now, left = size - k * WORD;
        if (!mask)
            continue;
        if (end - at < WORD || (left < WORD && mask >> 8 * left))
            return false;
        memcpy(&now, at, WORD);
        now = (word_of(to, size, k) & ~mask) | (now & mask);
        memcpy(to + k * WORD, &now, left < WORD ? left : WORD);
        at += WORD;
    }
    return at == end;
}

/* --- making --------------------------------------------------------------------------------------- */

enum { NUMBER = 10 }; /* bytes of a number at most */

struct growing {
    char *at;
    size_t n, cap;
};

static void add_number(struct growing *d, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        d->at[d->n++] = (char)(value | 0x80);
    d->at[d->n++] = (char)value;
}

static void add_run(struct growing *d, size_t gap, const char *bytes, size_t length)
{
    if (!d->at || d->n + 2 * NUMBER + length > d->cap) {
        d->cap = 2 * (d->n + 2 * NUMBER + length);
        d->at = sat_grow(d->at, d->cap);
    }
    add_number(d, gap);
    add_number(d, length);
    memcpy(d->at + d->n, bytes, length);
    d->n += length;
}

char *sat_diff_make(const char *old, const char *new, size_t size, uint64_t *bytes)
{
    struct growing d = {0};
    *bytes = 0;
    if (!memcmp(old, new, size))
        return NULL;
    if (is_for_words(old, new, size))
        return make_words(old, new, size, bytes);
    for (size_t end = 0, first; (first = equal_until(old, new, size, end)) < size;) {
        size_t gap = first - end;
        end = different_until(old, new, size, first);
        add_run(&d, gap, new + first, end - first);
    }
    *bytes = d.n;
    return d.at;
}

/* --- applying ------------------------------------------------------------------------------------- */

static bool take_number(const char **at, const char *end, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = (unsigned char)*(*at)++;
        if (shift == 63 && byte > 1)
            return false;
        *value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

bool sat_diff_apply(char *to, size_t size, const char *diff, size_t bytes)
{
    if (!bytes)
        return true;
    const char *end = diff + bytes;
    if (bytes >= MARK && !diff[0] && !diff[1])
        return apply_words(to, size, diff + MARK, bytes - MARK);
    for (size_t at = 0; diff < end;) {
        uint64_t gap, length;
        if (!take_number(&diff, end, &gap) || !take_number(&diff, end, &length) || gap > size - at)
            return false;
        at += gap;
        if (!length || length > size - at || length > (size_t)(end - diff))
            return false;
        memcpy(to + at, diff, length);
        diff += length;
        at += length;
    }
    return true;
}

void sat_diff_range(const char *old, const char *new, size_t size, size_t *first, size_t *end, size_t *n)
{
    *first = *end = *n = 0;
    for (size_t k = 0; k < size; k++) {
        if (old[k] == new[k])
            continue;
        if (!(*n)++)
            *first = k;
        *end = k + 1;
    }
}

void sat_diff_free(char *diff)
{
    free(diff);
}
