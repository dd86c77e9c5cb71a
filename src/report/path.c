/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The critical path: from the end of the rank that ends last backwards to the start. It follows a rank back
 * through its own time to a wait that an operation ended. From there it goes to the issue of that operation,
 * at the rank that issued it; if an arrival triggered the issue, to the operation that arrived.
 *
 * Invariants
 *  P1  Pieces join: each ends where the next one begins; the first begins at 0, the last ends with the run.
 *  P2  Each operation on the path was issued before the one that comes after it: the walk ends.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

const char *report_part_text(enum report_part part)
{
    static const char *const texts[] = {
        [REPORT_COMPUTING] = "computation", [REPORT_CALLING] = "calls' own time",
        [REPORT_TIMED] = "timed waits",     [REPORT_OTHER] = "outside calls",
        [REPORT_LATENCY] = "latency",       [REPORT_TRANSFER] = "bandwidth",
        [REPORT_CONTENTION] = "contention", [REPORT_UNKNOWN] = "not in the trace"};
    return texts[part];
}

/* Where the walk is: at `time` of a lane, within or at the end of the state that its record `at` began. */
struct walk {
    struct report_facts *f;
    uint32_t lane;
    size_t at;
    double time;
    uint32_t below; /* operations of this number and above are over and done with */
    bool landed;    /* the lane issued something at `time`, whatever its state says */
};

static const struct report_lane *lane_of(const struct walk *w)
{
    return &w->f->work->lane[w->lane];
}

/* --- pieces, the latest first ------------------------------------------------------------------------ */

static void push(struct report_facts *f, const struct report_piece *piece)
{
    struct report_path *p = &f->path;
    if (p->n == p->cap)
        p->at = base_array_grow(p->at, &p->cap, p->n + 1, sizeof *p->at, "the critical path");
    BASE_ASSERT("P1", p->at != NULL);
    p->at[p->n++] = *piece;
}

static void own(struct walk *w, uint32_t lane, double begin, enum report_part part, report_name name)
{
    const struct report_lane *l = &w->f->work->lane[lane];
    struct report_path *p = &w->f->path;
    struct report_piece *later = p->n ? &p->at[p->n - 1] : NULL;
    double end = w->time;
    w->time = begin;
    if (!(end > begin))
        return;
    p->part[part] += end - begin;
    if (later && !later->op && later->rank == l->rank && later->thread == l->thread && later->part == part &&
        later->name == name) {
        later->begin = begin;
        return;
    }
    push(w->f, &(struct report_piece){.begin = begin,
                                      .end = end,
                                      .rank = l->rank,
                                      .thread = l->thread,
                                      .peer = l->rank,
                                      .target = l->rank,
                                      .link = REPORT_NO_LINK,
                                      .name = name,
                                      .part = (uint8_t)part});
}

static void flight(struct walk *w, const struct report_op *op)
{
    const struct report_lane *from = &w->f->work->lane[op->lane], *to = lane_of(w);
    struct report_flight part = report_op_flight(w->f, op, w->time);
    double end = w->time;
    w->time = op->issued;
    if (from->rank != to->rank && op->kind != REPORT_WAKE)
        w->f->path.hops++;
    if (!(end > op->issued))
        return;
    w->f->path.part[REPORT_LATENCY] += part.latency;
    w->f->path.part[REPORT_TRANSFER] += part.transfer;
    w->f->path.part[REPORT_CONTENTION] += part.contention;
    push(w->f, &(struct report_piece){.begin = op->issued,
                                      .end = end,
                                      .rank = to->rank,
                                      .thread = to->thread,
                                      .peer = from->rank,
                                      .target = op->target,
                                      .op = op->number,
                                      .bytes = op->bytes,
                                      .link = op->link,
                                      .name = op->call,
                                      .part = REPORT_LATENCY,
                                      .kind = op->kind,
                                      .transfer = (float)part.transfer,
                                      .contention = (float)part.contention});
}

/* --- steps ------------------------------------------------------------------------------------------- */

/* What triggered an operation: the arrival of a message at the rank that issued it, or the news that one of
 * the rank's own had arrived. NULL: the rank's own code. */
