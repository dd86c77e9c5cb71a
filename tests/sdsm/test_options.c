/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what the S-DSM's options take (options.c): values of each kind, those that are refused with one
 * message, and that the first of arguments, SAT_OPTIONS, the seed's words and the host's properties counts.
 */
#include "sdsm/alone.h"

/* --- the host's properties ------------------------------------------------------------------------ */

static const char *host_key, *host_value;

const char *pgasim_host_property(const char *key);
const char *pgasim_host_property(const char *key)
{
    return host_key && !strcmp(key, host_key) ? host_value : NULL;
}

/* --- reading -------------------------------------------------------------------------------------- */

static int start(void **state)
{
    (void)state;
    sdsm = calloc(1, sizeof *sdsm);
    unsetenv("SAT_OPTIONS");
    host_key = host_value = NULL;
    return sdsm ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    for (size_t k = 0; k < sdsm->n_texts; k++)
        free(sdsm->texts[k]);
    free(sdsm->texts);
    free(sdsm->given_words);
    free(sdsm->words);
    free(sdsm);
    sdsm = NULL;
    return 0;
}

enum { WORDS = 40 };

/* The program's arguments, one after each blank. Kept, for options point to them. */
static void read_arguments(const char *line)
{
    static char copy[1024], program[] = "program";
    static char *words[WORDS];
    int n = 0;
    char *rest;
    snprintf(copy, sizeof copy, "%s", line);
    words[n++] = program;
    for (char *w = strtok_r(copy, " ", &rest); w && n < WORDS - 1; w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    words[n] = NULL;
    sat_options_read(n, words);
}

/* All sources of a process that is not the seed. */
struct sources {
    const char *arguments, *environment, *seed, *key, *value;
};

static void read_all(const struct sources *s)
{
    if (s->environment)
        setenv("SAT_OPTIONS", s->environment, 1);
    host_key = s->key;
    host_value = s->value;
    read_arguments(s->arguments ? s->arguments : "");
    sat_options_apply(s->seed ? s->seed : "");
}

static void from_arguments(const char *line)
{
    end(NULL);
    start(NULL);
    read_all(&(struct sources){.arguments = line});
}

/* --- what is accepted ----------------------------------------------------------------------------- */

static void has_defaults(void **state)
{
    (void)state;
    from_arguments("");
    const struct sat_options *o = &sdsm->options;
    assert_null(o->topology);
    assert_null(o->protocol);
    assert_null(o->stats);
    assert_null(o->summary);
    assert_int_equal(o->servers, 1);
    assert_int_equal(o->chunk_size, 4096);
    assert_int_equal(o->jia_memory, 1024);
    assert_int_equal(o->jia_prefetch, 1);
    assert_int_equal(o->debug, 0);
    assert_false(o->check || o->edge || o->in_calls || o->coalesce);
    assert_true(o->sleep);
    assert_true(o->poll == 20e-6 && o->sleep_min == 1e-6 && o->sleep_max == 1e-3 && o->sleep_growth == 1.25);
    assert_true(o->timeout == 300 && o->client_overhead == 0 && o->server_overhead == 0);
    for (int k = 0; k < SAT_CLASSES; k++)
        assert_true(o->power[k] == 0);
}

static void takes_each_kind(void **state)
{
    (void)state;
    const struct sat_options *o;
    from_arguments(
        "--sat-check --sat-coalesce --sat-handlers-in-calls --sat-debug --sat-rendezvous=edge "
        "--sat-sleep=off --sat-servers=3 --sat-chunk-size 18446744073709551615 --sat-poll=1.5e-3 "
        "--sat-sleep-growth 1 --sat-power-user 2.5 --sat-power-sdsm=3 --sat-power-sync=4 "
        "--sat-power-sleep=0.5 --sat-stats some/folder --topology=file.xml --sat-client-overhead=1e9 "
        "--sat-server-overhead 0");
    o = &sdsm->options;
    assert_true(o->check && o->coalesce && o->in_calls && o->edge && !o->sleep);
    assert_int_equal(o->debug, 1);
    assert_int_equal(o->servers, 3);
    assert_true(o->chunk_size == UINT64_MAX);
    assert_true(o->poll == 1.5e-3 && o->sleep_growth == 1 && o->client_overhead == 1e9);
    assert_true(o->power[SAT_USER] == 2.5 && o->power[SAT_SDSM] == 3 && o->power[SAT_SYNC] == 4 &&
                o->power[SAT_SLEEP] == 0.5);
    assert_string_equal(o->stats, "some/folder");
    assert_string_equal(o->topology, "file.xml");
    from_arguments("--sat-debug=messages --sat-rendezvous kept --sat-sleep on --sat-topology other.xml "
                   "--sat-protocol home-mesi=update,entry --sat-summary=s --sat-timeout 7 --sat-jia-memory 5 "
                   "--sat-jia-prefetch 6");
    o = &sdsm->options;
    assert_int_equal(o->debug, 2);
    assert_true(!o->edge && o->sleep && o->timeout == 7 && o->jia_memory == 5 && o->jia_prefetch == 6);
    assert_string_equal(o->topology, "other.xml");
    assert_string_equal(o->protocol, "home-mesi=update,entry");
    assert_string_equal(o->summary, "s");
}

/* Words of the program stay, in their order; words behind options are their values, not flags'. */
static void leaves_the_programs_arguments(void **state)
{
    (void)state;
    from_arguments(
        "one --sat-check two --sat-servers 4 --sat three --topologyX --topolog -sat-check --sat-debug "
        "four --sat-stats=a=b");
    static const char *const left[] = {"program",     "one",       "two",        "--sat", "three",
                                       "--topologyX", "--topolog", "-sat-check", "four"};
    assert_int_equal(sdsm->bootstrap.argc, 9);
    for (int k = 0; k < 9; k++)
        assert_string_equal(sdsm->bootstrap.argv[k], left[k]);
    assert_null(sdsm->bootstrap.argv[9]);
    assert_int_equal(sdsm->options.servers, 4);
    assert_int_equal(sdsm->options.debug, 1);
    assert_string_equal(sdsm->options.stats, "a=b");
}

static void raises_the_longest_sleep(void **state)
{
    (void)state;
    from_arguments("--sat-sleep-min=0.5");
    assert_true(sdsm->options.sleep_min == 0.5 && sdsm->options.sleep_max == 0.5);
    from_arguments("--sat-sleep-min=0.5 --sat-sleep-max=0.7");
    assert_true(sdsm->options.sleep_max == 0.7);
}

/* --- sources -------------------------------------------------------------------------------------- */

static unsigned long servers_by(struct sources s)
{
    end(NULL);
    start(NULL);
    read_all(&s);
    return sdsm->options.servers;
}

static void the_first_source_counts(void **state)
{
    (void)state;
    assert_int_equal(servers_by((struct sources){.key = "sat/servers", .value = "5"}), 5);
    assert_int_equal(
        servers_by((struct sources){.seed = "--sat-servers=4", .key = "sat/servers", .value = "5"}), 4);
    assert_int_equal(
        servers_by((struct sources){.environment = "--sat-servers 3", .seed = "--sat-servers=4"}), 3);
    assert_int_equal(servers_by((struct sources){"--sat-servers 2", "--sat-servers 3", "--sat-servers=4",
                                                 "sat/servers", "5"}),
                     2);
    assert_int_equal(servers_by((struct sources){.arguments = "--sat-servers 6 --sat-servers 7"}), 6);
    assert_int_equal(servers_by((struct sources){.environment = "\t --sat-check\n--sat-servers  8 "}), 8);
    assert_true(sdsm->options.check);
    assert_int_equal(servers_by((struct sources){.key = "sat/chunk-size", .value = "5"}), 1);
    assert_int_equal(sdsm->options.chunk_size, 5);
}

/* What the seed was given reaches the others as it is, values with blanks as well. */
static void others_are_told_the_seeds_words(void **state)
{
    (void)state;
    static char program[] = "program", stats[] = "--sat-stats", folder[] = "a folder",
                check[] = "--sat-check", servers[] = "--sat-servers=9", mine[] = "mine";
    char *words[] = {program, stats, folder, mine, check, servers, NULL};
    sat_options_read(6, words);
    char *told = strdup(sat_options_words());
    assert_non_null(told);
    end(NULL);
    start(NULL);
    read_all(&(struct sources){.arguments = "--sat-servers 3", .seed = told});
    free(told);
    assert_string_equal(sdsm->options.stats, "a folder");
    assert_true(sdsm->options.check);
    assert_int_equal(sdsm->options.servers, 3);
    assert_string_equal(sat_options_words(), "--sat-servers\x1f"
                                             "3"); /* its own only */
    from_arguments("no options");
    assert_string_equal(sat_options_words(), "");
}

/* --- what is refused ------------------------------------------------------------------------------ */

static void read_in_child(void *ctx)
{
    end(NULL);
    start(NULL);
    read_all(ctx);
}

static void refuses(const char *arguments, const char *line)
{
    struct sources s = {.arguments = arguments};
    ends_with(read_in_child, &s, SAT_STATUS_INPUT, line);
}

static void refuses_values(void **state)
{
    (void)state;
    refuses("--sat-check=yes", "--sat-check: \"yes\", expected no value");
    refuses("--sat-check=", "--sat-check: \"\", expected no value");
    refuses("--sat-servers=0", "--sat-servers: \"0\", expected a number from 1 on");
    refuses("--sat-servers -1", "--sat-servers: \"-1\", expected a number from 1 on");
    refuses("--sat-servers=+1", "--sat-servers: \"+1\", expected a number from 1 on");
    refuses("--sat-servers=2x", "--sat-servers: \"2x\", expected a number from 1 on");
    refuses("--sat-servers=", "--sat-servers: \"\", expected a number from 1 on");
    refuses("--sat-servers", "--sat-servers: \"\", expected a number from 1 on");
    refuses("--sat-chunk-size=18446744073709551616",
            "--sat-chunk-size: \"18446744073709551616\", expected a number from 1 on");
    refuses("--sat-poll=-1", "--sat-poll: \"-1\", expected seconds, at most 1e9");
    refuses("--sat-poll=nan", "--sat-poll: \"nan\", expected seconds, at most 1e9");
    refuses("--sat-poll=inf", "--sat-poll: \"inf\", expected seconds, at most 1e9");
    refuses("--sat-poll=1.1e9", "--sat-poll: \"1.1e9\", expected seconds, at most 1e9");
    refuses("--sat-poll=1s", "--sat-poll: \"1s\", expected seconds, at most 1e9");
    refuses("--sat-sleep-growth=0.99", "--sat-sleep-growth: \"0.99\", expected a number from 1 on");
    refuses("--sat-power-user=-0.1", "--sat-power-user: \"-0.1\", expected watts");
    refuses("--sat-power-user=1e31", "--sat-power-user: \"1e31\", expected watts");
    refuses("--sat-stats=", "--sat-stats: \"\", expected a value");
    refuses("--topology", "--topology: \"\", expected a value");
    refuses("--sat-topology=", "--topology: \"\", expected a value");
    refuses("--sat-debug=all", "--sat-debug: \"all\", expected no value, or \"messages\"");
    refuses("--sat-rendezvous=lost", "--sat-rendezvous: \"lost\", expected \"kept\" or \"edge\"");
    refuses("--sat-sleep=1", "--sat-sleep: \"1\", expected \"on\" or \"off\"");
    refuses("--sat-servers 2 --sat-servers 0", "--sat-servers: \"0\", expected a number from 1 on");
}

static void refuses_names(void **state)
{
    (void)state;
    refuses("--sat-", "--sat-: unknown option; the manual is sat(7)");
    refuses("--sat-server=1", "--sat-server=1: unknown option; the manual is sat(7)");
    refuses("--sat-serversx 1", "--sat-serversx: unknown option; the manual is sat(7)");
    refuses("fine --sat-Servers 1", "--sat-Servers: unknown option; the manual is sat(7)");
}

static void refuses_in_other_sources(void **state)
{
    (void)state;
    struct sources s = {.environment = "--sat-check servers"};
    ends_with(read_in_child, &s, SAT_STATUS_INPUT, "SAT_OPTIONS: \"servers\" is no option of the S-DSM");
    s = (struct sources){.environment = "--sat-check=1"};
    ends_with(read_in_child, &s, SAT_STATUS_INPUT, "--sat-check: \"1\", expected no value");
    s = (struct sources){.key = "sat/power-sync", .value = "much"};
    ends_with(read_in_child, &s, SAT_STATUS_INPUT,
              "the host's property sat/power-sync: \"much\", expected watts");
    s = (struct sources){.arguments = "--sat-power-sync 1", .key = "sat/power-sync", .value = "much"};
    ends_with(read_in_child, &s, 0, NULL); /* nobody asks for it */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(has_defaults),
        TEST(takes_each_kind),
        TEST(leaves_the_programs_arguments),
        TEST(raises_the_longest_sleep),
        TEST(the_first_source_counts),
        TEST(others_are_told_the_seeds_words),
        TEST(refuses_values),
        TEST(refuses_names),
        TEST(refuses_in_other_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
