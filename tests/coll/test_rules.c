/* SPDX-License-Identifier: BSD-3-Clause */
/* Selectors as data: the text form, its errors, the libraries' files and variables, choices and reasons. */
#include "base/text.h"
#include "coll/rules/rules.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static struct coll_rules *read_rules(const char *text)
{
    struct coll_rules *s = NULL;
    struct base_status st = {""};
    if (coll_rules_read_text(&s, text, strlen(text), "file", &st))
        fail_msg("%s", st.text);
    return s;
}

/* What the selector says about a point; "": it does not choose. */
static const char *choice(const struct coll_rules *s, const char *point)
{
    static char text[256];
    struct coll_point p;
    struct coll_choice c;
    struct base_status st = {""};
    if (coll_point_parse(&p, point, &st))
        fail_msg("%s", st.text);
    return coll_rules_choose(s, &p, &c) ? coll_leaf_show(c.leaf, text, sizeof text) : "";
}

static void expect(const struct coll_rules *s, const char *point, const char *leaf)
{
    const char *is = choice(s, point);
    if (strcmp(is, leaf))
        fail_msg("%s: chosen is '%s', not '%s'", point, is, leaf);
}

/* The network: its class, and sizes relative to it. */
static void test_network(void **state)
{
    (void)state;
    struct coll_rules *s = read_rules("selector mine library own\n"
                                      "on bcast { topology=torus -> a  part<50%pipe burst>=8 -> b\n"
                                      "           pipe>=1MiB -> c  -> d }\n");
    expect(s, "bcast ranks=8 part=10 topology=torus", "own:a");
    expect(s, "bcast ranks=8 part=499 pipe=1000 burst=8", "own:b");
    expect(s, "bcast ranks=8 part=500 pipe=1000 burst=8", "own:d");
    expect(s, "bcast ranks=8 part=499 pipe=1000 burst=7", "own:d");
    expect(s, "bcast ranks=8 part=524288 pipe=1MiB", "own:c");
    expect(s, "bcast ranks=8 part=8191", "own:d"); /* what is not given is usual: few messages make a burst */
    struct base_text text = {0};
    coll_rules_print(s, &text);
    assert_non_null(strstr(text.at, "part<50%pipe burst>=8 -> "));
    base_text_release(&text);
    coll_rules_destroy(s);
    const char *routing[] = {"Cluster", "FatTree", "Torus", "Dragonfly", "Mesh", "Full", ""};
    const enum coll_topology is[] = {COLL_TOPOLOGY_STAR,      COLL_TOPOLOGY_FAT_TREE, COLL_TOPOLOGY_TORUS,
                                     COLL_TOPOLOGY_DRAGONFLY, COLL_TOPOLOGY_MESH,     COLL_TOPOLOGY_UNKNOWN,
                                     COLL_TOPOLOGY_UNKNOWN};
    for (size_t k = 0; k < BASE_LENGTH(routing); k++)
        assert_int_equal(coll_topology_of_routing(routing[k]), is[k]);
}

static void test_form(void **state)
{
    (void)state;
    struct coll_rules *s =
        read_rules("selector mine source \"here\" library own\n"
                   "define bcast tree { part<10 -> smpi:flat  -> tree }\n"
                   "on any { inner -> pass }\n"
                   "on bcast { ranks<=8 -> tree k=3  not pow2 -> use mpich  -> chain segment=64KiB }\n"
                   "on reduce, scan { part<4*ranks commutative { count<pow2 -> a } -> b }\n"
                   "treat exscan as scan\n");
    assert_string_equal(coll_rules_name(s), "mine");
    assert_string_equal(coll_rules_source(s), "here");
    expect(s, "bcast ranks=8 part=10", "own:tree k=3"); /* itself, as it was written */
    expect(s, "bcast ranks=8 part=9", "smpi:flat");
    expect(s, "bcast ranks=16", "own:chain segment=65536");
    expect(s, "bcast ranks=12 part=100000", "mpich:Bcast_intra_scatter_ring_allgather");
    expect(s, "bcast ranks=16 inner", "");
    expect(s, "reduce ranks=8 part=31 count=3", "own:a");
    expect(s, "reduce ranks=8 part=31 count=8", ""); /* a rule that holds decides, though none within does */
    expect(s, "reduce ranks=8 part=32", "own:b");
    expect(s, "exscan ranks=8 part=32", "own:b");
    expect(s, "allgather ranks=8", "");
    coll_rules_destroy(s);
}

