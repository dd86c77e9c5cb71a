/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seeds: `--seeds N`: the run with each of the seeds 1 to N of its noise; interval.c sums up their times. The command itself is
 * the first seed's run, and what it prints and writes is that. The others run in silence: the crew, a process made before
 * anything of the simulator is there, starts one process for each of them.
 *
 *   command   runs seed 1; says when that is over; reads what the others tell, to its end; reports
 *   crew      starts the others, as many at a time as there are processors, one less until seed 1 is over
 *   others    tell their times
 *
 * Whoever is left without the one who started it is ended.
 */
#include "base/children.h"
#include "cli/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* What one of the others, or the crew for it, tells the command. */
struct told {
    uint64_t seed;
    int64_t status; /* 0: it ended well, after this time */
    double time;
};

struct crew {
    uint64_t n, started, running, most;
    int over, tell;  /* the command's run is over: read here; what is told: written there */
    uint64_t failed; /* the first seed that did not end well; 0: none */
    int status;      /* of that */
    pid_t *pid;      /* of each seed, from 2 on; 0: it has ended */
};

/* --- the others -------------------------------------------------------------------------------------- */

static void be_silent(struct run_options *o)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
    o->quiet = true;
    o->json = o->sarif = o->record = NULL;
    o->traces.n = 0;
}

static void set_seed(struct run *r, uint64_t seed)
{
    struct run_options *o = &r->options;
    r->seed = seed;
    BASE_ARRAY_PUSH(&o->joined, base_strfmt("noise/seed=%" PRIu64, seed));
    BASE_ARRAY_PUSH(&o->sets, o->joined.at[o->joined.n - 1]);
}

/* Ends with the process that has started this one. */
static void die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(BASE_EXIT_HOST);
}

void run_seeds_tell(const struct run *r)
{
    const struct told t = {.seed = r->seed, .time = r->figures.simulated};
    if (r->seed > 1 && !r->figures.status && write(r->seed_fd, &t, sizeof t) != sizeof t)
        base_error("the simulated time cannot be told: %s", strerror(errno));
}

/* --- the crew ---------------------------------------------------------------------------------------- */

static void take_end(struct crew *c)
{
    int how;
    pid_t pid = waitpid(-1, &how, 0);
    uint64_t k = 0;
    while (k < c->started && c->pid[k] != pid)
        k++;
    if (pid <= 0 || k == c->started)
        return;
    int status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    c->pid[k] = 0;
    c->running--;
    if (!status || (c->failed && c->failed < k + 2))
        return;
    c->status = status;
    c->failed = k + 2;
}

/* Whether the command's run is over. */
static bool is_over(const struct crew *c, bool wait)
{
    char byte;
    fcntl(c->over, F_SETFL, wait ? 0 : O_NONBLOCK);
    ssize_t n = read(c->over, &byte, 1);
    if (n == 0)
        _exit(BASE_EXIT_HOST); /* it is not there any more */
    return n == 1;
}

/* true: this is the crew. */
static bool start_one(struct run *r, struct crew *c)
{
    pid_t self = getpid(), pid = fork();
    if (pid < 0)
        base_fatal(BASE_EXIT_HOST, "a run cannot be started: %s", strerror(errno));
    if (!pid) {
        die_with(self);
        close(c->over);
        r->seed_fd = c->tell;
        set_seed(r, c->started + 2);
        be_silent(&r->options);
        free(c->pid);
        return false;
    }
    c->pid[c->started++] = pid;
    c->running++;
    return true;
}

/* Returns in each of the others. */
static void work(struct run *r, struct crew *c)
{
    bool over = false;
    c->pid = base_zalloc(c->n * sizeof *c->pid, "runs");
    while (c->running || (c->started < c->n && !c->failed)) {
        over = over || is_over(c, !c->running && c->most < 2);
        if (c->started < c->n && !c->failed && c->running < c->most - !over) {
            if (!start_one(r, c))
                return;
        } else {
            take_end(c);
        }
    }
    const struct told t = {.seed = c->failed, .status = c->status};
    _exit(c->failed && write(c->tell, &t, sizeof t) != sizeof t ? BASE_EXIT_HOST : BASE_EXIT_OK);
}

/* Measured computation would be disturbed by runs beside it. */
static uint64_t side_by_side(const struct run_options *o)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return o->compute == RANK_COMPUTE_MEASURED || n < 1 ? 1 : (uint64_t)n;
}

/* --- the command ------------------------------------------------------------------------------------- */

