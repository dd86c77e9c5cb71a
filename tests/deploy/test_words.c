/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what the words of a space mean, and the reports for wrong ones; that a configuration read from its
 * text is the same; and the files of a run.
 */
#include "random_space.h"

static void refuses(struct deploy_words w, const char *wanted)
{
    const uint32_t clusters[] = {2, 3};
    char *xml = test_clusters(clusters, 2);
    struct platform *p;
    struct deploy_hosts h;
    struct deploy_space s;
    struct base_status st = {""};
    assert_int_equal(platform_load_text(&p, xml, strlen(xml), "platform", NULL, &st), 0);
    assert_int_equal(deploy_hosts_read(&h, p, 0, &st), 0);
    if (!deploy_space_read(&s, &h, &w, &st))
        fail_msg("not refused: '%s'", wanted);
    if (!strstr(st.text, wanted))
        fail_msg("'%s' is not in '%s'", wanted, st.text);
    deploy_hosts_release(&h);
    platform_destroy(p);
    free(xml);
}

#define PROTOCOLS(...)                                                                                       \
    .protocols = (const char *const[]){__VA_ARGS__},                                                         \
    .n_protocols = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)

static void wrong_words_are_refused(void **state)
{
    (void)state;
    refuses((struct deploy_words){.servers = "0"}, "--servers '0': expected N or N-M, from 1");
    refuses((struct deploy_words){.servers = "2-1"}, "--servers '2-1': expected");
    refuses((struct deploy_words){.servers = "1-"}, "--servers '1-': expected");
    refuses((struct deploy_words){.servers = "99999999999"}, "--servers '99999999999': expected");
    refuses((struct deploy_words){.roles = "1"}, "--roles: '1': expected ROLE:N");
    refuses((struct deploy_words){.roles = "1:1 2:x"}, "--roles: '2:x': expected ROLE:N");
    refuses((struct deploy_words){.roles = "1:1,2:1"}, "--roles: '1:1,2:1': expected ROLE:N");
    refuses((struct deploy_words){.roles = "0:1"}, "role 0 are the servers");
    refuses((struct deploy_words){.roles = "1:1 1:2"}, "role 1 is given twice");
    refuses((struct deploy_words){.roles = ""}, "expected at least one client");
    refuses((struct deploy_words){.roles = "1:0-3"}, "expected at least one client");
    refuses((struct deploy_words){.roles = "1:1-4096 2:4096"}, "explore handles at most 4096");
    refuses((struct deploy_words){.roles = "1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1"}, "more than 8 roles");
    refuses((struct deploy_words){.roles = "1:10"}, "11 processes, but room for 10");
    refuses((struct deploy_words){.roles = "1:5", .hosts = "1:a*"}, "5 processes of role 1, but room for 4");
    refuses((struct deploy_words){.serve = "block"}, "--serve 'block': expected any, or a list of blocks");
    refuses((struct deploy_words){.serve = "blocks,"}, "--serve 'blocks,': expected");
    refuses((struct deploy_words){.hosts = "c*"}, "no host matches 'c*'");
    refuses((struct deploy_words){.hosts = "a0 1:b3"}, "no host matches 'b3'; the nearest one is b");
    refuses((struct deploy_words){.hosts = "2:a0"}, "--hosts: there is no role 2");
    refuses((struct deploy_words){.hosts = "a0,"}, "no host matches ''");
    refuses((struct deploy_words){PROTOCOLS("")}, "--protocols '': expected NAME,NAME");
    refuses((struct deploy_words){PROTOCOLS("=update")}, "or ASKED=NAME");
    refuses((struct deploy_words){PROTOCOLS("a=b,b")}, "each name once");
    refuses((struct deploy_words){PROTOCOLS("a=b,")}, "or ASKED=NAME");
    refuses((struct deploy_words){PROTOCOLS("a=b=c")}, "or ASKED=NAME");
    refuses((struct deploy_words){PROTOCOLS("b c")}, "or ASKED=NAME");
    refuses((struct deploy_words){PROTOCOLS("a=1")}, "or ASKED=NAME");
    refuses((struct deploy_words){PROTOCOLS("1=a")}, "or ASKED=NAME");
    refuses((struct deploy_words){PROTOCOLS("a=b", "a=c")}, "a is given twice");
    refuses((struct deploy_words){PROTOCOLS("home-lazy=b", "c,d")}, "home-lazy is given twice");
    refuses((struct deploy_words){PROTOCOLS("a=b", "b=b", "c=b", "d=b", "e=b")}, "more than 4");
}

