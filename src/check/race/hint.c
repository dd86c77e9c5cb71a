/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hint: calls that only complete or order operations, and have nothing to do: no operation of the context was
 * issued since another such call, or the call that follows at once does the same. A call is a hint if it has
 * never had anything to do.
 */
#include "check/race/parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Quiets, fences and flushes do nothing else. (MPI_Win_fence is a barrier, too.) */
static bool is_asked(const char *call)
{
    return call && (strstr(call, "quiet") || strstr(call, "flush") ||
                    (!strncmp(call, "shmem", strlen("shmem")) && strstr(call, "fence")));
}

/* Flushes order no stores. */
static bool orders_stores(const char *call)
{
    return !strstr(call, "flush");
}

static uint8_t strength(enum rma_sync_kind k)
{
    return k == RMA_SYNC_QUIET ? 2 : 1;
}

/* What `b` is for is done by `a`. */
static bool covers(const struct race_sync *a, const struct race_sync *b)
{
    return (a->target == RACE_NOBODY || a->target == b->target) &&
           (a->kind == b->kind || strength(a->kind) > strength(b->kind));
}

static struct race_hint *hint_of(struct race *d, uint32_t place)
{
    return base_table_add(&d->hints, place, NULL);
}

static void note_idle(struct race *d, uint32_t place, uint32_t by, bool before)
{
    struct race_hint *h = hint_of(d, place);
    h->idle++;
    h->by = by;
    h->before = before;
}

void race_hint_completed(struct race *d, struct race_context *c, const struct rma_sync *s)
{
    const struct race_strand *self = race_strand_now(d);
    struct race_sync *last = &c->last,
                     now = {.place = race_place_of_call(d, s->rank, s->call),
                            .strand = self->id,
                            .count = self->count,
                            .issued = c->issued,
                            .stored = self->stored,
                            .target = s->targets ? s->n == 1 ? s->targets[0] : RACE_NOBODY - 1 : RACE_NOBODY,
                            .kind = (uint8_t)s->kind,
                            .asked = is_asked(s->call)};
    bool again = last->place && last->issued == now.issued && last->strand == now.strand;
    if (now.asked)
        hint_of(d, now.place)->made++;
    bool stored = orders_stores(s->call) && (d->blind || last->stored != now.stored);
    if (again && now.asked && !stored && covers(last, &now)) {
        note_idle(d, now.place, last->place, true);
        return;
    }
    if (again && last->asked && !now.asked && last->count == now.count && covers(&now, last))
        note_idle(d, last->place, now.place, false);
    *last = now;
}

/* --- at the end ----------------------------------------------------------------------------------------- */

/* Copies of the program have places of their own, of one name. */
struct line {
    char name[256];
    struct race_hint sum;
};

static void name_of(const struct race *d, uint32_t place, char *buf, size_t size)
{
    char where[200];
    const char *call = d->places.at[place].call;
    race_place_name(d, place, where, sizeof where);
    snprintf(buf, size, "%s%s%s", call ? call : "a call", where[0] ? " in " : "", where);
}

static void add_to(struct line *l, const struct race_hint *h)
{
    l->sum.made += h->made;
    l->sum.idle += h->idle;
    if (h->idle && !l->sum.by) {
        l->sum.by = h->by;
        l->sum.before = h->before;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct race_hint *const *x = a, *const *y = b;
    uint64_t one = base_table_key(*x), two = base_table_key(*y);
    return (one > two) - (one < two);
}

static void print_line(FILE *out, const struct race *d, const struct line *l)
{
    char by[256];
    name_of(d, l->sum.by, by, sizeof by);
    fprintf(out, "pgasim: hint: %s has nothing to do: %s %s", l->name,
            l->sum.before ? "nothing was issued since" : "what follows at once does the same:", by);
    if (l->sum.made > 1)
        fprintf(out, " (all %" PRIu64 " times)", l->sum.made);
    fprintf(out, "\n");
}

void race_hints_print(struct race *d, FILE *out)
{
    BASE_ARRAY(const struct race_hint *) hints = {0};
    BASE_ARRAY(struct line) lines = {0};
    uint32_t at = 0;
    for (const struct race_hint *h; (h = base_table_next(&d->hints, &at));)
        BASE_ARRAY_PUSH(&hints, h);
    if (hints.n)
        qsort(hints.at, hints.n, sizeof *hints.at, by_place);
    for (size_t n = 0; n < hints.n; n++) {
        struct line l = {.name = ""};
        name_of(d, (uint32_t)base_table_key(hints.at[n]), l.name, sizeof l.name);
        size_t k = 0;
        while (k < lines.n && strcmp(lines.at[k].name, l.name) != 0)
            k++;
        if (k == lines.n)
            BASE_ARRAY_PUSH(&lines, l);
        add_to(&lines.at[k], hints.at[n]);
    }
    for (size_t k = 0; k < lines.n; k++)
        if (lines.at[k].sum.idle && lines.at[k].sum.idle == lines.at[k].sum.made)
            print_line(out, d, &lines.at[k]);
    free(hints.at);
    free(lines.at);
}
