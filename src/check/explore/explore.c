/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explore: the steps of `pgasim check`: the race detector's run, plain runs to compare with, one adversarial run
 * for each seed; then which races bite, and which decisions matter.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/explore/parts.h"

/* --- runs to compare with ------------------------------------------------------------------------------ */

/* Of a run whose usual time is not known yet. */
static double first_limit(const struct explore_request *q)
{
    return q->limit > 0 ? q->limit : q->time;
}

/* Its output is the user's; races end it with a status of their own, which is no failure here. */
static bool detect(struct explore *x, struct explore_findings *f)
{
    struct explore_run r = {.way = EXPLORE_RACES, .shown = true, .limit = first_limit(x->request)};
    if (!explore_one(x, &r))
        return false;
    struct explore_result got = explore_read(x, &r);
    explore_races_read(x, f, &r);
    explore_mistakes_add(f, &got.mistakes, NULL);
    explore_leaks_read(f, &got.err);
    if (got.status == BASE_EXIT_FOUND && explore_errors(f))
        got.status = 0;
    f->detector = explore_outcome_of(&got, NULL);
    x->plain.out = got.out;
    explore_lines_release(&got.err);
    explore_lines_release(&got.mistakes);
    explore_run_forget(x, &r);
    return true;
}

struct plain_runs {
    struct explore *x;
    struct explore_findings *f;
    unsigned taken;
    double slowest;
};

static void weaken(struct explore_plain *p, const struct explore_lines *out)
{
    enum explore_compare how = explore_compare_of(&p->out, out);
    if (how > p->compare)
        p->compare = how;
}

/* The first one has no check; then come other platforms. */
static bool take_plain(void *arg, struct explore_run *r)
{
    struct plain_runs *p = arg;
    struct explore_result got = explore_read(p->x, r);
    if (!p->taken++) {
        p->f->plain = explore_outcome_of(&got, NULL);
        p->slowest = r->seconds;
    }
    bool usable = got.ended && !got.status && p->f->detector.end == EXPLORE_PASSED;
    if (usable)
        weaken(&p->x->plain, &got.out);
    if (usable && p->taken == 1)
        explore_memory_plain(&p->x->plain.memory, &got.memory);
    else if (usable)
        explore_memory_vary(&p->x->plain.memory, &got.memory);
    explore_result_release(&got);
    return true;
}

/* Programs may print times, or which rank came first. What differs on other platforms is no sign of an error. */
void explore_run_plain(struct explore *x, struct explore_findings *f)
{
    enum { PLATFORMS = 3 };
    char *factors[] = {(char[]){"platform@0#0"}, (char[]){"place@0#0"}};
    struct explore_lines varied = {{factors, 2, 2}};
    struct plain_runs p = {.x = x, .f = f};
    char *allow = explore_allow(x, &varied, NULL);
    struct explore_run r[1 + PLATFORMS] = {{.way = EXPLORE_PLAIN, .limit = first_limit(x->request)}};
    for (unsigned k = 0; k < PLATFORMS; k++)
        r[1 + k] = (struct explore_run){
            .way = EXPLORE_NASTY, .seed = k + 1, .allow = allow, .limit = first_limit(x->request)};
    explore_batch(x, r, BASE_LENGTH(r), take_plain, &p);
    unlink(allow);
    free(allow);
    x->limit = x->request->limit > 0 ? x->request->limit : 10 * p.slowest + 10;
    if (f->detector.end != EXPLORE_PASSED)
        x->plain.compare = EXPLORE_NOT;
}

/* --- seeds ----------------------------------------------------------------------------------------------- */

struct seeds {
    struct explore *x;
    struct explore_findings *f;
};

static bool take_seed(void *arg, struct explore_run *r)
{
    struct seeds *s = arg;
    struct explore_result got = explore_read(s->x, r);
    struct explore_lines decisions = {{0}};
    struct explore_outcome o = explore_outcome_of(&got, &s->x->plain);
    if (o.end != EXPLORE_PASSED) {
        char *path = explore_path(s->x, r->number, "decisions");
        decisions = explore_lines_read(path);
        free(path);
    }
    explore_mistakes_add(s->f, &got.mistakes, &(struct explore_seed){.seed = r->seed});
    explore_result_release(&got);
    explore_findings_add(s->f, r->seed, o, decisions);
    s->f->stopped = s->x->request->stop && explore_is_failure(s->x->request, &o);
    return !s->f->stopped;
}

static void run_seeds(struct explore *x, struct explore_findings *f)
{
    const struct explore_request *q = x->request;
    struct seeds s = {x, f};
    struct explore_run *r = base_zalloc(q->seeds * sizeof *r, "runs");
    for (uint64_t k = 0; k < q->seeds; k++)
        r[k] = (struct explore_run){.way = EXPLORE_NASTY, .seed = q->first + k, .limit = x->limit};
    size_t taken = explore_batch(x, r, q->seeds, take_seed, &s);
    f->late = taken < q->seeds && !f->stopped;
    free(r);
}

/* --- the whole ------------------------------------------------------------------------------------------- */

/* Why there is nothing to report: its status; -1: there is. */
static int cannot_run(const struct explore *x, const struct explore_findings *f)
{
    if (x->interrupt)
        return 128 + x->interrupt;
    return f->detector.end == EXPLORE_UNTRIED ? f->detector.status : -1;
}

/* The run for races could not be made, or somebody has interrupted us. */
static int give_up(const struct explore *x, const struct explore_findings *f, int status)
{
    explore_report_nothing(x, f);
    return status;
}

static void look_closer(struct explore *x, struct explore_findings *f)
{
    if (x->request->time > 0) /* as long again */
        x->deadline = explore_seconds() + x->request->time;
    explore_races_confirm(x, f);
    if (x->request->shrink)
        explore_shrink(x, f);
}

static int conclude(struct explore *x, const struct explore_findings *f)
{
    struct base_status st;
    if (x->interrupt)
        return give_up(x, f, 128 + x->interrupt);
    explore_report(x, f);
    if ((!x->request->json || !explore_json(x, f, &st)) && (!x->request->sarif || !explore_sarif(x, f, &st)))
        return explore_status(x, f);
    base_error("%s", st.text);
    return BASE_EXIT_HOST;
}

int explore_check(const struct explore_request *q)
{
    struct explore x;
    struct explore_findings f = {.stopped = false};
    struct base_status st;
    if (explore_open(&x, q, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    (void)detect(&x, &f);
    int status = cannot_run(&x, &f);
    if (status < 0) {
        explore_run_plain(&x, &f);
        if (q->systematic)
            explore_systematic(&x, &f);
        else
            run_seeds(&x, &f);
        look_closer(&x, &f);
        status = conclude(&x, &f);
    } else {
        status = give_up(&x, &f, status);
    }
    explore_findings_release(&f);
    explore_close(&x);
    return status;
}
