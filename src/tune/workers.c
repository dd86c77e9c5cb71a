/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * workers: trials in processes, which are forked when the platform is there. Each gets one ask at a time
 * through a socket, and answers there. Which worker gets which ask depends on the machine; what
 * comes out does not (TU1, TU2).
 *
 * Invariants
 *  TU4 A worker has at most one ask; `ask` is its number while it has one, NONE otherwise.
 */
#include "tune/search.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NONE = UINT32_MAX, MOST = 1024 };
static const double journal_every = 10; /* seconds */

struct worker {
    pid_t pid;
    int fd; /* both ways */
    uint32_t ask;
};
struct tune_workers {
    const struct tune_space *space;
    struct worker at[MOST];
    uint32_t n;
    double begun, written;
};
struct answer {
    int failed;
    struct tune_time time;
    struct base_status st;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- the sockets ------------------------------------------------------------------------------------ */

static bool get(int fd, void *bytes, size_t n)
{
    for (char *p = bytes; n;) {
        ssize_t got = read(fd, p, n);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
    }
    return true;
}

static bool put(int fd, const void *bytes, size_t n)
{
    for (const char *p = bytes; n;) {
        ssize_t done = send(fd, p, n, MSG_NOSIGNAL);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (size_t)done;
    }
    return true;
}

/* --- a worker ------------------------------------------------------------------------------------- */

static _Noreturn void work(const struct tune_space *s, int fd)
{
    struct tune_ask a;
    base_level_set(BASE_LEVEL_WARN); /* that an algorithm is not possible is a result (TUNE_LACKS) */
    while (get(fd, &a, sizeof a)) {
        struct answer out = {0};
        const struct tune_trial t = {.op = a.op,
                                     .first = s->place.at[a.place].first,
                                     .graph = s->place.at[a.place].graph,
                                     .ranks = a.ranks,
                                     .host = s->place.at[a.place].host,
                                     .bytes = a.bytes,
                                     .choice = a.choice,
                                     .bound = a.bound,
                                     .events = s->events};
        out.failed = tune_try(&s->stage, &t, &out.time, &out.st);
        if (!put(fd, &out, sizeof out))
            break;
    }
    _exit(BASE_EXIT_OK);
}

static void hire(struct tune_workers *w)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
        base_fatal(BASE_EXIT_HOST, "cannot make sockets for a process: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0)
        base_fatal(BASE_EXIT_HOST, "cannot start a process: %s", strerror(errno));
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (uint32_t other = 0; other < w->n; other++) /* they end when our side alone closes it */
            close(w->at[other].fd);
        close(pair[0]);
        work(w->space, pair[1]);
    }
    close(pair[1]);
    w->at[w->n] = (struct worker){pid, pair[0], NONE};
    w->n++;
}

struct tune_workers *tune_workers_create(const struct tune_space *s)
{
    struct tune_workers *w = base_zalloc(sizeof *w, "processes for trials");
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t n = s->workers ? s->workers : cores > 0 ? (uint32_t)cores : 1;
    w->space = s;
    w->begun = w->written = now();
    while (w->n < n && w->n < MOST)
        hire(w);
    return w;
}

/* What is under way is of no use any more. */
void tune_workers_destroy(struct tune_workers *w)
{
    for (uint32_t k = 0; k < w->n; k++) {
        close(w->at[k].fd);
        if (w->at[k].ask != NONE)
            kill(w->at[k].pid, SIGKILL);
        while (waitpid(w->at[k].pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(w);
}

/* --- asking --------------------------------------------------------------------------------------- */

struct batch {
    struct tune_workers *w;
    struct tune_store *store;
    const struct tune_ask *ask;
    size_t n, next, running;
    struct base_status *st;
};

/* One that has reported why it ends is not reported again. */
static int ended(const struct batch *b, struct worker *k)
{
    const struct tune_ask *a = &b->ask[k->ask];
    char choice[80];
    int status = 0;
    while (waitpid(k->pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status))
        base_exit(WEXITSTATUS(status));
    return base_fail(b->st,
                     "the process that tried %s of %u ranks, %llu bytes, by %s has ended without a result",
                     tune_op_name(a->op), a->ranks, (unsigned long long)a->bytes,
                     tune_choice_text(&a->choice, choice, sizeof choice));
}

static bool is_over(const struct tune_workers *w)
{
    return now() - w->begun >= w->space->budget;
}

/* One that has ended is found when its answer is read. */
static void give(struct batch *b)
{
    for (uint32_t k = 0; k < b->w->n && b->next < b->n && !is_over(b->w); k++) {
        struct worker *worker = &b->w->at[k];
        if (worker->ask != NONE)
            continue;
        (void)put(worker->fd, &b->ask[b->next], sizeof *b->ask);
        worker->ask = (uint32_t)b->next++;
        b->running++;
    }
}

static int take(struct batch *b, struct worker *k)
{
    struct answer a;
    if (!get(k->fd, &a, sizeof a))
        return ended(b, k);
    if (a.failed) {
        *b->st = a.st;
        return -1;
    }
    tune_store_add(b->store, &b->ask[k->ask], &a.time);
    k->ask = NONE;
    b->running--;
    return 0;
}

/* Until one answers, or the budget may be used up. */
static int await(struct batch *b)
{
    struct pollfd poll_for[MOST];
    nfds_t n = 0;
    for (uint32_t k = 0; k < b->w->n; k++)
        if (b->w->at[k].ask != NONE)
            poll_for[n++] = (struct pollfd){.fd = b->w->at[k].fd, .events = POLLIN};
    if (poll(poll_for, n, 500) < 0 && errno != EINTR)
        return base_fail(b->st, "cannot wait for a process: %s", strerror(errno));
    n = 0;
    for (uint32_t k = 0; k < b->w->n; k++)
        if (b->w->at[k].ask != NONE && poll_for[n++].revents && take(b, &b->w->at[k]))
            return -1;
    return 0;
}

static int keep(struct batch *b)
{
    if (!b->w->space->journal || now() - b->w->written < journal_every)
        return 0;
    b->w->written = now();
    return tune_journal_write(b->store, b->st);
}

int tune_workers_run(struct tune_workers *w, struct tune_store *x, const struct tune_ask *ask, size_t n,
                     struct base_status *st)
{
    struct batch b = {.w = w, .store = x, .ask = ask, .n = n, .st = st};
    for (;;) {
        give(&b);
        if (!b.running)
            break;
        if (await(&b) || keep(&b))
            return -1;
        if (w->space->progress)
            w->space->progress(w->space->arg, x->at.n, n - b.next + b.running);
        if (is_over(w))
            return 1;
    }
    return b.next < n;
}
