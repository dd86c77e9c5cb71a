/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rounds written as programs, and algorithms made of parts. Random programs (PGASIM_TEST_SEED repeats a run):
 * whatever order messages are done in, exactly the calls begin that a rank would have made by then.
 */
#include "coll/schedule/schedule.h"
#include "coll/seeds.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 900, PEERS = 9 };

static struct coll_call call = {.name = "test", .group = {.stride = 1, .size = PEERS + 1}};
static const struct coll_tuning tuning;
static struct base_buffers buffers;

static void prepare(struct coll_schedule *s)
{
    base_buffers_init(&buffers, "steps of a test");
    coll_schedule_init(s, &call, &call, &buffers, NULL, &tuning);
}

static void finish(struct coll_schedule *s)
{
    coll_schedule_release(s);
    base_buffers_release(&buffers);
}

/* --- what a rank does ------------------------------------------------------------------------------- */

/* One call of the program. Its number is the tag of its message, or its size in bytes. */
static struct made {
    char kind; /* r, s: receive, send; c, o: copy, operation; w: wait for `of` */
    uint32_t of;
    bool begun, done;
} made[MOST];
static uint32_t calls, at; /* at: the call that the rank has got to */

static void go_on(void)
{
    for (; at < calls; at++) {
        struct made *m = &made[at];
        if (m->kind == 'w' && !made[m->of].done)
            return;
        m->begun = true;
        if (m->kind == 'c' || m->kind == 'w')
            m->done = true;
        if (m->kind == 'o' && !m->done)
            return;
    }
}

/* --- what the round does ----------------------------------------------------------------------------- */

static bool begun[MOST]; /* steps */

static uint32_t call_of(const struct coll_step *step)
{
    return step->kind == COLL_STEP_COPY || step->kind == COLL_STEP_COMBINE ? (uint32_t)step->bytes
                                                                           : step->tag;
}

static void step_done(struct coll_schedule *s, uint32_t k);

static void step_begins(struct coll_schedule *s, uint32_t k)
{
    enum coll_step_kind kind = s->steps[k].kind;
    if (kind != COLL_STEP_JOIN) {
        assert_false(begun[call_of(&s->steps[k])]);
        begun[call_of(&s->steps[k])] = true;
    }
    if (kind == COLL_STEP_JOIN || kind == COLL_STEP_COPY)
        step_done(s, k);
}

static void step_done(struct coll_schedule *s, uint32_t k)
{
    uint32_t end = s->steps[k].then + s->steps[k].releases;
    s->steps[k].state = COLL_DONE;
    for (uint32_t i = s->steps[k].then; i < end; i++) {
        bool join = s->steps[i].kind == COLL_STEP_JOIN;
        if (join ? --s->steps[i].peer == 0 : --s->steps[i].needs == 0)
            step_begins(s, i);
    }
}

static void compare(uint64_t seed)
{
    for (uint32_t k = 0; k < calls; k++)
        if (made[k].kind != 'w' && made[k].begun != begun[k])
            fail_msg("seed %llu: call %u ('%c') %s begun when the rank is at call %u",
                     (unsigned long long)seed, k, made[k].kind, begun[k] ? "has" : "has not", at);
}

/* --- random programs --------------------------------------------------------------------------------- */

static void add_call(struct coll_program *p, struct base_random *r)
{
    uint32_t k = p->n, peer = 1 + (uint32_t)base_random_below(r, PEERS);
    char kind = "rrrsssscow"[base_random_below(r, 10)];
    coll_place here = coll_at(COLL_DEST, 0), there = coll_at(COLL_SOURCE, 0);
    made[k] = (struct made){.kind = kind};
    if (kind == 'r')
        coll_program_receive(p, peer, k, here, 1);
    if (kind == 's')
        coll_program_send(p, peer, k, here, 1);
    if (kind == 'c')
        coll_program_copy(p, there, here, k);
    if (kind == 'o')
        coll_program_combine(p, there, here, k);
    for (uint32_t any = k ? (uint32_t)base_random_below(r, k) : 0, many = 0;
         kind == 'w' && any < k && many < 3; any++, many++) {
        uint32_t before = p->n;
        if (made[any].kind == 'r' || made[any].kind == 's')
            coll_program_wait(p, any);
        if (p->n > before)
            made[before] = (struct made){.kind = 'w', .of = any};
    }
}

