/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * range: the numbers that a setting, a platform or a list may contain. A number outside is refused where it
 * is read, with its range, so that no model has to cope with a time that is not finite or a rate of 0.
 *
 * Invariants
 *  B13 A range is written "LEAST to MOST" or "0 or LEAST to MOST", in the unit of its kind, LEAST before
 *      MOST.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>

/* --- what platforms, lists and options may contain ----------------------------------------------------- */

/* Far beyond any machine; and products, quotients and sums of a few of them are still finite. */
static const struct {
    double least, most;
    const char *text;
} widest[] = {
    [BASE_TIME] = {0, 1e12, BASE_TIMES},
    [BASE_BANDWIDTH] = {1e-3, 1e21, BASE_BANDWIDTHS},
    [BASE_SPEED] = {1e-3, 1e30, BASE_SPEEDS},
};

_Static_assert(BASE_SPEED + 1 == BASE_LENGTH(widest), "the first kinds have a widest range");

int base_within(enum base_kind kind, double x, const char *text, struct base_status *st)
{
    if (BASE_LIKELY(x >= widest[kind].least && x <= widest[kind].most))
        return 0;
    return base_fail(st, "'%.80s' is out of range; expected %s", text, widest[kind].text);
}

/* --- ranges as text ------------------------------------------------------------------------------------ */

static const char none[] = "0 or ", between[] = " to ";

int base_parse_kind(enum base_kind kind, const char *text, struct base_number *out, struct base_status *st)
{
    out->whole = 0;
    out->number = 0;
    switch (kind) {
    case BASE_TIME:
        return base_parse_time(text, &out->number, st);
    case BASE_BANDWIDTH:
        return base_parse_bandwidth(text, &out->number, st);
    case BASE_SPEED:
        return base_parse_speed(text, &out->number, st);
    case BASE_DOUBLE:
        return base_parse_double(text, &out->number, st);
    case BASE_SIZE:
        return base_parse_size(text, &out->whole, st);
    case BASE_UINT:
        return base_parse_uint(text, &out->whole, st);
    case BASE_BOOL:
    case BASE_TEXT:
        break;
    }
    return base_fail(st, "'%.80s' is not a number", text);
}

/* Whole numbers are compared as such: doubles would round the largest. */
static int compare(const struct base_number *a, const struct base_number *b)
{
    if (a->whole != b->whole)
        return a->whole < b->whole ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

bool base_range_read(enum base_kind kind, const char *range, struct base_range *out)
{
    struct base_range r = {.or_zero = !strncmp(range, none, strlen(none))};
    const char *from = r.or_zero ? range + strlen(none) : range, *to = strstr(from, between);
    if (!to || (size_t)(to - from) >= sizeof r.least_text || strlen(to) >= sizeof r.most_text)
        return false;
    memcpy(r.least_text, from, (size_t)(to - from));
    strcpy(r.most_text, to + strlen(between));
    if (base_parse_kind(kind, r.least_text, &r.least, NULL) ||
        base_parse_kind(kind, r.most_text, &r.most, NULL) || compare(&r.least, &r.most) >= 0)
        return false;
    *out = r;
    return true;
}

int base_range_check(enum base_kind kind, const char *range, const struct base_number *x, const char *text,
                     struct base_status *st)
{
    static const struct base_number zero;
    struct base_range r;
    if (kind <= BASE_SPEED && !strcmp(range, widest[kind].text))
        return base_within(kind, x->number, text, st);
    BASE_ASSERT("B13", base_range_read(kind, range, &r));
    if (r.or_zero && !compare(x, &zero))
        return 0;
    if (x->number == x->number && compare(x, &r.least) >= 0 && compare(x, &r.most) <= 0)
        return 0;
    return base_fail(st, "'%.80s' is out of range; expected %s", text, range);
}

int base_parse_range(enum base_kind kind, const char *range, const char *text, struct base_number *out,
                     struct base_status *st)
{
    struct base_number x;
    if (base_parse_kind(kind, text, &x, st) || base_range_check(kind, range, &x, text, st))
        return -1;
    *out = x;
    return 0;
}
