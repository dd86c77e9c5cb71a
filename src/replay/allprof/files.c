/* SPDX-License-Identifier: BSD-3-Clause */
/* files: a file for each rank, whose name ends with the rank's number and a suffix. */
#include "replay/allprof/line.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line that is no comment begins with "MPI_" and has a colon behind the name. */
bool replay_allprof_is(const char *head, size_t n)
{
    for (const char *p = head, *end; (size_t)(p - head) < n; p = end + 1) {
        size_t left = n - (size_t)(p - head);
        end = memchr(p, '\n', left);
        size_t length = end ? (size_t)(end - p) : left;
        if (length && *p != '#' && *p != '\r') {
            size_t name = 0;
            while (name < length && (isalnum((unsigned char)p[name]) || p[name] == '_'))
                name++;
            return length > 4 && !strncmp(p, "MPI_", 4) && name < length && p[name] == ':';
        }
        if (!end)
            return false;
    }
    return false;
}

/* --- names ------------------------------------------------------------------------------------------- */

struct names {
    const char *path;
    int before; /* bytes before the number */
    int digits;
    const char *behind;
};

/* Finds the last number of a file's name, which is the rank's: 0. */
static int find_number(struct names *x, const char *path, struct base_status *st)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *at = path + strlen(path);
    while (at > name && !isdigit((unsigned char)at[-1]))
        at--;
    x->path = path;
    x->behind = at;
    while (at > name && isdigit((unsigned char)at[-1]))
        at--;
    x->before = (int)(at - path);
    x->digits = (int)(x->behind - at);
    if (!x->digits || strtoul(at, NULL, 10))
        return base_fail(
            st,
            "%s: expected the file of rank 0, whose name has the number 0 where the other ranks' files "
            "have theirs",
            path);
    return 0;
}

static char *name_of(const struct names *x, uint32_t rank)
{
    return base_strfmt("%.*s%0*" PRIu32 "%s", x->before, x->path, x->digits, rank, x->behind);
}

static uint32_t count_files(const struct names *x)
{
    enum { MOST = 1 << 22 };
    uint32_t n = 1;
    for (bool there = true; there && n < MOST;) {
        char *name = name_of(x, n);
        there = !access(name, F_OK);
        n += there;
        free(name);
    }
    return n;
}

/* --- reading ------------------------------------------------------------------------------------------ */

static int read_file(struct replay_tape *t, struct replay_input *in, uint32_t rank, uint32_t ranks,
                     struct base_status *st)
{
    struct replay_allprof_rank x;
    struct base_status why;
    char *line;
    int got;
    replay_allprof_begin(&x, t, rank, ranks);
    while ((got = replay_input_line(in, &line, st)) > 0) {
        x.line = replay_input_line_number(in);
        if (replay_allprof_line(&x, line, &why)) {
            got = base_fail(st, "%s:%" PRIu32 ": %.400s", replay_input_path(in), x.line, why.text);
            break;
        }
    }
    replay_allprof_end(&x);
    return got;
}

static int read_named(struct replay_tape *t, const struct names *names, uint32_t rank, uint32_t ranks,
                      struct base_status *st)
{
    char *name = name_of(names, rank);
    struct replay_input *in = replay_input_open(name, st);
    int rc = in ? read_file(t, in, rank, ranks, st) : -1;
    replay_input_close(in);
    free(name);
    return rc;
}

int replay_allprof_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks,
                        struct base_status *st)
{
    struct names names;
    if (find_number(&names, replay_input_path(in), st))
        return -1;
    uint32_t n = count_files(&names);
    if (ranks && ranks != n)
        return base_fail(
            st, "%s: there are files of %" PRIu32 " ranks; expected %" PRIu32 ", the number of ranks",
            names.path, n, ranks);
    replay_tape_ranks_least(t, n);
    int rc = read_file(t, in, 0, n, st);
    for (uint32_t rank = 1; rank < n && !rc; rank++)
        rc = read_named(t, &names, rank, n, st);
    return rc;
}
