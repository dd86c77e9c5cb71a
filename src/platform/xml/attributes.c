/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * attributes: turns attribute texts into numbers and choices, each checked and reported with file, line and
 * tag.
 */
#include "platform/xml/elements.h"

#include <stdlib.h>
#include <string.h>

static int within(platform_quantity_fn parse, double x, const char *text, struct base_status *st)
{
    enum base_kind kind = parse == base_parse_bandwidth ? BASE_BANDWIDTH
                          : parse == base_parse_speed   ? BASE_SPEED
                                                        : BASE_TIME;
    return base_within(kind, x, text, st);
}

static int quantity(struct platform_reader *r, const char *attribute, platform_quantity_fn parse,
                    bool zero_means_none, double *out)
{
    struct base_status why;
    const char *text = platform_reader_value(r, attribute);
    double x;
    if (parse(text, &x, &why))
        return platform_reader_refuse(r, attribute, why.text);
    if (!(zero_means_none && x == 0) && within(parse, x, text, &why))
        return platform_reader_refuse(r, attribute, why.text);
    *out = x;
    return 0;
}

int platform_attribute_quantity(struct platform_reader *r, const char *attribute, platform_quantity_fn parse,
                                double *out)
{
    return quantity(r, attribute, parse, false, out);
}

/* base_parse_time divides by the exact 1e9, for one rounding; SimGrid
 * multiplies by 1e-9. The last digit matters where a flow's bound and a FATPIPE
 * link's share are equal but for rounding: it decides which is reached first. */
int platform_parse_latency(const char *text, double *out, struct base_status *st)
{
    static const struct {
        const char *name;
        double worth;
    } units[] = {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"ps", 1e-12}};
    char *unit;
    if (base_parse_time(text, out, st))
        return -1;
    double number = strtod(text, &unit);
    unit += strspn(unit, " ");
    for (size_t k = 0; k < BASE_LENGTH(units); k++)
        if (!strcmp(unit, units[k].name))
            *out = number * units[k].worth;
    return 0;
}

int platform_attribute_optional(struct platform_reader *r, const char *attribute, platform_quantity_fn parse,
                                double *out)
{
    return *platform_reader_value(r, attribute) ? quantity(r, attribute, parse, true, out) : 0;
}

int platform_attribute_cores(struct platform_reader *r, uint32_t *out)
{
    struct base_status why;
    uint64_t n;
    if (base_parse_uint(platform_reader_value(r, "core"), &n, &why))
        return platform_reader_refuse(r, "core", why.text);
    if (n < 1 || n > 1u << 20)
        return platform_reader_refuse(r, "core", "expected 1 to 1048576 cores");
    *out = (uint32_t)n;
    return 0;
}

int platform_attribute_choice(struct platform_reader *r, const char *attribute, const char *const *words,
                              unsigned n)
{
    const char *value = platform_reader_value(r, attribute);
    char expected[160] = "expected one of";
    for (unsigned k = 0; k < n; k++) {
        if (!strcmp(value, words[k]))
            return (int)k;
        size_t used = strlen(expected);
        snprintf(expected + used, sizeof expected - used, "%s %s", k ? "," : "", words[k]);
    }
    return platform_reader_refuse(r, attribute, expected);
}

/* In the order of enum platform_policy_word, followed by those without a word of their own. */
static const char *const policies[] = {"SHARED", "SPLITDUPLEX", "FATPIPE", "FULLDUPLEX", "WIFI"};
enum { fullduplex = 3, wifi };

int platform_attribute_policy(struct platform_reader *r, const char *attribute)
{
    if (!strcmp(platform_reader_value(r, attribute), policies[wifi]))
        return platform_reader_fail(r, platform_reader_top(r)->line, "<%s %s=\"WIFI\"> is not modelled yet",
                                    platform_reader_top(r)->tag->name, attribute);
    int chosen = platform_attribute_choice(r, attribute, policies, wifi);
    return chosen == fullduplex ? PLATFORM_POLICY_SPLIT : chosen; /* its deprecated name */
}

int platform_attribute_speed(struct platform_reader *r, uint64_t pstate, double *out)
{
    struct base_status why;
    char *list = base_strdup(platform_reader_value(r, "speed")), *rest = list, *one;
    uint64_t n = 0;
    int rc = 0;
    while (rc == 0 && (one = strsep(&rest, ","))) {
        double x;
        one += strspn(one, " ");
        for (size_t length = strlen(one); length && one[length - 1] == ' ';)
            one[--length] = 0;
        if (base_parse_speed(one, &x, &why))
            rc = platform_reader_refuse(r, "speed", why.text);
        else if ((n++ == pstate || x != 0) && base_within(BASE_SPEED, x, one, &why))
            rc = platform_reader_refuse(r, "speed", why.text);
        else if (n - 1 == pstate)
            *out = x;
    }
    free(list);
    if (rc == 0 && pstate >= n)
        return platform_reader_refuse(r, "pstate", "expected the number of one of the speeds, from 0");
    return rc;
}

uint32_t platform_attribute_speeds(const struct platform_reader *r)
{
    uint32_t n = 1;
    for (const char *c = platform_reader_value(r, "speed"); *c; c++)
        n += *c == ',';
    return n;
}

double *platform_attribute_each_speed(const struct platform_reader *r)
{
    struct base_status why;
    double *speed = base_zalloc(platform_attribute_speeds(r) * sizeof *speed, "pstates"), *next = speed;
    char *list = base_strdup(platform_reader_value(r, "speed")), *rest = list, *one;
    while ((one = strsep(&rest, ","))) {
        one += strspn(one, " ");
        one[strcspn(one, " ")] = 0;
        (void)base_parse_speed(one, next++, &why);
    }
    free(list);
    return speed;
}

int platform_attribute_host_speed(struct platform_reader *r, double *out, uint64_t *number)
{
    struct base_status why;
    uint64_t pstate = 0;
    const char *text = platform_reader_value(r, "pstate");
    if (strcmp(text, "0.0") && base_parse_uint(text, &pstate, &why))
        return platform_reader_refuse(r, "pstate", why.text);
    *number = pstate;
    return platform_attribute_speed(r, pstate, out);
}
