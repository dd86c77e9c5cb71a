/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a platform file: a report with the file's name, or a platform that satisfies its
 * invariants and whose routes can be computed. */
#include <stdlib.h>
#include <string.h>

#include "platform/xml/xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HOSTS = 5000, ASKED = 12 };

static const struct base_setting table[] = {{"rdma/gap", BASE_TIME, "5ns", BASE_TIMES, "", ""}};

static void ask(struct platform *p)
{
    uint32_t n = platform_host_count(p), most = n < ASKED ? n : ASKED;
    for (uint32_t a = 0; a < most; a++)
        for (uint32_t b = 0; b < most; b++) {
            struct platform_route route;
            struct base_status st;
            /* The first hosts and the last ones. */
            if (platform_route(p, a, b % 2 ? b : n - 1 - b, &route, &st))
                BASE_ASSERT("P10", strlen(st.text) > 0);
            else
                for (uint32_t k = 0; k < route.n_links; k++)
                    BASE_ASSERT("P1", platform_link(p, route.links[k])->bandwidth > 0);
        }
    uint32_t id;
    BASE_ASSERT("P1", platform_host_find(p, platform_host(p, n - 1)->name, &id) == 0 && id == n - 1);
    platform_host_property(p, 0, "k");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *nowhere;
    struct platform *p;
    struct base_status st = {""};
    if (!nowhere)
        base_report_to(nowhere = fopen("/dev/null", "w"));
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, table, 1);
    if (platform_read(&p, (const char *)data, size, "input", s, HOSTS, &st) == 0) {
        platform_check(p);
        ask(p);
        platform_print(p, nowhere);
        platform_destroy(p);
    } else {
        BASE_ASSERT("P10", !strncmp(st.text, "input:", 6));
    }
    base_settings_destroy(s);
    return 0;
}
