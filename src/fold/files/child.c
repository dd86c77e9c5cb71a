/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child: a forked child of a rank becomes a plain process whose descriptors are the rank's numbers. What
 * libc and the simulator opened for themselves stays where it is; the simulator's is closed by exec.
 */
#include "fold/files/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* First every file gets a descriptor above all numbers, so that none is overwritten before it is moved. */
static void lift(struct files_table *t, int above, bool first)
{
    for (size_t number = 0; number < t->room; number++) {
        struct files_entry *e = &t->at[number];
        if (e->kind == FILES_FREE || (e->kind == FILES_OWN && e->descriptor >= above))
            continue;
        int from = e->kind == FILES_IN && !first ? files_nothing() : e->descriptor;
        int to = fcntl(from, F_DUPFD_CLOEXEC, above);
        if (e->kind == FILES_OWN && !e->folder)
            close(from);
        if (e->stream && !e->folder && ((FILE *)e->stream)->_fileno == from)
            ((FILE *)e->stream)->_fileno = to;
        e->descriptor = to;
    }
}

static void lower(struct files_entry *e, int number)
{
    if (e->descriptor < 0)
        return;
    dup3(e->descriptor, number, e->on_exec ? O_CLOEXEC : 0);
    if (e->folder) /* its stream knows no other descriptor */
        return;
    FILE *stream = e->stream;
    if (stream && stream->_fileno == e->descriptor)
        stream->_fileno = number;
    close(e->descriptor);
}

void files_become(struct files_table *t, bool first)
{
    struct rlimit limit = t ? t->limit : files_limit();
    if (!t && !first)
        dup2(files_nothing(), 0);
    if (t) {
        lift(t, files_highest(t) + 1, first);
        for (int number = 0; number < 3; number++)
            if (!files_find(t, number))
                close(number);
        for (size_t number = 0; number < t->room; number++)
            if (t->at[number].kind != FILES_FREE)
                lower(&t->at[number], (int)number);
    }
    setrlimit(RLIMIT_NOFILE, &limit);
}
