/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements_actor: the tags of deployment files, which say who starts where. Of an <actor> (or <process>, its
 * old name) only the host is used: it is where a rank runs. A start later than 0 or a restart is refused;
 * function and arguments are given on the command line.
 */
#include "platform/xml/elements.h"

#include <string.h>

/* Refuses a time that has no meaning here; in SimGrid negative times mean "never". */
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

int platform_actor_host(struct platform_reader *r, const struct platform *p, const struct platform_actor *a,
                        uint32_t *host)
{
    if (platform_host_find(p, a->host, host))
        return platform_reader_fail(
            r, a->line, "<actor host=\"%.80s\">: no such host; expected a host of platform %.120s", a->host,
            p->file);
    return 0;
}

/* In a platform file they place no ranks. */
int platform_element_actors_check(struct platform_reader *r)
{
    uint32_t host;
    if (!r->actors.n || r->deployment)
        return 0;
    for (size_t k = 0; k < r->actors.n; k++)
        if (platform_actor_host(r, r->p, &r->actors.at[k], &host))
            return -1;
    base_warn("platform/actors",
              "%s:%u: the platform file's %zu <actor>s are ignored: -np and -hostfile, which also accepts a "
              "deployment file, say where ranks run",
              r->name, r->actors.at[0].line, r->actors.n);
    return 0;
}