static void random_program(uint64_t seed)
{
    struct base_random r;
    struct coll_schedule s;
    struct coll_program p;
    base_random_seed(&r, seed, 3);
    prepare(&s);
    uint32_t most = 1 + (uint32_t)base_random_below(&r, seed % 8 ? 40 : MOST - 10);
    coll_program_begin(&p, &s);
    while (p.n < most)
        add_call(&p, &r);
    calls = p.n;
    coll_program_end(&p);
    assert_true(coll_schedule_ascends(&s));
    memset(begun, 0, sizeof begun);
    at = 0;
    for (uint32_t k = 0, n = s.n; k < n; k++)
        if (s.steps[k].state != COLL_DONE && !s.steps[k].needs &&
            (s.steps[k].kind == COLL_STEP_JOIN || !begun[call_of(&s.steps[k])]))
            step_begins(&s, k);
    go_on();
    compare(seed);
    for (uint32_t left = s.n; left;) { /* any of the calls under way is done next */
        uint32_t k = (uint32_t)base_random_below(&r, s.n);
        left = 0;
        for (uint32_t i = 0; i < s.n; i++, k = (k + 1) % s.n) {
            if (s.steps[k].state == COLL_DONE || s.steps[k].needs || s.steps[k].kind == COLL_STEP_JOIN)
                continue;
            made[call_of(&s.steps[k])].done = true;
            step_done(&s, k);
            go_on();
            compare(seed);
            left = 1;
            break;
        }
    }
    assert_int_equal(at, calls);
    finish(&s);
}

static void test_programs(void **state)
{
    (void)state;
    const struct seeds seeds = seeds_to_play(400);
    for (uint64_t seed = seeds.first; seed <= seeds.last; seed++)
        random_program(seed);
}

/* --- parts ------------------------------------------------------------------------------------------- */

static bool inner(struct coll_schedule *s, uint32_t round)
{
    if (round)
        return false;
    unsigned char *mine = coll_temp(s, 10);
    assert_ptr_equal(mine, s->temp + 128 + 64); /* behind 100 bytes of the outer and 1 of the middle */
    coll_add_receive(s, 1, 3, coll_at(COLL_DEST, 5), s->bytes);
    coll_add_receive(s, 2, 3, coll_at(COLL_TEMP, 7), s->bytes);
    coll_add_send(s, s->root, 4, coll_at(COLL_SOURCE, 6), s->bytes);
    return true;
}

static bool middle(struct coll_schedule *s, uint32_t round)
{
    struct coll_part p = {
        .me = 0, .size = 3, .root = 2, .member = coll_part_strided, .first = 4, .stride = 3};
    p.source = coll_at(COLL_DEST, 1000);
    p.dest = coll_at(COLL_TEMP, 0);
    p.bytes = 9;
    p.temp = 1;
    p.tag = 100;
    assert_int_equal(s->size, 5);
    assert_int_equal(s->bytes, 77);
    return coll_part_round(s, &p, inner, round);
}

/* Numbers, places, tags and temporary memory of a part within a part. */
static void test_parts(void **state)
{
    struct coll_schedule s;
    (void)state;
    prepare(&s);
    struct coll_part p = {.size = 5, .member = coll_part_strided, .first = 1, .stride = 2, .bytes = 77};
    p.source = coll_at(COLL_SOURCE, 0);
    p.dest = coll_at(COLL_DEST, 50);
    p.temp = 100;
    p.tag = 1000;
    memset(coll_temp(&s, 100), 1, 100);
    assert_true(coll_part_round(&s, &p, middle, 0));
    assert_int_equal(s.temp[99], 1); /* kept when it grew */
    assert_int_equal(s.size, PEERS + 1);
    assert_null(s.part);
    /* (4 + 3 k) mod 5 of the middle, 1 + 2 of that of the whole: 2 and 0, then 5 and 1 */
    assert_int_equal(s.steps[0].peer, 5);
    assert_int_equal(s.steps[1].peer, 1);
    assert_true(s.unsorted);
    assert_int_equal(s.steps[2].peer, 1);
    assert_int_equal(s.steps[0].tag, 1103);
    assert_true(s.steps[0].at == coll_at(COLL_TEMP, 128 + 5));
    assert_true(s.steps[1].at == coll_at(COLL_TEMP, 128 + 64 + 7));
    assert_true(s.steps[2].at == coll_at(COLL_DEST, 1050 + 6));
    assert_int_equal(coll_schedule_receiver(&s, 1, 1103), 1);
    assert_int_equal(coll_schedule_receiver(&s, 2, 1103), UINT32_MAX);
    finish(&s);
}