static void test_why(void **state)
{
    (void)state;
    struct coll_rules *s =
        read_rules("on reduce {\n  ranks<4 -> x:a\n  commutative {\n    part<10 -> x:b\n    -> use mpich\n"
                   "  }\n}\n");
    struct coll_point p;
    struct coll_choice c;
    struct base_status st;
    char why[512];
    assert_int_equal(coll_point_parse(&p, "reduce ranks=7 part=9", &st), 0);
    assert_true(coll_rules_choose(s, &p, &c));
    assert_string_equal(coll_choice_explain(&c, why, sizeof why),
                        "file:4: reduce commutative part<10 -> x:b");
    assert_int_equal(coll_point_parse(&p, "reduce ranks=7 part=99", &st), 0);
    assert_true(coll_rules_choose(s, &p, &c));
    assert_non_null(strstr(coll_choice_explain(&c, why, sizeof why),
                           "file:5: reduce commutative else -> use mpich, mpich:"));
    coll_rules_destroy(s);
}

/* Written and read again, every selector is the same text, and chooses for every operation and kind. */
static void test_builtins(void **state)
{
    (void)state;
    for (const char *const *name = coll_rules_builtins(); *name; name++) {
        const struct coll_rules *s = coll_rules_builtin(*name);
        struct base_text one, other;
        struct coll_rules *again;
        struct base_status st = {""};
        base_text_init(&one, "test");
        base_text_init(&other, "test");
        coll_rules_print(s, &one);
        if (coll_rules_parse(&again, one.at, one.n, *name, &st))
            fail_msg("%s", st.text);
        coll_rules_print(again, &other);
        if (one.n != other.n || memcmp(one.at, other.at, one.n))
            fail_msg("%s is another selector when it is written and read again", *name);
        for (int op = 0; op < COLL_RULES_OPS; op++)
            for (int k = 0; k < 8; k++) {
                char point[128];
                snprintf(point, sizeof point, "%s ranks=%d part=%d%s%s",
                         coll_rules_op_name((enum coll_rules_op)op), 1 + 37 * k, 1 << (3 * k),
                         k & 1 ? " nonblocking" : "", k & 2 ? " inner nodes=5" : "");
                if (!*choice(s, point))
                    fail_msg("%s does not choose: %s", *name, point);
            }
        coll_rules_destroy(again);
        base_text_release(&one);
        base_text_release(&other);
    }
}

static void test_open_mpi(void **state)
{
    (void)state;
    struct coll_rules *s = read_rules("rule-file-version-2\n2 # operations\n2 # allreduce\n2\n4 2\n0 3 0 0\n"
                                      "1000 4 0 0 8\n64 1\n0 6 4 65536\n3 1 1 2\n0 0 0 0\n4096 2 0 0\n");
    expect(s, "allreduce ranks=2 part=999",
           "ompi:recursive_doubling"); /* the first group is that of smaller ones */
    expect(s, "allreduce ranks=63 part=1000", "ompi:ring outstanding=8");
    expect(s, "allreduce ranks=64 part=1", "ompi:rabenseifner k=4 segment=65536");
    expect(s, "alltoall ranks=4 part=1023",
           "ompi:linear_sync"); /* 0: the fixed rules; sizes are of all ranks */
    expect(s, "alltoall ranks=4 part=1024", "ompi:pairwise");
    expect(s, "allreduce ranks=64 part=1 nonblocking", "libnbc:binomial");
    coll_rules_destroy(s);
    s = read_rules("{\"rule_file_version\":3,\"module\":\"tuned\",\"collectives\":{\"bcast\":[\n"
                   "{\"comm_size_min\":4,\"comm_rank_distribution\":\"one-per-node\",\"rules\":[\n"
                   "{\"msg_size_max\":9,\"alg\":\"chain\",\"faninout\":3,\"reqs\":2}]},\n"
                   "{\"comm_size_max\":\"inf\",\"rules\":[{\"alg\":7}]}]}}");
    expect(s, "bcast ranks=4 part=9", "ompi:chain k=3 outstanding=2");
    expect(s, "bcast ranks=4 part=10", "ompi:basic_linear"); /* the group decides: the fixed rules */
    expect(s, "bcast ranks=4 nodes=2 part=9", "ompi:knomial");
    coll_rules_destroy(s);
}

static void test_mpich(void **state)
{
    (void)state;
    struct coll_rules *s =
        read_rules("{\"comm_type=intra\":{\"collective=allreduce\":{\"comm_size < "
                   "8\":{\"algorithm=MPIR_Allreduce_intra_recexch\":"
                   "{\"k=4\":{},\"single_phase_recv=0\":{}}},\"comm_avg_ppn<=2\":{\"count<pow2\":{"
                   "\"composition=MPIDI_A_alpha\":{}},"
                   "\"count=any\":{\"algorithm=MPIR_Allreduce_intra_tree\":{\"tree_type=kary\":{},\"chunk_"
                   "size=64\":{}}}}},\n"
                   "\"collective=iallreduce\":{\"algorithm=MPIR_Iallreduce_intra_sched_naive\":{}}}}");
    expect(s, "allreduce ranks=7 nodes=1", "mpich:Allreduce_intra_recexch k=4");
    expect(s, "allreduce ranks=8 nodes=4 count=7", "ch4:A_alpha");
    expect(s, "allreduce ranks=8 nodes=4 count=8", "mpich:Allreduce_intra_tree tree=kary segment=64");
    expect(s, "allreduce ranks=9 nodes=4 part=9 count=9",
           "mpich:Allreduce_intra_reduce_scatter_allgather"); /* generic */
    expect(s, "allreduce ranks=9 nonblocking", "mpich:Iallreduce_intra_sched_naive");
    coll_rules_destroy(s);
}

