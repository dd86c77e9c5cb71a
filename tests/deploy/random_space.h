/* SPDX-License-Identifier: BSD-3-Clause */
/* random_space: small random platforms and spaces, for tests that compare with all there is. */
#ifndef PGASIM_TESTS_RANDOM_SPACE_H
#define PGASIM_TESTS_RANDOM_SPACE_H

#include "deploy/deploy.h"
#include "seed.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static inline uint64_t test_seed(void)
{
    return seed_of_test(1);
}

static inline uint32_t test_below(struct base_random *r, uint32_t n)
{
    return (uint32_t)base_random_below(r, n);
}

struct test_space {
    struct platform *p;
    struct deploy_hosts hosts;
    struct deploy_space s;
    char *xml;
    struct deploy_words words;
};

/* Clusters of so many hosts each, which differ in speed, one behind the other. */
static inline char *test_clusters(const uint32_t *hosts, uint32_t n)
{
    struct base_text t;
    base_text_init(&t, "a platform");
    base_text_add(&t, "<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">");
    for (uint32_t k = 0; k < n; k++)
        base_text_format(
            &t,
            "<cluster id=\"c%u\" prefix=\"%c\" suffix=\"\" radical=\"0-%u\" speed=\"%uGf\" core=\"2\" "
            "bw=\"1GBps\" lat=\"1us\" router_id=\"r%u\"/>",
            k, 'a' + (int)k, hosts[k] - 1, k + 1, k);
    base_text_add(&t, "<link id=\"l\" bandwidth=\"1GBps\" latency=\"5us\"/>");
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t l = k + 1; l < n; l++)
            base_text_format(&t,
                             "<zoneRoute src=\"c%u\" dst=\"c%u\" gw_src=\"r%u\" gw_dst=\"r%u\"><link_ctn "
                             "id=\"l\"/></zoneRoute>",
                             k, l, k, l);
    base_text_add(&t, "</zone></platform>");
    return base_text_take(&t);
}

/* Takes the text of the platform. */
static inline void test_space_open(struct test_space *t, char *xml, uint32_t per_host)
{
    struct base_status st;
    t->xml = xml;
    if (platform_load_text(&t->p, xml, strlen(xml), "platform", NULL, &st) ||
        deploy_hosts_read(&t->hosts, t->p, per_host, &st) ||
        deploy_space_read(&t->s, &t->hosts, &t->words, &st))
        fail_msg("%s: servers '%s', roles '%s', hosts '%s', in\n%s", st.text, t->words.servers,
                 t->words.roles, t->words.hosts, xml);
}

static inline void test_space_close(struct test_space *t)
{
    deploy_space_release(&t->s);
    deploy_hosts_release(&t->hosts);
    platform_destroy(t->p);
    free(t->xml);
}

#endif
