/* SPDX-License-Identifier: BSD-3-Clause */
/* check: `pgasim platform check`. A file is OK when `pgasim run` would take it: the platform and the
 * parameters of its hosts are read as there. Hosts without a route between them, and links that no route
 * uses, give warnings, since both may be intended. */
#include "cli/platform/command.h"
#include "cli/options/options.h"

#include "base/text.h"
#include "fabric/fabric.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PAIRS = 40000 }; /* of hosts; only a part of larger platforms is checked */

/* What the routes between hosts show. */
struct survey {
    uint64_t asked, missing;
    uint32_t from, to; /* the first pair without a route */
    bool whole;        /* all pairs were asked */
    bool *taken;       /* by link */
};

static void survey_pair(struct survey *v, struct platform *p, uint32_t from, uint32_t to)
{
    struct base_status st;
    struct platform_route route;
    v->asked++;
    if (platform_route(p, from, to, &route, &st)) {
        if (!v->missing++) {
            v->from = from;
            v->to = to;
        }
        return;
    }
    for (uint32_t k = 0; k < route.n_links; k++)
        v->taken[route.links[k]] = true;
}

/* All pairs, or for many hosts those at some distances. A host may lack a route to itself, which is never
 * used. */
static void survey_all(struct survey *v, struct platform *p)
{
    uint32_t n = platform_host_count(p);
    uint64_t distances = n < 2 ? 0 : MOST_PAIRS / n;
    v->whole = n <= 1 || distances >= n - 1;
    for (uint32_t from = 0; from < n; from++) {
        struct base_status st;
        struct platform_route route;
        if (platform_route(p, from, from, &route, &st) == 0)
            for (uint32_t k = 0; k < route.n_links; k++)
                v->taken[route.links[k]] = true;
        if (v->whole)
            distances = n - 1;
        for (uint64_t k = 0; k < distances; k++) {
            uint64_t step = v->whole ? k + 1 : 1 + k * (n - 1) / distances;
            survey_pair(v, p, from, (uint32_t)((from + step) % n));
        }
        if (!distances && from % (n / MOST_PAIRS + 1) == 0)
            survey_pair(v, p, from, n - 1 - from);
    }
}

/* Once for each file, unlike base_warn. */
BASE_PRINTF(1, 2) static void say(const char *fmt, ...)
{
    va_list args;
    char text[1024];
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    base_text_mask(text);
    fprintf(base_report_stream(), "pgasim: warning: %s\n", text);
}

static void warn_of_links(const struct survey *v, const struct platform *p, const char *path)
{
    uint32_t idle = 0, first = 0;
    for (uint32_t k = 0; k < platform_link_count(p); k++)
        if (!v->taken[k] && strcmp(platform_link(p, k)->name, "__loopback__") != 0 && !idle++)
            first = k;
    if (idle && v->whole)
        say("%s: no route uses link '%s'%s", path, platform_link(p, first)->name,
            idle == 1 ? "" : ", nor some others");
}

static void warn(const struct survey *v, const struct platform *p, const char *path)
{
    if (v->missing)
        say("%s: %llu of %llu pairs of hosts have no route, the first of them '%s' to '%s'", path,
            (unsigned long long)v->missing, (unsigned long long)v->asked, platform_host(p, v->from)->name,
            platform_host(p, v->to)->name);
    warn_of_links(v, p, path);
}

/* The parameters of the hosts, as a run reads them. */
static int check_parameters(struct platform *p, const struct base_settings *s)
{
    struct base_status st;
    struct fabric_messages *ms = NULL;
    struct engine *e = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = 64 << 10});
    struct fluid *fl = fluid_create(e);
    struct fabric *f = fabric_create(e, fl, p, s);
    int rc = fabric_messages_create(&ms, f, s, &st);
    if (rc)
        base_error("%s", st.text);
    else
        fabric_messages_destroy(ms);
    fabric_destroy(f);
    fluid_destroy(fl);
    engine_destroy(e);
    return rc;
}

static int check_one(const struct platform_request *q, const char *path)
{
    struct base_settings *s = cli_settings_create();
    struct platform *p = platform_request_load(q, path, s);
    int status = BASE_EXIT_INPUT;
    if (p && !check_parameters(p, s)) {
        struct survey v = {.taken = base_zalloc(platform_link_count(p) + 1, "links")};
        survey_all(&v, p);
        warn(&v, p, path);
        free(v.taken);
        printf("OK %s: ", path);
        platform_request_counts(p);
        status = BASE_EXIT_OK;
    }
    if (p)
        platform_destroy(p);
    base_settings_destroy(s);
    return status;
}

int platform_request_check(const struct platform_request *q)
{
    int status = BASE_EXIT_OK;
    for (int k = 0; k < q->words; k++)
        if (check_one(q, q->word[k]))
            status = BASE_EXIT_INPUT;
    return status;
}