static void test_variables(void **state)
{
    (void)state;
    char file[] = "rules-XXXXXX", named[96];
    int fd = mkstemp(file);
    assert_true(fd >= 0 && write(fd, "1 7 1 0 1 0 6 0 0\n", 18) == 18 && !close(fd));
    snprintf(named, sizeof named, "OMPI_MCA_coll_tuned_dynamic_rules_filename=%s", file);
    char *intel[] = {"HOME=/", "I_MPI_ADJUST_ALLREDUCE=2:0-1024@4-8,5000;3;1", NULL};
    char *open[] = {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                    "OMPI_MCA_coll_tuned_bcast_algorithm=chain",
                    "OMPI_MCA_coll_tuned_reduce_algorithm=2",
                    "OMPI_MCA_coll_tuned_reduce_algorithm_chain_fanout=4",
                    "OMPI_MCA_coll_tuned_reduce_algorithm_segmentsize=8192",
                    named,
                    NULL};
    char *mpich[] = {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=recexch", "MPIR_CVAR_ALLREDUCE_RECEXCH_KVAL=3",
                     "MPIR_CVAR_IBCAST_INTRA_ALGORITHM=sched_binomial",
                     "MPIR_CVAR_BCAST_INTRA_ALGORITHM=auto", NULL};
    struct coll_rules *s;
    struct base_status st = {""};
    assert_int_equal(coll_rules_variables(&s, "impi", intel, &st), 0);
    expect(s, "allreduce ranks=8 part=1024", "smpi:rab1");
    expect(s, "allreduce ranks=9 part=5000", "smpi:rab1");
    expect(s, "allreduce ranks=9 part=5001", "ompi:nonoverlapping");
    expect(s, "alltoall ranks=2 part=1", choice(coll_rules_builtin("impi"), "alltoall ranks=2 part=1"));
    coll_rules_destroy(s);
    assert_int_equal(coll_rules_variables(&s, "ompi-4.1", open, &st), 0);
    expect(s, "bcast ranks=8", "ompi:binomial"); /* the file is asked before the variable */
    expect(s, "reduce ranks=8", "ompi:chain k=4 segment=8192");
    expect(s, "barrier ranks=4", "ompi:linear");
    coll_rules_destroy(s);
    unlink(file);
    assert_int_equal(coll_rules_variables(&s, "ompi-4.1", open + 1, &st), 0); /* dynamic rules are not on */
    assert_null(s);
    assert_int_equal(coll_rules_variables(&s, "mpich", mpich, &st), 0);
    expect(s, "allreduce ranks=8", "mpich:Allreduce_intra_recexch k=3");
    expect(s, "bcast ranks=8 nonblocking", "mpich:Ibcast_intra_sched_binomial");
    expect(s, "bcast ranks=8 part=8", "mpich:Bcast_intra_binomial");
    coll_rules_destroy(s);
    assert_int_equal(coll_rules_variables(&s, "auto", mpich, &st), 0);
    assert_null(s);
}

static void count_ignored(void *arg, const char *key, const char *text, uint64_t times)
{
    if (!strcmp(key, "coll/ignored-variable") && strstr(text, "I_MPI_ADJUST_BCAST_SEGMENT has no effect"))
        *(uint64_t *)arg += times;
}

