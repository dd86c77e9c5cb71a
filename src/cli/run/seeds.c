/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * seeds: `--seeds N`: the run with each of the seeds 1 to N of its noise, in processes of their own that are made before
 * anything of the simulator is there; then the median and an interval of the simulated times. What the run prints and writes
 * is that of the first seed.
 */
#include "base/numbers.h"
#include "cli/run/run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct seeds {
    uint64_t n, started, running;
    int pipe[2];
    double *time; /* of those that ended well */
    uint64_t times;
    int status;      /* of the first seed that did not */
    uint64_t failed; /* which one; 0: none */
    pid_t *pid;      /* of each seed; 0: it has ended */
};

/* --- a child --------------------------------------------------------------------------------------------------- */

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

static void become(struct run *r, struct seeds *s, uint64_t seed)
{
    struct run_options *o = &r->options;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    close(s->pipe[0]);
    r->seed_out = s->pipe[1];
    BASE_ARRAY_PUSH(&o->joined, base_strfmt("noise/seed=%" PRIu64, seed));
    BASE_ARRAY_PUSH(&o->sets, o->joined.at[o->joined.n - 1]);
    if (seed > 1)
        be_silent(o);
    free(s->time);
    free(s->pid);
}

void run_seeds_tell(const struct run *r)
{
    if (r->seed_out > 0 && !r->figures.status &&
        write(r->seed_out, &r->figures.simulated, sizeof r->figures.simulated) < 0)
        base_error("the simulated time cannot be told: %s", strerror(errno));
}

/* --- the parent ------------------------------------------------------------------------------------------------- */

/* Measured computation would be disturbed by runs beside it. */
static uint64_t side_by_side(const struct run_options *o)
{
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return o->compute == RANK_COMPUTE_MEASURED || n < 1 ? 1 : (uint64_t)n;
}

static void take_times(struct seeds *s)
{
    while (s->times < s->n && read(s->pipe[0], &s->time[s->times], sizeof *s->time) == sizeof *s->time)
        s->times++;
}

static void take_end(struct seeds *s)
{
    int how;
    pid_t pid = waitpid(-1, &how, 0);
    uint64_t seed = 0;
    while (seed < s->started && s->pid[seed] != pid)
        seed++;
    if (pid <= 0 || seed == s->started)
        return;
    int status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    s->pid[seed] = 0;
    s->running--;
    if (!status || (s->failed && s->failed < seed + 1))
        return;
    s->status = status;
    s->failed = seed + 1;
}

/* A further run lies between the i-th and the i-th last of n with probability (n + 1 - 2 i) / (n + 1). */
static void show(const struct seeds *s)
{
    char low[32], median[32], high[32];
    uint64_t n = s->times, i = (n + 1) / 20;
    const double *t = s->time;
    i = i ? i : 1;
    double covered = 100 * ((double)(n + 1) - 2 * (double)i) / (double)(n + 1);
    double middle = base_numbers_median(t, n);
    fprintf(base_report_stream(), "pgasim: %" PRIu64 " seeds: median %s; %.0f%% of runs take %s to %s%s\n", n,
            base_show_time(median, middle), covered < 90 ? covered : 90, base_show_time(low, t[i - 1]),
            base_show_time(high, t[n - i]), t[0] == t[n - 1] ? " (all alike: is there noise?)" : "");
}

static int report(struct seeds *s)
{
    if (s->failed) {
        base_error("seed %" PRIu64 " ended with status %d; --set noise/seed=%" PRIu64
                   " without --seeds shows it",
                   s->failed, s->status, s->failed);
        return s->status;
    }
    base_numbers_sort(s->time, s->times);
    if (s->times)
        show(s);
    return BASE_EXIT_OK;
}

/* false: this is a child. */
static bool start_one(struct run *r, struct seeds *s)
{
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        base_fatal(BASE_EXIT_HOST, "a run cannot be started: %s", strerror(errno));
    if (!pid) {
        become(r, s, s->started + 1);
        return false;
    }
    s->pid[s->started++] = pid;
    s->running++;
    return true;
}

bool run_seeds(struct run *r, int *status)
{
    struct seeds s = {.n = r->options.seeds};
    uint64_t most = side_by_side(&r->options);
    if (!s.n)
        return false;
    if (pipe2(s.pipe, O_CLOEXEC))
        base_fatal(BASE_EXIT_HOST, "there is no pipe: %s", strerror(errno));
    fcntl(s.pipe[0], F_SETFL, O_NONBLOCK);
    s.time = base_zalloc(s.n * sizeof *s.time, "times of runs");
    s.pid = base_zalloc(s.n * sizeof *s.pid, "runs");
    while (s.running || (s.started < s.n && !s.failed)) {
        if (s.started < s.n && !s.failed && s.running < most) {
            if (!start_one(r, &s))
                return false;
            continue;
        }
        take_end(&s);
        take_times(&s);
    }
    *status = report(&s);
    close(s.pipe[0]);
    close(s.pipe[1]);
    free(s.time);
    free(s.pid);
    return true;
}
