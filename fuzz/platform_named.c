/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as the name of a platform: a report that repeats the name, or a platform with a route between any
 * two hosts. */
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HOSTS_MOST = 4096 };

/* Whether the numbers in the name make a small machine: short runs. */
static bool small(const char *name)
{
    double product = 1;
    for (const char *at = name; *at; at++)
        if (*at >= '0' && *at <= '9') {
            char *end;
            double n = strtod(at, &end);
            product *= n > 1 ? n : 1;
            at = end - 1;
        }
    return product <= HOSTS_MOST;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    struct platform_route route;
    struct platform *p = NULL;
    char *name = malloc(size + 1); /* exactly as long as it says */
    if (size)
        memcpy(name, data, size);
    name[size] = 0;
    if (platform_is_named(name) && small(name)) {
        if (platform_load_named(&p, name, NULL, &st)) {
            BASE_ASSERT("a report", st.text[0] != 0);
        } else {
            uint32_t last = platform_host_count(p) - 1;
            BASE_ASSERT("a route", !last || !platform_route(p, 0, last, &route, &st));
            platform_destroy(p);
        }
    }
    free(name);
    return 0;
}
