/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay: replays the recorded past with something faster and computes how much earlier each operation
 * arrives, each rank continues and the run ends. A waiting rank continues when the operation that ended its
 * wait now arrives, but not before the wait begins. One that waited for its own operations (quiet) continues
 * when all of them have arrived.
 *
 * What the trace does not say stays as it was: contention, and which arrival would have ended a wait instead.
 * So the result is an estimate, bounded by what the critical path allows.
 *
 * Invariants
 *  W1  Nothing gets later.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

/* Where a lane is. */
struct place {
    size_t at; /* the record up to whose beginning it has been played */
    bool begun;
    double saved;  /* seconds, there */
    double latest; /* of its own operations since it last waited for such: the latest arrival now */
};

struct replay {
    const struct report_facts *f;
    enum report_lever lever;
    uint32_t id;
    struct place *lane;
    double *saved; /* by operation: seconds that it arrives earlier */
};

/* --- what the lever saves ----------------------------------------------------------------------------- */

/* Of so many seconds in a state of a lane. */
static double saves_own(const struct replay *p, const struct report_lane *l,
                        const struct report_change *state, double seconds)
{
    bool computes = state->doing == REPORT_DOING_COMPUTE;
    switch (p->lever) {
    case REPORT_LEVER_RANK:
        return computes && l->rank == p->id ? seconds / 2 : 0;
    case REPORT_LEVER_COMPUTATION:
        return computes ? seconds / 2 : 0;
    case REPORT_LEVER_CALL:
        return state->doing == REPORT_DOING_OWN && state->call == p->id ? seconds / 2 : 0;
    default:
        return 0;
    }
}

/* The next narrowest link of its way takes its time, too. */
static double saves_link(const struct replay *p, const struct report_op *op, double beyond)
{
    const uint32_t *links;
    uint32_t n = report_op_route(p->f, op, &links);
    double least = 0;
    for (uint32_t k = 0; k < n; k++) {
        double bandwidth = p->f->about->link[links[k]].bandwidth;
        if (links[k] != p->id && bandwidth > 0)
            least = fmax(least, (double)op->bytes / bandwidth);
    }
    return fmax(fmin(beyond / 2, beyond - least), 0);
}

static double saves_flight(const struct replay *p, const struct report_op *op)
{
    struct report_flight part;
    switch (p->lever) {
    case REPORT_LEVER_LINK:
        if (op->link != p->id)
            return 0;
        part = report_op_flight(p->f, op, op->end);
        return saves_link(p, op, part.transfer + part.contention);
    case REPORT_LEVER_LATENCY:
        return report_op_flight(p->f, op, op->end).latency / 2;
    case REPORT_LEVER_KIND:
        return op->kind == p->id ? (op->end - op->issued) / 2 : 0;
    default:
        return 0;
    }
}

/* --- playing ------------------------------------------------------------------------------------------ */

/* The wait that `before` began ended at `now` because an operation had arrived. */
static double after_wait(const struct replay *p, struct place *place, const struct report_change *before,
                         const struct report_change *now, uint32_t lane)
{
    const struct report_op *op = report_op_at(p->f->work, now->cause - 1);
    double known = op->ended && op->end < now->time ? now->time - op->end : 0; /* until the rank knew */
    double saved = p->saved[now->cause - 1];
    if (p->lever == REPORT_LEVER_LATENCY || (p->lever == REPORT_LEVER_KIND && op->kind == p->id))
        saved += known / 2;
    if (op->lane == lane && op->call != now->call && op->call != before->call) {
        saved = fmin(saved, fmax(now->time - known - place->latest, 0));
        place->latest = 0;
    }
    return fmin(place->saved + (now->time - before->time), saved);
}

/* Plays a lane up to the beginning of a record. */
static void play(const struct replay *p, uint32_t lane, size_t upto)
{
    const struct report_lane *l = &p->f->work->lane[lane];
    struct place *place = &p->lane[lane];
    if (!place->begun && l->at[0].cause)
        place->saved = p->saved[l->at[0].cause - 1];
    place->begun = true;
    for (; place->at < upto; place->at++) {
        const struct report_change *before = &l->at[place->at], *now = before + 1;
        if (now->cause)
            place->saved = after_wait(p, place, before, now, lane);
        else
            place->saved += saves_own(p, l, before, now->time - before->time);
    }
}

/* Seconds that an operation sets out earlier. */
static double issues(const struct replay *p, const struct report_op *op)
{
    const struct report_work *w = p->f->work;
    const struct report_lane *l = &w->lane[op->lane];
    const struct report_change *state = &l->at[op->position];
    double within = op->issued - state->time;
    play(p, op->lane, op->position);
    if (!op->cause && report_change_waits(state)) /* the call's own time, as on the path */
        within /= p->lever == REPORT_LEVER_CALL && state->call == p->id ? 2 : 1;
    if (!op->cause)
        return p->lane[op->lane].saved + saves_own(p, l, state, within) + (op->issued - state->time - within);
    const struct report_op *before = report_op_at(w, op->cause - 1);
    double gap = before->ended && before->end < op->issued ? op->issued - before->end : 0;
    double saved = p->saved[op->cause - 1];
    if (p->lever == REPORT_LEVER_CALL && op->call == p->id)
        saved += gap / 2;
    return fmin(saved, p->lane[op->lane].saved + within);
}

static void fly(const struct replay *p, uint32_t k)
{
    const struct report_op *op = report_op_at(p->f->work, k);
    struct place *place = &p->lane[op->lane];
    p->saved[k] = issues(p, op) + (op->ended ? saves_flight(p, op) : 0);
    if (op->ended && op->kind < REPORT_MESSAGE)
        place->latest = fmax(place->latest, op->end - p->saved[k]);
}

static double end_now(const struct replay *p)
{
    const struct report_facts *f = p->f;
    double end = 0;
    for (uint32_t k = 0; k < f->work->lanes; k++) {
        const struct report_lane *l = &f->work->lane[k];
        if (!l->n || !f->rank[l->rank].seen)
            continue;
        play(p, k, l->n - 1);
        const struct report_change *last = &l->at[l->n - 1];
        double rest = fmax(f->rank[l->rank].end - last->time, 0);
        double saved = p->lane[k].saved + saves_own(p, l, last, rest);
        end = fmax(end, fmax(f->rank[l->rank].end, last->time) - saved);
    }
    return end;
}

static double end_before(const struct report_facts *f)
{
    double end = 0;
    for (uint32_t k = 0; k < f->work->lanes; k++) {
        const struct report_lane *l = &f->work->lane[k];
        if (l->n && f->rank[l->rank].seen)
            end = fmax(end, fmax(f->rank[l->rank].end, l->at[l->n - 1].time));
    }
    return end;
}

double report_replay(const struct report_facts *f, enum report_lever lever, uint32_t id)
{
    struct replay p = {.f = f, .lever = lever, .id = id};
    p.lane = base_zalloc(sizeof *p.lane * ((size_t)f->work->lanes + 1), "what would be faster");
    p.saved = base_alloc(sizeof *p.saved * ((size_t)f->work->ops + 1), "what would be faster");
    for (uint32_t k = 0; k < f->work->ops; k++)
        fly(&p, k);
    double gain = end_before(f) - end_now(&p);
    free(p.lane);
    free(p.saved);
    BASE_ASSERT("W1", gain > -1e-9 * f->end || gain >= 0);
    return fmax(gain, 0);
}
