/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins energy: the values of properties and their messages; a host's joules by hand, and for random
 * computations against sums from scratch (PGASIM_TEST_SEED=n plays one seed); a link's, sampled and carried.
 */
#include "energy/internal.h"
#include "seed.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define HEAD "<?xml version='1.0'?><platform version='4.1'>\n<zone id='z' routing='Full'>\n"
#define TAIL "</zone></platform>"

static struct {
    struct engine *engine;
    struct fluid *fluid;
    struct platform *platform;
    struct base_settings *settings;
    struct energy *energy;
    fluid_resource first_link, first_cpu;
} stage;

static int make(const char *inside, const char *key, const char *value, struct base_status *st)
{
    char *text = base_strfmt("%s%s%s", HEAD, inside, TAIL);
    stage.engine = engine_create(&(struct engine_config){.max_actors = 1, .stack_size = 256 << 10});
    stage.fluid = fluid_create(stage.engine);
    stage.settings = base_settings_create();
    base_settings_declare(stage.settings, energy_settings, energy_settings_count);
    if (key)
        assert_int_equal(base_settings_set(stage.settings, key, value, BASE_FROM_COMMAND, st), 0);
    if (platform_load_text(&stage.platform, text, strlen(text), "p.xml", NULL, st))
        fail_msg("%s", st->text);
    platform_realize(stage.platform, stage.fluid, &stage.first_link, &stage.first_cpu);
    free(text);
    return energy_create(&stage.energy, stage.engine, stage.fluid, stage.platform, stage.first_link,
                         stage.settings, st);
}

static void unmake(void)
{
    energy_destroy(stage.energy);
    fluid_destroy(stage.fluid);
    engine_destroy(stage.engine);
    platform_destroy(stage.platform);
    base_settings_destroy(stage.settings);
}

static void play(void (*script)(void *arg))
{
    engine_actor_spawn(stage.engine, script, NULL, NULL);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
}

#define JOULES(got, want)                                                                                    \
    do {                                                                                                     \
        double got_ = (got), want_ = (want);                                                                 \
        if (!(fabs(got_ - want_) <= 1e-12 * fabs(want_)))                                                    \
            fail_msg("%.15g J, want %.15g", got_, want_);                                                    \
    } while (0)

/* --- properties ------------------------------------------------------------------------------------------ */

#define WATTS_HOST(value)                                                                                    \
    "<host id='a' speed='2f,1f' core='2'>\n<prop id='wattage_per_state' value='" value "'/></host>\n"

static void values_of_properties(void **state)
{
    struct energy_watts w[2] = {{0}};
    struct base_status st;
    (void)state;
    assert_int_equal(energy_watts_read(w, "1:2:3, 4 : 6", 2, &st), 0);
    assert_true(w[0].idle == 1 && w[0].epsilon == 2 && w[0].all_cores == 3);
    assert_true(w[1].idle == 4 && w[1].epsilon == 4 && w[1].all_cores == 6);
}

static void mistakes_are_named(void **state)
{
    static const struct {
        const char *inside, *message;
    } row[] = {
        {WATTS_HOST("1:2"),
         "p.xml:4: host 'a': <prop id=\"wattage_per_state\">: it has 1 entry; expected one for "
         "each of the host's 2 speeds"},
        {WATTS_HOST("1:2,1"),
         "p.xml:4: host 'a': <prop id=\"wattage_per_state\">: there is one value; expected "
         "watts as Idle:AllCores or Idle:Epsilon:AllCores"},
        {WATTS_HOST("1:2,1:x"),
         "p.xml:4: host 'a': <prop id=\"wattage_per_state\">: 'x' is no number of watts "
         "from 0 to 1e12; expected watts as Idle:AllCores or Idle:Epsilon:AllCores"},
        {"<host id='a' speed='1f'/>\n<link id='l' bandwidth='1Bps' latency='0'>\n<prop id='wattage_range' "
         "value='1'/></link>",
         "p.xml:5: link 'l': <prop id=\"wattage_range\">: there is one value; expected watts as Idle:Busy"},
        {"<host id='a' speed='1f'><prop id='watt_per_state' value='1:2'/></host>\n",
         "p.xml:3: host 'a': <prop id=\"watt_per_state\">: SimGrid before 3.26; expected wattage_per_state "
         "as "
         "Idle:Epsilon:AllCores"},
    };
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(row); k++) {
        struct base_status st = {""};
        assert_int_equal(make(row[k].inside, NULL, NULL, &st), -1);
        assert_string_equal(st.text, row[k].message);
        unmake();
    }
}

static void off_without_watts(void **state)
{
    struct base_status st;
    (void)state;
    assert_int_equal(make("<host id='a' speed='1f'/>", NULL, NULL, &st), 0);
    assert_null(stage.energy);
    unmake();
    assert_int_equal(make(WATTS_HOST("1:2,1:2"), "energy/account", "off", &st), 0);
    assert_null(stage.energy);
    unmake();
    assert_int_equal(make("<host id='a' speed='1f'/>", "energy/host", "1:2", &st), 0);
    assert_non_null(stage.energy);
    unmake();
}

