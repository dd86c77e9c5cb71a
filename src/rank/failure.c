/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * failure: what becomes of ranks when a host or a link fails under them. With on-failure=abort the job ends
 * with a report that says which ranks were there and what they were doing. With kill-rank each rank concerned
 * ends where it stands. None of its code runs any more, but others can still access its memory. A rank that
 * waits for a dead one waits forever; the deadlock report then names the dead.
 *
 * Invariants
 *  N13  A rank dies between events, never while its code runs.
 */
#include "rank/internal.h"

#include <stdlib.h>
#include <string.h>

enum { NAMED = 8 }; /* ranks in a report */
enum { DOING = 360 };

/* A rank that ended before its time. */
struct death {
    struct rank *rank;
    double at;
    char *why;
    struct engine_event event; /* its end, when its code was running */
};

struct rank_failures {
    bool kill; /* on-failure=kill-rank */
    bool over; /* the job ends */
    struct death **death;
    size_t n, cap;
};

/* --- what it was doing -------------------------------------------------------------------------- */

/* "shmem_quiet since 2 s: 8 bytes at 0x... of rank 1" */
static char *doing(const struct rank *r, char *buf, size_t size)
{
    double since;
    const struct engine_reason *why = engine_actor_reason(r->actor, &since);
    char when[32], more[256] = "";
    if (!why) {
        snprintf(buf, size, "computing, or asleep");
        return buf;
    }
    if (why->describe)
        why->describe(why->arg, more, sizeof more);
    snprintf(buf, size, "in %s since %s%s%s", why->what, base_show_time(when, since), *more ? ": " : "",
             more);
    return buf;
}

/* --- the end of a rank -------------------------------------------------------------------------- */

static void drop(struct rank *r)
{
    if (r->provider->life->drop)
        r->provider->life->drop(r);
    else
        engine_actor_drop(r->engine, r->actor);
    rank_threads_add(r, -(int)r->threads);
}

void rank_end_at_once(struct rank *r)
{
    struct rank_job *job = r->job;
    if (r->ended)
        return;
    r->ended = true;
    drop(r);
    trace_emit(job->public.trace,
               &(struct trace_event){.time = engine_now(r->engine), .type = TRACE_RANK_END, .rank = r->id});
    rank_gone(r);
}

static void end_event(struct engine *e, struct engine_event *ev)
{
    (void)e;
    rank_end_at_once(BASE_CONTAINER(ev, struct death, event)->rank);
}

static struct death *death_of(const struct rank *r)
{
    const struct rank_failures *fs = r->job->failures;
    for (size_t k = 0; k < fs->n; k++)
        if (fs->death[k]->rank == r)
            return fs->death[k];
    return NULL;
}

static bool runs(const struct rank *r)
{
    const struct engine_actor *self = engine_current(r->engine);
    return self && engine_actor_owner(self) == r && engine_actor_running(self);
}

/* N13: application code goes on until it waits or the instant is over. */
static void kill_rank(struct rank *r, const char *why)
{
    struct rank_failures *fs = r->job->failures;
    struct death *d = base_zalloc(sizeof *d, "a rank's end");
    char when[32];
    *d = (struct death){.rank = r, .at = engine_now(r->engine), .why = base_strdup(why)};
    if (fs->n == fs->cap)
        fs->death = base_array_grow(fs->death, &fs->cap, fs->n + 1, sizeof(struct death *), "ends of ranks");
    fs->death[fs->n++] = d;
    if (fs->n <= NAMED)
        base_info("rank %u (host %s) ends at %s: %s", r->id,
                  platform_host(fabric_platform(r->job->public.fabric), r->host)->name,
                  base_show_time(when, d->at), why);
    engine_event_init(&d->event, end_event);
    if (runs(r))
        engine_event_post(r->engine, &d->event, d->at);
    else
        rank_end_at_once(r);
}

static void end_job(struct rank_job *job)
{
    job->failures->over = true;
    engine_stop(job->public.engine, BASE_EXIT_FAILURE);
}

/* --- hosts -------------------------------------------------------------------------------------- */

static void report_host(struct rank_job *job, uint32_t host, uint32_t ranks)
{
    char when[32], text[DOING];
    uint32_t named = 0;
    base_error("host %s failed at %s of simulated time, with %u rank%s on it",
               platform_host(fabric_platform(job->public.fabric), host)->name,
               base_show_time(when, engine_now(job->public.engine)), ranks, ranks == 1 ? "" : "s");
    for (uint32_t k = 0; k < job->public.ranks && named < NAMED; k++) {
        const struct rank *r = rank_at(job, k);
        if (r->host != host || r->ended)
            continue;
        named++;
        base_error_more("rank %u was %s", r->id, doing(r, text, sizeof text));
    }
    if (ranks > named)
        base_error_more("and %u more", ranks - named);
}

