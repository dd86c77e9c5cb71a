/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * network: the network model as numbers. Each model is a row of defaults; a setting given by the user
 * overrides them. Transfers apply the numbers in transfer.c and path.c; docs/network-models.md has the
 * formulas.
 */
#include "fabric/parts.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* SimGrid's crosstraffic: what a flow takes of its rate on the way back. */
#define CROSSTRAFFIC 0.05

/* A model's values for unset settings. Factors: NULL means those of smpi/.... */
struct defaults {
    const char *name;
    enum fabric_network_model model;
    const char *latency, *bandwidth;
    double weight_s;
    bool crosstraffic, shares;
};
static const struct defaults models[] = {
    {"default", FABRIC_RAW, "1", "1", 0, false, false},
    {"raw", FABRIC_RAW, "1", "1", 0, false, false},
    {"CM02", FABRIC_CM02, "1", "1", 0, true, true},
    {"LV08", FABRIC_LV08, "13.01", "0.97", 20537, true, true},
    {"SMPI", FABRIC_SMPI, NULL, NULL, 8775, true, true},
    {"IB", FABRIC_IB, NULL, NULL, 8775, true, true},
    {"Constant", FABRIC_CONSTANT, "13.01", "1", 0, false, false},
};

static const struct defaults *model_find(const char *name, struct base_status *st)
{
    for (size_t k = 0; k < BASE_LENGTH(models); k++)
        if (!strcasecmp(models[k].name, name))
            return &models[k];
    base_fail(st, "setting network/model: '%.80s' is unknown; expected CM02, LV08, SMPI, IB, raw or Constant",
              name);
    return NULL;
}

/* --- factors --------------------------------------------------------------------------------------- */

double fabric_factor_find(const struct fabric_factor *x, double bytes)
{
    double factor = x->first;
    for (uint32_t k = 0; k < x->pieces && bytes > x->piece[k].above; k++)
        factor = x->piece[k].factor;
    return factor;
}

static int by_bound(const void *a, const void *b)
{
    double x = ((const struct fabric_factor_piece *)a)->above,
           y = ((const struct fabric_factor_piece *)b)->above;
    return (x > y) - (x < y);
}

/* One "above:factor" of text[0..n). */
static int piece_read(struct fabric_factor_piece *piece, const char *text, size_t n, struct base_status *st)
{
    char part[64];
    if (n >= sizeof part)
        return base_fail(st, "'%.40s...' is too long", text);
    memcpy(part, text, n);
    part[n] = 0;
    char *colon = strchr(part, ':');
    if (!colon)
        return base_fail(st, "'%s': expected bytes:factor", part);
    *colon = 0;
    if (base_parse_double(part, &piece->above, st) || base_parse_double(colon + 1, &piece->factor, st))
        return -1;
    return piece->above >= 0 ? 0 : base_fail(st, "'%s' is negative; expected bytes:factor", part);
}

static int pieces_read(struct fabric_factor *x, const char *text, struct base_status *st)
{
    for (size_t n; *text; text += n + (text[n] == ';')) {
        struct fabric_factor_piece piece;
        n = strcspn(text, ";");
        if (!n)
            continue;
        if (piece_read(&piece, text, n, st))
            return -1;
        x->piece = base_realloc(x->piece, (x->pieces + 1) * sizeof piece, "factors by size");
        x->piece[x->pieces++] = piece;
    }
    if (!x->pieces)
        return base_fail(st, "it is empty; expected a number, or bytes:factor;...");
    qsort(x->piece, x->pieces, sizeof *x->piece, by_bound);
    return 0;
}

static int factor_fits(const struct fabric_factor *x, const char *range, struct base_status *st)
{
    char text[32];
    for (uint32_t k = 0; k <= x->pieces; k++) {
        struct base_number factor = {.number = k ? x->piece[k - 1].factor : x->first};
        snprintf(text, sizeof text, "%.15g", factor.number);
        if (base_range_check(BASE_DOUBLE, range, &factor, text, st))
            return -1;
    }
    return 0;
}

