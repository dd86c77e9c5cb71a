/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random runs of everything that the race detector is told of, against the definition of a race (race_model.h).
 * Never does it report a pair that is none. And each pair that is one it reports, unless it may have forgotten
 * the first access: because that raced with a write before, or because another one stands for it, which then
 * races, too. So the first race of each byte is always found. Prints its seed; PGASIM_TEST_SEED=n runs another.
 */
#include "check/race_operations.h"

#include <inttypes.h>
#include <time.h>

enum { JOBS = 40, RUNS = 100, SLICE = 32 << 10, HALF = RUNS * SLICE + (64 << 10) };

static struct {
    uint64_t races, reported, forgotten, quiet; /* the last: runs without a race */
} totals;
static char *text;
static size_t text_size;
static bool reported[MODEL_EVENTS][4][MODEL_EVENTS][4];

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
static void code_name(const struct rank *r, struct rank_code c, char *buf, size_t size)
{
    (void)r;
    snprintf(buf, size, "line %" PRIu32, c.offset);
}

/* --- one run --------------------------------------------------------------------------------------------------- */

static void place_regions(uint32_t run)
{
    static const uint32_t scales[] = {1, 1, 1, 1, 1, 512, 1024 / 4};
    play.scale = scales[below(7)];
    uint32_t offset = run * SLICE + 4 * below(2048);
    for (uint32_t r = 0; r < MODEL_RANKS; r++) {
        play.base[open_region(r)] = ranks_statics_at(r, 0) / 8 * 8 + 8 + offset;
        play.base[own_region(r)] = play.base[open_region(r)] + HALF;
    }
    play.low = below(3) * 8;
    play.span = in(3) ? MODEL_BYTES - play.low : 4 + below(16);
}

