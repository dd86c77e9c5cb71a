/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text: the words of a call as text, and back. A word is separated from the next one by a blank:
 *   number      -12
 *   buffer      - (somewhere), null, in_place
 *   handle      MPI_INT, MPI_COMM_WORLD; or what its rank has made: c3 g0 t1 o0 r12 m0 e0 i0 s0 w0 f0 x0 p3
 *   place       heap:64, static:8, static1:8 (of the program's second piece of static data), folded:0; or as a buffer
 *   array       [1,2,3]; null, unweighted, no_weights
 *   rank        +1: relative, in lines that several ranks share
 *   text        "a%20text": what is no letter, digit or one of _-.:/ as % and two hexadecimal digits
 */
#include "record/record.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char letters[RECORD_OBJECTS] = {'c', 'g', 't', 'o', 'r', 'm', 'e', 'i', 's', 'w', 'f', 'x', 'p'};
static const char *const buffers[] = {"null", "in_place", "-"};
static const char *const arrays[] = {"null", "unweighted", "no_weights"}; /* -1, -2, -3 */

/* Whether a parameter is the number of another rank, which may be relative. */
static bool is_peer(const struct record_param *p)
{
    static const char *const names[] = {"dest", "source", "rank", "target_rank", "pe"};
    for (size_t k = 0; p->kind == RECORD_NUMBER && k < BASE_LENGTH(names); k++)
        if (!strcmp(p->name, names[k]))
            return true;
    return false;
}

/* --- printing ------------------------------------------------------------------------------------- */

struct out {
    char *at;
    size_t n, size;
    const struct record_relative *relative; /* NULL: ranks are as they are */
};

static void put(struct out *o, const char *text, size_t n)
{
    if (o->n + n <= o->size)
        memcpy(o->at + o->n, text, n);
    o->n += n;
}

static void put_text(struct out *o, const char *text)
{
    put(o, text, strlen(text));
}

size_t record_print_number(int64_t value, char *out)
{
    char digits[RECORD_DIGITS], *end = digits + sizeof digits, *at = end;
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    memcpy(out, at, (size_t)(end - at));
    return (size_t)(end - at);
}

static void put_number(struct out *o, int64_t value)
{
    char digits[RECORD_DIGITS];
    put(o, digits, record_print_number(value, digits));
}

static void put_handle(struct out *o, enum record_object object, int64_t value)
{
    const char *name = record_name_of(object, value);
    if (name) {
        put_text(o, name);
        return;
    }
    put(o, &letters[object], 1);
    put_number(o, value - RECORD_MADE);
}

static void put_quoted(struct out *o, const int64_t *at, int64_t n)
{
    put(o, "\"", 1);
    for (int64_t k = 0; k < n; k++) {
        char c = (char)at[k], escaped[4];
        if (isalnum((unsigned char)c) || strchr("_-.:/", c)) {
            put(o, &c, 1);
        } else {
            snprintf(escaped, sizeof escaped, "%%%02x", (unsigned char)c);
            put(o, escaped, 3);
        }
    }
    put(o, "\"", 1);
}

static void put_place(struct out *o, int64_t word)
{
    uint32_t area;
    uint64_t offset;
    if (!record_place_of(word, &area, &offset)) {
        put_text(o, buffers[word]);
        return;
    }
    put_text(o, area == RECORD_FOLDED ? "folded" : area ? "static" : "heap");
    if (area > 1 && area != RECORD_FOLDED)
        put_number(o, area - 1);
    put(o, ":", 1);
    put_number(o, (int64_t)offset);
}

static void put_rank(struct out *o, int64_t value)
{
    const struct record_relative *to = o->relative;
    if (value >= 0 && value < to->ranks) {
        put(o, "+", 1);
        value = (value + to->ranks - to->rank) % to->ranks;
    }
    put_number(o, value);
}

static void put_part(struct out *o, const struct record_part *p)
{
    enum record_object object = (enum record_object)p->param->object;
    if (p->n < 0) {
        put_text(o, arrays[-p->n - 1]);
        return;
    }
    switch ((enum record_kind)p->param->kind) {
    case RECORD_BUFFER:
        put_text(o, buffers[p->at[0]]);
        return;
    case RECORD_PLACE:
        put_place(o, p->at[0]);
        return;
    case RECORD_HANDLE:
        put_handle(o, object, p->at[0]);
        return;
    case RECORD_TEXT:
        put_quoted(o, p->at, p->n);
        return;
    case RECORD_NUMBERS:
    case RECORD_HANDLES:
        put(o, "[", 1);
        for (int64_t k = 0; k < p->n; k++) {
            if (k)
                put(o, ",", 1);
            if (p->param->kind == RECORD_NUMBERS)
                put_number(o, p->at[k]);
            else
                put_handle(o, object, p->at[k]);
        }
        put(o, "]", 1);
        return;
    default:
        if (o->relative && is_peer(p->param))
            put_rank(o, p->at[0]);
        else
            put_number(o, p->at[0]);
    }
}

size_t record_print(const struct record_function *f, const int64_t *words, size_t n, char *out, size_t size)
{
    return record_print_relative(f, words, n, NULL, out, size);
}

size_t record_print_relative(const struct record_function *f, const int64_t *words, size_t n,
                             const struct record_relative *to, char *out, size_t size)
{
    struct record_part part[RECORD_PARAMS];
    struct out o = {out, 0, size, to};
    if (!record_parts(f, words, n, part))
        return 0;
    for (int last = 0; last < 2; last++)
        for (uint32_t k = 0; k < f->n; k++)
            if (part[k].param && record_comes_last(part[k].param) == (last == 1)) {
                put(&o, " ", 1);
                put_part(&o, &part[k]);
            }
    return o.n;
}

/* --- parsing -------------------------------------------------------------------------------------- */

struct in {
    const char *at;
    const struct record_function *f;
    const struct record_param *p;
    struct record_words *out;
    struct base_status *st;
    const struct record_relative *relative; /* NULL: no rank is */
};

static int expected(struct in *in, const char *what)
{
    size_t n = strcspn(in->at, " \t");
    return base_fail(in->st, "%s, %s: expected %s, not '%.*s'", in->f->name, in->p->name, what,
                     (int)(n < 40 ? n : 40), in->at);
}

static int read_number(struct in *in, int64_t *value)
{
    const char *p = in->at + (*in->at == '-');
    uint64_t size = 0;
    const char *digits = p;
    for (; *p >= '0' && *p <= '9' && p < digits + 19; p++)
        size = size * 10 + (uint64_t)(*p - '0');
    if (p == digits || (*p >= '0' && *p <= '9') || size > (uint64_t)INT64_MAX)
        return expected(in, "a number of 64 bits");
    *value = *in->at == '-' ? -(int64_t)size : (int64_t)size;
    in->at = p;
    return 0;
}

/* "+1" */
static int read_rank(struct in *in, int64_t *value)
{
    const struct record_relative *to = in->relative;
    if (in->at[1] < '0' || in->at[1] > '9')
        return expected(in, "a number after +");
    in->at++;
    if (read_number(in, value))
        return -1;
    if (*value >= to->ranks) {
        char what[80];
        snprintf(what, sizeof what, "a relative rank below +%" PRIu32 ", the number of ranks", to->ranks);
        return expected(in, what);
    }
    *value = (*value + to->rank) % to->ranks;
    return 0;
}

static size_t word_length(const struct in *in)
{
    const char *p = in->at;
    while (*p && *p != ' ' && *p != '\t' && *p != ',' && *p != ']')
        p++;
    return (size_t)(p - in->at);
}

static int read_handle(struct in *in, int64_t *value)
{
    enum record_object o = (enum record_object)in->p->object;
    size_t n = word_length(in);
    if (n > 1 && *in->at == letters[o] && strspn(in->at + 1, "0123456789") == n - 1 && n < 10) {
        *value = RECORD_MADE + strtol(in->at + 1, NULL, 10);
    } else if (!record_value_of(o, in->at, n, value)) {
        char what[80];
        snprintf(what, sizeof what, "a handle (%s_..., or %c and a number)",
                 o >= RECORD_CTX ? "SHMEM" : "MPI", letters[o]);
        return expected(in, what);
    }
    in->at += n;
    return 0;
}

/* One of some words; *which: its place. */
static bool read_word(struct in *in, const char *const *words, size_t n_words, int64_t *which)
{
    size_t n = word_length(in);
    for (size_t k = 0; k < n_words; k++)
        if (!strncmp(words[k], in->at, n) && !words[k][n]) {
            in->at += n;
            *which = (int64_t)k;
            return true;
        }
    return false;
}

static int read_elements(struct in *in)
{
    size_t length = in->out->n;
    int64_t value = 0;
    record_push(in->out, 0);
    in->at++;
    while (*in->at != ']') {
        if (in->out->n > length + 1) {
            if (*in->at != ',')
                return expected(in, "a comma, or ] at the end of the array");
            in->at++;
        }
        if (in->p->kind == RECORD_NUMBERS ? read_number(in, &value) : read_handle(in, &value))
            return -1;
        record_push(in->out, value);
    }
    in->at++;
    in->out->at[length] = (int64_t)(in->out->n - length - 1);
    return 0;
}

static int digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static int read_quoted(struct in *in)
{
    size_t length = in->out->n;
    record_push(in->out, 0);
    for (in->at++; *in->at && *in->at != '"'; in->at++) {
        int c = (unsigned char)*in->at;
        if (c == '%') {
            int high = digit(in->at[1]), low = high < 0 ? -1 : digit(in->at[2]);
            if (low < 0)
                return expected(in, "two hexadecimal digits after %");
            c = high * 16 + low;
            in->at += 2;
        }
        record_push(in->out, c);
    }
    if (*in->at != '"')
        return expected(in, "a quotation mark at the end of the text");
    in->at++;
    in->out->at[length] = (int64_t)(in->out->n - length - 1);
    return 0;
}

static int read_array(struct in *in)
{
    int64_t which;
    bool text = in->p->kind == RECORD_TEXT;
    if (*in->at == (text ? '"' : '['))
        return text ? read_quoted(in) : read_elements(in);
    if (!read_word(in, arrays, BASE_LENGTH(arrays), &which))
        return expected(in, text ? "a text in quotation marks" : "an array in brackets");
    record_push(in->out, -which - 1);
    return 0;
}

/* Digits up to a limit; -1: there are none, or it is more. */
static int64_t read_digits(const char **at, uint64_t limit)
{
    uint64_t value = 0;
    size_t n = 0;
    for (; (*at)[n] >= '0' && (*at)[n] <= '9'; n++) {
        value = value * 10 + (uint64_t)((*at)[n] - '0');
        if (value >= limit)
            return -1;
    }
    *at += n;
    return n ? (int64_t)value : -1;
}

static int read_place(struct in *in, int64_t *value)
{
    static const char heap[] = "heap:", folded[] = "folded:", fixed[] = "static";
    int64_t area = 0, offset;
    const char *at = in->at;
    if (read_word(in, buffers, BASE_LENGTH(buffers), value))
        return 0;
    if (!strncmp(at, heap, sizeof heap - 1)) {
        at += sizeof heap - 2;
    } else if (!strncmp(at, folded, sizeof folded - 1)) {
        at += sizeof folded - 2;
        area = RECORD_FOLDED;
    } else if (!strncmp(at, fixed, sizeof fixed - 1)) {
        at += sizeof fixed - 1;
        area = *at == ':' ? 1 : read_digits(&at, RECORD_AREAS - 1) + 1;
    } else {
        area = -1;
    }
    if (area < 0 || *at++ != ':' || (offset = read_digits(&at, UINT64_C(1) << RECORD_PLACE_BITS)) < 0)
        return expected(in, "a place (heap:OFFSET, static:OFFSET, - or null)");
    *value = record_place((uint32_t)area, (uint64_t)offset);
    in->at = at;
    return 0;
}

static int read_param(struct in *in)
{
    int64_t value = 0;
    switch ((enum record_kind)in->p->kind) {
    case RECORD_NUMBERS:
    case RECORD_HANDLES:
    case RECORD_TEXT:
        return read_array(in);
    case RECORD_HANDLE:
        if (read_handle(in, &value))
            return -1;
        break;
    case RECORD_PLACE:
        if (read_place(in, &value))
            return -1;
        break;
    case RECORD_BUFFER:
        if (!read_word(in, buffers, BASE_LENGTH(buffers), &value))
            return expected(in, "a buffer (-, null or in_place)");
        break;
    default:
        if (in->relative && *in->at == '+' && is_peer(in->p) ? read_rank(in, &value)
                                                             : read_number(in, &value))
            return -1;
    }
    record_push(in->out, value);
    return 0;
}

static void skip_blanks(struct in *in)
{
    while (*in->at == ' ' || *in->at == '\t')
        in->at++;
}

int record_parse(const struct record_function *f, const char *text, struct record_words *out,
                 struct base_status *st)
{
    return record_parse_relative(f, text, NULL, out, st);
}

int record_parse_relative(const struct record_function *f, const char *text, const struct record_relative *to,
                          struct record_words *out, struct base_status *st)
{
    struct in in = {.at = text, .f = f, .out = out, .st = st, .relative = to};
    out->n = 0;
    for (int last = 0; last < 2; last++)
        for (uint32_t k = 0; k < f->n; k++) {
            in.p = &f->param[k];
            if (!record_has_words(in.p) || record_comes_last(in.p) != (last == 1))
                continue;
            skip_blanks(&in);
            if (!*in.at)
                return base_fail(st, "%s: the line ends before %s", f->name, in.p->name);
            if (read_param(&in))
                return -1;
            if (*in.at && *in.at != ' ' && *in.at != '\t')
                return expected(&in, "a blank");
        }
    skip_blanks(&in);
    if (*in.at)
        return base_fail(st, "%s: more arguments than it has, from '%.40s' on", f->name, in.at);
    return 0;
}
