/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder: a run's calls and computations as a trace (docs/replay.md, "calls"): a line for each, in the order in
 * which they are over. In a file, lines of a rank that repeat become loops, so that it grows with what its program does,
 * not with how often.
 */
#include "mpi/mpi_front.h"
#include "replay/player.h"
#include "replay/replay.h"
#include "replay/tape/tape.h"
#include "replay/write/write.h"
#include "riscv/riscv.h"
#include "rma/rma.h"
#include "shmem/shmem_front.h"
#include "storage/storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"

struct replay_recorder {
    struct replay_output *out; /* NULL: none */
    struct trace *trace;       /* NULL: none */
    struct replay_fold **fold; /* of each rank with lines for `out`; NULL: there are too many ranks */
    struct base_table others;  /* rank and thread -> struct replay_fold *: further threads, started ranks */
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

static struct replay_fold **fold_of(struct replay_recorder *x, uint32_t rank, uint32_t thread)
{
    if (!thread && rank < x->ranks)
        return &x->fold[rank];
    return base_table_add(&x->others, (uint64_t)rank << 32 | thread, NULL);
}

static void each_fold(struct replay_recorder *x, void (*fn)(struct replay_fold *f))
{
    uint32_t at = 0;
    struct replay_fold **fold;
    for (uint32_t k = 0; x->fold && k < x->ranks; k++) {
        fn(x->fold[k]);
        x->fold[k] = NULL;
    }
    while ((fold = base_table_next(&x->others, &at))) {
        fn(*fold);
        *fold = NULL;
    }
}

/* Who the line is of; returns its length. */
static size_t put_thread(struct replay_recorder *x, uint32_t rank, uint32_t thread)
{
    return thread ? (size_t)snprintf(x->line, x->size, "%" PRIu32 ".%" PRIu32, rank, thread + 1)
                  : (size_t)snprintf(x->line, x->size, "%" PRIu32, rank);
}

static size_t put_who(struct replay_recorder *x, const struct rank *r)
{
    return put_thread(x, r->id, rank_thread_number(r));
}

static void put_line_of(struct replay_recorder *x, uint32_t rank, uint32_t thread, size_t n)
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
    struct replay_fold **fold = fold_of(x, rank, thread);
    if (!*fold) {
        char who[24];
        snprintf(who, sizeof who, "%.*s", (int)strcspn(x->line, " "), x->line);
        *fold = replay_fold_create(who, x->window, put, x);
    }
    replay_fold_line(*fold, x->line, n);
}

static void put_line(struct replay_recorder *x, const struct rank *r, size_t n)
{
    put_line_of(x, r->id, rank_thread_number(r), n);
}

