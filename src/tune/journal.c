/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * journal: the results of trials as a file, from which a search goes on. The first line has the fingerprint
 * of what the times depend on; each other line is a result:
 *
 *   OPERATION HOSTS RANKS BYTES ALGORITHM RADIX WINDOW SEGMENT END LAST MEAN EVENTS
 *
 * HOSTS is the fingerprint of the ranks' places; END is done, bound, events or lacks.
 */
#include "base/output.h"
#include "base/text.h"
#include "tune/store.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const ends[] = {
    [TUNE_DONE] = "done", [TUNE_OVER_BOUND] = "bound", [TUNE_OVER_EVENTS] = "events", [TUNE_LACKS] = "lacks"};
static const char first[] = "pgasim-tune 1 ";

/* --- reading -------------------------------------------------------------------------------------- */

enum { FIELDS = 12, WORD = 64 };
struct line {
    char word[FIELDS][WORD];
};

/* The words of a line; false: it has not as many, or one is too long. */
static bool split(const char *text, size_t length, struct line *out)
{
    size_t at = 0;
    for (int k = 0; k < FIELDS; k++) {
        size_t n = 0;
        while (at + n < length && text[at + n] != ' ')
            n++;
        if (!n || n >= WORD)
            return false;
        memcpy(out->word[k], text + at, n);
        out->word[k][n] = 0;
        at += n;
        if (k + 1 < FIELDS && (at >= length || text[at++] != ' '))
            return false;
    }
    return at == length;
}

static bool whole(const char *word, uint64_t most, uint64_t *out)
{
    char *end;
    if (*word < '0' || *word > '9')
        return false;
    errno = 0;
    *out = strtoull(word, &end, 10);
    return !*end && !errno && *out <= most;
}

static bool seconds(const char *word, double *out)
{
    char *end;
    if (*word < '0' || *word > '9')
        return false;
    *out = strtod(word, &end);
    return !*end && isfinite(*out);
}

static bool fingerprint(const char *word, uint64_t *out)
{
    char *end;
    if (strlen(word) != 16 || strspn(word, "0123456789abcdef") != 16)
        return false;
    *out = strtoull(word, &end, 16);
    return true;
}

static bool operation(const char *word, uint32_t *out)
{
    for (unsigned op = 0; op < TUNE_OPS; op++)
        if (!strcmp(word, tune_op_key((enum coll_op)op))) {
            *out = op;
            return true;
        }
    return false;
}

static bool algorithm(const char *word, uint32_t op, int32_t *out)
{
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    *out = TUNE_DEFAULT;
    if (!strcmp(word, "default"))
        return true;
    for (size_t k = 0; k < n; k++)
        if (a[k].op == (enum coll_op)op && !strcmp(a[k].name, word)) {
            *out = (int32_t)k;
            return true;
        }
    return false;
}

static bool end_of(const char *word, enum tune_end *out)
{
    for (unsigned k = 0; k < BASE_LENGTH(ends); k++)
        if (!strcmp(word, ends[k])) {
            *out = (enum tune_end)k;
            return true;
        }
    return false;
}

/* NULL, or what was expected of the line. */
static const char *read_line(const char *text, size_t length, struct tune_key *key, struct tune_time *t)
{
    struct line l = {.word = {{0}}};
    uint64_t ranks, radix, window;
    if (!split(text, length, &l))
        return "twelve words with one blank between them";
    if (!operation(l.word[0], &key->op))
        return "an operation as the first word";
    if (!fingerprint(l.word[1], &key->hosts))
        return "16 hexadecimal digits as the second word";
    if (!whole(l.word[2], UINT32_MAX, &ranks) || !whole(l.word[3], UINT64_MAX, &key->bytes) ||
        !whole(l.word[5], UINT32_MAX, &radix) || !whole(l.word[6], UINT32_MAX, &window) ||
        !whole(l.word[7], UINT64_MAX, &key->segment))
        return "whole numbers of ranks and bytes, a radix, a window and a segment as words 3, 4, 6, 7 and 8";
    if (!algorithm(l.word[4], key->op, &key->algorithm))
        return "an algorithm of this operation as the fifth word";
    if (!end_of(l.word[8], &t->end))
        return "done, bound, events or lacks as the ninth word";
    if (!seconds(l.word[9], &t->last) || !seconds(l.word[10], &t->mean) ||
        !whole(l.word[11], UINT64_MAX, &t->events))
        return "two times in seconds and a number of events as the last words";
    key->ranks = (uint32_t)ranks;
    key->radix = (uint32_t)radix;
    key->window = (uint32_t)window;
    return NULL;
}

