/* SPDX-License-Identifier: BSD-3-Clause */
/* Random platforms: every pair of hosts has the route given by the simple model of random_platform.h. */
#include "platform/check.h"
#include "platform/random_platform.h"
#include "seed.h"

#include <math.h>

static const int platforms = 300;
static struct random_platform model; /* large */
static uint32_t found, missing;

static void check_pair(struct platform *p, const struct random_point *from, const struct random_point *to,
                       const char *where)
{
    static struct random_answer wanted, got;
    struct platform_route route;
    struct base_status st;
    uint32_t a = 0, b = 0;
    wanted = (struct random_answer){.latency = 0};
    got = (struct random_answer){.latency = 0};
    bool exists = random_expected(&model, from, to, &wanted) && *wanted.text;
    if (platform_host_find(p, from->name, &a) || platform_host_find(p, to->name, &b))
        fail_msg("%s: no host %s or %s", where, from->name, to->name);
    if (platform_route(p, a, b, &route, &st)) {
        if (exists)
            fail_msg("%s: %s; wanted%s", where, st.text, wanted.text);
        missing++;
        return;
    }
    found++;
    for (uint32_t k = 0; k < route.n_links; k++)
        random_answer_add(&got, " %s%s", platform_link(p, route.links[k])->name, "");
    if (!exists || strcmp(got.text, wanted.text) || fabs(route.latency * 1e9 - wanted.latency) > 1e-6)
        fail_msg("%s: %s to %s: got%s (%.9g ns); wanted%s (%.9g ns)", where, from->name, to->name, got.text,
                 route.latency * 1e9, exists ? wanted.text : " none", wanted.latency);
}

static void random_platforms_route_as_the_plain_model(void **state)
{
    (void)state;
    uint64_t seed = seed_of_test(1);
    for (int k = 0; k < platforms; k++) {
        char *text, where[64];
        size_t size;
        FILE *xml = open_memstream(&text, &size);
        random_platform_make(&model, seed, (uint64_t)k, k % 2, xml);
        fclose(xml);
        snprintf(where, sizeof where, "seed %llu, platform %d", (unsigned long long)seed, k);
        struct platform *p = loaded(text);
        for (int a = 0; a < model.n_points; a++)
            for (int b = 0; b < model.n_points; b++)
                if (model.points[a].host && model.points[b].host)
                    check_pair(p, &model.points[a], &model.points[b], where);
        platform_destroy(p);
        free(text);
    }
    printf("%u routes, %u pairs without\n", found, missing);
    assert_true(found > 5000 && missing > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_platforms_route_as_the_plain_model)};
    return cmocka_run_group_tests_name("platform random", tests, NULL, NULL);
}
