/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table: a rank's numbers and what they lead to. Finding a free number looks at none below the lowest one
 * (Q2), so a rank that opens thousands of files does it in constant time.
 */
#include "fold/files/files.h"

#include "base/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct files_entry standard[3] = {
    {.kind = FILES_IN, .descriptor = 0, .nature = FILES_OTHER},
    {.kind = FILES_OUT, .descriptor = 1, .nature = FILES_OTHER},
    {.kind = FILES_ERR, .descriptor = 2, .nature = FILES_OTHER},
};

static struct base_table streams; /* int: the number, by the stream's address */
static struct base_table held;    /* uint64_t: writing ends of pipes, and timers, in tables, by place */
/* Timers are all one to fstat. Their places are even, as those of no file are, and above those of io.h. */
static const uint64_t first_timer = 1000;
static uint64_t timers;

struct files_table *files_create(void)
{
    struct files_table *t = base_zalloc(sizeof *t, "open files of a rank");
    if (!streams.stride) {
        base_table_init(&streams, BASE_NUMBERS, sizeof(uint64_t), "streams of ranks");
        base_table_init(&held, BASE_NUMBERS, sizeof(uint64_t), "pipes of ranks");
    }
    t->limit = files_limit();
    for (int number = 0; number < 3; number++)
        files_put(t, number, standard[number]);
    return t;
}

void files_destroy(struct files_table *t)
{
    for (size_t number = 0; number < t->room; number++)
        if (t->at[number].kind != FILES_FREE)
            files_close(t, (int)number);
    free(t->at);
    free(t);
}

const struct files_entry *files_find(const struct files_table *t, int number)
{
    const struct files_entry *at = t ? t->at : standard;
    size_t room = t ? t->room : BASE_LENGTH(standard);
    if (number >= 0 && (size_t)number < room && at[number].kind != FILES_FREE)
        return &at[number];
    errno = EBADF;
    return NULL;
}

int files_next_free(const struct files_table *t, int from)
{
    int number = from > t->lowest ? from : t->lowest;
    while ((size_t)number < t->room && t->at[number].kind != FILES_FREE)
        number++;
    if ((rlim_t)number < t->limit.rlim_cur)
        return number;
    errno = EMFILE;
    return -1;
}

int files_highest(const struct files_table *t)
{
    int number = (t ? (int)t->room : 3) - 1;
    while (t && number >= 0 && t->at[number].kind == FILES_FREE)
        number--;
    return number;
}

/* --- pipes and timers ----------------------------------------------------------------------------- */

static bool counts(const struct files_entry *e)
{
    bool pipe = e->nature == FILES_PIPE || e->nature == FILES_FIFO;
    return e->kind == FILES_OWN &&
           (e->nature == FILES_TIMER || (pipe && (fcntl(e->descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY));
}

static void count(const struct files_entry *e, int more)
{
    if (!counts(e))
        return;
    uint64_t *n = base_table_add(&held, e->place, NULL);
    *n += (uint64_t)(int64_t)more;
    if (!*n)
        base_table_remove(&held, e->place);
}

bool files_held(uint64_t place)
{
    return held.live && base_table_find(&held, place);
}

void files_examine(struct files_entry *e, enum files_nature nature)
{
    struct stat s;
    e->nature = (uint8_t)nature;
    e->place = 0;
    if (fstat(e->descriptor, &s))
        return;
    e->place =
        nature == FILES_TIMER ? first_timer + 2 * timers++ : base_hash_fold(s.st_dev * 31 + s.st_ino) | 1;
    if (nature != FILES_OTHER)
        return;
    if (S_ISREG(s.st_mode) || S_ISDIR(s.st_mode) || S_ISBLK(s.st_mode))
        e->nature = FILES_DISK;
    else if (S_ISFIFO(s.st_mode))
        e->nature = FILES_FIFO;
    else if (S_ISSOCK(s.st_mode))
        e->nature = FILES_SOCKET;
}

/* --- changing ------------------------------------------------------------------------------------- */

void files_put(struct files_table *t, int number, struct files_entry e)
{
    if ((size_t)number >= t->room) {
        size_t old = t->room;
        t->at = base_array_grow(t->at, &t->room, (size_t)number + 1, sizeof *t->at, "open files of a rank");
        memset(t->at + old, 0, (t->room - old) * sizeof *t->at);
    }
    BASE_ASSERT("Q1", t->at[number].kind == FILES_FREE);
    t->at[number] = e;
    count(&e, 1);
    while ((size_t)t->lowest < t->room && t->at[t->lowest].kind != FILES_FREE)
        t->lowest++;
}

/* A FILE whose descriptor is closed behind its back must not close who gets that descriptor next. A folder's
 * stream keeps a descriptor, of nothing, until it is closed. */
static int close_under(const struct files_entry *e, FILE *stream)
{
    if (stream->_fileno == e->descriptor)
        stream->_fileno = -1;
    return close(e->descriptor);
}

void files_forget(struct files_table *t, int number)
{
    struct files_entry e = t->at[number];
    files_detach(t, number);
    t->at[number] = (struct files_entry){0};
    if (number < t->lowest)
        t->lowest = number;
    count(&e, -1);
}

int files_close(struct files_table *t, int number)
{
    struct files_entry e = t->at[number];
    files_forget(t, number);
    if (e.kind != FILES_OWN)
        return 0;
    if (e.stream && e.folder)
        return dup3(files_nothing(), e.descriptor, O_CLOEXEC) < 0 ? -1 : 0;
    return e.stream ? close_under(&e, e.stream) : close(e.descriptor);
}

void files_mark(struct files_table *t, int number, bool on_exec)
{
    t->at[number].on_exec = on_exec;
}

/* --- streams -------------------------------------------------------------------------------------- */

void files_attach(struct files_table *t, int number, void *stream, bool folder)
{
    t->at[number].stream = stream;
    t->at[number].folder = folder;
    *(int64_t *)base_table_add(&streams, (uintptr_t)stream, NULL) = number;
}

int files_of_stream(const void *stream)
{
    const int64_t *number = streams.live ? base_table_find(&streams, (uintptr_t)stream) : NULL;
    return number ? (int)*number : -1;
}

void files_detach(struct files_table *t, int number)
{
    if (t->at[number].stream)
        base_table_remove(&streams, (uintptr_t)t->at[number].stream);
    t->at[number].stream = NULL;
}
