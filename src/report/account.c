/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * account: where ranks' time goes. Every second of a rank's first thread counts as computing, calling,
 * waiting or other, and there for a call or a reason.
 *
 * Invariants
 *  A1  A rank's shares add up to what they are shares of.
 */
#include "report/internal.h"

#include <stdlib.h>
#include <string.h>

struct report_call *report_call_of(struct report_work *w, report_name name)
{
    size_t have = w->calls_cap;
    if (name >= have) {
        w->call =
            base_array_grow(w->call, &w->calls_cap, (size_t)name + 1, sizeof *w->call, "calls of the trace");
        memset(&w->call[have], 0, (w->calls_cap - have) * sizeof *w->call);
    }
    w->call[name].name = name;
    return &w->call[name];
}

static struct report_share *share_of(struct report_shares *s, report_name name)
{
    for (size_t k = 0; k < s->n; k++)
        if (s->at[k].name == name)
            return &s->at[k];
    if (s->n == s->cap)
        s->at = base_array_grow(s->at, &s->cap, s->n + 1, sizeof *s->at, "shares of ranks' time");
    s->at[s->n] = (struct report_share){.name = name};
    return &s->at[s->n++];
}

static void account_rank(struct report_rank *r, const struct report_change *state, double seconds)
{
    if (state->doing == REPORT_DOING_COMPUTE) {
        r->computing += seconds;
    } else if (report_change_waits(state)) {
        r->waiting += seconds;
        share_of(&r->waits, state->doing)->seconds += seconds;
    } else if (state->call) {
        r->calling += seconds;
        share_of(&r->calls, state->call)->seconds += seconds;
    } else {
        r->other += seconds;
    }
}

void report_account(struct report_facts *f, const struct report_lane *l, const struct report_change *state,
                    double seconds)
{
    if (!l->thread)
        account_rank(&f->rank[l->rank], state, seconds);
    if (!state->call || state->doing == REPORT_DOING_COMPUTE)
        return;
    struct report_call *c = report_call_of(f->work, state->call);
    if (report_change_waits(state))
        c->waiting += seconds;
    else
        c->own += seconds;
}

/* For whom: the holder of a lock, else the operation's other rank. */
void report_waited(struct report_facts *f, const struct report_lane *l, uint32_t cause, double seconds)
{
    if (!l->thread && seconds > 0)
        share_of(&f->rank[l->rank].waits, l->wait)->count++;
    if (!cause)
        return;
    const struct report_op *op = report_op_at(f->work, cause - 1);
    const struct report_op *release = report_op_release(f->work, op, l->rank);
    uint32_t issuer = f->work->lane[(release ? release : op)->lane].rank;
    report_matrix_add(&f->waits, l->rank, issuer == l->rank ? op->target : issuer, seconds);
}

/* --- in order ---------------------------------------------------------------------------------------- */

static int by_seconds(const void *a, const void *b)
{
    const struct report_share *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static int by_time(const void *a, const void *b)
{
    const struct report_call *x = a, *y = b;
    double p = x->own + x->waiting, q = y->own + y->waiting;
    if (p != q)
        return p > q ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static void finish_rank(const struct report_facts *f, struct report_rank *r)
{
    double end = r->ended ? r->end : r->seen ? f->work->now : 0;
    r->end = end;
    r->after = f->end - end + r->begin;
    if (r->calls.n)
        qsort(r->calls.at, r->calls.n, sizeof *r->calls.at, by_seconds);
    if (r->waits.n)
        qsort(r->waits.at, r->waits.n, sizeof *r->waits.at, by_seconds);
}

static void finish_calls(struct report_facts *f)
{
    const struct report_work *w = f->work;
    f->call = base_zalloc(sizeof *f->call * (w->calls_cap + 1), "calls of the trace");
    for (size_t k = 0; k < w->calls_cap; k++)
        if (w->call[k].count || w->call[k].operations || w->call[k].own + w->call[k].waiting > 0)
            f->call[f->calls++] = w->call[k];
    qsort(f->call, f->calls, sizeof *f->call, by_time);
}

void report_accounts_finish(struct report_facts *f)
{
    for (uint32_t k = 0; k < f->about->ranks; k++)
        finish_rank(f, &f->rank[k]);
    finish_calls(f);
}
