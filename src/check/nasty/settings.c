/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * settings: what users can tell the adversary, by our names and by those of the paper's tool, whose variables
 * are read from the environment. Where the paper's table and its prose disagree on a default, the prose holds:
 * operations are split.
 */
#include "check/nasty/parts.h"

#include <stdlib.h>
#include <string.h>

#define PAPER "Kowalewski, Fuerlinger: Nasty-MPI (Euro-Par 2016), tables 1 and 2"

const struct base_setting nasty_settings[] = {
    {"check/nasty", BASE_BOOL, "no", NULL, "an adversarial execution: --check=nasty", "docs/adversary.md"},
    {"check/seed", BASE_UINT, "1", "0 to 9223372036854775807", "where all of its decisions come from: --seed",
     "docs/adversary.md"},
    {"check/keep", BASE_BOOL, "yes", NULL,
     "keep operations back until a completion call needs them (NASTY_SKIP_COMPLETION_STAGE: the contrary)",
     PAPER},
    {"check/local", BASE_BOOL, "yes", NULL,
     "keep puts and accumulates back beyond their local completion, too (NASTY_LOCAL_COMPLETION_ENABLED)",
     PAPER},
    {"check/cut", BASE_BOOL, "yes", NULL,
     "cut operations into pieces, down to bytes or elements (NASTY_SKIP_ATOMICITY_STAGE: the contrary)",
     PAPER},
    {"check/patterns", BASE_BOOL, "yes", NULL,
     "in some runs, a pattern lies where results will be until they are there", "docs/adversary.md"},
    {"check/order", BASE_TEXT, "mixed", "mixed, random, reverse_po, put_before_get or get_before_put",
     "the order in which operations that were kept back are let go (NASTY_SUBMIT_ORDER)", PAPER},
    {"check/exact-order", BASE_BOOL, "yes", NULL,
     "let them go in exactly that order, instead of almost (NASTY_ADD_FLUSH_ENABLED)", PAPER},
    {"check/latency", BASE_TIME, "0", "0 to 1s",
     "each one that is let go takes up to this much longer (NASTY_ADD_LATENCY, in microseconds)", PAPER},
    {"check/platform", BASE_BOOL, "yes", NULL,
     "the seed also decides latencies, bandwidths, speeds of hosts, and, if nobody else does, which ranks "
     "share a "
     "host",
     "docs/adversary.md"},
    {"check/progress", BASE_TEXT, "standard", "standard or defer",
     "when nothing else can happen, let operations go that were kept back (standard), or not MPI's (defer)",
     "MPI-5.0 section 12.7.3; docs/adversary.md"},
    {"check/polls", BASE_UINT, "1000", "16 to 1000000000",
     "how often a rank may fetch the same in vain before the run is said never to complete",
     "docs/adversary.md"},
    {"check/decisions", BASE_TEXT, "", "a file", "a file for the list of the adversary's decisions",
     "docs/adversary.md"},
    {"check/allow", BASE_TEXT, "", "a file", "a file with the only decisions that it may take",
     "docs/adversary.md"},
    {"check/points", BASE_TEXT, "", "a file",
     "a file for the list of all points of choice; nothing is drawn, check/allow alone chooses (pgasim check "
     "--systematic)",
     "docs/adversary.md"},
};
const size_t nasty_settings_count = BASE_LENGTH(nasty_settings);

/* --- the paper's ------------------------------------------------------------------------------------- */

struct variable {
    const char *name, *key;
    enum { FLAG, CONTRARY, MICROSECONDS, WORD } kind;
};
static const struct variable variables[] = {
    {"NASTY_SKIP_COMPLETION_STAGE", "check/keep", CONTRARY},
    {"NASTY_LOCAL_COMPLETION_ENABLED", "check/local", FLAG},
    {"NASTY_SKIP_ATOMICITY_STAGE", "check/cut", CONTRARY},
    {"NASTY_SUBMIT_ORDER", "check/order", WORD},
    {"NASTY_ADD_FLUSH_ENABLED", "check/exact-order", FLAG},
    {"NASTY_ADD_LATENCY", "check/latency", MICROSECONDS},
};

static const char *const orders[] = {[NASTY_ANY_ORDER] = "random",
                                     [NASTY_MIXED] = "mixed",
                                     [NASTY_REVERSE] = "reverse_po",
                                     [NASTY_PUT_FIRST] = "put_before_get",
                                     [NASTY_GET_FIRST] = "get_before_put"};

static bool read_order(const char *text, enum nasty_order *out)
{
    for (unsigned k = 0; k < BASE_LENGTH(orders); k++)
        if (!strcmp(text, orders[k])) {
            *out = (enum nasty_order)k;
            return true;
        }
    return false;
}

static int take(struct base_settings *s, const struct variable *v, const char *value, struct base_status *st)
{
    char text[40];
    uint64_t number;
    enum nasty_order order;
    if (v->kind == WORD) {
        if (!read_order(value, &order) || order == NASTY_MIXED)
            return base_fail(st, "%s=%.80s: expected random, reverse_po, put_before_get or get_before_put",
                             v->name, value);
        return base_settings_set(s, v->key, value, BASE_FROM_ENVIRONMENT, st);
    }
    if (base_parse_uint(value, &number, NULL) || number > (v->kind == MICROSECONDS ? 1000000 : 1))
        return base_fail(st, "%s=%.80s: expected %s", v->name, value,
                         v->kind == MICROSECONDS ? "microseconds, 0 to 1000000" : "0 or 1");
    if (v->kind == MICROSECONDS)
        snprintf(text, sizeof text, "%uus", (unsigned)number);
    else
        snprintf(text, sizeof text, "%s", (number == 1) == (v->kind == FLAG) ? "yes" : "no");
    return base_settings_set(s, v->key, text, BASE_FROM_ENVIRONMENT, st);
}

int nasty_environment(struct base_settings *s, struct base_status *st)
{
    for (size_t k = 0; k < BASE_LENGTH(variables); k++) {
        const char *value = getenv(variables[k].name);
        if (value && take(s, &variables[k], value, st))
            return -1;
    }
    return 0;
}

/* --- ours -------------------------------------------------------------------------------------------- */

int nasty_options_read(const struct base_settings *s, struct nasty_options *out, struct base_status *st)
{
    const char *order = base_settings_text(s, "check/order"),
               *progress = base_settings_text(s, "check/progress");
    *out = (struct nasty_options){.seed = base_settings_count(s, "check/seed"),
                                  .polls = base_settings_count(s, "check/polls"),
                                  .keep = base_settings_flag(s, "check/keep"),
                                  .local = base_settings_flag(s, "check/local"),
                                  .cut = base_settings_flag(s, "check/cut"),
                                  .exact = base_settings_flag(s, "check/exact-order"),
                                  .patterns = base_settings_flag(s, "check/patterns"),
                                  .platform = base_settings_flag(s, "check/platform"),
                                  .defer = !strcmp(progress, "defer"),
                                  .latency = base_settings_number(s, "check/latency")};
    if (!read_order(order, &out->order))
        return base_fail(st,
                         "check/order=%.80s: expected mixed, random, reverse_po, put_before_get or "
                         "get_before_put",
                         order);
    if (!out->defer && strcmp(progress, "standard"))
        return base_fail(st, "check/progress=%.80s: expected standard or defer", progress);
    return 0;
}
