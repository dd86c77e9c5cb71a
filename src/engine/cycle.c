/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cycle: waiting actors that wait for one another in a ring, for the deadlock report. Only waits that end
 * when one known actor does something count: who describes a wait says whom it is for
 * (engine_waits_register). Numbers that several actors share are left out.
 *
 * Invariant
 *  E23  There is room for all who describe such waits.
 */
#include "engine/internal.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ASKERS = 8, SHOWN = 12, MOST = 1 << 17 };

static struct {
    engine_describe_fn describe;
    engine_waits_fn whom;
} asker[ASKERS];
static unsigned askers;

void engine_waits_register(engine_describe_fn describe, engine_waits_fn whom)
{
    for (unsigned k = 0; k < askers; k++)
        if (asker[k].describe == describe)
            return;
    BASE_ASSERT("E23", askers < ASKERS);
    asker[askers].describe = describe;
    asker[askers++].whom = whom;
}

uint64_t engine_waits_for(engine_describe_fn describe, const void *arg)
{
    for (unsigned k = 0; describe && k < askers; k++)
        if (asker[k].describe == describe)
            return asker[k].whom(arg);
    return ENGINE_NOBODY;
}

static uint64_t whom(struct engine *e, struct engine_actor *a)
{
    engine_lodger_show(e, a);
    const struct engine_reason *why = a->state == ENGINE_BLOCKED ? a->reason : NULL;
    return why ? engine_waits_for(why->describe, why->arg) : ENGINE_NOBODY;
}

static void print(FILE *out, const char *noun, const uint64_t *number, const uint32_t *next, uint32_t first)
{
    uint32_t n = 1, k;
    for (k = next[first]; k != first; k = next[k])
        n++;
    fprintf(out, "  a cycle of %" PRIu32 " %ss: %s %" PRIu64 " waits for %" PRIu64, n, noun, noun,
            number[first], number[next[first]]);
    k = next[first];
    for (uint32_t shown = 1; shown < n && shown < SHOWN; shown++, k = next[k])
        fprintf(out, ", %" PRIu64 " for %" PRIu64, number[k], number[next[k]]);
    fputs(n > SHOWN ? ", ...\n" : "\n", out);
}

static bool is_shared(const uint64_t *number, uint32_t n, uint32_t k)
{
    return (k > 0 && number[k - 1] == number[k]) || (k + 1 < n && number[k + 1] == number[k]);
}

/* next[k]: whom waiter k waits for, as an index, or n. Prints the cycle of the waiter that comes first. */
static void find(FILE *out, const char *noun, const uint64_t *number, const uint32_t *next, uint32_t n)
{
    uint32_t *seen = base_zalloc((n + 1) * sizeof *seen, "the deadlock report"); /* by which walk */
    for (uint32_t first = 0; first < n; first++) {
        uint32_t k = first;
        while (k < n && !seen[k]) {
            seen[k] = first + 1;
            k = next[k];
        }
        if (k < n && seen[k] == first + 1 && next[k] != k) {
            uint32_t least = k;
            for (uint32_t at = next[k]; at != k; at = next[at])
                least = number[at] < number[least] ? at : least;
            print(out, noun, number, next, least);
            break;
        }
    }
    free(seen);
}

static int by_number(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static uint32_t index_of(const uint64_t *number, uint32_t n, uint64_t wanted)
{
    const uint64_t *at = bsearch(&wanted, number, n, sizeof *number, by_number);
    return at ? (uint32_t)(at - number) : n;
}

void engine_cycle_report(struct engine *e, FILE *out, const char *noun, engine_number_fn number)
{
    uint32_t n = 0;
    if (!askers || e->waiting > MOST)
        return;
    uint64_t *of = base_alloc((e->waiting + 1) * sizeof *of, "the deadlock report");
    uint32_t *next = base_alloc((e->waiting + 1) * sizeof *next, "the deadlock report");
    for (uint32_t k = 0; k < e->fresh_actor; k++)
        if (e->actors[k].state == ENGINE_BLOCKED && n < e->waiting)
            of[n++] = number(e->actors[k].owner);
    qsort(of, n, sizeof *of, by_number);
    for (uint32_t k = 0; k < n; k++)
        next[k] = n;
    for (uint32_t k = 0; k < e->fresh_actor; k++) {
        struct engine_actor *a = &e->actors[k];
        uint32_t at = a->state == ENGINE_BLOCKED ? index_of(of, n, number(a->owner)) : n;
        if (at < n && !is_shared(of, n, at))
            next[at] = index_of(of, n, whom(e, a));
    }
    find(out, noun, of, next, n);
    free(of);
    free(next);
}