static int check_first(const struct tune_store *x, const char *text, size_t length, const char *name,
                       struct base_status *st)
{
    char of[17] = "";
    uint64_t found;
    if (length != sizeof first - 1 + 16 || strncmp(text, first, sizeof first - 1) != 0)
        return base_fail(st, "%s:1: not a journal of pgasim tune: expected \"%s\" and 16 digits", name,
                         first);
    memcpy(of, text + sizeof first - 1, 16);
    if (fingerprint(of, &found) && found == x->space->fingerprint)
        return 0;
    return base_fail(
        st,
        "%s:1: the journal is of another platform, or of other settings: expected one of %016" PRIx64
        ", or no file",
        name, x->space->fingerprint);
}

int tune_journal_parse(struct tune_store *x, const char *text, const char *name, struct base_status *st)
{
    size_t length = strcspn(text, "\n");
    if (check_first(x, text, length, name, st))
        return -1;
    text += length + (text[length] == '\n');
    for (unsigned line = 2; *text; line++) {
        struct tune_key key = {0};
        struct tune_time t = {0};
        length = strcspn(text, "\n");
        const char *expected = read_line(text, length, &key, &t);
        if (expected)
            return base_fail(st, "%s:%u: not a result: expected %s", name, line, expected);
        *tune_store_entry(x, &key, true) = t;
        text += length + (text[length] == '\n');
    }
    return 0;
}

static int read_all(int fd, struct base_text *t)
{
    for (;;) {
        ssize_t n = read(fd, base_text_room(t, 1 << 16), 1 << 16);
        if (n <= 0)
            return n ? -1 : 0;
        t->n += (size_t)n;
    }
}

int tune_journal_read(struct tune_store *x, struct base_status *st)
{
    const char *path = x->space->journal;
    struct base_text t;
    struct stat file;
    int fd = base_input_open(path, &file);
    if (fd < 0)
        return errno == ENOENT ? 0 : base_fail(st, "--journal %s: %s", path, strerror(errno));
    base_text_init(&t, "a journal");
    int rc = read_all(fd, &t) ? base_fail(st, "--journal %s: %s", path, strerror(errno)) : 0;
    close(fd);
    char *text = base_text_take(&t);
    if (!rc && *text)
        rc = tune_journal_parse(x, text, path, st);
    free(text);
    return rc;
}

/* --- writing -------------------------------------------------------------------------------------- */

int tune_journal_write(const struct tune_store *x, struct base_status *st)
{
    struct base_output o;
    size_t n;
    const struct coll_algorithm_info *a = tune_algorithms(&n);
    if (base_output_open(&o, x->space->journal, st))
        return -1;
    fprintf(o.out, "%s%016" PRIx64 "\n", first, x->space->fingerprint);
    for (size_t k = 0; k < x->at.n; k++) {
        const struct tune_key *key = &x->at.at[k].key;
        const struct tune_time *t = &x->at.at[k].time;
        fprintf(o.out, "%s %016" PRIx64 " %u %" PRIu64 " %s %u %u %" PRIu64 " %s %.17g %.17g %" PRIu64 "\n",
                tune_op_key((enum coll_op)key->op), key->hosts, key->ranks, key->bytes,
                key->algorithm < 0 ? "default" : a[key->algorithm].name, key->radix, key->window,
                key->segment, ends[t->end], t->last, t->mean, t->events);
    }
    return base_output_commit(&o, st);
}
