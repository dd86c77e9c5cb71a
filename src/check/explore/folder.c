/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder: the exploration's temporary folder, where children write their output, and its signals. Those that
 * would end us, and those of children's ends, are blocked, and taken where we wait: so nothing is interrupted
 * half-way, and the folder is removed at every end.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "check/explore/parts.h"

double explore_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool explore_over(const struct explore *x)
{
    return x->interrupt || explore_seconds() >= x->deadline;
}

/* --- files ------------------------------------------------------------------------------------------- */

char *explore_path(const struct explore *x, uint32_t number, const char *what)
{
    return base_strfmt("%s/%u.%s", x->folder, number, what);
}

void explore_run_forget(struct explore *x, const struct explore_run *r)
{
    static const char *const names[] = {"out", "err", "decisions", "points", "findings", "memory"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        char *path = explore_path(x, r->number, names[k]);
        unlink(path);
        free(path);
    }
}

/* The children's own temporary files lie in it, too: those of a child that is killed would stay. */
static int make_folder(struct explore *x, struct base_status *st)
{
    const char *place = getenv("TMPDIR");
    char *name = base_strfmt("%s/pgasim-check-XXXXXX", place && *place ? place : "/tmp");
    x->folder = mkdtemp(name) ? realpath(name, NULL) : NULL; /* ranks may run in other folders */
    if (!x->folder)
        base_fail(st, "cannot make a temporary folder, %s: %s", name, strerror(errno));
    free(name);
    return x->folder ? 0 : -1;
}

int explore_open(struct explore *x, const struct explore_request *q, struct base_status *st)
{
    *x = (struct explore){.request = q, .began = explore_seconds()};
    x->deadline = q->time > 0 ? x->began + q->time : INFINITY;
    base_signals_block(&x->signals);
    if (!make_folder(x, st)) {
        explore_memory_init(&x->plain.memory);
        return 0;
    }
    base_signals_restore(&x->signals);
    return -1;
}

void explore_close(struct explore *x)
{
    base_folder_empty(open(x->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    rmdir(x->folder);
    free(x->folder);
    explore_lines_release(&x->plain.out);
    explore_memory_release(&x->plain.memory);
    if (x->interrupt) {
        base_info("ended by SIG%s", sigabbrev_np(x->interrupt));
        (void)signal(x->interrupt, SIG_DFL);
        (void)raise(x->interrupt);
    }
    base_signals_restore(&x->signals); /* where such a signal ends us */
}
