/* SPDX-License-Identifier: BSD-3-Clause */
/* trace: reads a trace of any known format: actions onto a tape, or schedules. */
#include "replay/trace.h"

#include <stdlib.h>
#include <string.h>

#include "replay/allprof/allprof.h"
#include "replay/dumpi/dumpi.h"
#include "replay/input/input.h"
#include "replay/otf2/otf2.h"
#include "replay/ti/ti.h"

#define LOGGOPSIM "LogGOPSim's default"

const struct base_setting replay_settings[] = {
    {"replay/compute-scale", BASE_DOUBLE, "1", "0 to 1e12",
     "what computations are multiplied by when a trace is played", NULL},
    {"replay/recorded-speed", BASE_DOUBLE, "0", "0 to 1e30",
     "flop/s of a core where a trace with seconds was recorded; 0: computations take these seconds here, too",
     NULL},
    {"replay/instructions-per-flop", BASE_DOUBLE, "0", "0 to 1e12",
     "computations with a count of instructions take as many flops as this is contained in it; 0: their "
     "seconds count",
     NULL},
    {"replay/model", BASE_TEXT, "platform", "platform or LogGP",
     "how long messages of schedules (GOAL) take: as the platform has it, or in the LogGP model", NULL},
    {"replay/sources", BASE_TEXT, "recorded", "recorded or any",
     "whose messages receives from any source get, in traces that say it: those of the recorded run, or "
     "whoever comes first",
     NULL},
    {"replay/queue", BASE_TEXT, "first-come", "first-come or easy",
     "which job of a workload (SWF) begins next: the first one, or with EASY backfilling", NULL},
    {"loggp/latency", BASE_TIME, "2500ns", BASE_TIMES, "L: latency of each message", LOGGOPSIM},
    {"loggp/overhead", BASE_TIME, "1500ns", BASE_TIMES, "o: CPU time to send or receive a message",
     LOGGOPSIM},
    {"loggp/gap", BASE_TIME, "1000ns", BASE_TIMES, "g: time from one message of a NIC to the next",
     LOGGOPSIM},
    {"loggp/byte-gap", BASE_TIME, "6ns", BASE_TIMES, "G: the same for each further byte", LOGGOPSIM},
    {"loggp/byte-overhead", BASE_TIME, "0", BASE_TIMES, "O: CPU time for each further byte", LOGGOPSIM},
    {"loggp/rendezvous", BASE_SIZE, "65535", "0 to 1e15",
     "S: sends of more bytes end when their message is received", LOGGOPSIM},
    {"loggp/noise-trace", BASE_TEXT, "off", "off or a file",
     "interruptions of ranks as recorded: a file of LogGOPSim's --noise-trace", NULL},
    {"loggp/noise-together", BASE_BOOL, "no", NULL,
     "all ranks are interrupted at the same times, as with LogGOPSim's --noise-cosched", NULL},
};
const size_t replay_settings_count = BASE_LENGTH(replay_settings);

static struct replay_tape *create_tape(const struct replay_trace *t)
{
    struct replay_tape *tape = replay_tape_create();
    if (t->times)
        replay_tape_keep_times(tape);
    return tape;
}

static int read_actions(struct replay_trace *t, struct replay_input *in, uint32_t ranks,
                        struct base_status *st)
{
    t->tape = create_tape(t);
    if (replay_ti_read(t->tape, in, ranks, st))
        return -1;
    if (!replay_tape_ranks(t->tape))
        return base_fail(st, "%s: the trace has no ranks", replay_input_path(in));
    replay_tape_seal(t->tape);
    t->tape = replay_ti_name_groups(t->tape);
    return 0;
}

static int read_allprof(struct replay_trace *t, struct replay_input *in, uint32_t ranks,
                        struct base_status *st)
{
    t->tape = create_tape(t);
    if (replay_allprof_read(t->tape, in, ranks, st))
        return -1;
    replay_tape_seal(t->tape);
    return 0;
}

static int read_dumpi(struct replay_trace *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    t->tape = create_tape(t);
    if (replay_dumpi_read(t->tape, in, ranks, st))
        return -1;
    replay_tape_seal(t->tape);
    return 0;
}

static int read_otf2(struct replay_trace *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    t->tape = replay_otf2_read(replay_input_path(in), ranks, st);
    return t->tape ? 0 : -1;
}

static int read_text(struct replay_trace *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    t->goal = replay_goal_text_read(in, ranks, st);
    return t->goal ? 0 : -1;
}

static int read_binary(struct replay_trace *t, struct replay_input *in, uint32_t ranks,
                       struct base_status *st)
{
    t->goal = replay_goal_binary_read(in, ranks, st);
    return t->goal ? 0 : -1;
}

