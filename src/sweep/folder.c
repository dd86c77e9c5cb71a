/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder: the folder beside the database with the files of runs under way. It is ours alone: a second sweep with the same
 * database is refused. What a killed one has left in it is removed.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/internal.h"

int sweep_work_open(struct sweep *x, struct base_status *st)
{
    if (mkdir(x->work, 0777) && errno != EEXIST)
        return base_fail(st, "cannot make the folder %.200s: %s", x->work, strerror(errno));
    x->lock = open(x->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (x->lock < 0)
        return base_fail(st, "%.200s: %s", x->work, strerror(errno));
    if (flock(x->lock, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) {
        close(x->lock);
        x->lock = -1;
        return base_fail(st, "%.200s is in use by another pgasim sweep", x->database);
    }
    base_folder_empty(open(x->work, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    return 0;
}

void sweep_work_close(struct sweep *x)
{
    if (x->lock < 0)
        return;
    base_remove(x->work);
    close(x->lock);
    x->lock = -1;
}
