/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks on hosts: with and without hostfile, both orders, more ranks than slots, and wrong hostfiles. */
#include "platform/check.h"

/* Hosts a (2 cores), b (1), c (3), and one whose name has a colon. */
static struct platform *four_hosts(void)
{
    return loaded(ZONE("<host id=\"a\" speed=\"1f\" core=\"2\"/><host id=\"b\" speed=\"1f\"/>"
                       "<host id=\"c\" speed=\"1f\" core=\"3\"/><host id=\"d:4\" speed=\"1f\"/>"));
}

/* The hosts of the ranks as letters, then slots, hosts and crowded hosts; or the error. */
static const char *placed(const char *hostfile, uint32_t ranks, enum platform_map map)
{
    static char buf[1024];
    struct platform *p = four_hosts();
    struct platform_placement at;
    struct base_status st;
    uint32_t host[64];
    int rc = hostfile
                 ? platform_place_text(p, ranks, hostfile, strlen(hostfile), "hosts", map, host, &at, &st)
                 : platform_place(p, ranks, NULL, map, host, &at, &st);
    for (uint32_t k = 0; rc == 0 && k < ranks; k++)
        buf[k] = platform_host(p, host[k])->name[0];
    if (rc)
        strcpy(buf, st.text);
    else
        snprintf(buf + ranks, sizeof buf - ranks, " %llu %u %u", (unsigned long long)at.slots, at.hosts,
                 at.crowded);
    platform_destroy(p);
    return buf;
}

#define CORE PLATFORM_MAP_CORE
#define HOST PLATFORM_MAP_HOST

static void without_hostfile(void **state)
{
    (void)state;
    assert_string_equal(placed(NULL, 1, CORE), "a 7 1 0");
    assert_string_equal(placed(NULL, 7, CORE), "aabcccd 7 4 0");
    assert_string_equal(placed(NULL, 7, HOST), "abcdacc 7 4 0");
    assert_string_equal(placed(NULL, 10, CORE), "aabcccdaab 7 4 2"); /* from the start again */
    assert_string_equal(placed(NULL, 10, HOST), "abcdaccabc 7 4 3");
}

static void forms_of_a_line(void **state)
{
    (void)state;
    assert_string_equal(placed("c\n", 4, CORE), "cccc 3 1 1");
    assert_string_equal(placed("c:1\n  b:2 # two\n\n#a\n", 5, CORE), "cbbcb 3 2 1");
    assert_string_equal(placed("c slots=2\r\na\tslots=1", 3, CORE), "cca 3 2 0");
    assert_string_equal(placed("d:4\n", 2, CORE), "dd 1 1 1"); /* a host of this name, not four slots */
    assert_string_equal(placed("d:4:2\n", 2, CORE), "dd 2 1 1");
    assert_string_equal(placed("c:2\na:2", 4, HOST), "caca 4 2 0");
}

static void a_line_for_each_rank(void **state)
{
    (void)state;
    assert_string_equal(placed("a\nb\na\nc\n", 4, CORE), "abac 6 3 0");
    assert_string_equal(placed("a\nb\na\n", 5, CORE), "abaab 3 2 2");
    assert_string_equal(placed("a\na:2\n", 3, CORE), "aaa 3 1 1");
}

static void wrong_hostfiles(void **state)
{
    (void)state;
    assert_string_equal(placed("a\n\nzz:3\n", 1, CORE),
                        "hosts:3: unknown host 'zz'; expected a host of platform test.xml");
    assert_string_equal(placed("a:0", 1, CORE),
                        "hosts:1: '0' is not a number of slots; expected host:n with n > 0");
    assert_string_equal(placed("a:", 1, CORE),
                        "hosts:1: '' is not a number of slots; expected host:n with n > 0");
    assert_string_equal(placed("a slots=x", 1, CORE),
                        "hosts:1: 'slots=x' after the host; expected slots=n with n > 0, or nothing");
    assert_string_equal(placed("a slots=1 slots=2", 1, CORE),
                        "hosts:1: 'slots=2' after the host; expected slots=n with n > 0, or nothing");
    assert_string_equal(placed("a b", 1, CORE),
                        "hosts:1: 'b' after the host; expected slots=n with n > 0, or nothing");
    assert_string_equal(placed("a:2 slots=2", 1, CORE),
                        "hosts:1: 'slots=2' after the host; expected slots=n with n > 0, or nothing");
    assert_string_equal(placed("# none\n", 1, CORE), "hosts:2: no host; expected at least one");
    assert_string_equal(placed("", 1, CORE), "hosts:1: no host; expected at least one");
}