/* `above:factor;...` as in SMPI: the last bound below the
 * size counts; below the first bound the factor is 1. */
static int factor_read(struct fabric_factor *x, const char *key, const char *text, const char *range,
                       struct base_status *st)
{
    struct base_status why;
    int rc;
    *x = (struct fabric_factor){.first = 1};
    if (strpbrk(text, ":;") || !*text)
        rc = pieces_read(x, text, &why);
    else
        rc = base_parse_double(text, &x->first, &why);
    if (rc || factor_fits(x, range, &why))
        return base_fail(st, "setting %s: %s", key, why.text);
    return 0;
}

/* Models SMPI and IB use the smpi/ key. A list under network/... means the same, as in later versions of
 * SimGrid; a number there has no effect, as in SimGrid 3.32. */
static int factor_of_smpi(struct fabric_factor *x, const struct base_settings *s, const char *key,
                          const char *smpi_key, const char *range, struct base_status *st)
{
    const char *text = base_settings_text(s, key);
    bool list = strpbrk(text, ":;") && base_settings_is_default(s, smpi_key);
    if (!list && strcmp(text, "model") != 0)
        base_warn(
            key,
            "%s: a single number has no effect with the models SMPI and IB; set %s, or give bytes:factor;...",
            key, smpi_key);
    return list ? factor_read(x, key, text, range, st)
                : factor_read(x, smpi_key, base_settings_text(s, smpi_key), range, st);
}

static int factor_choose(struct fabric_factor *x, const struct base_settings *s, const char *key,
                         const char *of_model, const char *smpi_key, const char *range,
                         struct base_status *st)
{
    const char *text = base_settings_text(s, key);
    if (!of_model)
        return factor_of_smpi(x, s, key, smpi_key, range, st);
    return factor_read(x, key, strcmp(text, "model") == 0 ? of_model : text, range, st);
}

/* --- the rest --------------------------------------------------------------------------------------- */

static int number_read(double *out, const struct base_settings *s, const char *key, double of_model,
                       const char *range, struct base_status *st)
{
    const char *text = base_settings_text(s, key);
    struct base_status why;
    struct base_number x = {.number = of_model};
    if (strcmp(text, "model") != 0 && base_parse_range(BASE_DOUBLE, range, text, &x, &why))
        return base_fail(st, "setting %s: %s", key, why.text);
    *out = x.number;
    return 0;
}

/* yes or no, or a list of factors by size, of which there is none below the first bound. */
static int back_read(struct fabric_network *n, const struct base_settings *s, bool of_model,
                     struct base_status *st)
{
    static const char key[] = "network/crosstraffic";
    const char *text = base_settings_text(s, key);
    bool on = of_model;
    if (strchr(text, ':')) {
        if (factor_read(&n->back, key, text, "0 to 1", st))
            return -1;
        n->back.first = 0;
    } else if (strcmp(text, "model") != 0 && base_parse_bool(text, &on, NULL)) {
        return base_fail(st, "setting %s: '%.80s'; expected yes, no or above:factor;..., as in 65536:0.5",
                         key, text);
    } else {
        n->back.first = on ? CROSSTRAFFIC : 0;
    }
    n->crosstraffic = n->back.first > 0;
    for (uint32_t k = 0; k < n->back.pieces; k++)
        n->crosstraffic |= n->back.piece[k].factor > 0;
    return 0;
}

/* As factors; below the first bound 2. */
static int both_read(struct fabric_network *n, const struct base_settings *s, struct base_status *st)
{
    static const char key[] = "network/bidirectional";
    if (factor_read(&n->both, key, base_settings_text(s, key), "1 to 2", st))
        return -1;
    if (n->both.pieces)
        n->both.first = 2;
    n->bidirectional = n->both.first < 2;
    for (uint32_t k = 0; k < n->both.pieces; k++)
        n->bidirectional |= n->both.piece[k].factor < 2;
    return 0;
}

