/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * files: a file for each rank, "prefix-0000.bin", and a text beside them, "prefix.meta", with lines "key=value". The text
 * has the number of ranks, and the prefix, which is of use only where the files were written.
 */
#include "replay/dumpi/reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_binary(const char *head, size_t n)
{
    static const unsigned char magic[] = {0xff, 0xaa, 0xdd, 'D', 'U', 'M', 'P', 'I'};
    return n >= sizeof magic && !memcmp(head, magic, sizeof magic);
}

/* The lines are keys and values, and the two that count are among them. */
static bool is_text(const char *head, size_t n)
{
    bool procs = false, prefix = false;
    for (const char *at = head, *end; (size_t)(at - head) < n; at = end + 1) {
        size_t left = n - (size_t)(at - head);
        end = memchr(at, '\n', left);
        size_t length = end ? (size_t)(end - at) : left;
        if (length && !memchr(at, '=', length))
            return false;
        procs |= length > 9 && !memcmp(at, "numprocs=", 9);
        prefix |= length > 11 && !memcmp(at, "fileprefix=", 11);
        if (!end)
            break;
    }
    return procs && prefix;
}

bool replay_dumpi_is(const char *head, size_t n)
{
    return is_binary(head, n) || is_text(head, n);
}

/* --- the text -------------------------------------------------------------------------------------------------- */

struct text {
    uint32_t ranks;
    char *prefix;
};

static int read_ranks(const struct replay_input *in, const char *value, uint32_t *ranks,
                      struct base_status *st)
{
    enum { MOST = 1 << 22 };
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (end == value || *end || *value == '-' || !n || n > MOST)
        return base_fail(st, "%s:%" PRIu32 ": numprocs=%.60s; expected a number from 1 to %d",
                         replay_input_path(in), replay_input_line_number(in), value, MOST);
    *ranks = (uint32_t)n;
    return 0;
}

static int read_text(struct replay_input *in, struct text *out, struct base_status *st)
{
    char *line;
    int got;
    while ((got = replay_input_line(in, &line, st)) > 0) {
        char *value = strchr(line, '=');
        if (!value)
            continue;
        *value++ = '\0';
        if (!strcmp(line, "numprocs") && read_ranks(in, value, &out->ranks, st))
            return -1;
        if (!strcmp(line, "fileprefix")) {
            free(out->prefix);
            out->prefix = base_strdup(value);
        }
    }
    if (got == 0 && (!out->ranks || !out->prefix))
        return base_fail(st, "%s: expected the lines numprocs= and fileprefix=", replay_input_path(in));
    return got;
}

/* The file of rank 0 with this beginning, compressed or not; NULL: there is none. */
static char *first_file(const char *folder, int folder_length, const char *prefix, int length)
{
    static const char *const ends[] = {"", ".gz", ".zst"};
    for (size_t k = 0; k < BASE_LENGTH(ends); k++) {
        char *name = base_strfmt("%.*s%.*s-0000.bin%s", folder_length, folder, length, prefix, ends[k]);
        if (!access(name, F_OK))
            return name;
        free(name);
    }
    return NULL;
}

/* Beside the text, by its own name or by the one that it says. */
static char *find_first(const char *path, const char *prefix, struct base_status *st)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *meta = strstr(name, ".meta");
    int folder = (int)(name - path);
    char *found = meta ? first_file(path, folder, name, (int)(meta - name)) : NULL;
    slash = strrchr(prefix, '/');
    const char *last = slash ? slash + 1 : prefix;
    if (!found)
        found = first_file(path, folder, last, (int)strlen(last));
    if (!found)
        base_fail(st, "%s: expected the file of rank 0 beside it: %.200s-0000.bin", path, last);
    return found;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

static int read_files(struct replay_tape *t, const struct replay_numbered *names, uint32_t n,
                      struct base_status *st)
{
    struct replay_dumpi_layouts *layouts = base_zalloc(sizeof *layouts, "layouts of calls");
    int64_t base = 0;
    int rc = 0;
    replay_dumpi_layouts(layouts, 0);
    replay_tape_ranks_least(t, n);
    for (uint32_t rank = 0; rank < n && !rc; rank++) {
        char *name = replay_numbered_name(names, rank);
        rc = replay_dumpi_file(t, name, rank, n, &base, layouts, st);
        free(name);
    }
    free(layouts);
    return rc;
}

int replay_dumpi_read(struct replay_tape *t, struct replay_input *in, uint32_t ranks, struct base_status *st)
{
    const char *path = replay_input_path(in);
    struct text text = {.ranks = 0};
    struct replay_numbered names;
    size_t head;
    const char *bytes = (const char *)replay_input_peek(in, &head, st);
    char *first = NULL;
    int rc = bytes ? 0 : -1;
    if (!rc && is_text(bytes, head)) {
        rc = read_text(in, &text, st);
        first = rc ? NULL : find_first(path, text.prefix, st);
        rc = first ? 0 : -1;
    }
    rc = rc ? rc : replay_numbered_find(&names, first ? first : path, st);
    uint32_t n = rc ? 0 : text.ranks ? text.ranks : replay_numbered_count(&names);
    if (!rc && ranks && ranks != n)
        rc = base_fail(st, "%s: there are %" PRIu32 " ranks; expected %" PRIu32 ", the number of ranks", path,
                       n, ranks);
    rc = rc ? rc : read_files(t, &names, n, st);
    free(first);
    free(text.prefix);
    return rc;
}