/* --- hosts ----------------------------------------------------------------------------------------------- */

/* Two cores: 10 W idle, 20 W with hardly any load, 40 W with both. */
#define TWO_CORES                                                                                            \
    "<host id='a' speed='1f' core='2'><prop id='wattage_per_state' value='10:20:40'/><prop "                 \
    "id='wattage_off' value='1'/></host>"

static void by_hand(void *arg)
{
    (void)arg;
    energy_host_computes(stage.energy, 0, 1, 3); /* ahead of the clock */
    JOULES(energy_of_host(stage.energy, 0).all, 0);
    engine_sleep_until(stage.engine, 2);
    energy_host_computes(stage.energy, 0, 2, 6);
    JOULES(energy_of_host(stage.energy, 0).all, 1 * 10 + 1 * 30);
    engine_sleep_until(stage.engine, 4);
    JOULES(energy_of_host(stage.energy, 0).all, 10 + 30 + 40 + 30);
    energy_host_off(stage.energy, 0, true);
    engine_sleep_until(stage.engine, 7);
    JOULES(energy_of_host(stage.energy, 0).all, 110 + 3 * 1);
    energy_host_off(stage.energy, 0, false);
    energy_host_shares(stage.energy, 0, 3, 0.5); /* on two cores at half speed */
    engine_sleep_until(stage.engine, 9);
    energy_host_shares(stage.energy, 0, 0, 0.5);
    engine_sleep_until(stage.engine, 10);
    JOULES(energy_of_host(stage.energy, 0).all, 113 + 2 * (20 + 0.5 * 20) + 10);
    JOULES(energy_of_host(stage.energy, 0).active, 20 + 30 + 20 + 40);
}

static void a_host_by_hand(void **state)
{
    struct base_status st;
    (void)state;
    assert_int_equal(make(TWO_CORES, NULL, NULL, &st), 0);
    play(by_hand);
    unmake();
}

/* Three pstates, the last of which stands still: as in SimGrid, it takes what all cores take. */
#define PSTATES                                                                                              \
    "<host id='a' speed='4f,2f,0f' core='2'><prop id='wattage_per_state' value='10:20:40,5:10:20,1:2:3'/>"   \
    "<prop id='wattage_off' value='1'/></host>"

static void by_pstates(void *arg)
{
    (void)arg;
    engine_sleep_until(stage.engine, 1);
    energy_host_shares(stage.energy, 0, 1, 1);
    JOULES(energy_host_power(stage.energy, 0), 30);
    engine_sleep_until(stage.engine, 3);
    energy_host_pstate(stage.energy, 0, 1);
    JOULES(energy_of_host(stage.energy, 0).all, 10 + 2 * 30);
    JOULES(energy_host_power(stage.energy, 0), 15);
    engine_sleep_until(stage.engine, 4);
    JOULES(energy_of_host(stage.energy, 0).all, 70 + 15);
    JOULES(energy_of_host(stage.energy, 0).active, 2 * 20 + 10);
    energy_host_pstate(stage.energy, 0, 2);
    energy_host_shares(stage.energy, 0, 0, 1);
    engine_sleep_until(stage.engine, 5);
    JOULES(energy_of_host(stage.energy, 0).all, 85 + 3);
    energy_host_off(stage.energy, 0, true);
    engine_sleep_until(stage.engine, 7);
    energy_host_pstate(stage.energy, 0, 0); /* while it is off */
    engine_sleep_until(stage.engine, 8);
    JOULES(energy_host_power(stage.energy, 0), 1);
    energy_host_off(stage.energy, 0, false);
    energy_host_computes(stage.energy, 0, 8, 12);
    engine_sleep_until(stage.engine, 10);
    JOULES(energy_of_host(stage.energy, 0).all, 88 + 3 * 1 + 2 * 30);
    energy_host_pstate(stage.energy, 0, 1); /* what was told lies half behind, half ahead */
    engine_sleep_until(stage.engine, 13);
    JOULES(energy_of_host(stage.energy, 0).all, 151 + 2 * 15 + 5);
}

static void pstates_by_hand(void **state)
{
    struct base_status st;
    (void)state;
    assert_int_equal(make(PSTATES, NULL, NULL, &st), 0);
    play(by_pstates);
    assert_true(energy_host_power_in(stage.energy, 0, 1).epsilon == 10);
    unmake();
}

enum { CORES = 4, MOST = 200 };
static struct base_random rnd;
static double span_from[MOST], span_until[MOST];
static uint32_t spans;