/* What a library would heed and a selector does not follow is said. */
static void test_ignored(void **state)
{
    (void)state;
    char *intel[] = {"I_MPI_ADJUST_BCAST_SEGMENT=8192", "I_MPI_ADJUST_BCAST=1", "HOME=/", NULL};
    struct coll_rules *s;
    struct base_status st;
    uint64_t said = 0;
    assert_true(coll_rules_ignores("impi", "I_MPI_ADJUST_ALLREDUCE_KN_RADIX=4"));
    assert_false(coll_rules_ignores("impi", "I_MPI_ADJUST_REDUCE_SCATTER=4"));
    assert_false(coll_rules_ignores("mpich", "I_MPI_ADJUST_ALLREDUCE_KN_RADIX=4"));
    assert_true(coll_rules_ignores("mpich-ch4", "MPIR_CVAR_BCAST_SHORT_MSG_SIZE=1"));
    assert_false(coll_rules_ignores("mpich", "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial"));
    assert_false(coll_rules_ignores("ompi-4.1", "MPIR_CVAR_BCAST_SHORT_MSG_SIZE=1"));
    assert_int_equal(coll_rules_variables(&s, "impi", intel, &st), 0);
    coll_rules_destroy(s);
    base_notices_each(count_ignored, &said);
    assert_int_equal(said, 1);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } wrong[] = {
        {"on bcats -> x:y", "file:1: 'bcats': expected an operation, as allreduce"},
        {"on bcast {\n ranks<x -> x:y }",
         "file:2: 'x': expected a number, a number*ranks, a number*nodes, a number%pipe or pow2"},
        {"on bcast { size<4 -> a }",
         "file:1: 'size': expected a fact, as ranks, or a property, as commutative"},
        {"on bcast { not ranks<4 -> a }",
         "file:1: 'ranks': expected a property, as commutative, behind 'not'"},
        {"on bcast { ranks<4 -> a", "file:1: the end of the file: expected a rule or '}'"},
        {"on bcast -> a k=0", "file:1: '0': expected a number from 1 to 4294967295"},
        {"on bcast -> a inter(b", "file:1: the end of the file: expected a parameter or ')'"},
        {"on bcast -> use nothing",
         "file:1: 'nothing': expected a selector that pgasim has (pgasim info selectors)"},
        {"on bcast -> a\non bcast -> b",
         "file:2: bcast has rules already, from line 1 of file; expected one section"},
        {"bcast -> a",
         "file:1: 'bcast': expected selector, source, library, base, like, treat, define or on"},
        {"source \"open", "file:1: 'open': expected a text in double quotes, of UTF-8 and at most 255 bytes"},
        {"source \"no\xe1\"",
         "file:1: 'no\xe1': expected a text in double quotes, of UTF-8 and at most 255 bytes"},
        {"1 77 0", "file:1: too large a number: expected the number of an operation of at most 21"},
        {"1 2 1 4 1 8 3 0 0", "file:1: 8: expected 0 as the first size of messages"},
        {"1 2 1 4 1 0 9 0 0", "file:1: 9: expected the number of an algorithm of allreduce, or 0"},
        {"1 2 2 4 0\n4 0", "file:2: 4: expected a size of communicators above 4"},
        {"1 2 1 4 1 0 3", "file:1: the end of the file: expected a fan-in or fan-out"},
        {"{\"collectives\":{\"bcast\":[{\"rules\":[{\"alg\":\"magic\"}]}]}}",
         "file:1: alg: expected an algorithm of this operation, by name or number"},
        {"{\"collectives\":{\"bcast\":\n[{\"size\":1}]}}",
         "file:2: size: expected comm_size_min, comm_size_max, comm_rank_distribution or rules"},
        {"{\"collectives\":{\"bcats\":[]}}",
         "file:1: bcats: expected an operation, as allreduce or reducescatter"},
        {"{\"collective=bcast\":{\n\"comm_sise<8\":{}}}",
         "file:2: comm_sise<8: expected a test of MPICH's, as comm_size<8, or algorithm=NAME"},
        {"{\"collective=bcats\":{}}",
         "file:1: collective=bcats: expected an operation, as allreduce or iallreduce"},
        {"{\"collective=bcast\" {}}", "file:1: '{': expected ':' behind a key"},
        {"{\"a\":1", "file:1: the end of the file: expected ',' or '}'"},
    };
    for (size_t k = 0; k < BASE_LENGTH(wrong); k++) {
        struct coll_rules *s = NULL;
        struct base_status st = {""};
        if (!coll_rules_read_text(&s, wrong[k].text, strlen(wrong[k].text), "file", &st))
            fail_msg("%s: was read", wrong[k].text);
        assert_string_equal(st.text, wrong[k].why);
    }
    struct coll_rules *s;
    struct base_status st = {""};
    char *bad[] = {"I_MPI_ADJUST_BCAST=1:x", NULL};
    assert_int_equal(coll_rules_variables(&s, "impi", bad, &st), -1);
    assert_string_equal(st.text,
                        "I_MPI_ADJUST_ of bcast: '1:x': expected ALGORITHM:SIZE-SIZE@RANKS-RANKS,...;..., as "
                        "in 2:0-1024@8-64;3");
    assert_int_equal(coll_rules_read(&s, "no-such-file", &st), -1);
    assert_non_null(strstr(st.text, "no-such-file: No such file or directory: expected a file of rules"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),     cmocka_unit_test(test_why),     cmocka_unit_test(test_builtins),
        cmocka_unit_test(test_open_mpi), cmocka_unit_test(test_mpich),   cmocka_unit_test(test_variables),
        cmocka_unit_test(test_network),  cmocka_unit_test(test_ignored), cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
