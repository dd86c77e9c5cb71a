/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * units: numbers with units, read from platform files, options and the environment, and written for people.
 * The units are those of SimGrid's DTD 4.1 ("Supported units" of its platform reference), read exactly:
 * b is a bit, B a byte, k = 1000, Ki = 1024. Sizes may also carry OpenSHMEM's plain suffixes (specification
 * 1.5, section 8: 64K = 64 * 2^10). Where SimGrid takes only a small k, a capital one is taken too.
 */
#include "base/base.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Reads the number at the start of text. Hexadecimal and infinity are refused: a typing error is more
 * likely. */
static int number(const char *text, double *out, const char **rest)
{
    const char *p = text + (*text == '-' || *text == '+');
    if (!isdigit((unsigned char)*p) && !(*p == '.' && isdigit((unsigned char)p[1])))
        return -1;
    if (*p == '0' && (p[1] == 'x' || p[1] == 'X'))
        return -1;
    if (base_decimal_read(p, out, rest)) {
        *out = *text == '-' ? -*out : *out;
        return 0;
    }
    char *end;
    errno = 0;
    double x = strtod(text, &end);
    if (errno == ERANGE && !isfinite(x))
        return -1;
    *out = x;
    *rest = end;
    return 0;
}

/* A unit and its value in the base unit. */
struct unit {
    const char *name;
    double worth;
};

/* The units that a kind of quantity accepts. */
struct quantity {
    const char *expected;
    const struct unit *units; /* NULL-ended; matched whole */
    const struct unit *roots; /* NULL-ended; matched after an optional prefix */
    bool binary;              /* Ki, Mi, ... are prefixes, too */
};

/* The factor of prefix text[0..n), or 0 if it is not one. */
static double prefix(const char *text, size_t n, bool binary)
{
    static const char letters[] = "kMGTPEZY";
    if (n == 0)
        return 1;
    const char *at = strchr(letters, text[0] == 'K' ? 'k' : text[0]);
    if (!at || n > 2 || (n == 2 && !(binary && text[1] == 'i')))
        return 0;
    if (n == 2 && text[0] == 'k')
        return 0; /* the binary prefix is Ki */
    double step = n == 2 ? 1024 : 1000, worth = step;
    for (const char *p = letters; p < at; p++)
        worth *= step;
    return worth;
}

static double unit_worth(const struct quantity *q, const char *text)
{
    for (const struct unit *u = q->units; u && u->name; u++)
        if (!strcmp(text, u->name))
            return u->worth;
    size_t n = strlen(text);
    for (const struct unit *u = q->roots; u && u->name; u++) {
        size_t root = strlen(u->name);
        if (n >= root && !strcmp(text + n - root, u->name)) {
            double p = prefix(text, n - root, q->binary);
            if (p > 0)
                return p * u->worth;
        }
    }
    return 0;
}

static int quantity(const struct quantity *q, const char *text, double *out, struct base_status *st)
{
    double x;
    const char *rest;
    if (number(text, &x, &rest))
        return base_fail(st, "'%s' is not a number with a unit; expected %s", text, q->expected);
    if (x < 0)
        return base_fail(st, "'%s' is negative; expected %s", text, q->expected);
    while (*rest == ' ')
        rest++;
    double worth = *rest ? unit_worth(q, rest) : 1;
    if (worth == 0)
        return base_fail(st, "'%s' has the unknown unit '%s'; expected %s", text, rest, q->expected);
    /* 250ns must give the same number as 250e-9. Dividing by the exact 1e9 rounds only once. */
    x = worth < 1 ? x / round(1 / worth) : x * worth;
    if (!isfinite(x))
        return base_fail(st, "'%s' is too large", text);
    *out = x;
    return 0;
}

int base_parse_time(const char *text, double *out, struct base_status *st)
{
    static const struct unit units[] = {
        {"w", 7 * 24 * 3600}, {"d", 24 * 3600}, {"h", 3600},  {"m", 60},     {"s", 1},
        {"ms", 1e-3},         {"us", 1e-6},     {"ns", 1e-9}, {"ps", 1e-12}, {NULL, 0}};
    static const struct quantity q = {"a time such as 2.5us (w d h m s ms us ns ps)", units, NULL, false};
    return quantity(&q, text, out, st);
}

int base_parse_bandwidth(const char *text, double *out, struct base_status *st)
{
    static const struct unit roots[] = {{"bps", 0.125}, {"Bps", 1}, {NULL, 0}};
    static const struct quantity q = {"a bandwidth such as 100Gbps, 125MBps or 1MiBps", NULL, roots, true};
    return quantity(&q, text, out, st);
}

int base_parse_speed(const char *text, double *out, struct base_status *st)
{
    static const struct unit units[] = {{"kiloflops", 1e3},   {"megaflops", 1e6},   {"gigaflops", 1e9},
                                        {"teraflops", 1e12},  {"petaflops", 1e15},  {"exaflops", 1e18},
                                        {"zettaflops", 1e21}, {"yottaflops", 1e24}, {NULL, 0}};
    static const struct unit roots[] = {{"flops", 1}, {"f", 1}, {NULL, 0}};
    static const struct quantity q = {"a speed such as 2.5Gf or 100Mf", units, roots, false};
    return quantity(&q, text, out, st);
}

