/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of tools/cluster that need no network: topologies, frames, figures of the CPU, command lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "cluster/frame.h"
#include "cluster/launch.h"
#include "cluster/topology.h"
#include "cluster/usage.h"

static char path[] = "/tmp/test_cluster_XXXXXX";

static void file_write(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void a_platform_gives_nodes_links_and_routes(void **state)
{
    struct topology t;
    struct base_status st;
    uint32_t n;
    (void)state;
    file_write("<platform version='4.1'><!-- <config> is no element here -->\n"
               "<config><prop id='smpi/os' value='0:1:2'/></config><config id='x'/>\n"
               "<zone id='z' routing='Full'><host id='a' speed='1Gf' core='2'/><host id='b' speed='1Gf'/>\n"
               "<link id='l' bandwidth='1MBps' latency='2ms'><prop id='queue' value='64KiB'/></link>\n"
               "<link id='f' bandwidth='2MBps' latency='0' sharing_policy='FATPIPE'/>\n"
               "<route src='a' dst='b'><link_ctn id='l'/><link_ctn id='f'/></route></zone></platform>");
    if (topology_load(&t, path, 3, &st))
        fail_msg("%s", st.text);
    assert_int_equal(t.n_nodes, 2);
    assert_string_equal(t.nodes[0].name, "a");
    assert_int_equal(t.nodes[0].slots, 2);
    assert_int_equal(t.n_links, 2);
    const uint32_t *route = topology_route(&t, 0, 1, &n);
    assert_int_equal(n, 2);
    assert_int_equal(t.links[route[0]].queue, 65536);
    assert_true(t.links[route[0]].shared && !t.links[route[1]].shared);
    assert_true(t.links[route[0]].latency == 2e-3 && t.links[route[1]].bandwidth == 2e6);
    assert_int_equal(topology_route(&t, 1, 0, &n)[0], route[1]);
    topology_route(&t, 1, 1, &n);
    assert_int_equal(n, 0);
    topology_release(&t);
}

static void a_bad_file_is_reported_with_its_line(void **state)
{
    struct topology t;
    struct base_status st;
    (void)state;
    file_write("<platform version='4.1'>\n<config>\n</config><nonsense/></platform>");
    assert_int_equal(topology_load(&t, path, 2, &st), -1);
    assert_non_null(strstr(st.text, ":3"));
    assert_int_equal(topology_load(&t, "/nowhere/x.xml", 2, &st), -1);
    assert_non_null(strstr(st.text, "/nowhere/x.xml"));
}

static void frames_find_their_node(void **state)
{
    unsigned char f[60] = {0}, reply[60];
    uint32_t to = 99;
    (void)state;
    frame_mac(4, f);
    f[12] = 8;
    assert_int_equal(frame_read(f, sizeof f, 5, 0, &to), FRAME_UNICAST);
    assert_int_equal(to, 4);
    assert_int_equal(frame_read(f, sizeof f, 4, 0, &to), FRAME_OTHER); /* there is no node 4 */
    assert_int_equal(frame_read(f, 13, 5, 0, &to), FRAME_OTHER);
    memset(f, 0xff, 6);
    assert_int_equal(frame_read(f, sizeof f, 5, 0, &to), FRAME_OTHER);
    static const unsigned char question[] = {8, 6,  0,  1, 8, 0, 6, 4, 0, 1, 2, 0x50, 0x67, 0, 0,
                                             1, 10, 77, 0, 1, 0, 0, 0, 0, 0, 0, 10,   77,   0, 3};
    memcpy(f + 12, question, sizeof question);
    assert_int_equal(frame_read(f, sizeof f, 5, 0, &to), FRAME_ARP);
    assert_int_equal(to, 0);
    frame_mac(0, reply);
    frame_mac(2, reply + 6);
    assert_memory_equal(f, reply, 12);
    assert_int_equal(f[21], 2);                /* a reply */
    assert_memory_equal(f + 22, reply + 6, 6); /* node 2 has it */
    assert_memory_equal(f + 28, question + 26, 4);
}

static void the_cpu_of_a_run(void **state)
{
    double busy, total;
    (void)state;
    assert_true(usage_parse("cpu  10 20 30 400 40 1 2 3 5 6\n", &busy, &total));
    assert_true(busy == 66 && total == 506);
    assert_false(usage_parse("cpu0 1 2 3 4 5\n", &busy, &total));
    assert_false(usage_parse("cpu  1 2\n", &busy, &total));
    struct usage_point a = {1, 0, 0, 0}, b = {3, 101, 200, 0.5};
    struct usage u = usage_between(&a, &b);
    assert_true(u.is_void && u.own == 0.25);
    b.busy = 100;
    assert_false(usage_between(&a, &b).is_void);
}

static void launchers_get_all_nodes(void **state)
{
    static char program[] = "./p";
    char *args[] = {program, NULL};
    struct launch l = {.mpi = LAUNCH_MPICH, .ranks = 3, .folder = "/f", .program = args};
    struct topology t;
    int hosts = 0, agent = 0;
    (void)state;
    topology_star(&t, 3, 1, 1);
    for (int mpi = LAUNCH_OPENMPI; mpi <= LAUNCH_MPICH; mpi++) {
        l.mpi = (enum launch_mpi)mpi;
        char **words = launch_words(&l, &t), **w = words;
        for (; *w; w++) {
            hosts += !strcmp(*w, "n0:1,n1:1,n2:1");
            agent += !strcmp(*w, "/f/agent");
        }
        assert_string_equal(w[-1], "./p");
        for (w = words; *w; w++)
            free(*w);
        free(words);
    }
    assert_int_equal(hosts, 2);
    assert_int_equal(agent, 2);
    topology_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_platform_gives_nodes_links_and_routes),
        cmocka_unit_test(a_bad_file_is_reported_with_its_line),
        cmocka_unit_test(frames_find_their_node),
        cmocka_unit_test(the_cpu_of_a_run),
        cmocka_unit_test(launchers_get_all_nodes),
    };
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return rc;
}
