/* SPDX-License-Identifier: BSD-3-Clause */
/* What the platform tests share: loading texts, routes as readable lines. */
#ifndef PGASIM_TESTS_PLATFORM_CHECK_H
#define PGASIM_TESTS_PLATFORM_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "platform/platform.h"

#define OPEN  "<platform version=\"4.1\">\n"
#define CLOSE "</platform>\n"
/* A zone of hosts whose first line is line 2 of the file. */
#define ZONE(text) OPEN "<zone id=\"z\" routing=\"Full\">\n" text "</zone>\n" CLOSE

static inline struct platform *loaded(const char *text)
{
    struct platform *p = NULL;
    struct base_status st;
    if (platform_load_text(&p, text, text ? strlen(text) : 0, "test.xml", NULL, &st))
        fail_msg("%s\nin\n%s", st.text, text);
    if (!p)
        fail_msg("no platform of\n%s", text);
    platform_check(p);
    return p;
}

/* "link link ...; latency in ns", or the error's text. */
static inline const char *route_text(struct platform *p, const char *src, const char *dst)
{
    static char buf[2048];
    struct platform_route route;
    struct base_status st;
    uint32_t a, b;
    size_t used = 0;
    if (platform_host_find(p, src, &a) || platform_host_find(p, dst, &b))
        return "no such host";
    if (platform_route(p, a, b, &route, &st))
        return strcpy(buf, st.text);
    buf[0] = 0;
    for (uint32_t k = 0; k < route.n_links && used < sizeof buf; k++)
        used += (size_t)snprintf(buf + used, sizeof buf - used, "%s%s", k ? " " : "",
                                 platform_link(p, route.links[k])->name);
    snprintf(buf + used, sizeof buf - used, "; %.9g", route.latency * 1e9);
    return buf;
}

#define assert_route(p, src, dst, expected) assert_string_equal(route_text(p, src, dst), expected)

#define assert_number(got, wanted)                                                                           \
    do {                                                                                                     \
        double got_ = (got), wanted_ = (wanted);                                                             \
        if (!(got_ == wanted_))                                                                              \
            fail_msg("%s is %.17g, not %.17g", #got, got_, wanted_);                                         \
    } while (0)

#endif
