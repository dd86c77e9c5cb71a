/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * folder: DIRs of a rank. A folder's stream keeps its descriptor to itself; the rank knows it by a number.
 * The folder of a process's own descriptors lists the rank's numbers.
 */
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A folder that lists numbers. There are few at a time. */
struct listing {
    struct listing *next;
    DIR *folder;
    int number; /* the next one to be listed; -2, -1: "." and ".." */
    struct dirent entry;
};
static struct listing *listings;

static struct listing *listing_of(const DIR *d)
{
    struct listing *l = listings;
    while (l && l->folder != d)
        l = l->next;
    return l;
}

static void begin_listing(DIR *d)
{
    struct listing *l = base_zalloc(sizeof *l, "a listing of open files");
    *l = (struct listing){.next = listings, .folder = d, .number = -2};
    listings = l;
}

static void end_listing(const DIR *d)
{
    for (struct listing **at = &listings; *at; at = &(*at)->next)
        if ((*at)->folder == d) {
            struct listing *l = *at;
            *at = l->next;
            free(l);
            return;
        }
}

/* Is it the folder of this process's descriptors, by whatever name it was opened? */
static bool lists_descriptors(int descriptor)
{
    char own[32], path[64], leads_to[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ssize_t n = readlink(path, leads_to, sizeof leads_to - 1);
    if (n < 3)
        return false;
    leads_to[n] = 0;
    snprintf(own, sizeof own, "/proc/%d/", (int)getpid());
    return !strncmp(leads_to, own, strlen(own)) && !strcmp(leads_to + n - 3, "/fd");
}

DIR *in_rank_fdopendir(int number)
{
    struct rank *r = rank_current;
    if (!r)
        return fdopendir(number);
    const struct files_entry *e = io_entry(r, number);
    DIR *d = e ? fdopendir(e->descriptor) : NULL;
    if (!d)
        return NULL;
    files_mark(io_table(r), number, true);
    files_attach(io_table(r), number, d, true);
    if (lists_descriptors(e->descriptor))
        begin_listing(d);
    return d;
}

DIR *in_rank_opendir(const char *path)
{
    if (!rank_current)
        return opendir(path);
    int number = in_rank_open(path, O_RDONLY | O_NONBLOCK | O_DIRECTORY | O_CLOEXEC);
    DIR *d = number < 0 ? NULL : in_rank_fdopendir(number);
    if (number >= 0 && !d)
        in_rank_close(number);
    return d;
}

int in_rank_closedir(DIR *d)
{
    int number = rank_current ? files_of_stream(d) : -1;
    end_listing(d);
    if (number >= 0)
        files_forget(io_table(rank_current), number);
    return closedir(d);
}

int in_rank_dirfd(DIR *d)
{
    int number = rank_current ? files_of_stream(d) : -1;
    return number >= 0 ? number : dirfd(d);
}

/* --- reading a listing ------------------------------------------------------------------------------ */

static struct dirent *next_listed(struct rank *r, struct listing *l)
{
    const struct files_table *t = fold_part(r)->files;
    int error = errno;
    while (l->number >= 0 && l->number <= files_highest(t) && !files_find(t, l->number))
        l->number++;
    errno = error;
    if (l->number > files_highest(t))
        return NULL;
    l->entry = (struct dirent){.d_ino = (ino_t)(l->number + 3), .d_off = l->number + 3};
    l->entry.d_reclen = sizeof l->entry;
    l->entry.d_type = l->number < 0 ? DT_DIR : DT_LNK;
    if (l->number < 0)
        snprintf(l->entry.d_name, sizeof l->entry.d_name, "%s", l->number == -2 ? "." : "..");
    else
        snprintf(l->entry.d_name, sizeof l->entry.d_name, "%d", l->number);
    l->number++;
    return &l->entry;
}

struct dirent *in_rank_readdir(DIR *d)
{
    struct listing *l = rank_current ? listing_of(d) : NULL;
    return l ? next_listed(rank_current, l) : readdir(d);
}

void in_rank_rewinddir(DIR *d)
{
    struct listing *l = listing_of(d);
    if (l)
        l->number = -2;
    rewinddir(d);
}

long in_rank_telldir(DIR *d)
{
    const struct listing *l = listing_of(d);
    return l ? l->number + 2 : telldir(d);
}

void in_rank_seekdir(DIR *d, long at)
{
    struct listing *l = listing_of(d);
    if (l)
        l->number = (int)at - 2;
    else
        seekdir(d, at);
}