/* What Open MPI's and MPICH's files say about machines has no effect. */
static void of_other_launchers(void **state)
{
    (void)state;
    assert_string_equal(placed("localhost:2\nc\n", 3, CORE), "aac 5 2 0");
    assert_string_equal(placed("a slots=1 max_slots=2\nb:2 ifhn=b-ib\nc user=me slots=1\n", 4, CORE),
                        "abbc 4 3 1");
}

static const char *placed_where(const struct platform_where *where, uint32_t ranks)
{
    static char text[64];
    struct platform *p = four_hosts();
    struct platform_placement at;
    struct base_status st;
    uint32_t host[8];
    int failed = platform_place_where(p, ranks, where, host, &at, &st);
    for (uint32_t k = 0; k < ranks && !failed; k++)
        text[k] = (char)('a' + host[k]);
    text[failed ? 0 : ranks] = 0;
    platform_destroy(p);
    return failed ? strcpy(text, "failed") : text;
}

static void per_host(void **state)
{
    (void)state;
    assert_string_equal(placed_where(&(struct platform_where){.hosts = "c,a:1,c", .per_host = 2}, 6),
                        "ccaacc");
    assert_string_equal(placed_where(&(struct platform_where){.per_host = 1}, 5), "abcda");
    assert_string_equal(placed_where(&(struct platform_where){.hosts = "c,b", .per_host = 2, .map = HOST}, 4),
                        "cbcb");
    assert_string_equal(placed_where(&(struct platform_where){.hosts = "c,x"}, 4), "failed");
}

static const char *ranked(const char *file, uint32_t ranks)
{
    static char text[sizeof(struct base_status)];
    char path[] = "/tmp/pgasim-rankfile-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    struct platform *p = four_hosts();
    static struct base_status st;
    uint32_t host[8] = {0};
    fputs(file, f);
    fclose(f);
    int failed = platform_place_rankfile(p, ranks, path, host, &st);
    remove(path);
    platform_destroy(p);
    for (uint32_t k = 0; k < ranks; k++)
        text[k] = (char)('a' + host[k]);
    text[ranks] = 0;
    return failed ? strchr(st.text, ':') + 1 : text;
}

static void rankfiles(void **state)
{
    (void)state;
    assert_string_equal(ranked("rank 2=c slot=0:1\n# x\n\nrank 0=+n3 slots=1 # y", 4), "daca");
    assert_string_equal(ranked("rank 4=c", 4), "1: rank '4'; expected a number below 4");
    assert_string_equal(ranked("\nrank c", 4), "2: 'rank'; expected rank N=HOST");
    assert_string_equal(ranked("rank 1=+n4", 4), "1: +n4: the platform has 4 hosts");
    assert_string_equal(ranked("rank 1=x", 4), "1: unknown host 'x'; expected a host of platform test.xml");
}

static void from_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/pgasim-hostfile-XXXXXX";
    FILE *f = fdopen(mkstemp(path), "w");
    fputs("b\nc\n", f);
    fclose(f);
    struct platform *p = four_hosts();
    struct platform_placement at;
    struct base_status st;
    uint32_t host[3];
    assert_int_equal(platform_place(p, 3, path, HOST, host, &at, &st), 0);
    remove(path);
    assert_int_equal(host[0], 1);
    assert_int_equal(host[1], 2);
    assert_int_equal(host[2], 2);
    assert_int_equal(platform_place(p, 3, "/nonexistent/h", HOST, host, &at, &st), -1);
    assert_string_equal(st.text, "/nonexistent/h: cannot open: No such file or directory");
    assert_int_equal(platform_place_text(p, 1, "a\0b", 3, "h", HOST, host, &at, &st), -1);
    assert_string_equal(st.text, "h: a zero byte; expected text");
    platform_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_hostfile),
        cmocka_unit_test(forms_of_a_line),
        cmocka_unit_test(a_line_for_each_rank),
        cmocka_unit_test(wrong_hostfiles),
        cmocka_unit_test(from_a_file),
        cmocka_unit_test(of_other_launchers),
        cmocka_unit_test(per_host),
        cmocka_unit_test(rankfiles),
    };
    return cmocka_run_group_tests_name("platform placement", tests, NULL, NULL);
}
