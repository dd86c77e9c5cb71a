/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hint: calls that only complete or order operations, and have nothing to do: no operation of the context was
 * issued since another such call, or the call that follows at once does the same. A call is a hint if it has
 * never had anything to do.
 */
#include "check/race/operations.h"
#include "check/race/reports.h"
#include "check/race/strands.h"

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

static uint32_t target_of(const struct rma_sync *s)
{
    return !s->targets ? RACE_NOBODY : s->n == 1 ? s->targets[0] : RACE_SOME;
}

void race_hint_completed(struct race *d, struct race_context *c, const struct rma_sync *s)
{
    const struct race_strand *self = race_strand_now(d);
    struct race_sync *last = &c->last, now = {.place = race_place_of_call(d, s->rank, s->call),
                                              .strand = self->id,
                                              .count = self->count,
                                              .issued = c->issued,
                                              .stored = self->stored + d->stored,
                                              .target = target_of(s),
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

/* Copies of the program have places of their own, of one line. */
struct line {
    uint32_t place; /* the first one */
    struct race_hint sum;
};

static bool is_same_line(struct race *d, uint32_t a, uint32_t b)
{
    return race_line_of(d, a) == race_line_of(d, b) && d->places.at[a].call == d->places.at[b].call;
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

static char *text_of(struct race *d, const struct line *l)
{
    char own[FINDING_NAME], by[FINDING_NAME], times[64] = "";
    if (l->sum.made > 1)
        snprintf(times, sizeof times, " (all %" PRIu64 " times)", l->sum.made);
    return base_strfmt("%s in %s has nothing to do: %s %s in %s%s", d->places.at[l->place].call,
                       race_name_of(d, l->place, own, sizeof own),
                       l->sum.before ? "nothing was issued since" : "what follows at once does the same:",
                       d->places.at[l->sum.by].call, race_name_of(d, l->sum.by, by, sizeof by), times);
}

static void report(struct race *d, const struct line *l)
{
    struct finding f;
    char *text = text_of(d, l);
    finding_init(&f, FINDING_REDUNDANT);
    race_describe_call(d, &f, l->place);
    finding_set(&f.missing, text);
    f.count = l->sum.made;
    free(text);
    race_tell(d, &f);
}

/* By the first places of lines. */
void race_hints_report(struct race *d)
{
    BASE_ARRAY(const struct race_hint *) hints = {0};
    BASE_ARRAY(struct line) lines = {0};
    uint32_t at = 0;
    for (const struct race_hint *h; (h = base_table_next(&d->hints, &at));)
        BASE_ARRAY_PUSH(&hints, h);
    if (hints.n)
        qsort(hints.at, hints.n, sizeof *hints.at, by_place);
    for (size_t n = 0; n < hints.n; n++) {
        struct line l = {.place = (uint32_t)base_table_key(hints.at[n])};
        size_t k = 0;
        while (k < lines.n && !is_same_line(d, lines.at[k].place, l.place))
            k++;
        if (k == lines.n)
            BASE_ARRAY_PUSH(&lines, l);
        add_to(&lines.at[k], hints.at[n]);
    }
    for (size_t k = 0; k < lines.n; k++)
        if (lines.at[k].sum.idle && lines.at[k].sum.idle == lines.at[k].sum.made)
            report(d, &lines.at[k]);
    free(hints.at);
    free(lines.at);
}
