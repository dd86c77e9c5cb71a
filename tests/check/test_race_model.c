/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random runs of everything that the race detector is told of, against the definition of a race (race_model.h).
 * Never does it report a pair that is none. And each pair that is one it reports, unless it may have forgotten
 * the first access: because that raced with a write before, or because another one stands for it, which then
 * races, too. So the first race of each byte is always found. Prints its seed; PGASIM_TEST_SEED=n runs another.
 */
#include "check/race_judge.h"
#include "seed.h"

enum { JOBS = 40, RUNS = 100, SLICE = 32 << 10, HALF = RUNS * SLICE + (64 << 10) };

/* --- the provider: threads by the actor's local word, code by line ------------------------------------------- */

static uint32_t thread_of(const void *local)
{
    return (uint32_t)(uintptr_t)local;
}
static struct rank_code code_of(const struct rank *r, const void *address)
{
    (void)r;
    return (struct rank_code){1, (uint32_t)(uintptr_t)address};
}
static struct rank_code code_of_low(const struct rank *r, uint32_t address)
{
    (void)r;
    return (struct rank_code){1, address};
}
static void code_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    (void)r;
    snprintf(out->function, sizeof out->function, "line %" PRIu32, c.offset);
}

/* --- one run --------------------------------------------------------------------------------------------------- */

static void place_regions(uint32_t run)
{
    static const uint32_t scales[] = {1, 1, 1, 1, 1, 512, 1024 / 4};
    play.scale = scales[below(7)];
    uint32_t offset = run * SLICE + 4 * below(2048);
    for (uint32_t r = 0; r < MODEL_RANKS; r++) {
        play.base[open_region(r)] = ranks_statics_at(r, 0) / 8 * 8 + 8 + offset;
        play.base[own_region(r)] = play.base[open_region(r)] + HALF + 2 * SHADOW_PAGE;
    }
    play.crowded = play.scale == 1 && in(10);
    play.low = below(3) * 8;
    play.span = play.crowded ? 4 : in(3) ? MODEL_BYTES - play.low : 4 + below(16);
}

static void one_event(void)
{
    uint32_t s = below(MODEL_STRANDS), what = below(100);
    if (in(40))
        play.race->sweep_at = 1; /* numbers are given back */
    if (play.crowded && below(2))
        event_operation(s);
    else if (in(25))
        event_flag(s);
    else if (what < 26)
        event_plain(s);
    else if (what < 30)
        event_touch(s);
    else if (what < 32)
        event_renew(s);
    else if (what < 33)
        event_declared(s, below(2));
    else if (what < 38)
        event_send(s);
    else if (what < 46)
        event_receive(s);
    else if (what < 49)
        event_barrier(in(2) ? 31 : 1 + below(31));
    else if (what < 50)
        event_thread(1 + below(2));
    else if (what < 54 && play.scale == 1)
        event_atomic(s);
    else if (what < 55)
        event_atomic_fence(s);
    else if (what < 74)
        event_operation(s);
    else if (what < 81)
        event_completion(s);
    else if (what < 84)
        fence(s, below(2));
    else if (what < 86)
        event_request(s);
    else if (what < 88)
        event_post(s);
    else if (what < 93)
        event_wait(s);
    else if (what < 95)
        event_delivery();
    else if (what < 97)
        event_action(s);
    else
        event_action_end(s);
}

/* Nothing stays open for the next run. */
static void close_all(void)
{
    event_barrier(31);
    for (uint32_t s = 0; s < MODEL_STRANDS; s = s ? s + 2 : 1)
        for (uint32_t context = 0; context < 2; context++)
            complete(s, context, 7, &(struct rma_sync){.kind = RMA_SYNC_QUIET});
    for (uint32_t k = 0; k < model.ops; k++)
        if (model.op[k].handle) {
            as(model.op[k].stream ? model.op[k].stream - 1 : 0);
            rank_action_end(rank_current, model.op[k].handle);
        }
    for (uint32_t k = 0; k < 4; k++)
        rank_order_forget(play.message[k]);
    memset(play.message, 0, sizeof play.message);
    memset(play.message_facts, 0, sizeof play.message_facts);
}

/* Private memory of a rank with one thread is followed only while an operation may use it; and what nobody refers
 * to any more is given back. */
