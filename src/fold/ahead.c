/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ahead: native programs whose ranks run ahead of their turns (rank/ahead.c). Says why a program cannot, and
 * exchanges what ranks of one thread must not share besides errno. The gates that stop code that is ahead are
 * in ahead/gates.c.
 */
#include <stdlib.h>
#include <string.h>

#include "fold/poll/poll.h"
#include "fold/thread/thread.h"

static RANK_THREAD uint64_t *exception; /* the thread's; NULL: no C++ */

static const char *refusal(const struct rank_job *job)
{
    const struct images *im = &fold_of_job(job)->program[0].images;
    return im->gated ? NULL : im->alone;
}

static bool begin(struct rank_job *ranks)
{
    struct fold_job *job = fold_of_job(ranks);
    if (thread_system_openmp()) { /* a system library loaded it */
        base_info("--jobs: the ranks run one at a time: a library uses OpenMP");
        return false;
    }
    job->exceptions = base_zalloc(job->ranks * sizeof *job->exceptions, "running ahead");
    libc_ahead_begin();
    return true;
}

static void thread_begins(void)
{
    exception = libc_cxx_exception_here();
    poll_thread_begin();
}

static void change(struct rank *from, struct rank *to)
{
    if (exception && from)
        memcpy(fold_of(from)->exceptions[from->id], exception, sizeof *fold_of(from)->exceptions);
    if (exception && to)
        memcpy(exception, fold_of(to)->exceptions[to->id], sizeof *fold_of(to)->exceptions);
}

const struct rank_ahead_hooks fold_ahead_hooks = {refusal, begin, thread_begins, change};