int base_parse_size(const char *text, uint64_t *out, struct base_status *st)
{
    static const struct unit units[] = {{"k", 0x1p10}, {"K", 0x1p10}, {"m", 0x1p20}, {"M", 0x1p20},
                                        {"g", 0x1p30}, {"G", 0x1p30}, {"t", 0x1p40}, {"T", 0x1p40},
                                        {"p", 0x1p50}, {"P", 0x1p50}, {NULL, 0}};
    static const struct unit roots[] = {{"B", 1}, {"b", 0.125}, {NULL, 0}};
    static const struct quantity q = {"a size such as 64K, 1MiB, 8kB or 2GB", units, roots, true};
    double x;
    if (quantity(&q, text, &x, st))
        return -1;
    if (x >= 0x1p64)
        return base_fail(st, "'%s' is too large for a size", text);
    *out = (uint64_t)(x + 0.5 < 0x1p52 ? x + 0.5 : x);
    return 0;
}

/* --- plain values ------------------------------------------------------------------------------- */

int base_parse_double(const char *text, double *out, struct base_status *st)
{
    double x;
    const char *rest;
    if (number(text, &x, &rest) || *rest)
        return base_fail(st, "'%s' is not a number", text);
    *out = x;
    return 0;
}

int base_parse_uint(const char *text, uint64_t *out, struct base_status *st)
{
    char *end;
    errno = 0;
    unsigned long long x = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end) /* no sign, no space */
        return base_fail(st, "'%s' is not a number; expected a whole number, 0 or more", text);
    if (errno == ERANGE)
        return base_fail(st, "'%s' is too large", text);
    *out = x;
    return 0;
}

int base_parse_bool(const char *text, bool *out, struct base_status *st)
{
    static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
    for (unsigned k = 0; k < BASE_LENGTH(words); k++)
        if (!strcasecmp(text, words[k])) {
            *out = k & 1;
            return 0;
        }
    return base_fail(st, "'%s' is neither yes nor no; expected yes, no, true, false, on, off, 1 or 0", text);
}

/* --- for people --------------------------------------------------------------------------------- */

enum { SHOW = 32 };

/* Four significant digits, without an exponent where possible. */
static char *show(char *buf, double x, const char *unit)
{
    double size = fabs(x);
    int digits = size < 9.9995 ? 3 : size < 99.995 ? 2 : size < 999.95 ? 1 : 0;
    if (size >= 1e15)
        snprintf(buf, SHOW, "%.4g%s%s", x, *unit ? " " : "", unit);
    else
        snprintf(buf, SHOW, "%.*f%s%s", digits, x, *unit ? " " : "", unit);
    return buf;
}

/* Moves on through `units` while the number would be shown as `step` or more. */
static char *show_scaled(char *buf, double x, double step, const char *const *units, size_t n)
{
    size_t k = 0;
    while (k + 1 < n && fabs(x) >= step * (1 - 5e-5)) {
        x /= step;
        k++;
    }
    return show(buf, x, units[k]);
}

char *base_show_time(char *buf, double seconds)
{
    static const char *const units[] = {"ps", "ns", "us", "ms", "s"};
    if (seconds == 0)
        return strcpy(buf, "0 s");
    return show_scaled(buf, seconds * 1e12, 1000, units, BASE_LENGTH(units));
}

char *base_show_size(char *buf, double bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (fabs(bytes) < 1024 && bytes == floor(bytes)) {
        snprintf(buf, SHOW, "%.0f B", bytes);
        return buf;
    }
    return show_scaled(buf, bytes, 1024, units, BASE_LENGTH(units));
}

char *base_show_count(char *buf, double n)
{
    static const char *const units[] = {"", "k", "M", "G", "T", "P", "E"};
    if (fabs(n) < 1000 && n == floor(n)) {
        snprintf(buf, SHOW, "%.0f", n);
        return buf;
    }
    return show_scaled(buf, n, 1000, units, BASE_LENGTH(units));
}

void base_print_kind(FILE *out, const char **separator, const char *kind, uint64_t count, uint64_t bytes)
{
    char n[SHOW], size[SHOW];
    if (!count)
        return;
    fprintf(out, "%s%s %s", *separator, base_show_count(n, (double)count), kind);
    if (bytes)
        fprintf(out, " (%s)", base_show_size(size, (double)bytes));
    *separator = ", ";
}

char *base_show_runs(char *buf, size_t size, const uint32_t *number, size_t stride, size_t n)
{
    enum { RUNS = 8 };
    size_t used = 0;
    for (size_t k = 0, runs = 0; k < n && used < size; runs++) {
        uint32_t first = *number, last = first;
        while (++k < n && *(number = (const uint32_t *)((uintptr_t)number + stride)) == last + 1)
            last++;
        if (runs == RUNS) {
            snprintf(buf + used, size - used, ", ...");
            break;
        }
        used += (size_t)snprintf(buf + used, size - used, last > first ? "%s%u-%u" : "%s%u", runs ? ", " : "",
                                 first, last);
    }
    return buf;
}
