/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs on random platforms, against the oracle (oracle.h). Ranks send in every mode, receive and
 * probe with and without wildcards, take messages by matched probes, cancel and look, with layouts of one run
 * and of many. Each program runs again: everything is at the same times. And once more with ranks that do not
 * run ahead of the clock; and in memory that lies nowhere in one piece: the same.
 */
#include "oracle.h"

enum { RANKS = 7, STEPS = 150, OPEN = 24, SLOT = 16384, ROUNDS = 6 };

struct operation {
    struct p2p_request *q;
    uint32_t note; /* place in the log; not in the order of the oracle */
    unsigned slot;
    bool spread;
};
struct player {
    struct rank *rank;
    struct base_random random;
    struct operation send[OPEN], receive[OPEN];
    size_t sends, receives;
    uint64_t used; /* slots of memory: a bit each */
};
static uint64_t seed;
static bool beside, gapped; /* nobody runs ahead; memory is not in one piece */
static struct note_log logs[2], *notes;
static const struct types_layout *every_other; /* four bytes of eight */

static uint64_t below(struct player *p, uint64_t n)
{
    return base_random_below(&p->random, n);
}

/* --- buffers ------------------------------------------------------------------------------------- */

static struct p2p_buffer buffer_of(struct player *p, const struct operation *o, uint64_t bytes)
{
    struct p2p_buffer b = heap_bytes(p->rank, (size_t)o->slot * SLOT, bytes);
    if (o->spread) {
        b.layout = every_other;
        b.count = bytes / 4;
    }
    return b;
}

static unsigned char *byte_at(struct player *p, const struct operation *o, uint64_t k)
{
    uint64_t place = o->spread ? k / 4 * 8 + k % 4 : k;
    return ranks_bytes(p->rank, ranks_heap_at(p->rank->id, (size_t)(o->slot * SLOT + place)), 1);
}

static void open_slot(struct player *p, struct operation *o)
{
    o->slot = (unsigned)__builtin_ctzll(~p->used);
    p->used |= UINT64_C(1) << o->slot;
    o->spread = below(p, 2);
}

static uint64_t draw_bytes(struct player *p)
{
    static const uint64_t most[] = {3, 20, 70, 400, 1000, 2000};
    return 4 * below(p, most[below(p, BASE_LENGTH(most))]);
}

/* --- steps --------------------------------------------------------------------------------------- */

static struct p2p_envelope draw_wanted(struct player *p)
{
    struct p2p_envelope e = {(uint32_t)below(p, 2), (uint32_t)below(p, RANKS), (int32_t)below(p, 3)};
    e.source = below(p, 3) ? e.source : P2P_ANY_SOURCE;
    e.tag = below(p, 3) ? e.tag : P2P_ANY_TAG;
    return e;
}

static void start_send(struct player *p)
{
    struct operation *o = &p->send[p->sends++];
    uint32_t to = (uint32_t)below(p, RANKS), context = (uint32_t)below(p, 2);
    int32_t tag = (int32_t)below(p, 3);
    uint64_t bytes = draw_bytes(p), number = (uint64_t)p->rank->id << 32 | notes->of_owner[p->rank->id];
    open_slot(p, o);
    for (uint64_t k = 0; k < bytes; k++)
        *byte_at(p, o, k) = byte_of(number, k);
    struct p2p_buffer b = buffer_of(p, o, bytes);
    o->q = p2p_send_create(
        p->rank, to, context, tag, &b,
        (enum p2p_sending[]){P2P_STANDARD, P2P_STANDARD, P2P_SYNCHRONOUS, P2P_BUFFERED}[below(p, 4)],
        "isend");
    p2p_issue(o->q);
    struct note *n =
        note_add(notes, p->rank, NOTE_SEND, to, &(struct p2p_envelope){context, p->rank->id, tag});
    o->note = (uint32_t)(n - notes->at);
    n->bytes = bytes;
    n->number = number;
}

