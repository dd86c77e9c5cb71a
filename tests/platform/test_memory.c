/* SPDX-License-Identifier: BSD-3-Clause */
/* Every allocation of a load fails once, each in its own
 * process: one report, the documented status, no crash. */
#include "platform/check.h"

#include <sys/wait.h>
#include <unistd.h>

static const char text[] = OPEN
    "<zone id=\"top\" routing=\"Full\"><prop id=\"k\" value=\"v\"/>\n"
    "<cluster id=\"c\" prefix=\"c\" suffix=\"\" radical=\"0-99,200\" speed=\"1Gf\" bw=\"1GBps\" lat=\"10ns\" "
    "bb_bw=\"1GBps\" limiter_link=\"1GBps\" loopback_bw=\"1GBps\"/>\n"
    "<cluster id=\"ring\" prefix=\"ring\" suffix=\"\" radical=\"0-5\" speed=\"1Gf\" bw=\"1GBps\" "
    "lat=\"10ns\" "
    "topology=\"TORUS\" topo_parameters=\"3,2\" loopback_bw=\"1GBps\"/>\n"
    "<cluster id=\"tree\" prefix=\"tree\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" "
    "lat=\"10ns\" "
    "topology=\"FAT_TREE\" topo_parameters=\"2;2,2;1,2;1,1\"/>\n"
    "<cluster id=\"fly\" prefix=\"fly\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"1GBps\" lat=\"10ns\" "
    "topology=\"DRAGONFLY\" topo_parameters=\"2,1;1,1;2,1;1\"/>\n"
    "<zone id=\"one\" routing=\"Full\"><host id=\"h\" speed=\"1Gf,2Gf\"/><router id=\"r\"/>\n"
    "<link id=\"l\" bandwidth=\"1GBps\" sharing_policy=\"SPLITDUPLEX\"/>\n"
    "<route src=\"h\" dst=\"r\"><link_ctn id=\"l\" direction=\"UP\"/></route></zone>\n"
    "<zone id=\"graph\" routing=\"Floyd\"><host id=\"fa\" speed=\"1Gf\"/><host id=\"fb\" speed=\"1Gf\"/>\n"
    "<route src=\"fa\" dst=\"fb\"><link_ctn id=\"l_UP\"/></route></zone>\n"
    "<zone id=\"star\" routing=\"Cluster\"><host id=\"sa\" speed=\"1Gf\"/><host_link id=\"sa\" up=\"l_UP\" "
    "down=\"l_DOWN\"/><backbone id=\"b\" bandwidth=\"1GBps\" latency=\"0\"/></zone>\n"
    "<zone id=\"far\" routing=\"Vivaldi\"><peer id=\"p\" speed=\"1Gf\" bw_in=\"1Bps\" bw_out=\"1Bps\" "
    "coordinates=\"1 2 3\"/></zone>\n"
    "<bypassZoneRoute src=\"graph\" dst=\"star\" gw_src=\"fa\" gw_dst=\"sa\"><link_ctn "
    "id=\"l_UP\"/></bypassZoneRoute>\n"
    "<zoneRoute src=\"c\" dst=\"one\" gw_src=\"cc_router\" gw_dst=\"r\"><link_ctn "
    "id=\"c_backbone\"/></zoneRoute>\n"
    "</zone>\n" CLOSE;

static _Noreturn void child(int report, uint64_t fail_at)
{
    FILE *out = fdopen(report, "w");
    struct platform *p;
    struct platform_placement at;
    struct base_status st;
    uint32_t rank_host[3];
    base_report_to(out);
    base_alloc_fail_at(fail_at);
    int rc = platform_load_text(&p, text, strlen(text), "t.xml", NULL, &st);
    if (rc) {
        fprintf(out, "%s\n", st.text);
        fclose(out);
        _exit(98);
    }
    struct platform_route route;
    uint32_t from, to;
    rc = rc || platform_host_find(p, "fb", &from) || platform_host_find(p, "sa", &to) ||
         platform_route(p, from, to, &route, &st);
    rc |= platform_place_text(p, 3, "h\nc0:2\n", 7, "hosts", PLATFORM_MAP_HOST, rank_host, &at, &st);
    for (uint32_t k = 0; rc == 0 && k < platform_link_count(p); k++)
        rc |= !platform_link(p, k)->name[0];
    static const struct platform_plan plan = {.kind = "two-level"};
    char *xml = platform_generate(&plan, &st);
    base_alloc_fail_at(0);
    free(xml);
    platform_destroy(p);
    fclose(out);
    _exit(rc ? 99 : 0);
}

/* The status of a process in which allocation number n fails, and its report. */
static int status_of(uint64_t n, char *report, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        child(ends[1], n);
    close(ends[1]);
    FILE *in = fdopen(ends[0], "r");
    size_t got = fread(report, 1, size - 1, in);
    report[got] = 0;
    fclose(in);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char report[1024];
    for (uint64_t n = 1;; n++) {
        int status = status_of(n, report, sizeof report);
        if (status == 0) {
            printf("%llu allocations\n", (unsigned long long)n - 1);
            assert_true(n > 20);
            return;
        }
        if (status != BASE_EXIT_HOST || strncmp(report, "pgasim: error: out of memory: ", 30) ||
            strchr(report, '\n') != report + strlen(report) - 1)
            fail_msg("allocation %llu: status %d, report: %s", (unsigned long long)n, status, report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests_name("platform memory", tests, NULL, NULL);
}