static void put_head(struct replay_recorder *x, uint32_t ranks, bool starts)
{
    size_t n = (size_t)snprintf(x->line, x->size, REPLAY_CALLS_HEAD " %" PRIu32 "%s\n", ranks,
                                starts ? ", " REPLAY_CALLS_OTHERS : "");
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

/* No operation on a window comes before the call that makes it is over. */
static bool makes_window(uint32_t function)
{
    return function == RECORD_MPI_WIN_ALLOCATE || function == RECORD_MPI_WIN_ALLOCATE_SHARED ||
           function == RECORD_MPI_WIN_CREATE || function == RECORD_MPI_WIN_CREATE_DYNAMIC;
}

static void call(void *arg, struct rank *r, uint32_t function, const struct record_words *words)
{
    struct replay_recorder *x = arg;
    x->calls++;
    if (makes_window(function))
        rma_causes_record(r->job);
    const struct record_function *f = record_function_of(function);
    size_t head = put_who(x, r);
    head += (size_t)snprintf(x->line + head, x->size - head, " %s", f->name);
    size_t n = record_print(f, words->at, words->n, x->line + head, x->size - head - 1);
    if (head + n >= x->size) {
        make_room(x, head + n);
        record_print(f, words->at, words->n, x->line + head, x->size - head - 1);
    }
    put_line(x, r, head + n);
}

static void source(void *arg, uint32_t rank, uint32_t thread, struct mpi_source from)
{
    struct replay_recorder *x = arg;
    size_t n = put_thread(x, rank, thread);
    n += (size_t)snprintf(x->line + n, x->size - n, " source");
    if (from.source >= 0)
        n += (size_t)snprintf(x->line + n, x->size - n, " %d %d", from.source, from.tag);
    put_line_of(x, rank, thread, n);
}

static void spent(void *arg, struct rank *r, enum rank_spent how, double amount)
{
    struct replay_recorder *x = arg;
    size_t n = put_who(x, r);
    if (how == RANK_MOVED)
        n += (size_t)snprintf(x->line + n, x->size - n, " moves %.0f", amount);
    else if (how == RANK_COPIED)
        n += (size_t)snprintf(x->line + n, x->size - n, " moves 0 %.0f", amount);
    else
        n += (size_t)snprintf(x->line + n, x->size - n, " %s %.17g", how == RANK_SLEPT ? "sleep" : "compute",
                              amount);
    put_line(x, r, n);
}

/* Hosts are named by ranks, as the replay's platform has others. */
static void pstate(void *arg, struct rank *r, uint32_t host, uint32_t number)
{
    static const char key[] = "record/pstate";
    struct replay_recorder *x = arg;
    size_t n = put_who(x, r);
    n += (size_t)snprintf(x->line + n, x->size - n, " pstate %" PRIu32, number);
    uint32_t k = 0;
    while (host != r->host && k < rank_count(r->job) && rank_at(r->job, k)->host != host)
        k++;
    if (host != r->host && k == rank_count(r->job)) {
        if (!base_warn_again(key))
            base_warn(key,
                      "rank %" PRIu32
                      " changes the pstate of host %s, which has no rank: the trace cannot say it",
                      r->id, platform_host(fabric_platform(rank_fabric(r->job)), host)->name);
        return;
    }
    if (host != r->host)
        n += (size_t)snprintf(x->line + n, x->size - n, " %" PRIu32, k);
    put_line(x, r, n);
}

/* The other thread: its number, or that of its rank before it. */
static size_t put_other(const struct replay_recorder *x, size_t n, const struct rank *r,
                        const struct rank_threaded *t)
{
    if (t->rank == r->id)
        return (size_t)snprintf(x->line + n, x->size - n, " %" PRIu32, t->thread);
    return (size_t)snprintf(x->line + n, x->size - n, " %" PRIu32 ".%" PRIu32, t->rank, t->thread);
}

static void threaded(void *arg, struct rank *r, const struct rank_threaded *t)
{
    static const char *const names[] = {
        [RANK_THREAD_MADE] = "thread_create",      [RANK_THREAD_JOINED] = "thread_join",
        [RANK_THREAD_ENDED] = "thread_end",        [RANK_THREAD_EXITED] = "thread_exit",
        [RANK_THREAD_CALLED] = "thread_calls",     [RANK_THREAD_WOKE] = "thread_wake",
        [RANK_THREAD_WAITED] = "thread_wait",      [RANK_THREAD_LAST] = "thread_last",
        [RANK_THREAD_TIMED_OUT] = "thread_timeout"};
    struct replay_recorder *x = arg;
    size_t n = put_who(x, r);
    n += (size_t)snprintf(x->line + n, x->size - n, " %s", names[t->what]);
    if (t->thread)
        n += put_other(x, n, r, t);
    if (t->what == RANK_THREAD_WOKE && t->early)
        n += (size_t)snprintf(x->line + n, x->size - n, " early");
    if (t->what == RANK_THREAD_WAITED && t->how != RANK_WAKING_PARKED)
        n += (size_t)snprintf(x->line + n, x->size - n, " %s", replay_waking_name(t->how));
    if (t->what == RANK_THREAD_CALLED)
        n += (size_t)snprintf(x->line + n, x->size - n, " %" PRIu32, t->n);
    if (t->what == RANK_THREAD_TIMED_OUT)
        n += (size_t)snprintf(x->line + n, x->size - n, " %.17g", t->seconds);
    put_line(x, r, n);
}

/* The words are in the order of the parameters in record/posix.def. */
static void asked(void *arg, struct rank *r, const struct storage_noted *t)
{
    static const struct {
        uint32_t function;
        bool file, path, to, offset, bytes;
    } lines[] = {
        [STORAGE_NOTES_OPEN] = {RECORD_POSIX_OPEN, true, true, false, false, true},
        [STORAGE_NOTES_RESIZE] = {RECORD_POSIX_RESIZE, true, false, false, false, true},
        [STORAGE_NOTES_READ] = {RECORD_POSIX_READ, true, false, false, true, true},
        [STORAGE_NOTES_WRITE] = {RECORD_POSIX_WRITE, true, false, false, true, true},
        [STORAGE_NOTES_SYNC] = {RECORD_POSIX_SYNC, true, false, false, false, false},
        [STORAGE_NOTES_LOOKUP] = {RECORD_POSIX_LOOKUP, false, true, false, false, false},
        [STORAGE_NOTES_CHANGE] = {RECORD_POSIX_CHANGE, false, true, false, false, false},
        [STORAGE_NOTES_REMOVE] = {RECORD_POSIX_REMOVE, false, true, false, false, true},
        [STORAGE_NOTES_TRUNCATE] = {RECORD_POSIX_TRUNCATE, false, true, false, true, true},
        [STORAGE_NOTES_RENAME] = {RECORD_POSIX_RENAME, false, true, true, false, true},
        [STORAGE_NOTES_LINK] = {RECORD_POSIX_LINK, false, true, true, false, true},
    };
    struct record_words w = {0};
    if (lines[t->what].file)
        record_push(&w, t->file);
    if (lines[t->what].path)
        record_push_text(&w, t->path);
    if (lines[t->what].to)
        record_push_text(&w, t->to);
    if (lines[t->what].offset)
        record_push(&w, t->offset);
    if (lines[t->what].bytes)
        record_push(&w, t->bytes);
    call(arg, r, lines[t->what].function, &w);
    record_words_release(&w);
}

/* What nobody is known to have written, a poll has waited for as long as it did. */
static void polled(void *arg, struct rank *r, const uintptr_t *word, size_t n, double begin, bool last)
{
    static const char key[] = "record/poll";
    struct record_words w = {0};
    bool known = replay_polled_causes(r, word, n, &w);
    if (!known)
        rank_waited_outside(r, begin, last);
    call(arg, r, RECORD_SHMEM_POLLED, &w);
    if (!known && !base_warn_again(key))
        base_warn(key,
                  "rank %" PRIu32
                  " has polled memory without a call, which no operation has written: the trace cannot say "
                  "what ended that, and its replay will wait there for as long as this run",
                  r->id);
    record_words_release(&w);
}

struct replay_recorder *replay_recorder_open(const char *path, struct trace *trace, uint32_t ranks,
                                             bool starts, struct base_status *st)
{
    struct replay_output *out = path ? replay_output_open(path, st) : NULL;
    if (path && !out)
        return NULL;
    struct replay_recorder *x = base_zalloc(sizeof *x, "a recorder");
    x->out = out;
    x->trace = trace;
    x->path = path;
    make_room(x, 1024);
    base_table_init(&x->others, BASE_NUMBERS, sizeof(struct replay_fold *), "lines of a trace");
    begin_folding(x, ranks);
    put_head(x, ranks, starts);
    mpi_record(call, x);
    mpi_record_sources(source, x);
    shmem_record(call, x);
    riscv_record(call, x);
    rank_on_spent(spent, x);
    rank_on_pstate(pstate, x);
    rank_on_polled(polled, x);
    rank_on_threaded(threaded, x);
    storage_on_noted(asked, x);
    return x;
}

static void stop(struct replay_recorder *x)
{
    mpi_record(NULL, NULL);
    mpi_record_sources(NULL, NULL);
    shmem_record(NULL, NULL);
    riscv_record(NULL, NULL);
    rank_on_spent(NULL, NULL);
    rank_on_pstate(NULL, NULL);
    rank_on_polled(NULL, NULL);
    rank_on_threaded(NULL, NULL);
    storage_on_noted(NULL, NULL);
    each_fold(x, replay_fold_discard);
    base_table_release(&x->others);
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
                  "%s: no call of MPI or OpenSHMEM was recorded; those of other libraries are not", x->path);
    mpi_record_sources(NULL, NULL);
    each_fold(x, replay_fold_close);
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