static void start_receive(struct player *p)
{
    struct operation *o = &p->receive[p->receives++];
    struct p2p_envelope e = draw_wanted(p);
    uint64_t room = below(p, 6) ? SLOT / 2 : 4 * below(p, 50);
    open_slot(p, o);
    for (uint64_t k = 0; k < room; k++)
        *byte_at(p, o, k) = 0;
    struct p2p_buffer b = buffer_of(p, o, room);
    o->q = p2p_receive_create(p->rank, &e, &b, "ireceive");
    struct note *n = note_add(notes, p->rank, NOTE_RECEIVE, p->rank->id, &e);
    n->bytes = room;
    o->note = (uint32_t)(n - notes->at);
    p2p_issue(o->q);
}

static void sum_up(struct player *p, const struct operation *o, struct note *n, uint64_t room)
{
    uint64_t bytes = n->got.bytes < room ? n->got.bytes : room;
    n->sum = 1;
    for (uint64_t k = 0; k < bytes; k++)
        n->sum = sum_add(n->sum, *byte_at(p, o, k));
    if (bytes < room)
        assert_int_equal(*byte_at(p, o, bytes), 0); /* and no more */
}

static void end(struct player *p, struct operation *list, size_t *count, size_t k)
{
    struct operation *o = &list[k];
    struct note *n = &notes->at[o->note];
    n->got = *p2p_status(o->q);
    n->over = n->got.time;
    if (n->kind == NOTE_RECEIVE && n->got.outcome != P2P_CANCELLED)
        sum_up(p, o, n, n->bytes);
    p2p_request_destroy(o->q);
    p->used &= ~(UINT64_C(1) << o->slot);
    *o = list[--*count];
}

static void look(struct player *p, struct operation *list, size_t *count)
{
    struct p2p_request *q[OPEN];
    for (size_t k = 0; k < *count; k++)
        q[k] = list[k].q;
    size_t k = p2p_test_any(p->rank, q, *count);
    if (k < *count)
        end(p, list, count, k);
}

static bool cancel(struct player *p, size_t k)
{
    struct operation *o = &p->receive[k];
    rank_catch_up(p->rank);
    struct note *n = note_add(notes, p->rank, NOTE_CANCEL, p->rank->id, &(struct p2p_envelope){0, 0, 0});
    bool was_active = p2p_active(o->q);
    n->of = o->note;
    n->found = p2p_cancel(o->q);
    assert_true(was_active || !n->found);
    bool over = n->found;
    if (over)
        end(p, p->receive, &p->receives, k);
    return over;
}

static void find(struct player *p)
{
    struct p2p_envelope e = draw_wanted(p);
    rank_catch_up(p->rank);
    struct note *n = note_add(notes, p->rank, NOTE_FIND, p->rank->id, &e);
    n->found = p2p_find(p->rank, &e, &n->got);
    if (n->found) /* the oracle takes a room of none for it */
        n->got.outcome = n->got.bytes ? P2P_TRUNCATED : P2P_OK;
    n->sum = 1;
}

/* false: there is none. */
static bool take(struct player *p, struct p2p_envelope e)
{
    struct operation o;
    struct p2p_status st;
    rank_catch_up(p->rank);
    uint32_t place = notes->n;
    struct note *n = note_add(notes, p->rank, NOTE_TAKE, p->rank->id, &e);
    struct p2p_message *m = p2p_take(p->rank, &e, &st);
    n->found = m != NULL;
    if (!m)
        return false;
    open_slot(p, &o);
    for (uint64_t k = 0; k < SLOT / 2; k++)
        *byte_at(p, &o, k) = 0;
    struct p2p_buffer b = buffer_of(p, &o, SLOT / 2);
    p2p_receive_matched(p->rank, m, &b, "mrecv", &notes->at[place].got);
    notes->at[place].over = notes->at[place].got.time;
    sum_up(p, &o, &notes->at[place], SLOT / 2);
    p->used &= ~(UINT64_C(1) << o.slot);
    return true;
}

