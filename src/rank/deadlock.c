/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deadlock: the report of a run in which ranks wait and nothing is left that could wake them: who waits for
 * what (engine/deadlock.c), and what the ranks themselves say. Made at once, while ranks can still be asked;
 * printed after all that they have printed.
 */
#include "rank/internal.h"

#include "base/text.h"
#include "rank/title.h"

#include <stdlib.h>
#include <string.h>

enum { SAYS_SIZE = 4096, SPEAKERS = 64 };

/* --- who and where -------------------------------------------------------------------------------- */

static uint64_t rank_number(void *owner)
{
    return ((const struct rank *)owner)->id;
}

static uint64_t number_of_thread(void *owner, void *local)
{
    const struct rank *r = owner;
    const struct rank_life *life = r->provider->life;
    return local && r->threads > 1 && life->thread ? life->thread(local) + 1 : 0;
}

/* Where the job's number is not the one that the user knows. */
static void title_of(void *owner, char *buf, size_t size)
{
    if (rank_titles && !rank_titles(owner, buf, size))
        *buf = '\0';
}

static void place_of_call(void *owner, char *buf, size_t size)
{
    const struct rank *r = owner;
    rank_code_name(r, rank_code_caller(r), buf, size);
}

/* --- what ranks say ------------------------------------------------------------------------------- */

struct saying {
    char text[SAYS_SIZE];
    const char *called; /* a call that it made, which it must not: it never returns */
};
/* Whom ranks answer, and the report so far. */
static struct {
    struct rank_job *job; /* NULL: nobody is asked */
    struct saying *saying;
    FILE *out;
    char *text;
    size_t size;
} asking;

/* A rank that was asked has ended the process. */
static void report_so_far(void *arg)
{
    struct rank_job *job = asking.job;
    (void)arg;
    if (!job || fflush(asking.out))
        return;
    asking.job = NULL;
    rank_deadlock_report(job, asking.text);
}

static void stop_call(struct rank *r, const char *call)
{
    static const struct engine_reason why = {"what it says of a deadlock", NULL, NULL};
    asking.saying->called = call;
    engine_block(r->engine, &why);
}

static void say(void *ctx, struct engine_actor *a)
{
    struct rank *r = engine_actor_owner(a);
    struct saying *s = ctx;
    r->provider->life->says(r, s->text, sizeof s->text);
}

static void print_saying(FILE *out, const struct rank *r, struct saying *s)
{
    char *line = s->text, *end;
    s->text[sizeof s->text - 1] = 0;
    fprintf(out, "  what rank %u says:\n", r->id);
    for (; *line; line = end) {
        size_t n = strcspn(line, "\n");
        end = line + n + (line[n] == '\n');
        line[n] = 0;
        base_text_mask(line);
        fprintf(out, "    %s\n", line);
    }
    if (s->called)
        fprintf(out, "    (it ends here: it calls %s, and may not make calls)\n", s->called);
}

/* false: it says nothing. */
static bool ask(struct rank *r, FILE *out)
{
    struct saying s = {"", NULL};
    asking.saying = &s;
    rank_calls_refuse(stop_call);
    bool asked = engine_errand_ask_any(r->engine, r, say, &s);
    rank_calls_refuse(NULL);
    if (!asked || !(*s.text || s.called))
        return false;
    print_saying(out, r, &s);
    return true;
}

static void print_sayings(const struct rank_job *job, FILE *out)
{
    unsigned shown = 0, more = 0;
    for (uint32_t i = 0; i < job->public.ranks; i++) {
        struct rank *r = rank_at(job, i);
        const struct rank_life *life = r->provider->life;
        if (r->ended || !life->says || !life->speaks(r))
            continue;
        if (shown < SPEAKERS)
            shown += ask(r, out);
        else
            more++;
    }
    if (more)
        fprintf(out, "  %u more ranks were not asked\n", more);
}

/* --- the report ----------------------------------------------------------------------------------- */

char *rank_deadlock_write(struct rank_job *job)
{
    static const struct engine_naming names = {"rank",           "thread", rank_number,
                                               number_of_thread, title_of, place_of_call};
    static bool hooked;
    asking.text = NULL;
    asking.out = open_memstream(&asking.text, &asking.size);
    if (!asking.out)
        return NULL;
    if (!hooked)
        base_at_fatal(report_so_far, NULL);
    hooked = true;
    asking.job = job;
    engine_deadlock_report_parts(job->public.engine, asking.out, &names);
    print_sayings(job, asking.out);
    asking.job = NULL;
    fclose(asking.out);
    return asking.text;
}

int rank_deadlock_report(struct rank_job *job, char *text)
{
    char when[32];
    base_error(
        "deadlock at %s of simulated time: %u of %u ranks wait and nothing is left that could wake them",
        base_show_time(when, engine_now(job->public.engine)), job->public.ranks - job->ended,
        job->public.ranks);
    fputs(text ? text : "", base_report_stream());
    fflush(base_report_stream());
    free(text);
    rank_failures_report(job);
    return BASE_EXIT_DEADLOCK;
}
