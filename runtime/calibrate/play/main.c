/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * play: plays a trace of pgasim or SMPI on a real MPI, without computing (docs/calibrate.md). All ranks read their part
 * first; a trace of which a rank cannot play something is refused before anything is played.
 */
#include <stdlib.h>
#include <string.h>

#include "play/play.h"

static const char usage[] = "usage: play [options] TRACE\n"
                            "  -speed F   flop/s, for a trace whose computations are in flops\n"
                            "  -scale F   multiplies all computations (1)\n"
                            "  -ranks     also prints each rank's time\n";

/* Ends all ranks with a message of the lowest rank that has one. */
static _Noreturn void refuse(const struct play *p, const char *message, const char *more)
{
    if (p->rank == 0)
        fprintf(stderr, "play: %s\n%s", message, more);
    fflush(NULL);
    MPI_Finalize();
    exit(2);
}

static double number(const struct play *p, const char *name, const char *text)
{
    char *end, message[200];
    double x = text ? strtod(text, &end) : 0;
    if (text && end != text && !*end && x > 0 && x < 1e300)
        return x;
    snprintf(message, sizeof message, "%.40s %.80s: expected a number above 0", name, text ? text : "");
    refuse(p, message, usage);
}

static const char *options_read(struct play *p, char **args, bool *ranks)
{
    const char *trace = NULL;
    char message[200];
    for (; *args; args++) {
        const char *name = *args + (args[0][0] == '-' && args[0][1] == '-');
        if (!strcmp(name, "-speed"))
            p->speed = number(p, name, *++args);
        else if (!strcmp(name, "-scale"))
            p->scale = number(p, name, *++args);
        else if (!strcmp(name, "-ranks"))
            *ranks = true;
        else if (**args != '-' && !trace)
            trace = *args;
        else {
            snprintf(message, sizeof message, "%.80s: expected one trace and options as follows", *args);
            refuse(p, message, usage);
        }
        if (!*args)
            break;
    }
    if (!trace)
        refuse(p, "expected the name of a trace", usage);
    return trace;
}

/* --- before the start ----------------------------------------------------------------------------------- */

/* The first rank whose text is not empty gives it to rank 0, which prints it. */
static void agree(const struct play *p, const char *text)
{
    int mine = *text ? p->rank : p->size, first;
    char message[sizeof(struct base_status)] = "";
    snprintf(message, sizeof message, "%s", text);
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == p->size)
        return;
    MPI_Bcast(message, sizeof message, MPI_CHAR, first, MPI_COMM_WORLD);
    refuse(p, message, "");
}

/* The collectives of SMPI's traces have no communicators: they are of all ranks, or else they cannot be played. */
static void check_collectives(struct play *p, struct base_status *st)
{
    unsigned long long mine[4] = {p->trace.collectives, p->trace.order, ~p->trace.collectives,
                                  ~p->trace.order},
                       most[4];
    MPI_Allreduce(mine, most, 4, MPI_UNSIGNED_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
    if (most[0] != ~most[2] || most[1] != ~most[3])
        base_fail(st,
                  "%.300s: rank %d and others do not make the same collectives: those of a part of the ranks "
                  "cannot be played",
                  p->trace.path, p->rank);
}

static void trace_read(struct play *p, const char *path)
{
    struct base_status st = {""};
    const struct play_wanted w = {p->rank, p->size, play_has_player};
    if (play_trace_read(&p->trace, path, &w, &st) && !*st.text)
        snprintf(st.text, sizeof st.text, "%.300s: cannot be read", path);
    else if (!*st.text && !p->trace.n)
        base_fail(&st, "%.300s: no action of rank %d; expected as many processes as the trace has ranks",
                  path, p->rank);
    else if (!*st.text && p->trace.flops && p->speed == 0)
        base_fail(&st, "%.300s: computations are in flops; expected -speed FLOPS", p->trace.path);
    agree(p, st.text);
    check_collectives(p, &st);
    agree(p, st.text);
    play_prepare(p);
}

/* --- the play ------------------------------------------------------------------------------------------- */

static void steps_play(struct play *p)
{
    uint64_t turns[PLAY_DEPTH + 1] = {0};
    int depth = 0;
    const struct play_step *step = p->trace.step;
    for (size_t k = 0; k < p->trace.n; k++) {
        const struct play_step *s = &step[k];
        if (s->what < RECORD_MPI_FUNCTIONS)
            play_step_call(p, s);
        else if (s->what == PLAY_SECONDS)
            play_compute(p, s->amount * p->scale);
        else if (s->what == PLAY_FLOPS)
            play_compute(p, s->amount / p->speed * p->scale);
        else if (s->what == PLAY_REPEAT)
            turns[depth++] = s->times;
        else if (--turns[depth - 1])
            k = s->at;
        else
            depth--;
    }
}

struct result {
    double seconds, computed, latest, processor;
    unsigned long long calls, differing;
};

static int later_first(const void *a, const void *b)
{
    double x = ((const struct result *)a)->seconds, y = ((const struct result *)b)->seconds;
    return (x < y) - (x > y);
}

static void result_print(const struct play *p, struct result *all, bool ranks)
{
    struct result sum = {0};
    for (int r = 0; r < p->size; r++) {
        if (ranks)
            printf(
                "rank %d: %.9f s, %llu calls; to compute %.6f s, late by %.6f s at most; processor %.6f s\n",
                r, all[r].seconds, all[r].calls, all[r].computed, all[r].latest, all[r].processor);
        sum.calls += all[r].calls;
        sum.differing += all[r].differing;
        sum.processor += all[r].processor;
        sum.computed += all[r].computed;
        sum.latest = all[r].latest > sum.latest ? all[r].latest : sum.latest;
    }
    qsort(all, (size_t)p->size, sizeof *all, later_first);
    double seconds = all[0].seconds;
    printf("time %.9f s\n", seconds);
    printf("play: %d ranks, %llu calls, %llu waits ended in another order; computation %.1f%%, sleeps late "
           "by %.1f us at most, "
           "processors %.2f\n",
           p->size, sum.calls, sum.differing, seconds > 0 ? 100 * sum.computed / (seconds * p->size) : 0,
           sum.latest * 1e6, seconds > 0 ? sum.processor / seconds : 0);
    if (!p->clock.shared)
        printf("play: the ranks have different clocks: each one's time is from when it left the first "
               "barrier\n");
}

int main(int argc, char **argv)
{
    struct play p = {.scale = 1};
    bool ranks = false;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &p.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &p.size);
    trace_read(&p, options_read(&p, argv + 1, &ranks));
    play_start(&p);
    steps_play(&p);
    struct result mine = {.seconds = play_now() - p.clock.start};
    mine.processor = play_processor_seconds() - p.clock.processor;
    mine.computed = p.clock.computed;
    mine.latest = p.clock.latest;
    mine.calls = p.calls;
    mine.differing = p.differing;
    struct result *all = calloc((size_t)p.size, sizeof *all);
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (p.rank == 0)
        result_print(&p, all, ranks);
    free(all);
    play_memory_release(&p);
    MPI_Finalize();
    return 0;
}
