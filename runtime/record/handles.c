/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * handles: a number for each object that the program has made, the lowest one that is free among its kind's.
 *
 * An MPI may give the same handle twice: for requests that are complete at once, or for a group or a part of a datatype
 * that two calls have asked for. These are objects of their own here; who names such a handle means the oldest, and, if one call names it
 * several times, the next ones. Of other kinds, a handle that comes again is one whose end was not seen.
 */
#include "recorder.h"

#include <stdlib.h>

struct object {
    uint64_t bits, age;
    uint32_t next;  /* in its bucket: number + 1; 0: the last */
    uint32_t named; /* by which call */
    bool used;
};
enum { BUCKETS = 1024 };
struct kind {
    struct object *at;
    size_t n, cap;
    uint32_t lowest; /* no number below it is free */
    uint32_t bucket[BUCKETS];
};
struct predefined {
    uint64_t bits;
    int64_t value;
};

static struct kind kinds[RECORD_OBJECTS];
static struct predefined predefined[RECORD_OBJECTS][128];
static unsigned n_predefined[RECORD_OBJECTS];
static uint64_t ages, unknown;
static uint32_t calls;

void recorder_predefine(enum record_object o, int64_t bits, int64_t value)
{
    for (unsigned k = 0; k < n_predefined[o]; k++)
        if (predefined[o][k].bits == (uint64_t)bits)
            return;
    if (n_predefined[o] < BASE_LENGTH(predefined[o]))
        predefined[o][n_predefined[o]++] = (struct predefined){(uint64_t)bits, value};
}

/* The null handle is the first. */
bool recorder_handle_is_null(enum record_object o, uint64_t bits)
{
    return n_predefined[o] && predefined[o][0].bits == bits;
}

static const struct predefined *find_predefined(enum record_object o, uint64_t bits)
{
    static struct predefined *last[RECORD_OBJECTS];
    if (last[o] && last[o]->bits == bits)
        return last[o];
    for (unsigned k = 0; k < n_predefined[o]; k++)
        if (predefined[o][k].bits == bits)
            return last[o] = &predefined[o][k];
    return NULL;
}

static uint32_t *bucket_of(struct kind *k, uint64_t bits)
{
    return &k->bucket[(bits * 0x9e3779b97f4a7c15U >> 32) % BUCKETS];
}

static void take_out(struct kind *k, uint32_t number)
{
    uint32_t *link = bucket_of(k, k->at[number].bits);
    while (*link != number + 1)
        link = &k->at[*link - 1].next;
    *link = k->at[number].next;
    k->at[number].used = false;
    if (number < k->lowest)
        k->lowest = number;
}

static bool is_shared(enum record_object o)
{
    return o == RECORD_REQUEST || o == RECORD_GROUP || o == RECORD_MESSAGE || o == RECORD_TYPE;
}

/* The oldest with these bits that this call has not named; if it has named them all, the oldest. */
static struct object *find(struct kind *k, uint64_t bits)
{
    struct object *best = NULL, *first = NULL;
    for (uint32_t at = *bucket_of(k, bits); at; at = k->at[at - 1].next) {
        struct object *x = &k->at[at - 1];
        if (x->bits != bits)
            continue;
        if (!first || x->age < first->age)
            first = x;
        if (x->named != calls && (!best || x->age < best->age))
            best = x;
    }
    return best ? best : first;
}

static struct object *make(struct kind *k, enum record_object o, uint64_t bits)
{
    struct object *old = is_shared(o) ? NULL : find(k, bits);
    if (old)
        take_out(k, (uint32_t)(old - k->at));
    while (k->lowest < k->n && k->at[k->lowest].used)
        k->lowest++;
    if (k->lowest == k->n) {
        if (k->n == k->cap)
            k->at = base_array_grow(k->at, &k->cap, k->n + 1, sizeof *k->at, "handles");
        k->n++;
    }
    struct object *x = &k->at[k->lowest];
    uint32_t *bucket = bucket_of(k, bits);
    *x = (struct object){.bits = bits, .age = ++ages, .next = *bucket, .used = true};
    *bucket = k->lowest + 1;
    return x;
}

void recorder_handles_begin(void)
{
    calls++;
}

int64_t recorder_handle(enum record_object o, uint64_t bits, bool made)
{
    const struct predefined *p = find_predefined(o, bits);
    if (p)
        return p->value;
    struct kind *k = &kinds[o];
    struct object *x = made ? NULL : find(k, bits);
    if (!x) {
        unknown += !made;
        x = make(k, o, bits);
    }
    x->named = made ? 0 : calls;
    return RECORD_MADE + (x - k->at);
}

void recorder_handle_forget(enum record_object o, int64_t word)
{
    struct kind *k = &kinds[o];
    if (word >= RECORD_MADE && (size_t)(word - RECORD_MADE) < k->n && k->at[word - RECORD_MADE].used)
        take_out(k, (uint32_t)(word - RECORD_MADE));
}

uint64_t recorder_handles_unknown(void)
{
    return unknown;
}

void recorder_handles_release(void)
{
    for (int o = 0; o < RECORD_OBJECTS; o++)
        free(kinds[o].at);
}
