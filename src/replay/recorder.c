/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder: a run's calls and computations as a trace (docs/replay.md, "calls"): a line for each, in the order in
 * which they are over. In a file, lines of a rank that repeat become loops, so that it grows with what its program does,
 * not with how often.
 */
#include "mpi/mpi_front.h"
#include "replay/replay.h"
#include "replay/write/write.h"
#include "shmem/shmem_front.h"

#include <inttypes.h>
#include <stdlib.h>

struct replay_recorder {
    struct replay_output *out; /* NULL: none */
    struct trace *trace;       /* NULL: none */
    struct replay_fold **fold; /* of each rank with lines for `out`; NULL: there are too many ranks */
    uint32_t ranks;
    size_t window;
    const char *path;
    uint64_t calls;
    char *line;
    size_t size;
};

/* Items that all ranks keep together, and one rank at most. With less than LEAST there is little to find. */
enum { KEPT = 1 << 20, MOST = 512, LEAST = 8 };

static void begin_folding(struct replay_recorder *x, uint32_t ranks)
{
    x->ranks = ranks;
    x->window = ranks && KEPT / ranks < MOST ? KEPT / ranks : MOST;
    if (x->window >= LEAST)
        x->fold = base_zalloc(ranks * sizeof(struct replay_fold *), "lines of a trace");
}

static void put(void *ctx, const char *text, size_t n)
{
    struct replay_recorder *x = ctx;
    replay_output_put(x->out, text, n);
}

static void put_line(struct replay_recorder *x, const struct rank *r, size_t n)
{
    x->line[n++] = '\n';
    if (x->trace)
        trace_record(x->trace, x->line, n);
    if (!x->out)
        return;
    if (!x->fold) {
        put(x, x->line, n);
        return;
    }
    if (!x->fold[r->id])
        x->fold[r->id] = replay_fold_create(r->id, x->window, put, x);
    replay_fold_line(x->fold[r->id], x->line, n);
}

static void put_head(struct replay_recorder *x, uint32_t ranks)
{
    size_t n = (size_t)snprintf(x->line, x->size, REPLAY_CALLS_HEAD " %" PRIu32 "\n", ranks);
    if (x->trace)
        trace_record(x->trace, x->line, n);
    if (x->out)
        put(x, x->line, n);
}

/* At least `n` bytes more than `head`, and one for the line's end. */
static void make_room(struct replay_recorder *x, size_t n)
{
    if (n < x->size)
        return;
    x->size = 2 * n + 1;
    x->line = base_realloc(x->line, x->size, "a line of a trace");
}

static void call(void *arg, struct rank *r, uint32_t function, const struct record_words *words)
{
    struct replay_recorder *x = arg;
    x->calls++;
    const struct record_function *f = record_function_of(function);
    size_t head = (size_t)snprintf(x->line, x->size, "%" PRIu32 " %s", r->id, f->name);
    size_t n = record_print(f, words->at, words->n, x->line + head, x->size - head - 1);
    if (head + n >= x->size) {
        make_room(x, head + n);
        record_print(f, words->at, words->n, x->line + head, x->size - head - 1);
    }
    put_line(x, r, head + n);
}

static void spent(void *arg, struct rank *r, enum rank_spent how, double amount)
{
    struct replay_recorder *x = arg;
    put_line(x, r,
             (size_t)snprintf(x->line, x->size, "%" PRIu32 " %s %.17g", r->id,
                              how == RANK_SLEPT ? "sleep" : "compute", amount));
}

static void polled(void *arg, struct rank *r, const uintptr_t *word, size_t n)
{
    static const char key[] = "record/poll";
    (void)arg;
    if (!shmem_record_polled(r, word, n) && !base_warn_again(key))
        base_warn(key,
                  "rank %" PRIu32 " has polled memory without a call, and is no PE of OpenSHMEM: the trace cannot say what "
                  "ended that, and its replay will not wait there",
                  r->id);
}

struct replay_recorder *replay_recorder_open(const char *path, struct trace *trace, uint32_t ranks,
                                             struct base_status *st)
{
    struct replay_output *out = path ? replay_output_open(path, st) : NULL;
    if (path && !out)
        return NULL;
    struct replay_recorder *x = base_zalloc(sizeof *x, "a recorder");
    x->out = out;
    x->trace = trace;
    x->path = path;
    make_room(x, 1024);
    begin_folding(x, ranks);
    put_head(x, ranks);
    mpi_record(call, x);
    shmem_record(call, x);
    rank_on_spent(spent, x);
    rank_on_polled(polled, x);
    return x;
}

static void stop(struct replay_recorder *x)
{
    mpi_record(NULL, NULL);
    shmem_record(NULL, NULL);
    rank_on_spent(NULL, NULL);
    rank_on_polled(NULL, NULL);
    for (uint32_t k = 0; x->fold && k < x->ranks; k++)
        replay_fold_discard(x->fold[k]);
    free(x->fold);
    free(x->line);
    free(x);
}

int replay_recorder_close(struct replay_recorder *x, struct base_status *st)
{
    if (!x)
        return 0;
    if (x->out && !x->calls)
        base_warn("record/no-calls",
                  "%s: no call of MPI or OpenSHMEM was recorded; those of other libraries are not",
                  x->path);
    for (uint32_t k = 0; x->fold && k < x->ranks; k++) {
        replay_fold_close(x->fold[k]);
        x->fold[k] = NULL;
    }
    int rc = x->out ? replay_output_close(x->out, st) : 0;
    stop(x);
    return rc;
}

void replay_recorder_discard(struct replay_recorder *x)
{
    if (!x)
        return;
    if (x->out)
        replay_output_discard(x->out);
    stop(x);
}