static void step(struct player *p)
{
    /* No two ranks do anything at the same instant. */
    rank_spend(p->rank, 1e-7 * base_random_unit(&p->random));
    uint64_t what = below(p, 100);
    if (what < 34 && p->sends < OPEN)
        start_send(p);
    else if (what < 66 && p->receives < OPEN)
        start_receive(p);
    else if (what < 74)
        look(p, p->send, &p->sends);
    else if (what < 82)
        look(p, p->receive, &p->receives);
    else if (what < 86)
        find(p);
    else if (what < 90)
        take(p, draw_wanted(p));
    else if (what < 93 && p->receives)
        cancel(p, below(p, p->receives));
    else if (what < 96)
        sleep_until(p->rank, rank_now(p->rank) / US + (double)below(p, 100));
}

/* All sends have been started. What nobody has received yet is received now, so that all sends end. */
static void finish(struct player *p)
{
    sleep_until(p->rank, 1e6 + p->rank->id);
    for (size_t k = p->receives; k-- > 0;)
        cancel(p, k);
    for (uint32_t context = 0; context < 2; context++)
        while (take(p, (struct p2p_envelope){context, P2P_ANY_SOURCE, P2P_ANY_TAG}))
            ;
    while (p->receives) {
        p2p_wait_all(p->rank, &p->receive[0].q, 1, "wait");
        end(p, p->receive, &p->receives, 0);
    }
    while (p->sends) {
        p2p_wait_all(p->rank, &p->send[0].q, 1, "wait");
        end(p, p->send, &p->sends, 0);
    }
}

static void play(struct rank *r)
{
    struct player p = {.rank = r};
    r->issuing = !beside;
    base_random_seed(&p.random, seed, r->id);
    sleep_until(r, 5 * base_random_unit(&p.random));
    for (int k = 0; k < STEPS; k++)
        step(&p);
    finish(&p);
}

/* --- runs ---------------------------------------------------------------------------------------- */

static void run(struct note_log *log, const char *model)
{
    notes = log;
    log->n = 0;
    memset(log->of_owner, 0, sizeof log->of_owner);
    world_prepare(RANKS);
    ranks_setting(&world, "smpi/test", "1us");
    ranks_setting(&world, "network/model", model);
    world.exchanged = gapped;
    ranks_begin(&world, ranks_platform(&world, platform_text), NULL);
    world.all = play;
    if (ranks_run(&world) != ENGINE_ALL_DONE)
        fail_msg("%s", world.report);
    none_left();
    world_end();
}

static void as_the_oracle_says(void **state)
{
    static const char *const models[] = {"LV08", "SMPI", "Raw", "CM02"};
    uint64_t first = test_seed();
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        struct base_random r;
        seed = first + round;
        base_random_seed(&r, seed, 1000);
        draw_platform(&r);
        const char *model = models[base_random_below(&r, BASE_LENGTH(models))];
        beside = gapped = false;
        run(&logs[0], model);
        run(&logs[1], model);
        assert_int_equal(oracle_check(&logs[0]), 0);
        logs_equal(&logs[0], &logs[1], "again");
        beside = true;
        run(&logs[1], model);
        logs_equal(&logs[0], &logs[1], "beside the clock");
        gapped = true;
        run(&logs[1], model);
        logs_equal(&logs[0], &logs[1], "in pieces");
    }
}

static int setup(void **state)
{
    struct base_status st;
    (void)state;
    struct types_layout *four = types_layout_contiguous(4, types_layout_of(TYPES_BYTE), &st);
    assert_non_null(four);
    every_other = types_layout_resized(four, 0, 8, &st);
    types_layout_release(four);
    return every_other ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    types_layout_release(every_other);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(as_the_oracle_says, setup, teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
