/* SPDX-License-Identifier: BSD-3-Clause */
/* The built-in cluster, its XML, what is printed of a platform, and what the fluid model gets. */
#include "platform/check.h"

#include <malloc.h>

static void room_for_the_ranks(void **state)
{
    (void)state;
    static const struct {
        uint64_t ranks;
        uint32_t hosts;
    } cases[] = {{0, 64}, {1, 64}, {4096, 64}, {4097, 65}, {1 << 20, 16384}};
    for (unsigned k = 0; k < BASE_LENGTH(cases); k++) {
        struct platform *p = platform_default(cases[k].ranks);
        assert_int_equal(platform_host_count(p), cases[k].hosts);
        assert_int_equal(platform_host(p, 0)->cores, 64);
        platform_check(p);
        platform_destroy(p);
    }
}

static void route_of_the_default_cluster(void **state)
{
    (void)state;
    struct platform *p = platform_default(200);
    assert_route(p, "node-0", "node-3", "cluster_link_0_UP cluster_backbone cluster_link_3_DOWN; 900");
    assert_int_equal(platform_link(p, 0)->policy, PLATFORM_FATPIPE);
    assert_route(p, "node-3", "node-3", "cluster_link_3_loopback; 80");
    assert_number(platform_link(p, 1)->bandwidth, 12179e6);
    assert_number(platform_link(p, 2)->bandwidth, 12.5e9);
    platform_destroy(p);
}

static void same_link(const struct platform_link *a, const struct platform_link *b)
{
    assert_string_equal(a->name, b->name);
    assert_number(a->bandwidth, b->bandwidth);
    assert_number(a->latency, b->latency);
    assert_int_equal(a->policy, b->policy);
}

/* The keys of its <config>, as fabric/ declares them. */
static struct base_settings *keys_of_messages(void)
{
    static const struct base_setting table[] = {
        {"smpi/async-small-thresh", BASE_SIZE, "0", "0 to 1TiB", "", ""},
        {"smpi/os", BASE_TEXT, "", "", "", ""},
        {"smpi/ois", BASE_TEXT, "", "", "", ""},
        {"smpi/or", BASE_TEXT, "", "", "", ""},
        {"smpi/test", BASE_TIME, "0", BASE_TIMES, "", ""},
        {"smpi/iprobe", BASE_TIME, "0", BASE_TIMES, "", ""},
    };
    struct base_settings *s = base_settings_create();
    base_settings_declare(s, table, BASE_LENGTH(table));
    return s;
}

static struct platform *read_again(const char *xml, struct base_settings *s)
{
    struct platform *p = NULL;
    struct base_status st;
    if (platform_load_text(&p, xml, strlen(xml), "default.xml", s, &st))
        fail_msg("%s", st.text);
    return p;
}

static void printed_and_read_again_it_is_the_same(void **state)
{
    (void)state;
    char *xml = platform_default_xml(1000);
    struct base_settings *set = keys_of_messages(), *read = keys_of_messages();
    struct platform *p = platform_default(1000), *q = read_again(xml, read);
    platform_default_configure(set);
    assert_string_equal(base_settings_text(set, "smpi/os"), base_settings_text(read, "smpi/os"));
    assert_number(base_settings_number(set, "smpi/test"), base_settings_number(read, "smpi/test"));
    assert_int_equal(base_settings_count(set, "smpi/async-small-thresh"), 8192);
    assert_int_equal(platform_host_count(p), platform_host_count(q));
    assert_int_equal(platform_link_count(p), platform_link_count(q));
    for (uint32_t k = 0; k < platform_host_count(p); k++) {
        assert_string_equal(platform_host(p, k)->name, platform_host(q, k)->name);
        assert_number(platform_host(p, k)->speed, platform_host(q, k)->speed);
        assert_int_equal(platform_host(p, k)->cores, platform_host(q, k)->cores);
        struct platform_route r, s;
        assert_int_equal(platform_route(p, 0, k, &r, NULL) | platform_route(q, 0, k, &s, NULL), 0);
        assert_int_equal(r.n_links, s.n_links);
        assert_memory_equal(r.links, s.links, r.n_links * sizeof *r.links);
        assert_number(r.latency, s.latency);
    }
    for (uint32_t k = 0; k < platform_link_count(p); k++)
        same_link(platform_link(p, k), platform_link(q, k));
    platform_destroy(p);
    platform_destroy(q);
    base_settings_destroy(set);
    base_settings_destroy(read);
    free(xml);
}

static void printed_for_people(void **state)
{
    (void)state;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct platform *p = platform_default(6400);
    platform_print(p, out);
    fclose(out);
    assert_string_equal(text,
                        "platform (built-in cluster): 100 hosts, 6400 cores, 301 links\n"
                        "zone cluster: 100 hosts, 1 router, routing Cluster, split-duplex links, fatpipe "
                        "backbone, loopbacks\n"
                        "  host node-0: 64 cores of 40.00 Gflop/s\n"
                        "  host node-1: 64 cores of 40.00 Gflop/s\n"
                        "  host node-2: 64 cores of 40.00 Gflop/s\n"
                        "  host node-3: 64 cores of 40.00 Gflop/s\n"
                        "  ... and 96 more hosts\n"
                        "  link cluster_backbone: 12.50 GB/s, 300.0 ns, fatpipe\n"
                        "  link cluster_link_0_loopback: 12.18 GB/s, 80.00 ns, fatpipe\n"
                        "  link cluster_link_0_UP: 12.50 GB/s, 300.0 ns\n"
                        "  link cluster_link_0_DOWN: 12.50 GB/s, 300.0 ns\n"
                        "  ... and 297 more links\n");
    platform_destroy(p);
    free(text);
}

static void realized_in_the_fluid_model(void **state)
{
    (void)state;
    struct engine_config config = {.max_actors = 1, .stack_size = 65536};
    struct engine *e = engine_create(&config);
    struct fluid *f = fluid_create(e);
    fluid_resource first_link, first_cpu, before = fluid_resource_add(f, 1, FLUID_SHARED);
    struct platform *p = platform_default(1);
    platform_realize(p, f, &first_link, &first_cpu);
    assert_int_equal(first_link, before + 1);
    assert_int_equal(first_cpu, first_link + platform_link_count(p));
    assert_number(fluid_resource_capacity(f, first_link), 12.5e9);
    assert_number(fluid_resource_capacity(f, first_cpu + 1), 64 * 40e9);
    platform_destroy(p);
    fluid_destroy(f);
    engine_destroy(e);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

/* Nothing is kept per pair: 16 times the hosts take 16 times the memory, and 65 536 hosts some 20 MB. */
static void memory_grows_with_hosts(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__)
    skip();
#else
    size_t used[2];
    for (unsigned k = 0; k < 2; k++) {
        size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
        struct platform *p = platform_default(k ? 65536 * 64 : 4096 * 64);
        used[k] = mallinfo2().uordblks + mallinfo2().hblkhd - before;
        platform_destroy(p);
    }
    printf("4096 hosts: %zu KiB, 65536 hosts: %zu KiB\n", used[0] >> 10, used[1] >> 10);
    assert_true(used[1] < 22u << 20);
    assert_true(used[1] < 20 * used[0]);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(room_for_the_ranks),
        cmocka_unit_test(route_of_the_default_cluster),
        cmocka_unit_test(printed_and_read_again_it_is_the_same),
        cmocka_unit_test(printed_for_people),
        cmocka_unit_test(realized_in_the_fluid_model),
        cmocka_unit_test(memory_grows_with_hosts),
    };
    return cmocka_run_group_tests_name("platform default", tests, NULL, NULL);
}
