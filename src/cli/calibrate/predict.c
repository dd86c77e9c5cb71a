/* SPDX-License-Identifier: BSD-3-Clause */
/* predict: simulates collectives without a program (tune/) on the platform of the constants. */
#include "cli/calibrate/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options/options.h"
#include "platform/platform.h"
#include "tune/tune.h"

enum { ROW = 8 };                        /* as in runtime/calibrate/collectives.c */
static const uint64_t events = 50000000; /* of one collective, at most */

/* The selector of a library, by what it calls itself. NULL: that of the settings. */
static const char *selector_of(const char *library)
{
    static const struct {
        const char *words, *selector;
    } known[] = {{"Open MPI v5", "ompi-5.0"}, {"Open MPI v", "ompi-4.1"},     {"MVAPICH2", "mvapich2"},
                 {"Intel(R) MPI", "impi"},    {"MPICH Version:\t3", "mpich"}, {"MPICH", "mpich-ch4"}};
    for (size_t k = 0; library && k < BASE_LENGTH(known); k++)
        if (strstr(library, known[k].words))
            return known[k].selector;
    return NULL;
}

/* The platform's file as text; the caller frees it. */
static char *text_of(const struct calibrate_result *r, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out)
        calibrate_platform(r, out);
    if (!out || fclose(out))
        base_fatal(BASE_EXIT_HOST, "no memory for a platform's text");
    return text;
}

/* Settings of the environment, and the platform with its own. -1 with st. */
static int stage_make(struct tune_stage *g, const char *text, size_t size, const char *library,
                      struct base_status *st)
{
    const char *selector = selector_of(library);
    *g = (struct tune_stage){.settings = cli_settings_create()};
    if (base_settings_read_environment(g->settings, environ, cli_not_settings, st) ||
        platform_load_text(&g->platform, text, size, "the platform", g->settings, st))
        return -1;
    if (selector && base_settings_is_default(g->settings, "coll/selector"))
        return base_settings_set(g->settings, "coll/selector", selector, BASE_FROM_COMMAND, st);
    return 0;
}

/* Hosts of a file's ranks; NULL: not known, or not on the platform. The caller frees them. */
static uint32_t *hosts_of(const struct calibrate_table *t, uint32_t file, uint32_t ranks, uint32_t hosts)
{
    uint32_t *host = base_alloc((ranks + !ranks) * sizeof *host, "places of ranks"), found = 0;
    for (size_t k = 0; k < t->rank.n; k++) {
        const struct calibrate_rank *x = &t->rank.at[k];
        if (x->file != file || x->rank >= ranks || x->node >= hosts)
            continue;
        host[x->rank] = x->node;
        found++;
    }
    if (found == ranks && ranks > 1)
        return host;
    free(host);
    return NULL;
}

/* When so many in a row are over; 0: they cannot be simulated. */
static double simulate(struct tune_stage *g, const struct calibrate_collective *c, const uint32_t *host,
                       uint32_t times)
{
    const char *name = c->kind == CALIBRATE_BARRIER ? "barrier" : "allreduce";
    struct base_status st;
    struct tune_time time;
    struct tune_trial y = {.op = tune_op_find(name, strlen(name)),
                           .ranks = c->ranks,
                           .host = host,
                           .bytes = c->bytes,
                           .choice = {.algorithm = TUNE_DEFAULT},
                           .bound = INFINITY,
                           .events = events};
    g->one_sided = c->shmem;
    g->times = times;
    if (!tune_try(g, &y, &time, &st))
        return time.end == TUNE_DONE ? time.last : 0;
    base_warn("calibrate", "%s of %llu bytes is not simulated: %s", name, (unsigned long long)c->bytes,
              st.text);
    return 0;
}

/* As the benchmark measures it: so many in a row, after one that does not count. */
static double predicted(struct tune_stage *g, const struct calibrate_collective *c, const uint32_t *host)
{
    double one = simulate(g, c, host, 1), all = one > 0 ? simulate(g, c, host, ROW + 1) : 0;
    return all > one ? (all - one) / ROW : 0;
}

/* All collectives of one file, from number `at` on. Returns the first of the next. */
static size_t predict_file(struct calibrate_result *r, const struct calibrate_table *t, const char *text,
                           size_t size, size_t at)
{
    const struct calibrate_collective *c;
    size_t n = calibrate_collectives(r, &c), end = at;
    struct tune_stage g;
    struct base_status st;
    uint32_t *host = NULL;
    while (end < n && c[end].file == c[at].file)
        end++;
    if (stage_make(&g, text, size, t->file.at[c[at].file].library, &st))
        base_warn("calibrate", "collectives are not simulated: %s", st.text);
    else
        host = hosts_of(t, c[at].file, c[at].ranks, platform_host_count(g.platform));
    for (size_t k = at; host && k < end; k++)
        calibrate_collective_predict(r, k, predicted(&g, &c[k], host));
    free(host);
    if (g.platform)
        platform_destroy(g.platform);
    base_settings_destroy(g.settings);
    return end;
}

void cli_calibrate_predict(struct calibrate_result *r, const struct calibrate_table *t)
{
    const struct calibrate_collective *c;
    size_t n = calibrate_collectives(r, &c), size = 0;
    if (!n || calibrate_platform_check(r, NULL))
        return;
    tune_register();
    char *text = text_of(r, &size);
    for (size_t at = 0; at < n;)
        at = predict_file(r, t, text, size, at);
    free(text);
}
