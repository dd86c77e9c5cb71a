/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * numbers: the words of a line as numbers, ranks, tags and data. Numbers may be written as floating-point ones and are
 * cut to integers. Counts are in elements of a type, which is a number; here they become bytes.
 */
#include "replay/ti/line.h"

#include <inttypes.h>
#include <string.h>

/* Sizes of SMPI's predefined types by their numbers, and the one of the default. */
static const unsigned char sizes[] = {
    8, 4,  1,  2, 8, 4, 1,  8,  1, 1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,  8,  1, 2, 4,  8,  8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0,  1,  8, 8};
enum { DOUBLE = 0, BYTE = 6, MADE = -1 }; /* MADE: by the program */

const char *replay_ti_word(const struct replay_ti_reader *x, size_t k)
{
    return k < x->words.n ? x->words.at[k] : NULL;
}

static int number(const struct replay_ti_reader *x, size_t k, const char *what, double *out,
                  struct base_status *st)
{
    const char *word = replay_ti_word(x, k), *rest;
    struct base_status why;
    if (!word)
        return base_fail(st, "%s: %s is missing", x->words.at[1], what);
    uint64_t value = 0;
    for (rest = word; *rest >= '0' && *rest <= '9' && rest < word + 15; rest++)
        value = value * 10 + (unsigned)(*rest - '0');
    *out = (double)value;
    if (!*rest)
        return 0;
    if (*word >= '0' && *word <= '9' && base_decimal_read(word, out, &rest) && !*rest)
        return 0;
    if (base_parse_double(word, out, &why))
        return base_fail(st, "%s %.80s: expected %s", x->words.at[1], word, what);
    return 0;
}

int replay_ti_whole(const struct replay_ti_reader *x, size_t k, const char *what, double least, double most,
                    int64_t *out, struct base_status *st)
{
    double value;
    if (number(x, k, what, &value, st))
        return -1;
    if (!(value >= least && value <= most)) /* also not a number */
        return base_fail(st, "%s %.80s: expected %s from %.0f to %.0f", x->words.at[1], x->words.at[k], what,
                         least, most);
    *out = (int64_t)value;
    return 0;
}

/* "+1", of a shared line. */
static bool is_relative(const struct replay_ti_reader *x, size_t k)
{
    return x->shared && k < x->words.n && *x->words.at[k] == '+';
}

static int rank_below(const struct replay_ti_reader *x, size_t k, const char *what, bool wild, uint32_t ranks,
                      uint32_t *out, struct base_status *st)
{
    int64_t value;
    double least = wild && !is_relative(x, k) ? INT32_MIN : 0;
    if (replay_ti_whole(x, k, what, least, UINT32_MAX - 1.0, &value, st))
        return -1;
    if (value >= ranks)
        return base_fail(st, "%s %s: expected %s below %" PRIu32 ", the number of ranks", x->words.at[1],
                         x->words.at[k], what, ranks);
    if (is_relative(x, k))
        value = (value + x->rank) % ranks;
    *out = value < 0 ? (uint32_t)REPLAY_ANY : (uint32_t)value; /* MPI_ANY_SOURCE is negative */
    return 0;
}

int replay_ti_rank(const struct replay_ti_reader *x, size_t k, const char *what, bool wild, uint32_t *out,
                   struct base_status *st)
{
    return rank_below(x, k, what, wild, x->all, out, st);
}

/* Of a collective, which is of those that begin with the trace. */
int replay_ti_root(const struct replay_ti_reader *x, size_t k, uint32_t *out, struct base_status *st)
{
    *out = 0;
    return k < x->words.n ? rank_below(x, k, "a root", false, x->ranks, out, st) : 0;
}

/* MPI_ANY_TAG is negative, and so are tags of no message. */
int replay_ti_tag(const struct replay_ti_reader *x, size_t k, int32_t *out, struct base_status *st)
{
    int64_t value = 0;
    if (replay_ti_whole(x, k, "a tag", INT32_MIN, INT32_MAX, &value, st))
        return -1;
    *out = value < 0 ? REPLAY_ANY_TAG : (int32_t)value;
    return 0;
}

/* The size of the type there, or of the default. */
int replay_ti_type(const struct replay_ti_reader *x, size_t k, uint64_t *out, struct base_status *st)
{
    int64_t type = x->doubles[x->rank] ? DOUBLE : BYTE;
    if (k < x->words.n && replay_ti_whole(x, k, "a type's number", MADE, sizeof sizes - 1.0, &type, st))
        return -1;
    if (type == MADE)
        base_warn("replay/made-type",
                  "the trace does not say how large the types are that its program made: messages and "
                  "collectives of these have no bytes, as in SMPI's replays");
    *out = type == MADE ? 0 : sizes[type];
    return 0;
}

/* Bytes of `count` elements of the type at word `type`. */
int replay_ti_data(const struct replay_ti_reader *x, size_t k, size_t type, uint64_t *out,
                   struct base_status *st)
{
    int64_t count;
    uint64_t size;
    if (replay_ti_whole(x, k, "a count", 0, 0x1p53, &count, st) || replay_ti_type(x, type, &size, st))
        return -1;
    *out = (uint64_t)count * size;
    return 0;
}

/* Bytes for each of n ranks, appended to x->counts. */
int replay_ti_counts(struct replay_ti_reader *x, size_t k, uint32_t n, size_t type, struct base_status *st)
{
    uint64_t bytes;
    for (uint32_t m = 0; m < n; m++) {
        if (k + m >= x->words.n)
            return base_fail(st, "%s: expected counts of %" PRIu32 " ranks, found %zu", x->words.at[1], n,
                             x->words.n > k ? x->words.n - k : 0);
        if (replay_ti_data(x, k + m, type, &bytes, st))
            return -1;
        BASE_ARRAY_PUSH(&x->counts, (int64_t)bytes);
    }
    return 0;
}

void replay_ti_use_counts(struct replay_ti_reader *x, uint32_t n)
{
    struct replay_action *a = &x->action;
    a->counts = x->counts.at;
    a->n = n;
    a->n2 = x->counts.n > n ? n : 0;
    a->counts2 = a->counts + n;
}

int replay_ti_choose(struct replay_ti_reader *x, size_t k, struct base_status *st)
{
    if (!x->shared || k >= x->words.n || !strchr(x->words.at[k], ','))
        return 0;
    char *word = x->words.at[k];
    uint32_t n = 1;
    for (const char *p = word; (p = strchr(p, ',')); p++)
        n++;
    if (n != x->sharers)
        return base_fail(st,
                         "%s %.40s: %" PRIu32 " numbers; expected one for each rank of the file, %" PRIu32,
                         x->words.at[1], word, n, x->sharers);
    for (uint32_t j = 0; j < x->sharer; j++)
        word = strchr(word, ',') + 1;
    word[strcspn(word, ",")] = '\0';
    if (!*word)
        return base_fail(st, "%s: a number is missing beside a comma", x->words.at[1]);
    x->words.at[k] = word;
    return 0;
}

int replay_ti_amount(struct replay_ti_reader *x, size_t k, const char *what, struct base_status *st)
{
    if (number(x, k, what, &x->action.amount, st))
        return -1;
    if (!(x->action.amount >= 0 && x->action.amount <= 1e300))
        return base_fail(st, "%s %.80s: expected %s of 0 or more", x->words.at[1], x->words.at[k], what);
    return 0;
}