static void nothing_is_left(void)
{
    const struct race *d = play.race;
    uint64_t low = race_key(d, rank_at(ranks_stage->job, 0), play.base[own_region(0)]);
    for (uint64_t at = low; at < low + SLICE; at += SHADOW_PAGE)
        assert_null(shadow_look_up(&play.race->shadow, at & ~(uint64_t)(SHADOW_PAGE - 1), false));
    assert_true(d->moments_live <= d->words.live + d->declared.live + d->atomics.live + 4 * MODEL_STRANDS +
                                       RACE_PAST * MODEL_STREAMS);
}

static void one_run(uint64_t seed, uint32_t run)
{
    memset(&model, 0, sizeof model);
    base_random_seed(&play.random, seed, 0);
    play.first_line += MODEL_EVENTS;
    play.event = 0;
    place_regions(run);
    uint32_t events = 8 + below(MODEL_EVENTS - 16);
    FILE *out = open_memstream(&text, &text_size);
    base_report_to(out);
    while (play.event < events)
        one_event();
    close_all();
    nothing_is_left();
    base_report_to(ranks_stage->reports);
    fclose(out);
    judge(seed);
    free(text);
}

/* --- a job ------------------------------------------------------------------------------------------------------ */

static uint64_t first_seed;

static void runs(struct rank *r)
{
    for (uint32_t k = 0; k < MODEL_RANKS; k++) {
        struct rank *owner = rank_at(r->job, k);
        owner->threads = k ? 2 : 1;
        rank_current = owner;
        rank_area_tell(owner,
                       &(struct rank_area){.address = ranks_statics_at(k, 0), .bytes = HALF, .kind = "open"},
                       true);
    }
    for (uint32_t k = 0; k < RUNS; k++)
        one_run(first_seed + k, k);
    for (uint32_t k = 0; k < MODEL_RANKS; k++)
        rank_at(r->job, k)->threads = 1;
    as(0);
}

static void job_begins(struct rank_job *job)
{
    race_begin(play.race, job);
}
static const struct rank_front front = {.name = "model", .job_begin = job_begins};
static const char platform[] = "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                               "'https://simgrid.org/simgrid.dtd'>\n<platform version='4.1'><zone id='z' "
                               "routing='Full'><host id='a' speed='1Gf'/></zone></platform>\n";

static void job(bool exchanged)
{
    static struct ranks s;
    static struct rank_names names;
    static struct rank_life life;
    static struct rank_provider provider;
    struct finding_log found = {.lines = NULL};
    ranks_prepare(&s, MODEL_RANKS, 2 * (size_t)HALF + 4 * SHADOW_PAGE);
    provider = exchanged ? ranks_mapped : ranks_plain;
    names = *provider.names;
    life = *provider.life;
    names.code_of = code_of;
    names.code_of_low = code_of_low;
    names.code_source = code_source;
    life.thread = thread_of;
    provider.names = &names;
    provider.life = &life;
    s.exchanged = exchanged;
    s.provider = &provider;
    base_settings_declare(s.settings, race_settings, race_settings_count);
    play.race = race_create(s.settings, &found);
    play.operations = 0;
    memset(play.fences, 0, sizeof play.fences);
    ranks_begin(&s, ranks_platform(&s, platform), NULL);
    s.body[0] = runs;
    ranks_run(&s);
    race_destroy(play.race);
    finding_log_release(&found);
    ranks_end(&s);
}

/* First seeds of jobs in which the detector was wrong once. */
static const uint64_t once_wrong[] = {1795791656}; /* requests that were over, swept before a quiet */
enum { ALL_RUNS = (JOBS + sizeof once_wrong / sizeof *once_wrong) * RUNS };

static void reports_are_the_definitions(void **state)
{
    struct base_status st;
    uint64_t seed = seed_of_test(1);
    (void)state;
    play.strided = types_layout_vector(3, 2, 4, types_layout_of(TYPES_UINT8), &st);
    for (uint32_t k = 0; k < JOBS; k++) {
        first_seed = seed + (uint64_t)k * RUNS;
        job(k % 2);
    }
    for (size_t k = 0; k < sizeof once_wrong / sizeof *once_wrong; k++) {
        first_seed = once_wrong[k];
        job(false);
    }
    types_layout_release(play.strided);
    print_message("%d runs, %" PRIu64 " without a race; %" PRIu64 " races: %" PRIu64 " reported, %" PRIu64
                  " after others\n",
                  ALL_RUNS, totals.quiet, totals.races, totals.reported, totals.forgotten);
    assert_true(totals.quiet > ALL_RUNS / 100 && totals.reported > totals.forgotten);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_are_the_definitions)};
    rma_register();
    rank_front_register(&front);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