static int weight_links_read(struct fabric_network *n, const struct base_settings *s, struct base_status *st)
{
    const char *text = base_settings_text(s, "network/weight-links");
    n->weight_narrowest = strcmp(text, "narrowest") == 0;
    if (n->weight_narrowest || strcmp(text, "all") == 0)
        return 0;
    return base_fail(st, "setting network/weight-links: '%.80s'; expected all or narrowest", text);
}

/* In these two models, messages do not meet at links. */
static int frame_read(struct fabric_network *n, const struct base_settings *s, struct base_status *st)
{
    n->frame = base_settings_count(s, "network/frame");
    n->window = base_settings_count(s, "network/window");
    n->slow_start = base_settings_flag(s, "network/slow-start");
    if (!n->frame || (n->model != FABRIC_CONSTANT && n->model != FABRIC_IB))
        return 0;
    return base_fail(st, "setting network/frame: messages of network/model=%s have no frames; expected 0",
                     base_settings_text(s, "network/model"));
}

static int penalties_read(struct fabric_network *n, const struct base_settings *s, struct base_status *st)
{
    static const char key[] = "smpi/IB-penalty-factors";
    double *out[] = {&n->be, &n->bs, &n->ys};
    const char *text = base_settings_text(s, key);
    char copy[128], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (size_t k = 0; k < BASE_LENGTH(out); k++) {
        const char *part = strsep(&rest, ";");
        struct base_number x;
        if (!part || base_parse_range(BASE_DOUBLE, BASE_FACTORS, part, &x, NULL))
            return base_fail(st,
                             "setting %s: '%.80s'; expected three numbers, each " BASE_FACTORS
                             ", such as 0.965;0.925;1.35",
                             key, text);
        *out[k] = x.number;
    }
    return rest ? base_fail(st, "setting %s: '%.80s' has more than three numbers", key, text) : 0;
}

static int factors_read(struct fabric_network *n, const struct defaults *d, const struct base_settings *s,
                        struct base_status *st)
{
    if (factor_choose(&n->latency, s, "network/latency-factor", d->latency, "smpi/lat-factor", "0 to 1e9",
                      st) ||
        factor_choose(&n->bandwidth, s, "network/bandwidth-factor", d->bandwidth, "smpi/bw-factor",
                      BASE_FACTORS, st))
        return -1;
    n->narrows = n->bandwidth.pieces > 0 || n->bandwidth.first != 1;
    n->constant = n->latency.first;
    if (d->model == FABRIC_CONSTANT) { /* the factor is the time of every transfer; operations have none */
        free(n->latency.piece);
        n->latency = (struct fabric_factor){.first = 1};
    }
    return 0;
}

int fabric_network_read(struct fabric_network *n, const struct base_settings *s, struct base_status *st)
{
    const struct defaults *d = model_find(base_settings_text(s, "network/model"), st);
    *n = (struct fabric_network){.model = d ? d->model : FABRIC_RAW, .shares = d && d->shares};
    if (!d || factors_read(n, d, s, st) ||
        number_read(&n->weight_s, s, "network/weight-S", d->weight_s, "0 to 1e18", st) ||
        number_read(&n->gamma, s, "network/TCP-gamma", d->shares ? 4194304 : 0, "0 or 1 to 1e18", st) ||
        weight_links_read(n, s, st) || back_read(n, s, d->crosstraffic, st) || both_read(n, s, st) ||
        frame_read(n, s, st) || penalties_read(n, s, st)) {
        fabric_network_release(n);
        return -1;
    }
    n->host_latency = base_settings_number(s, "network/host-latency");
    n->loopback_latency = base_settings_number(s, "network/loopback-lat");
    n->loopback_bandwidth = base_settings_number(s, "network/loopback-bw");
    return 0;
}

void fabric_network_release(struct fabric_network *n)
{
    struct fabric_factor *all[] = {&n->latency, &n->bandwidth, &n->back, &n->both};
    for (size_t k = 0; k < BASE_LENGTH(all); k++) {
        free(all[k]->piece);
        all[k]->piece = NULL;
        all[k]->pieces = 0;
    }
}
