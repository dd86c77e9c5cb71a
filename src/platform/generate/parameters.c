/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * parameters: the parameters of platform files: the valid values of each, and the kinds that have it.
 */
#include "platform/generate/plan.h"

#include <stdlib.h>
#include <string.h>

/* Bit k: the kind of number k. */
enum kind {
    CLUSTER = 1,
    TORUS = 2,
    FAT_TREE = 4,
    DRAGONFLY = 8,
    TWO_LEVEL = 16,
    CLUSTERS = 31,
    MESH = 32,
    RAE_MESH = 64,
    MESHES = 96,
    EVERY = 127
};

static int check_count(const char *text, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(text, &n, st))
        return -1;
    if (n < 1 || n > PLATFORM_HOST_LIMIT)
        return base_fail(st, "expected 1 to %u", PLATFORM_HOST_LIMIT);
    return 0;
}

static int check_cores(const char *text, struct base_status *st)
{
    uint64_t n;
    if (base_parse_uint(text, &n, st))
        return -1;
    return n < 1 || n > 1u << 20 ? base_fail(st, "expected 1 to 1048576") : 0;
}

static int within(enum base_kind kind, const char *text, struct base_status *st)
{
    struct base_number x;
    return base_parse_kind(kind, text, &x, st) || base_within(kind, x.number, text, st) ? -1 : 0;
}

static int check_speed(const char *text, struct base_status *st)
{
    return within(BASE_SPEED, text, st);
}

static int check_bandwidth(const char *text, struct base_status *st)
{
    return within(BASE_BANDWIDTH, text, st);
}

static int check_time(const char *text, struct base_status *st)
{
    return within(BASE_TIME, text, st);
}

static int check_policy(const char *text, struct base_status *st)
{
    return strcmp(text, "SHARED") && strcmp(text, "SPLITDUPLEX")
               ? base_fail(st, "expected SHARED or SPLITDUPLEX")
               : 0;
}

static int check_text(const char *text, struct base_status *st)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            return base_fail(st, "expected a text without control characters");
    return 0;
}

static int check_factor(const char *text, struct base_status *st)
{
    double x;
    if (base_parse_double(text, &x, st))
        return -1;
    return x >= 1 ? 0 : base_fail(st, "expected 1 or more");
}

/* In the order of enum platform_parameter. */
static const struct parameter {
    const char *name;
    unsigned kinds;
    int (*check)(const char *text, struct base_status *st); /* lists are checked by the topology */
} parameters[PLATFORM_PARAMETERS] = {
    {"hosts", EVERY, check_count},
    {"cores", EVERY, check_cores},
    {"speed", EVERY, check_speed},
    {"bw", EVERY, check_bandwidth},
    {"lat", EVERY, check_time},
    {"policy", EVERY, check_policy},
    {"loopback-bw", CLUSTERS, check_bandwidth},
    {"loopback-lat", CLUSTERS, check_time},
    {"limiter", CLUSTERS, check_bandwidth},
    {"id", EVERY, check_text},
    {"prefix", EVERY, check_text},
    {"suffix", EVERY, check_text},
    {"backbone", CLUSTER, check_bandwidth},
    {"backbone-lat", CLUSTER, check_time},
    {"dimensions", TORUS | MESHES, check_text},
    {"levels", FAT_TREE, check_count},
    {"down", FAT_TREE, check_text},
    {"up", FAT_TREE, check_text},
    {"ports", FAT_TREE, check_text},
    {"oversubscription", FAT_TREE | TWO_LEVEL, check_factor},
    {"leaf", TWO_LEVEL, check_count},
    {"groups", DRAGONFLY, check_text},
    {"chassis", DRAGONFLY, check_text},
    {"routers", DRAGONFLY, check_text},
    {"nodes", DRAGONFLY, check_count},
    {"compact", MESHES, check_text},
};

int platform_plan_check(const struct platform_plan *plan, unsigned kind, struct base_status *st)
{
    for (unsigned k = 0; k < PLATFORM_PARAMETERS; k++) {
        struct base_status why;
        const char *text = plan->value[k];
        if (!text)
            continue;
        if (!(parameters[k].kinds & kind))
            return base_fail(st, "--%s does not apply to a %s", parameters[k].name, plan->kind);
        if (parameters[k].check(text, &why))
            return base_fail(st, "--%s %.100s: %s", parameters[k].name, text, why.text);
    }
    if (plan->value[PLATFORM_LOOPBACK_LAT] && !plan->value[PLATFORM_LOOPBACK_BW])
        return base_fail(st, "--loopback-lat needs --loopback-bw");
    if (plan->value[PLATFORM_BACKBONE_LAT] && !plan->value[PLATFORM_BACKBONE])
        return base_fail(st, "--backbone-lat needs --backbone");
    return 0;
}

uint32_t platform_plan_count(const struct platform_plan *plan, enum platform_parameter which,
                             uint32_t otherwise)
{
    return plan->value[which] ? (uint32_t)strtoul(plan->value[which], NULL, 10) : otherwise;
}

int platform_plan_list(const struct platform_plan *plan, enum platform_parameter which, uint32_t *out,
                       unsigned most, struct base_status *st)
{
    const char *at = plan->value[which];
    int n = platform_shape_list(&at, 0, out, most);
    if (n < 0)
        base_fail(st, "--%s %.100s: expected up to %u number%s from 1 to %u, separated by commas",
                  parameters[which].name, plan->value[which], most, most == 1 ? "" : "s",
                  PLATFORM_HOST_LIMIT);
    return n;
}