static void words_mean(void **state)
{
    struct test_space t = {.words = {.servers = "1-3",
                                     .roles = " 5:2  2:0-4 ",
                                     .serve = "nearest,blocks",
                                     .hosts = "b* 2:?0,b1 2:a1",
                                     PROTOCOLS("home-mesi=home-mesi,update")}};
    (void)state;
    test_space_open(&t, test_clusters((const uint32_t[]){2, 3}, 2), 0);
    const struct deploy_space *s = &t.s;
    assert_int_equal(s->kinds, 3);
    assert_int_equal(s->kind[0].most, 3);
    assert_int_equal(s->kind[1].role, 2);
    assert_int_equal(s->kind[1].least, 0);
    assert_int_equal(s->kind[1].most, 4);
    assert_int_equal(s->kind[2].role, 5);
    assert_int_equal(s->serve, 1 << DEPLOY_NEAREST | 1 << DEPLOY_BLOCKS);
    assert_int_equal(s->lists, 1);
    assert_string_equal(s->list[0].name[1], "update");
    static const bool others[] = {false, false, true, true, true}, two[] = {true, true, true, true, false};
    assert_memory_equal(s->kind[0].allowed, others, sizeof others);
    assert_memory_equal(s->kind[1].allowed, two, sizeof two);
    /* b2 may not run role 2, so it is unlike b0 and b1. */
    static const uint32_t like[] = {0, 0, 2, 2, 4};
    assert_memory_equal(s->like, like, sizeof like);
    test_space_close(&t);
}

/* --- texts ---------------------------------------------------------------------------------------------- */

static void texts_are_read_back(void **state)
{
    struct test_space t = {
        .words = {.servers = "1-3", .roles = "1:1-3 7:0-4", PROTOCOLS("p=p,q", "home=home,other")}};
    struct base_random r;
    uint64_t seed = test_seed();
    (void)state;
    base_random_seed(&r, seed, 0);
    test_space_open(&t, test_clusters((const uint32_t[]){3, 3}, 2), 4);
    for (int k = 0; k < 2000; k++) {
        struct deploy_config *c = deploy_random(&t.s, &r), *again = NULL;
        struct base_status st;
        char *text = deploy_config_text(&t.s, c);
        if (deploy_config_read(&t.s, text, &again, &st) != DEPLOY_READ || !deploy_config_equal(c, again))
            fail_msg("seed %llu: '%s' is not read back", (unsigned long long)seed, text);
        free(text);
        free(again);
        free(c);
    }
    test_space_close(&t);
}

static void reads(const struct test_space *t, const char *text, enum deploy_read wanted,
                  const char *canonical)
{
    struct deploy_config *c = NULL;
    struct base_status st = {""};
    enum deploy_read got = deploy_config_read(&t->s, text, &c, &st);
    if (got != wanted)
        fail_msg("'%s': %d, not %d: %s", text, got, wanted, st.text);
    char *again = c ? deploy_config_text(&t->s, c) : base_strdup(st.text);
    if (canonical && !strstr(again, canonical))
        fail_msg("'%s': '%s' is not in '%s'", text, canonical, again);
    free(again);
    free(c);
}

