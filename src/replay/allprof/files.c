/* SPDX-License-Identifier: BSD-3-Clause */
/* files: a file for each rank, whose name ends with the rank's number and a suffix. */
#include "replay/allprof/line.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

static int read_named(struct replay_tape *t, const struct replay_numbered *names, uint32_t rank,
                      uint32_t ranks, struct base_status *st)
{
    char *name = replay_numbered_name(names, rank);
    struct replay_input *in = replay_input_open(name, st);
    int rc = in ? read_file(t, in, rank, ranks, st) : -1;
    replay_input_close(in);
    free(name);
    return rc;
}

int replay_allprof_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks,
                        struct base_status *st)
{
    struct replay_numbered names;
    if (replay_numbered_find(&names, replay_input_path(in), st))
        return -1;
    uint32_t n = replay_numbered_count(&names);
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