static const struct report_op *let_go_by(const struct walk *w, const struct report_op *op, bool *news)
{
    const struct report_work *work = w->f->work;
    if (!op->cause || op->cause - 1 >= w->below)
        return NULL;
    const struct report_op *before = report_op_at(work, op->cause - 1);
    uint32_t rank = work->lane[op->lane].rank;
    if (!before->ended || before->end > op->issued)
        return NULL;
    *news = before->target != rank;
    return *news && work->lane[before->lane].rank != rank ? NULL : before;
}

/* Goes from the end of a wait to the operation `cause` that ended it, and on to what triggered that one. */
static void jump(struct walk *w, uint32_t cause)
{
    for (;;) {
        const struct report_op *op = report_op_at(w->f->work, cause - 1);
        bool news = false;
        BASE_ASSERT("P2", cause - 1 < w->below);
        w->below = cause - 1;
        flight(w, op);
        w->lane = op->lane;
        w->at = op->position;
        const struct report_op *before = let_go_by(w, op, &news);
        if (!before)
            return;
        if (!news) /* else the way of the news is part of the flight */
            own(w, op->lane, before->end, REPORT_CALLING, op->call);
        cause = op->cause;
    }
}

/* Back to the time at which the state of the record began. */
static void back(struct walk *w)
{
    const struct report_change *c = &lane_of(w)->at[w->at];
    enum report_part part = REPORT_OTHER;
    report_name name = c->call;
    if (!w->f->rank[lane_of(w)->rank].seen)
        part = REPORT_UNKNOWN;
    else if (c->doing == REPORT_DOING_COMPUTE)
        part = REPORT_COMPUTING;
    else if (report_change_waits(c))
        part = w->landed ? REPORT_CALLING : REPORT_TIMED;
    else if (c->call)
        part = REPORT_CALLING;
    if (part == REPORT_TIMED || !name)
        name = report_change_waits(c) ? c->doing : name;
    own(w, w->lane, c->time, part, name);
}

/* False once the beginning is reached. */
static bool step(struct walk *w)
{
    back(w);
    const struct report_change *c = &lane_of(w)->at[w->at];
    w->landed = false;
    if (c->cause && c->cause - 1 < w->below) {
        jump(w, c->cause);
        w->landed = true;
        return true;
    }
    if (!w->at)
        return false;
    w->at--;
    return true;
}

static bool ends_later(const struct report_facts *f, uint32_t a, uint32_t b)
{
    const struct report_lane *x = &f->work->lane[a], *y = &f->work->lane[b];
    if (f->rank[a].end != f->rank[b].end)
        return f->rank[a].end > f->rank[b].end;
    return x->at[x->n - 1].time > y->at[y->n - 1].time;
}

/* The rank that ends last; of several, as all are in a trace that breaks off, one that did something last; of
 * several, the first one. */
static uint32_t last_rank(const struct report_facts *f)
{
    uint32_t last = REPORT_NO_LANE;
    for (uint32_t k = 0; k < f->about->ranks && k < f->work->lanes; k++)
        if (f->work->lane[k].n && f->rank[k].seen && (last == REPORT_NO_LANE || ends_later(f, k, last)))
            last = k;
    return last;
}

static void reverse(struct report_path *p)
{
    for (size_t a = 0, b = p->n; a + 1 < b; a++) {
        struct report_piece piece = p->at[--b];
        p->at[b] = p->at[a];
        p->at[a] = piece;
    }
}

static void check(const struct report_path *p)
{
    double at = 0;
    for (size_t k = 0; k < p->n; k++) {
        BASE_ASSERT("P1", p->at[k].begin == at && p->at[k].end > at);
        at = p->at[k].end;
    }
    BASE_ASSERT("P1", at == p->length);
}

void report_path_find(struct report_facts *f)
{
    struct walk w = {.f = f, .lane = last_rank(f), .time = f->end, .below = UINT32_MAX};
    f->path.length = f->end;
    if (w.lane == REPORT_NO_LANE) {
        w.lane = 0;
        if (f->work->lanes)
            own(&w, 0, 0, REPORT_UNKNOWN, 0);
        else
            f->path.length = 0;
        check(&f->path);
        return;
    }
    w.at = lane_of(&w)->n - 1;
    const double began = lane_of(&w)->at[w.at].time;
    own(&w, w.lane, fmax(f->rank[w.lane].end, began), REPORT_UNKNOWN, 0);
    while (step(&w))
        ;
    own(&w, w.lane, 0, REPORT_UNKNOWN, 0);
    reverse(&f->path);
    check(&f->path);
}