void run_seeds_begin(struct run *r)
{
    int over[2], tell[2];
    if (!r->options.seeds)
        return;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, over) || pipe2(tell, O_CLOEXEC))
        base_fatal(BASE_EXIT_HOST, "there is no pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t self = getpid();
    r->crew = fork();
    if (r->crew < 0)
        base_fatal(BASE_EXIT_HOST, "a run cannot be started: %s", strerror(errno));
    close(over[r->crew ? 0 : 1]);
    close(tell[r->crew ? 1 : 0]);
    if (!r->crew) {
        struct crew c = {
            .n = r->options.seeds - 1, .most = side_by_side(&r->options), .over = over[0], .tell = tell[1]};
        die_with(self);
        work(r, &c);
        return;
    }
    r->seed_over = over[1];
    r->seed_fd = tell[0];
    set_seed(r, 1);
}

/* Takes what has been told by now. false: nobody will tell more. */
static bool take_told(const struct run *r, struct run_seeds *s, struct told *failed)
{
    struct told t;
    ssize_t n;
    while ((n = read(r->seed_fd, &t, sizeof t)) == sizeof t) {
        if (t.status)
            *failed = t;
        else
            s->time[t.seed - 1] = t.time;
        s->n += !t.status;
    }
    return n < 0;
}

/* No seed is known to have failed, but some have told nothing: `how` their crew ended, as of waitpid. Returns the status. */
static int report_missing(const struct run *r, const struct run_seeds *s, int how)
{
    char list[256], why[64] = "their runs ended without telling their times";
    uint32_t *seed = base_alloc(r->options.seeds * sizeof *seed, "seeds"), n = 0;
    for (uint64_t k = 0; k < r->options.seeds; k++)
        if (isnan(s->time[k]))
            seed[n++] = (uint32_t)k + 1;
    if (WIFSIGNALED(how))
        snprintf(why, sizeof why, "the process that starts them was ended by signal %d", WTERMSIG(how));
    else if (WEXITSTATUS(how))
        snprintf(why, sizeof why, "the process that starts them ended with status %d", WEXITSTATUS(how));
    base_show_runs(list, sizeof list, seed, sizeof *seed, n);
    base_error(n == 1 ? "seed %s is missing: %s; there is no interval"
                      : "seeds %s are missing: %s; there is no interval",
               list, why);
    free(seed);
    return WIFSIGNALED(how) ? 128 + WTERMSIG(how) : BASE_EXIT_HOST;
}

/* The times of all. Returns the status of the first that failed, or that of an interrupt. */
static int read_times(const struct run *r, struct run_seeds *s)
{
    struct told failed = {0};
    struct base_signals signals;
    int interrupt = 0;
    s->time = base_alloc(r->options.seeds * sizeof *s->time, "times of runs");
    for (uint64_t k = 0; k < r->options.seeds; k++)
        s->time[k] = NAN;
    s->time[0] = r->figures.simulated;
    s->n = 1;
    fcntl(r->seed_fd, F_SETFL, O_NONBLOCK);
    base_signals_block(&signals);
    while (take_told(r, s, &failed) && !interrupt)
        base_signals_wait(&signals, 0.05, &interrupt);
    base_signals_restore(&signals);
    if (interrupt) {
        base_info("ended by SIG%s, when %" PRIu64 " of %" PRIu64 " seeds were over", sigabbrev_np(interrupt),
                  s->n, r->options.seeds);
        kill(r->crew, SIGTERM);
        return 128 + interrupt;
    }
    if (failed.status)
        base_error("seed %" PRIu64 " ended with status %d; --set noise/seed=%" PRIu64
                   " without --seeds shows it",
                   failed.seed, (int)failed.status, failed.seed);
    return (int)failed.status;
}

void run_seeds_end(struct run *r)
{
    struct run_seeds *s = &r->figures.seeds;
    if (r->crew <= 0)
        return;
    int status = r->figures.status, how = 0;
    if (status) {
        kill(r->crew, SIGTERM);
    } else {
        (void)send(r->seed_over, "", 1, MSG_NOSIGNAL); /* unless all others are over, and the crew, too */
        status = read_times(r, s);
    }
    while (waitpid(r->crew, &how, 0) < 0 && errno == EINTR)
        ;
    r->crew = 0;
    close(r->seed_over);
    close(r->seed_fd);
    if (!status && s->n < r->options.seeds)
        status = report_missing(r, s, how);
    r->figures.status = status;
    if (status)
        s->n = 0;
    else
        run_seeds_sum_up(s);
}