static void one_event(void)
{
    uint32_t s = below(MODEL_STRANDS), what = below(100);
    if (in(40))
        play.race->sweep_at = 1; /* numbers are given back */
    if (what < 26)
        event_plain(s);
    else if (what < 30)
        event_touch(s);
    else if (what < 32)
        event_renew(s);
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
        event_fence(s);
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

/* --- what was reported ---------------------------------------------------------------------------------------- */

static uint32_t kind_in(const char *line)
{
    static const char *const verbs[] = {"    read by ", "    written by ", "    read atomically by ",
                                        "    updated atomically by "};
    for (uint32_t k = 0; k < 4; k++)
        if (!strncmp(line, verbs[k], strlen(verbs[k])))
            return k;
    fail_msg("no access: %.80s", line);
    return 0;
}

static uint32_t event_in(const char *line)
{
    const char *found = strstr(line, " in line ");
    assert_non_null(found);
    uint32_t event = (uint32_t)strtoul(found + 9, NULL, 10) - play.first_line;
    assert_true(event < MODEL_EVENTS);
    return event;
}

static void read_reports(void)
{
    memset(reported, 0, sizeof reported);
    for (const char *at = text; (at = strstr(at, "pgasim: race: "));) {
        const char *a = strchr(at, '\n') + 1, *b = strchr(a, '\n') + 1;
        reported[event_in(a)][kind_in(a)][event_in(b)][kind_in(b)] = true;
        at = b;
    }
}

static bool is_reported(const struct model_access *a, const struct model_access *b)
{
    uint32_t i = a->line - play.first_line, j = b->line - play.first_line;
    return reported[i][a->kind][j][b->kind] || reported[j][b->kind][i][a->kind];
}

static void explain(const char *what, uint64_t seed, uint32_t i, uint32_t j)
{
    fputs(text, stderr);
    print_message("seed %" PRIu64 ", scale %" PRIu32 ", accesses of the model:\n", seed, play.scale);
    for (uint32_t k = 0; k < model.accesses; k++) {
        const struct model_access *a = &model.access[k];
        print_message("%3" PRIu32 ": line %" PRIu32 " region %" PRIu32 " bytes %010" PRIx64
                      " kind %d over %d stream %" PRIu32 " target %" PRIu32 " knows %" PRIx64 " %" PRIx64
                      " %" PRIx64 " %" PRIx64 "\n",
                      k, a->line, a->region, a->bytes, a->kind, a->over, a->stream, a->target, a->before.done,
                      a->before.local, a->before.remote, a->before.fenced);
    }
    fail_msg("%s: lines %" PRIu32 " and %" PRIu32, what, model.access[i].line, model.access[j].line);
}

/* Whether the race of i and j may be missed at a byte: something in between has replaced i there. */
static bool may_be_forgotten(uint32_t i, uint32_t j, uint64_t byte)
{
    const struct model_access *a = &model.access[i];
    for (uint32_t k = i + 1; k < j; k++) {
        const struct model_access *between = &model.access[k];
        if (between->region != a->region || !(between->bytes & byte) || between->event == a->event)
            continue;
        if (model.race[i][k] & byte && between->kind == RACE_WRITE)
            return true;
        if (stands_for(between, a) && is_over(a, between) && model.race[k][j] & byte)
            return true;
    }
    return false;
}

static void judge(uint64_t seed)
{
    bool any = false;
    read_reports();
    for (uint32_t j = 0; j < model.accesses; j++)
        for (uint32_t i = 0; i < j; i++) {
            const struct model_access *a = &model.access[i], *b = &model.access[j];
            if (!model.race[i][j])
                continue;
            any = true;
            totals.races++;
            if (is_reported(a, b)) {
                totals.reported++;
                continue;
            }
            for (uint64_t left = model.race[i][j]; left; left &= left - 1)
                if (!may_be_forgotten(i, j, left & -left))
                    explain("not reported", seed, i, j);
            totals.forgotten++;
        }
    totals.quiet += !any;
    for (uint32_t j = 0; j < model.accesses; j++)
        for (uint32_t i = 0; i < model.accesses; i++)
            if (model.race[i][j] || model.race[j][i]) {
                const struct model_access *a = &model.access[i], *b = &model.access[j];
                reported[a->line - play.first_line][a->kind][b->line - play.first_line][b->kind] = false;
            }
    for (uint32_t j = 0; j < model.accesses; j++)
        for (uint32_t i = 0; i < model.accesses; i++) {
            const struct model_access *a = &model.access[i], *b = &model.access[j];
            if (reported[a->line - play.first_line][a->kind][b->line - play.first_line][b->kind])
                explain("no race, but reported", seed, i, j);
        }
}

static void one_run(uint64_t seed, uint32_t run)
{
    memset(&model, 0, sizeof model);
    base_random_seed(&play.random, seed, 0);
    play.first_line += MODEL_EVENTS;
    play.event = 0;
    place_regions(run);
    uint32_t events = 8 + below(MODEL_EVENTS - 12);
    FILE *out = open_memstream(&text, &text_size);
    base_report_to(out);
    while (play.event < events)
        one_event();
    close_all();
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
        rank_area_tell(owner, &(struct rank_area){ranks_statics_at(k, 0), HALF, "open"}, true);
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
    ranks_prepare(&s, MODEL_RANKS, 2 * (size_t)HALF);
    provider = exchanged ? ranks_mapped : ranks_plain;
    names = *provider.names;
    life = *provider.life;
    names.code_of = code_of;
    names.code_of_low = code_of_low;
    names.code_name = code_name;
    life.thread = thread_of;
    provider.names = &names;
    provider.life = &life;
    s.exchanged = exchanged;
    s.provider = &provider;
    play.race = race_create();
    play.operations = 0;
    memset(play.fences, 0, sizeof play.fences);
    ranks_begin(&s, ranks_platform(&s, platform), NULL);
    s.body[0] = runs;
    ranks_run(&s);
    race_destroy(play.race);
    ranks_end(&s);
}

static void reports_are_the_definitions(void **state)
{
    struct base_status st;
    const char *given = getenv("PGASIM_TEST_SEED");
    uint64_t seed = given ? strtoull(given, NULL, 0) : (uint64_t)time(NULL);
    (void)state;
    print_message("seed %" PRIu64 "\n", seed);
    play.strided = types_layout_vector(3, 2, 4, types_layout_of(TYPES_UINT8), &st);
    for (uint32_t k = 0; k < JOBS; k++) {
        first_seed = seed + (uint64_t)k * RUNS;
        job(k % 2);
    }
    types_layout_release(play.strided);
    print_message("%d runs, %" PRIu64 " without a race; %" PRIu64 " races: %" PRIu64 " reported, %" PRIu64
                  " after others\n",
                  JOBS * RUNS, totals.quiet, totals.races, totals.reported, totals.forgotten);
    assert_true(totals.quiet > JOBS * RUNS / 100 && totals.reported > totals.forgotten);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reports_are_the_definitions)};
    rma_register();
    rank_front_register(&front);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
