/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elements_trace: what makes a platform change with time: the attributes that name a file, <trace>,
 * <trace_connect>; and <disk>. Connections are made at the end of the file, as in
 * SimGrid: a trace may come before what it is connected to.
 */
#include "platform/xml/elements.h"

#include <stdlib.h>
#include <string.h>

/* NULL: the setting is not known here. */
static const char *folders(const struct platform_reader *r)
{
    bool known = r->settings && base_settings_known(r->settings, "path");
    return known ? base_settings_text(r->settings, "path") : NULL;
}

static int trace_of_file(struct platform_reader *r, const char *attribute, uint32_t *trace)
{
    struct base_status why;
    if (platform_trace_of_file(r->p, platform_reader_value(r, attribute), folders(r), trace, &why))
        return platform_reader_refuse(r, attribute, why.text);
    return 0;
}

int platform_attribute_profile(struct platform_reader *r, const char *attribute, enum platform_trait trait,
                               uint32_t id)
{
    uint32_t trace;
    if (!*platform_reader_value(r, attribute))
        return 0;
    if (trace_of_file(r, attribute, &trace))
        return -1;
    platform_profile_add(r->p, trait, id, trace, platform_reader_top(r)->line);
    return 0;
}

/* --- trace -------------------------------------------------------------------------------------- */

static void name_trace(struct platform_reader *r, const char *id, uint32_t trace)
{
    struct platform_named before;
    struct platform_named named = {platform_names_keep(r->p->names, id, strlen(id)), trace,
                                   platform_reader_top(r)->line};
    platform_names_add(r->p->names, PLATFORM_TRACES, named, &before);
}

int platform_element_trace(struct platform_reader *r)
{
    struct base_status why;
    struct platform_named before;
    uint32_t trace;
    const char *id = platform_reader_value(r, "id");
    r->content.n = 0;
    r->content_line = platform_reader_top(r)->line;
    r->trace_id = NULL;
    if (base_parse_double(platform_reader_value(r, "periodicity"), &r->periodicity, &why))
        return platform_reader_refuse(r, "periodicity", why.text);
    if (platform_names_find(r->p->names, PLATFORM_TRACES, id, strlen(id), &before))
        return platform_reader_fail(r, platform_reader_top(r)->line,
                                    "<trace id=\"%.80s\">: the trace declared at line %u has this id", id,
                                    before.line);
    if (!*platform_reader_value(r, "file")) {
        r->trace_id = platform_names_keep(r->p->names, id, strlen(id));
        return 0;
    }
    if (trace_of_file(r, "file", &trace))
        return -1;
    if (r->periodicity > 0)
        base_warn("platform/trace-periodicity",
                  "%s:%u: <trace file=... periodicity=\"%g\">: the period of a file is the one in its line "
                  "PERIODICITY, as in SimGrid",
                  r->name, platform_reader_top(r)->line, r->periodicity);
    name_trace(r, id, trace);
    return 0;
}

int platform_element_trace_end(struct platform_reader *r)
{
    struct base_status why;
    struct platform_trace t;
    uint32_t line;
    if (!r->trace_id)
        return 0;
    if (!r->content.n)
        return platform_element_fail(r, "empty; expected file=\"...\" or lines TIME VALUE in it");
    if (platform_trace_parse(&t, r->content.at, r->content.n, r->periodicity, &line, &why))
        return platform_reader_fail(r, r->content_line + line - 1, "<trace id=\"%.80s\">: %s", r->trace_id,
                                    why.text);
    name_trace(r, r->trace_id, platform_trace_add(r->p, t));
    return 0;
}

/* --- trace_connect ------------------------------------------------------------------------------ */

int platform_element_trace_connect(struct platform_reader *r)
{
    static const char *const kinds[] = {"SPEED", "HOST_AVAIL", "BANDWIDTH", "LATENCY", "LINK_AVAIL"};
    int kind = platform_attribute_choice(r, "kind", kinds, BASE_LENGTH(kinds));
    const char *trace = platform_reader_value(r, "trace"), *element = platform_reader_value(r, "element");
    struct platform_named found;
    if (kind < 0)
        return -1;
    if (!platform_names_find(r->p->names, PLATFORM_TRACES, trace, strlen(trace), &found))
        return platform_reader_refuse(r, "trace", "no <trace> above has this id");
    struct platform_connection c = {.element = platform_names_keep(r->p->names, element, strlen(element)),
                                    .trait = (enum platform_trait)kind,
                                    .trace = found.id,
                                    .line = platform_reader_top(r)->line};
    BASE_ARRAY_PUSH(&r->connections, c);
    return 0;
}

static int connect_fail(struct platform_reader *r, const struct platform_connection *c, const char *noun)
{
    return platform_reader_fail(r, c->line, "<trace_connect element=\"%.80s\">: no %s has this name",
                                c->element, noun);
}

static int connect_host(struct platform_reader *r, const struct platform_connection *c)
{
    uint32_t host;
    if (platform_host_find(r->p, c->element, &host))
        return connect_fail(r, c, "host");
    platform_profile_add(r->p, c->trait, host, c->trace, c->line);
    return 0;
}

/* For a split link, both halves. */
static int connect_link(struct platform_reader *r, const struct platform_connection *c)
{
    uint32_t link;
    if (!platform_link_find(r->p, c->element, &link))
        return connect_fail(r, c, "link");
    platform_profile_add(r->p, c->trait, link & ~PLATFORM_SPLIT, c->trace, c->line);
    if (link & PLATFORM_SPLIT)
        platform_profile_add(r->p, c->trait, (link & ~PLATFORM_SPLIT) + 1, c->trace, c->line);
    return 0;
}

int platform_element_traces_connect(struct platform_reader *r)
{
    for (size_t k = 0; k < r->connections.n; k++) {
        const struct platform_connection *c = &r->connections.at[k];
        bool host = c->trait == PLATFORM_SPEED || c->trait == PLATFORM_HOST_STATE;
        if (host ? connect_host(r, c) : connect_link(r, c))
            return -1;
    }
    return 0;
}

/* --- disk --------------------------------------------------------------------------------------- */

int platform_element_disk(struct platform_reader *r)
{
    struct platform_element *top = platform_reader_top(r);
    const char *id = platform_reader_value(r, "id");
    struct platform_disk d = {.host = (uint32_t)r->p->hosts.n - 1};
    if (platform_attribute_quantity(r, "read_bw", base_parse_bandwidth, &d.read_bandwidth) ||
        platform_attribute_quantity(r, "write_bw", base_parse_bandwidth, &d.write_bandwidth))
        return -1;
    d.name = platform_names_keep(r->p->names, id, strlen(id));
    BASE_ARRAY_PUSH(&r->p->disks, d);
    top->owner[0] = PLATFORM_OF_DISK | ((uint32_t)r->p->disks.n - 1);
    return 0;
}