static void texts_mean(void **state)
{
    struct test_space t = {.words = {.servers = "1-2", .roles = "1:1-2 2:0-4", PROTOCOLS("p=p,q")}};
    (void)state;
    test_space_open(&t, test_clusters((const uint32_t[]){2, 3}, 2), 0);
    reads(&t, "0@b2 0@a1 2/1@b1*2 1/0@b2 p=q", DEPLOY_READ, "0@b0 0@a0 1/0@b0 2/1@b1*2 p=q");
    reads(&t, "0@a0 1/0@a1", DEPLOY_OUTSIDE, NULL);         /* no protocol */
    reads(&t, "0@a0 1/0@a1 p=r", DEPLOY_OUTSIDE, NULL);     /* another one */
    reads(&t, "0@a0 1/0@a1 p=p q=q", DEPLOY_OUTSIDE, NULL); /* one too many */
    reads(&t, "0@a0 1/0@a1 p=p p=p", DEPLOY_OUTSIDE, NULL);
    reads(&t, "0@a0 1/1@a1 p=p", DEPLOY_OUTSIDE, NULL);        /* there is one server */
    reads(&t, "0@a0 1/0@a0*2 p=p", DEPLOY_OUTSIDE, NULL);      /* no room */
    reads(&t, "0@a0 1/0@a1 9/0@a1 p=p", DEPLOY_OUTSIDE, NULL); /* another role */
    reads(&t, "0@a0 1/0@a1*65535 p=p", DEPLOY_OUTSIDE, NULL);
    reads(&t, "1/0@a1 p=p", DEPLOY_OUTSIDE, NULL); /* no server */
    reads(&t, "", DEPLOY_DAMAGED, "'' is neither");
    reads(&t, "0@a0  1/0@a1 p=p", DEPLOY_DAMAGED, "'' is neither");
    reads(&t, "0@a0 1/0@a7 p=p", DEPLOY_DAMAGED, "'a7' is no host");
    reads(&t, "0@a0 1/0@a1*1 p=p", DEPLOY_DAMAGED, "neither");
    reads(&t, "0@a0*2 1/0@a1 p=p", DEPLOY_DAMAGED, "neither");
    reads(&t, "0@a0 1@a1 p=p", DEPLOY_DAMAGED, "neither");
    reads(&t, "0@a0 1/0@a1 =p", DEPLOY_DAMAGED, "neither");
    reads(&t, "0@a0 1/0@a1 p=p ", DEPLOY_DAMAGED, "neither");
    test_space_close(&t);
}

/* --- files ---------------------------------------------------------------------------------------------- */

static void files_of_a_run(void **state)
{
    struct test_space t = {.words = {.servers = "2", .roles = "1:1 3:2", PROTOCOLS("p=p,q", "r=s", "u=u,v")}};
    struct deploy_config *c;
    struct base_status st;
    char *text = NULL;
    size_t size = 0;
    (void)state;
    test_space_open(&t, test_clusters((const uint32_t[]){2, 2}, 2), 0);
    assert_int_equal(deploy_config_read(&t.s, "0@a0 0@b0 1/1@a0 3/0@b0 3/0@b1 p=p r=s u=v", &c, &st),
                     DEPLOY_READ);
    FILE *out = open_memstream(&text, &size);
    deploy_write_topology(&t.s, c, out);
    deploy_write_rankfile(&t.s, c, out);
    fclose(out);
    static const char *const parts[] = {
        "<topology id=\"0\" role=\"0\">\n      <memory capacity=\"0\"/>\n      <clients><intlist>3 "
        "4</intlist></clients>",
        "<topology id=\"1\" role=\"0\">\n      <memory capacity=\"0\"/>\n      "
        "<clients><intlist>2</intlist></clients>",
        "<topology id=\"2\" role=\"1\">\n      <memory capacity=\"0\"/>\n      "
        "<servers><intlist>1</intlist></servers>",
        "<topology id=\"4\" role=\"3\">\n      <memory capacity=\"0\"/>\n      "
        "<servers><intlist>0</intlist></servers>",
        "</SAT>\nrank 0=a0 slot=0\nrank 1=b0 slot=0\nrank 2=a0 slot=0\nrank 3=b0 slot=0\nrank 4=b1 slot=0\n"};
    for (size_t k = 0; k < BASE_LENGTH(parts); k++)
        if (!strstr(text, parts[k]))
            fail_msg("'%s' is not in\n%s", parts[k], text);
    free(text);
    char *protocols = deploy_config_protocols(&t.s, c);
    assert_string_equal(protocols, "r=s,u=v");
    free(protocols);
    free(c);
    test_space_close(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_words_are_refused), cmocka_unit_test(words_mean),
        cmocka_unit_test(texts_are_read_back),     cmocka_unit_test(texts_mean),
        cmocka_unit_test(files_of_a_run),
    };
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