static void host_failed(void *ctx, uint32_t host)
{
    struct rank_job *job = ctx;
    const struct fabric_failure why = {FABRIC_HOST, host};
    char text[FABRIC_FAILURE_TEXT];
    uint32_t ranks = 0;
    for (uint32_t k = 0; k < job->public.ranks; k++)
        ranks += rank_at(job, k)->host == host && !rank_at(job, k)->ended &&
                 !(job->failures->kill && death_of(rank_at(job, k)));
    if (!ranks || job->failures->over)
        return;
    if (!job->failures->kill) {
        report_host(job, host, ranks);
        end_job(job);
        return;
    }
    fabric_failure_text(job->public.fabric, &why, text, sizeof text);
    for (uint32_t k = 0; k < job->public.ranks; k++)
        if (rank_at(job, k)->host == host && !rank_at(job, k)->ended && !death_of(rank_at(job, k)))
            kill_rank(rank_at(job, k), text);
}

/* --- operations --------------------------------------------------------------------------------- */

/* The report always comes from an event, whether the operation fails at its issue or under way, so that
 * nothing is half done. */
struct report {
    struct engine_event event;
    struct rank *rank;
    char *text;
};

static void report_operation(struct engine *e, struct engine_event *ev)
{
    struct report *p = BASE_CONTAINER(ev, struct report, event);
    char more[DOING];
    (void)e;
    base_error("%s", p->text);
    base_error_more("the rank was %s", doing(p->rank, more, sizeof more));
    end_job(p->rank->job);
    free(p->text);
    free(p);
}

static void report_soon(struct rank *r, const char *text)
{
    struct report *p = base_zalloc(sizeof *p, "the report of a failure");
    p->rank = r;
    p->text = base_strdup(text);
    r->job->failures->over = true;
    engine_event_init(&p->event, report_operation);
    engine_event_post(r->engine, &p->event, engine_now(r->engine));
}

void rank_operation_failed(struct rank *r, const char *operation, const struct fabric_failure *why)
{
    struct rank_job *job = r->job;
    char failure[FABRIC_FAILURE_TEXT], when[32], text[800];
    if (r->ended || job->failures->over || (job->failures->kill && death_of(r)))
        return;
    fabric_failure_text(job->public.fabric, why, failure, sizeof failure);
    if (job->failures->kill) {
        snprintf(text, sizeof text, "%s, which %.500s needs", failure, operation);
        kill_rank(r, text);
        return;
    }
    snprintf(text, sizeof text, "rank %u (host %.100s) at %s: %.400s: %s", r->id,
             platform_host(fabric_platform(job->public.fabric), r->host)->name,
             base_show_time(when, engine_now(job->public.engine)), operation, failure);
    report_soon(r, text);
}

/* --- the job ------------------------------------------------------------------------------------- */

int rank_failures_create(struct rank_job *job, struct base_status *st)
{
    const char *how = base_settings_text(job->public.settings, "on-failure");
    bool kill = strcmp(how, "kill-rank") == 0;
    if (!kill && strcmp(how, "abort") != 0)
        return base_fail(st, "setting on-failure: '%.80s'; expected abort or kill-rank", how);
    job->failures = base_zalloc(sizeof *job->failures, "failures");
    job->failures->kill = kill;
    return 0;
}

/* Called when the actors exist. Hosts may be off from the start. */
void rank_failures_begin(struct rank_job *job)
{
    fabric_on_host_failure(job->public.fabric, host_failed, job);
    for (uint32_t k = 0; k < job->public.ranks; k++)
        if (!fabric_host_on(job->public.fabric, rank_at(job, k)->host))
            host_failed(job, rank_at(job, k)->host);
}

void rank_failures_report(const struct rank_job *job)
{
    const struct rank_failures *fs = job->failures;
    for (size_t k = 0; k < fs->n && k < NAMED; k++) {
        char when[32];
        base_error_more("rank %u (host %s) ended at %s: %s", fs->death[k]->rank->id,
                        platform_host(fabric_platform(job->public.fabric), fs->death[k]->rank->host)->name,
                        base_show_time(when, fs->death[k]->at), fs->death[k]->why);
    }
    if (fs->n > NAMED)
        base_error_more("and %zu more ranks", fs->n - NAMED);
}

void rank_failures_destroy(struct rank_job *job)
{
    struct rank_failures *fs = job->failures;
    if (!fs)
        return;
    for (size_t k = 0; k < fs->n; k++) {
        free(fs->death[k]->why);
        free(fs->death[k]);
    }
    free(fs->death);
    free(fs);
}
