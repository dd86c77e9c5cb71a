/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * twin: what a chunk's data were when a scope was opened.
 *
 * Stores in a reading scope are lost (Figure 5): when it ends, the data are compared with a hash of what they
 * were, and dropped if they differ. Where the only data are here they are restored from a copy, the twin;
 * with --sat-check they always are, and a report says which bytes it was.
 */
#include <string.h>

#include "sdsm/internal.h"

/* Detects accidental changes: sums, and sums of sums, of eight lanes. */
uint64_t sat_hash(const char *data, size_t n)
{
    typedef uint64_t lanes __attribute__((vector_size(16)));
    typedef lanes anywhere __attribute__((aligned(1), may_alias));
    lanes a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0}, b0 = {0}, b1 = {0}, b2 = {0}, b3 = {0};
    size_t at = 0;
    for (; at + 64 <= n; at += 64) {
        const anywhere *w = (const void *)(data + at);
        a0 += w[0], b0 += a0;
        a1 += w[1], b1 += a1;
        a2 += w[2], b2 += a2;
        a3 += w[3], b3 += a3;
    }
    const lanes sums[8] = {a0, a1, a2, a3, b0, b1, b2, b3};
    uint64_t h = n, word[8] = {0};
    memcpy(word, data + at, n - at);
    for (int k = 0; k < 8; k++) {
        uint64_t twice = sums[4 + k / 2][k % 2];
        /* rotated: the highest bit of a word, a number's sign, would cancel itself out otherwise */
        h = (h ^ (sums[k / 2][k % 2] + word[k])) * 0x9e3779b97f4a7c15u + (twice << 32 | twice >> 32);
    }
    return h;
}

/* Is the twin what was published? It is kept beside mapped memory, where the program may store at any
 * time. */
bool sat_twin_is_kept(const struct sat_entry *e)
{
    return e->protocol->restores && sat_entry_is_mapped(e);
}

void sat_twin_keep(struct sat_entry *e)
{
    bool needed = e->mode == SAT_READ ? e->protocol->restores : e->protocol->twins || sat_stats_on;
    bool kept = sat_twin_is_kept(e);
    if ((!needed && !kept && !sdsm->options.check) || (kept && e->twin))
        return;
    if (!e->twin)
        e->twin = sat_alloc(e->size);
    memcpy(e->twin, e->asker->sat_memory, e->size);
}

/* The twin of a mapped chunk: what was there before the user's stores. */
void sat_twin_from_home(struct sat_entry *e, const char *data)
{
    if (data)
        memcpy(e->twin, data, e->size);
    else
        memset(e->twin, 0, e->size);
}

/* With --sat-check: nobody has stored since the last scope. */
void sat_twin_check(struct sat_entry *e, const char *place)
{
    size_t first, end, n;
    if (!e->twin || !e->has_data || !e->asker->sat_memory || e->asker->sat_chain->mapped)
        return;
    sat_diff_range(e->twin, e->asker->sat_memory, e->size, &first, &end, &n);
    if (!n)
        return;
    sat_warn(place, "chunk %llu: bytes %zu to %zu were stored outside of a scope, after the one of %s",
             (unsigned long long)e->id, first, end - 1, e->place ? e->place : "");
    memcpy(e->asker->sat_memory, e->twin, e->size);
}

void sat_twin_compare(struct sat_entry *e)
{
    char *data = e->asker->sat_memory;
    size_t first, end, n;
    if (!e->hashed || sat_hash(data, e->size) == e->seen)
        return;
    if (sdsm->options.check) {
        sat_diff_range(e->twin, data, e->size, &first, &end, &n);
        sat_warn(e->place, "chunk %llu: bytes %zu to %zu were stored in a READ scope; they are lost",
                 (unsigned long long)e->id, first, end - 1);
    }
    if (sdsm->options.check || e->protocol->restores) {
        memcpy(data, e->twin, e->size);
        return;
    }
    if (e->version)
        e->has_data = false;
    else
        memset(data, 0, e->size);
    e->hashed = false;
}

void sat_twin_tell(const struct sat_entry *e)
{
    size_t first = 0, end = 0, n = 0;
    if (e->ended != SAT_READ && e->twin)
        sat_diff_range(e->twin, e->asker->sat_memory, e->size, &first, &end, &n);
    SAT_EVENT(SAT_EV_RELEASE, (long long)e->id, e->ended - 1, (long long)first, (long long)end, (long long)n,
              (long long)e->size);
}