static double from_scratch(double now)
{
    double cores = 0, busy = 0, covered = 0;
    for (uint32_t k = 0; k < spans; k++)
        cores += fmax(0, fmin(now, span_until[k]) - fmin(now, span_from[k]));
    for (bool more = true; more;) { /* the next that begins, or goes on, after `covered` */
        double from = INFINITY, until = 0;
        for (uint32_t k = 0; k < spans; k++)
            if (span_until[k] > covered && fmax(span_from[k], covered) < from) {
                from = fmax(span_from[k], covered);
                until = span_until[k];
            }
        more = from < now;
        busy += more ? fmin(now, until) - from : 0;
        covered = until;
    }
    return now * 10 + busy * (20 - 10) + cores / CORES * (60 - 20);
}

/* Each core computes again and again, begun up to a second ahead of the clock. */
static void random_computations(void *arg)
{
    double free[CORES] = {0};
    uint64_t seed = *(uint64_t *)arg;
    for (spans = 0; spans < MOST; spans++) {
        uint32_t core = (uint32_t)base_random_below(&rnd, CORES);
        double now = engine_now(stage.engine);
        if (free[core] > now)
            engine_sleep_until(stage.engine, now = fmax(now, free[core] - base_random_unit(&rnd)));
        span_from[spans] = fmax(free[core], now) + (base_random_below(&rnd, 2) ? base_random_unit(&rnd) : 0);
        span_until[spans] = free[core] = span_from[spans] + 3 * base_random_unit(&rnd);
        energy_host_computes(stage.energy, 0, span_from[spans], span_until[spans]);
        if (base_random_below(&rnd, 3))
            continue;
        spans++;
        double got = energy_of_host(stage.energy, 0).all, want = from_scratch(now);
        spans--;
        if (!(fabs(got - want) <= 1e-9 * want + 1e-12))
            fail_msg("seed %llu: after %u computations, at %.9g: %.15g J, want %.15g",
                     (unsigned long long)seed, spans, now, got, want);
    }
}

static void one_seed(uint64_t seed)
{
    struct base_status st;
    base_random_seed(&rnd, seed, 0);
    assert_int_equal(
        make("<host id='a' speed='1f' core='4'><prop id='wattage_per_state' value='10:20:60'/></host>", NULL,
             NULL, &st),
        0);
    engine_actor_spawn(stage.engine, random_computations, &seed, NULL);
    assert_int_equal(engine_run(stage.engine), ENGINE_ALL_DONE);
    unmake();
}

static void hosts_against_sums_from_scratch(void **state)
{
    (void)state;
    uint64_t first = seed_of_test(1);
    for (uint64_t seed = first; seed < first + (seed_is_given() ? 1 : 200); seed++)
        one_seed(seed);
}

/* --- links ----------------------------------------------------------------------------------------------- */

#define A_LINK                                                                                               \
    "<host id='a' speed='1f'/><link id='l' bandwidth='100Bps' latency='0'><prop id='wattage_range' "         \
    "value='10:30'/></link>"

static void done(struct fluid *f, void *arg)
{
    (void)f;
    (void)arg;
}

static void over_a_link(void *arg)
{
    static const uint32_t link = 0;
    struct fluid_use use = {stage.first_link, 1};
    bool carried = energy_links_are_carried(stage.energy);
    (void)arg;
    engine_sleep_until(stage.engine, 1);
    energy_links_keep(stage.energy, &link, 1);
    fluid_start(stage.fluid, &use, 1, 200, 1, 50, done, NULL); /* until 5, at half the bandwidth */
    if (carried)
        energy_links_carry(stage.energy, &link, 1, 200);
    else
        energy_links_sample(stage.energy, &link, 1); /* does not see it yet */
    JOULES(energy_of_link(stage.energy, 0), carried ? 10 + 2 * 20 : 10);
    engine_sleep_until(stage.engine, 4);
    JOULES(energy_of_link(stage.energy, 0), carried ? 40 + 2 * 20 : 10 + 3 * 20);
    engine_sleep_until(stage.engine, 6); /* not sampled at the flow's end */
    JOULES(energy_of_link(stage.energy, 0), carried ? 60 + 2 * 20 : 70 + 2 * 10);
}

static void a_link_sampled_and_carried(void **state)
{
    struct base_status st;
    (void)state;
    for (int carried = 0; carried < 2; carried++) {
        assert_int_equal(make(A_LINK, "energy/links", carried ? "carried" : "sampled", &st), 0);
        play(over_a_link);
        JOULES(energy_totals(stage.energy).links, carried ? 100 : 90);
        unmake();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_properties),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(off_without_watts),
        cmocka_unit_test(a_host_by_hand),
        cmocka_unit_test(pstates_by_hand),
        cmocka_unit_test(hosts_against_sums_from_scratch),
        cmocka_unit_test(a_link_sampled_and_carried),
    };
    return cmocka_run_group_tests_name("energy", tests, NULL, NULL);
}