/* --- stages within stages --------------------------------------------------------------------------- */

static bool two_rounds(struct coll_schedule *s, uint32_t round)
{
    if (round < 2)
        coll_add_send(s, 1, round, coll_at(COLL_SOURCE, 0), 1);
    return round < 2;
}

static bool four_rounds(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.all = two_rounds}, {.all = two_rounds}};
    return coll_stages_round(s, round, stages, 2);
}

static coll_build_fn nothing(struct coll_schedule *s, struct coll_part *p)
{
    (void)s, (void)p;
    return NULL;
}

static void test_stages(void **state)
{
    static const struct coll_stage_def stages[] = {
        {.all = four_rounds}, {.part = nothing}, {.all = two_rounds}, {.all = four_rounds}};
    enum { ROOM = COLL_STAGE_TAGS, INNER = ROOM / 8 };
    static const uint32_t tags[] = {0,
                                    1,
                                    INNER,
                                    INNER + 1,
                                    2 * ROOM,
                                    2 * ROOM + 1,
                                    3 * ROOM,
                                    3 * ROOM + 1,
                                    3 * ROOM + INNER,
                                    3 * ROOM + INNER + 1};
    struct coll_schedule s;
    (void)state;
    prepare(&s);
    for (int again = 0; again < 2; again++) /* round 0 begins anew */
        for (uint32_t round = 0; round <= BASE_LENGTH(tags); round++) {
            s.n = 0;
            assert_int_equal(coll_stages_round(&s, round, stages, 4), round < BASE_LENGTH(tags));
            if (round < BASE_LENGTH(tags))
                assert_int_equal(s.steps[0].tag, tags[round]);
            assert_int_equal(s.n, round < BASE_LENGTH(tags));
            assert_int_equal(s.depth, 0);
        }
    finish(&s);
}

/* As many rounds as a ring of 30 000 members has, each with a message to the same member. */
enum { LONG = 30000, LEVELS = COLL_STAGE_DEPTH };

static bool long_ring(struct coll_schedule *s, uint32_t round)
{
    if (round < LONG)
        coll_add_send(s, 1, round, coll_at(COLL_SOURCE, 0), 1);
    return round < LONG;
}

static bool long_stages(struct coll_schedule *s, uint32_t round);

static coll_build_fn deeper(struct coll_schedule *s, struct coll_part *p)
{
    (void)p;
    return s->depth < LEVELS ? long_stages : long_ring;
}

static bool long_stages(struct coll_schedule *s, uint32_t round)
{
    static const struct coll_stage_def stages[] = {{.part = deeper}, {.part = deeper}};
    return coll_stages_round(s, round, stages, 2);
}

/* No two messages of one member to another have the same tag, however long stages are. */
static void test_long_stages(void **state)
{
    static bool used[1 << COLL_TAG_BITS];
    struct coll_schedule s;
    uint32_t round = 0;
    (void)state;
    memset(used, 0, sizeof used);
    prepare(&s);
    for (; s.n = 0, long_stages(&s, round); round++) {
        if (used[s.steps[0].tag])
            fail_msg("round %u has tag %u, as an earlier one has", round, (uint32_t)s.steps[0].tag);
        used[s.steps[0].tag] = true;
    }
    assert_int_equal(round, LONG << LEVELS);
    finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_programs), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_stages), cmocka_unit_test(test_long_stages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
