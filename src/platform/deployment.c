/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deployment: who starts where, as SimGrid's deployment files say it. Of an <actor> (or <process>, its old name) only its
 * host means something here: it is where a rank runs. What else an actor could ask for, a start later than 0 or a restart,
 * is refused; its function and arguments are the command line's business.
 */
#include "platform/elements.h"

#include <stdlib.h>
#include <string.h>

/* --- tags --------------------------------------------------------------------------------------- */

/* A time that has no meaning here; SimGrid's for "never" is negative. */
static int time_refuse(struct platform_reader *r, const char *attribute, bool zero, const char *why)
{
    double x;
    if (base_parse_double(platform_reader_value(r, attribute), &x, NULL))
        return platform_reader_refuse(r, attribute, "expected a number of seconds");
    return x > 0 || (x == 0 && !zero) ? platform_reader_refuse(r, attribute, why) : 0;
}

int platform_element_actor(struct platform_reader *r)
{
    static const char *const ends[] = {"DIE", "RESTART"};
    const char *host = platform_reader_value(r, "host");
    int end = platform_attribute_choice(r, "on_failure", ends, BASE_LENGTH(ends));
    if (end < 0 || time_refuse(r, "start_time", true, "not modelled; ranks start at 0") ||
        time_refuse(r, "kill_time", false, "not modelled; ranks end by themselves"))
        return -1;
    if (end)
        return platform_reader_refuse(r, "on_failure",
                                      "not modelled; a rank whose host failed does not start again");
    struct platform_actor a = {.host = platform_names_keep(r->p->names, host, strlen(host)),
                               .line = platform_reader_top(r)->line,
                               .rank = PLATFORM_NONE};
    BASE_ARRAY_PUSH(&r->actors, a);
    return 0;
}

int platform_element_actor_prop(struct platform_reader *r)
{
    struct platform_actor *a = &r->actors.at[r->actors.n - 1];
    uint64_t rank;
    if (strcmp(platform_reader_value(r, "id"), "rank_id"))
        return 0;
    if (base_parse_uint(platform_reader_value(r, "value"), &rank, NULL) || rank >= PLATFORM_NONE)
        return platform_reader_refuse(r, "value", "expected the number of a rank");
    a->rank = (uint32_t)rank;
    return 0;
}

int platform_element_argument(struct platform_reader *r)
{
    (void)r;
    return 0;
}

static int host_of(struct platform_reader *r, const struct platform *p, const struct platform_actor *a,
                   uint32_t *host)
{
    if (platform_host_find(p, a->host, host))
        return platform_reader_fail(
            r, a->line, "<actor host=\"%.80s\">: no such host; expected a host of platform %.120s", a->host,
            p->file);
    return 0;
}

/* In a platform file they place nobody. */
int platform_element_actors_check(struct platform_reader *r)
{
    uint32_t host;
    if (!r->actors.n || r->deployment)
        return 0;
    for (size_t k = 0; k < r->actors.n; k++)
        if (host_of(r, r->p, &r->actors.at[k], &host))
            return -1;
    base_warn("platform/actors",
              "%s:%u: %zu <actor>s are ignored in a platform file: -np and -hostfile, which takes a "
              "deployment file, too, "
              "say where ranks run",
              r->name, r->actors.at[0].line, r->actors.n);
    return 0;
}

/* --- deployment files --------------------------------------------------------------------------- */

/* The rank of the k-th actor: its rank_id, when the first one has one; else k. */
static int rank_of(struct platform_reader *r, size_t k, const uint32_t *hosts, uint32_t *rank)
{
    const struct platform_actor *a = &r->actors.at[k];
    bool numbered = r->actors.at[0].rank != PLATFORM_NONE;
    *rank = numbered ? a->rank : (uint32_t)k;
    if (numbered != (a->rank != PLATFORM_NONE))
        return platform_reader_fail(r, a->line,
                                    "<actor>: expected the property rank_id in all actors or in none");
    if (*rank >= r->actors.n)
        return platform_reader_fail(r, a->line,
                                    "<actor> of rank %u; expected ranks 0 to %zu, for there are %zu actors",
                                    *rank, r->actors.n - 1, r->actors.n);
    if (hosts[*rank] != PLATFORM_NONE)
        return platform_reader_fail(r, a->line, "<actor>: a second one of rank %u", *rank);
    return 0;
}

static int ranks_fill(struct platform_reader *r, const struct platform *p, uint32_t *hosts)
{
    memset(hosts, 0xff, r->actors.n * sizeof *hosts);
    for (size_t k = 0; k < r->actors.n; k++) {
        uint32_t rank, host;
        if (rank_of(r, k, hosts, &rank) || host_of(r, p, &r->actors.at[k], &host))
            return -1;
        hosts[rank] = host;
    }
    return 0;
}

bool platform_is_deployment(const char *text, size_t size)
{
    size_t at = 0;
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) /* a byte order mark */
        at = 3;
    while (at < size && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    return at < size && text[at] == '<';
}

int platform_deployment_read(const struct platform *p, const char *text, size_t size, const char *name,
                             uint32_t **hosts, uint32_t *n, struct base_status *st)
{
    struct platform_reader r = {.p = platform_create(name),
                                .st = st,
                                .name = name,
                                .text = text,
                                .size = size,
                                .zone = PLATFORM_NONE,
                                .deployment = true};
    int rc = platform_reader_run(&r);
    if (rc == 0 && !r.actors.n)
        rc = platform_reader_fail(&r, 1, "no <actor>; expected one a rank");
    if (rc == 0) {
        uint32_t *list = base_alloc(r.actors.n * sizeof *list, "hosts of ranks");
        rc = ranks_fill(&r, p, list);
        if (rc)
            free(list);
        else
            *hosts = list, *n = (uint32_t)r.actors.n;
    }
    platform_destroy(r.p);
    platform_reader_release(&r);
    return rc;
}
