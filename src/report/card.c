/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * card: what network cards with a core (profile rae) did: counts, and a log of each card's state. An MSHR
 * is in use from the look-up that takes it until its line drains; a line that waits for its place is looked
 * up again when it gets it.
 *
 * Invariants
 *  Y1  The times of a card's changes grow strictly.
 *  Y2  What ends without a beginning, as in a trace that begins late, is not counted below 0.
 */
#include "report/internal.h"

#include <stdlib.h>

enum { WRITES_KNOWN = 100000 };

struct report_card_work {
    uint32_t requests, mshrs, filling;
    uint64_t running;          /* the operation that the core works on; 0: none */
    struct base_table waiting; /* lines that wait for their place: struct waiting */
    BASE_ARRAY(double) written;
};
struct waiting {
    uint32_t mshrs;
};

const char *report_card_state_text(enum report_card_state state)
{
    static const char *const texts[] = {[REPORT_CARD_IDLE] = "idle",
                                        [REPORT_CARD_EXECUTES] = "its core executes",
                                        [REPORT_CARD_FILLS] = "waits for lines of memory",
                                        [REPORT_CARD_BUSY] = "moves requests"};
    return texts[state];
}

static struct report_card *card_of(struct report_facts *f, uint32_t rank)
{
    if (!f->card)
        f->card = base_zalloc(sizeof *f->card * ((size_t)f->about->hosts + 1), "facts of cards");
    struct report_card *c = &f->card[f->about->rank_host[rank]];
    if (!c->work) {
        c->work = base_zalloc(sizeof *c->work, "facts of cards");
        base_table_init(&c->work->waiting, BASE_NUMBERS, sizeof(struct waiting), "lines of cards");
    }
    return c;
}

/* --- the log ------------------------------------------------------------------------------------------ */

static enum report_card_state state_of(const struct report_card_work *w)
{
    if (w->running)
        return REPORT_CARD_EXECUTES;
    if (w->filling)
        return REPORT_CARD_FILLS;
    return w->requests ? REPORT_CARD_BUSY : REPORT_CARD_IDLE;
}

static void account(struct report_card *c, const struct report_card_change *last, double seconds)
{
    c->seconds[last->state] += seconds;
    c->in_card += last->requests * seconds;
    c->mshrs += last->mshrs * seconds;
}

static void change(struct report_card *c, double now)
{
    const struct report_card_work *w = c->work;
    const struct report_card_change new = {.time = now,
                                           .requests = w->requests,
                                           .mshrs = w->mshrs < UINT16_MAX ? (uint16_t)w->mshrs : UINT16_MAX,
                                           .state = (uint8_t)state_of(w)};
    struct report_card_change *last = c->n ? &c->at[c->n - 1] : NULL;
    if (w->requests > c->most)
        c->most = w->requests;
    if (w->mshrs > c->most_mshrs)
        c->most_mshrs = w->mshrs;
    if (last && new.state == last->state &&new.requests == last->requests &&new.mshrs == last->mshrs)
        return;
    if (last && now <= last->time) {
        *last = new;
        last->time = now;
        return;
    }
    if (last)
        account(c, last, now - last->time);
    if (!c->at || c->n == c->cap)
        c->at = base_array_grow(c->at, &c->cap, c->n + 1, sizeof *c->at, "what cards did");
    c->at[c->n++] = new;
}

/* --- events ------------------------------------------------------------------------------------------- */

static void less(uint32_t *n)
{
    *n -= *n > 0;
}

/* The look-up of a line that has waited is not its first. */
static void take_mshr(struct report_card_work *w, const struct trace_event *ev)
{
    struct waiting *waits = base_table_find(&w->waiting, ev->address);
    if (!waits) {
        w->mshrs++;
        return;
    }
    if (!--waits->mshrs)
        base_table_remove(&w->waiting, ev->address);
}

static void wait_for_place(struct report_card_work *w, const struct trace_event *ev)
{
    bool fresh;
    struct waiting *waits = base_table_add(&w->waiting, ev->address, &fresh);
    waits->mshrs++;
    w->mshrs++;
}

static void arrive(const struct report_facts *f, struct report_card *c, const struct trace_event *ev)
{
    uint32_t found = report_op_find(f->work, ev->op);
    c->requests++;
    c->atomics += found && report_op_at(f->work, found - 1)->kind == REPORT_ATOMIC;
    c->work->requests++;
}

static void execute(struct report_card *c, const struct trace_event *ev)
{
    c->executed++;
    less(&c->work->requests);
    if (c->work->running == ev->op)
        c->work->running = 0;
}

static void write_back(const struct report_facts *f, struct report_card *c)
{
    c->writes++;
    if (c->work->written.n < WRITES_KNOWN)
        BASE_ARRAY_PUSH(&c->work->written, f->work->now);
}

static void look_up(struct report_card *c, const struct trace_event *ev)
{
    take_mshr(c->work, ev);
    c->hits += ev->type == TRACE_CARD_HIT;
    c->misses += ev->type == TRACE_CARD_MISSED;
    c->work->filling += ev->type == TRACE_CARD_MISSED;
}

static void take(struct report_facts *f, struct report_card *c, const struct trace_event *ev)
{
    switch (ev->type) {
    case TRACE_CARD_ARRIVED:
        return arrive(f, c, ev);
    case TRACE_CARD_HIT:
    case TRACE_CARD_MISSED:
        return look_up(c, ev);
    case TRACE_CARD_CONFLICT:
        c->conflicts++;
        return wait_for_place(c->work, ev);
    case TRACE_CARD_FILLED:
        c->fills++;
        c->filling += ev->least;
        return less(&c->work->filling);
    case TRACE_CARD_BEGINS:
        c->work->running = ev->op;
        return;
    case TRACE_CARD_EXECUTED:
        return execute(c, ev);
    case TRACE_CARD_WROTE_BACK:
        return write_back(f, c);
    case TRACE_CARD_INVALIDATED:
        c->lost += ev->tag > 0 ? (uint64_t)ev->tag : 0;
        return;
    case TRACE_CARD_DRAINED:
        c->drained++;
        return less(&c->work->mshrs);
    default:
        c->stalls += ev->type == TRACE_CARD_STALLED;
        c->merges += ev->type == TRACE_CARD_MERGED;
        c->streams += ev->type == TRACE_CARD_STREAMED;
        return;
    }
}

void report_card_event(struct report_facts *f, const struct trace_event *ev)
{
    struct report_card *c = card_of(f, ev->rank);
    take(f, c, ev);
    change(c, f->work->now);
}

/* --- the end ------------------------------------------------------------------------------------------ */

void report_cards_finish(struct report_facts *f)
{
    for (uint32_t h = 0; f->card && h < f->about->hosts; h++) {
        struct report_card *c = &f->card[h];
        if (!c->work)
            continue;
        account(c, &c->at[c->n - 1], f->end - c->at[c->n - 1].time);
        c->seconds[REPORT_CARD_IDLE] += c->at[0].time;
        c->written = c->work->written.at;
        c->writes_known = c->work->written.n;
    }
}

void report_cards_release(struct report_facts *f)
{
    for (uint32_t h = 0; f->card && h < f->about->hosts; h++) {
        struct report_card *c = &f->card[h];
        free(c->at);
        if (!c->work)
            continue;
        base_table_release(&c->work->waiting);
        free(c->work->written.at);
        free(c->work);
    }
    free(f->card);
}