static const struct {
    bool (*is)(const char *head, size_t n);
    int (*read)(struct replay_trace *t, struct replay_input *in, uint32_t ranks, struct base_status *st);
} formats[] = {
    {replay_otf2_is, read_otf2},      {replay_dumpi_is, read_dumpi},     {replay_goal_binary_is, read_binary},
    {replay_goal_text_is, read_text}, {replay_allprof_is, read_allprof}, {replay_ti_is, read_actions},
};

static int read_into(struct replay_trace *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    size_t n;
    const char *head = (const char *)replay_input_peek(in, &n, st), *path = replay_input_path(in);
    if (!head)
        return -1;
    for (size_t k = 0; k < BASE_LENGTH(formats); k++)
        if (formats[k].is(head, n))
            return formats[k].read(t, in, ranks, st);
    return base_fail(st, "%s: its first bytes are of no known format of traces", path);
}

static struct replay_trace *read_trace(const char *path, uint32_t ranks, bool times, struct base_status *st)
{
    struct replay_input *in = replay_input_open(path, st);
    if (!in)
        return NULL;
    struct replay_trace *t = base_zalloc(sizeof *t, "a trace");
    t->times = times;
    int failed = read_into(t, in, ranks, st);
    replay_input_close(in);
    if (!failed)
        return t;
    replay_trace_release(t);
    return NULL;
}

struct replay_trace *replay_trace_read(const char *path, uint32_t ranks, struct base_status *st)
{
    return read_trace(path, ranks, false, st);
}

struct replay_trace *replay_trace_read_timed(const char *path, uint32_t ranks, struct base_status *st)
{
    return read_trace(path, ranks, true, st);
}

struct replay_tape *replay_tape_read_measured(const char *path, uint32_t ranks, struct base_status *st)
{
    struct replay_trace *t = read_trace(path, ranks, true, st);
    struct replay_tape *tape = t ? t->tape : NULL;
    if (t && !tape)
        base_fail(st,
                  "%s: schedules in GOAL have no times of a run; pgasim replay --trace FILE simulates that",
                  path);
    if (tape)
        t->tape = NULL;
    replay_trace_release(t);
    return tape;
}

void replay_trace_release(struct replay_trace *t)
{
    if (!t)
        return;
    replay_tape_destroy(t->tape);
    replay_goal_destroy(t->goal);
    free(t);
}

uint32_t replay_trace_ranks(const struct replay_trace *t)
{
    return t->tape ? replay_tape_ranks(t->tape) : replay_goal_ranks(t->goal);
}

uint32_t replay_trace_initial(const struct replay_trace *t)
{
    return replay_trace_ranks(t) - replay_trace_started(t);
}

uint32_t replay_trace_started(const struct replay_trace *t)
{
    return t->tape ? replay_tape_started(t->tape) : 0;
}

uint64_t replay_trace_actions(const struct replay_trace *t)
{
    return t->tape ? replay_tape_actions(t->tape) : replay_goal_operations(t->goal);
}

static bool is_loggp(const struct rank_job *job)
{
    return !strcmp(base_settings_text(rank_settings(job), "replay/model"), "LogGP");
}

static int check_model(const struct rank_job *job, struct base_status *st)
{
    const char *model = base_settings_text(rank_settings(job), "replay/model");
    const char *sources = base_settings_text(rank_settings(job), "replay/sources");
    if (strcmp(sources, "recorded") != 0 && strcmp(sources, "any") != 0)
        return base_fail(st, "setting replay/sources: '%.80s' is unknown; expected recorded or any", sources);
    if (is_loggp(job) || !strcmp(model, "platform"))
        return 0;
    return base_fail(st, "setting replay/model: '%.80s' is unknown; expected platform or LogGP", model);
}

int replay_attach(struct rank_job *job, struct replay_trace *t, const char *path, struct base_status *st)
{
    if (check_model(job, st))
        return -1;
    if (t->tape && is_loggp(job))
        return base_fail(st, "%s: the LogGP model plays schedules in GOAL only", path);
    if (is_loggp(job))
        return replay_goal_attach(job, t->goal, st);
    replay_trace_play(job, t, path);
    return 0;
}

int replay_jobs_check(const struct rank_job *job, struct base_status *st)
{
    if (is_loggp(job))
        return base_fail(
            st,
            "setting replay/model: the LogGP model plays one trace: expected platform for a list of jobs");
    const char *queue = base_settings_text(rank_settings(job), "replay/queue");
    if (strcmp(queue, "first-come") != 0 && strcmp(queue, "easy") != 0)
        return base_fail(st, "setting replay/queue: '%.80s' is unknown; expected first-come or easy", queue);
    return check_model(job, st);
}

struct replay_counts replay_counts(const struct rank_job *job)
{
    struct replay_counts c = replay_tape_counts(job);
    return c.all ? c : replay_goal_counts(job);
}

void replay_trace_facts(struct replay_trace *t, struct replay_facts *out)
{
    if (t->tape)
        replay_tape_facts(t->tape, out);
    else
        replay_goal_facts(t->goal, out);
}
