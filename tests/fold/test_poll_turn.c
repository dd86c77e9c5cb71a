/* SPDX-License-Identifier: BSD-3-Clause */
/* What a recorded turn of a loop proves: counters, addresses, stores, branches; random turns of one kind. */
#include "fold/poll/turn.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct poll_turn turn;
enum { RAX, RCX, RDX };
#define STACK 0x7000
#define HEAP  0x1000

static void begin(void)
{
    poll_turn_clear(&turn);
    memset(&turn.first, 0, sizeof turn.first);
    memset(&turn.last, 0, sizeof turn.last);
}
static struct poll_step *step(uint64_t reads, uint64_t writes, unsigned flags)
{
    struct poll_step *s = &turn.step[turn.n++];
    *s = (struct poll_step){
        .pc = 0x400000 + turn.n, .reads = reads, .writes = writes, .flags = (uint8_t)flags};
    return s;
}
static struct poll_word *touch(struct poll_step *s, uintptr_t address, bool load, bool store)
{
    bool made;
    struct poll_word *w = poll_turn_word(&turn, address, &made);
    w->own = address >= STACK;
    w->input |= load && !w->stored;
    w->stored |= store;
    s->access[s->n++] =
        (struct poll_access){.word = (uint16_t)(w - turn.word), .load = load, .store = store, .whole = true};
    return w;
}
/* rax = [HEAP]; compare; jump */
static void look(void)
{
    touch(step(0, POLL_BIT(RAX), 0), HEAP, true, false);
    step(POLL_BIT(RAX), POLL_BIT(POLL_FLAGS), 0);
    step(POLL_BIT(POLL_FLAGS), 0, POLL_BRANCH | POLL_CHOICE);
}
/* rcx++ */
static void count(void)
{
    step(POLL_BIT(RCX) | POLL_BIT(POLL_FLAGS), POLL_BIT(RCX) | POLL_BIT(POLL_FLAGS), 0);
    turn.last.general[RCX]++;
}
static void verdict(enum poll_verdict expected, int line)
{
    enum poll_verdict v = poll_turn_judge(&turn);
    if (v != expected)
        fail_msg("line %d: %d, expected %d", line, (int)v, (int)expected);
}

static void a_plain_poll_is_proven(void **state)
{
    (void)state;
    begin();
    look();
    verdict(POLL_PROVEN, __LINE__);
    assert_int_equal(turn.exits, 1);
    begin();
    count();
    look();
    verdict(POLL_PROVEN, __LINE__);
}
/* The jump comes first: what decides it was loaded at the end of the turn before. */
static void the_head_may_be_anywhere(void **state)
{
    (void)state;
    begin();
    step(POLL_BIT(POLL_FLAGS), 0, POLL_BRANCH | POLL_CHOICE);
    touch(step(0, POLL_BIT(RAX), 0), HEAP, true, false);
    step(POLL_BIT(RAX), POLL_BIT(POLL_FLAGS), 0);
    verdict(POLL_PROVEN, __LINE__);
    assert_int_equal(turn.exits, 1);
}
static void a_counter_that_decides_is_no_proof(void **state)
{
    (void)state;
    begin();
    look();
    count();
    step(POLL_BIT(POLL_FLAGS), 0, POLL_BRANCH | POLL_CHOICE);
    verdict(POLL_UNPROVEN, __LINE__);
    begin(); /* nothing is looked at */
    count();
    step(POLL_BIT(POLL_FLAGS), 0, POLL_BRANCH | POLL_CHOICE);
    verdict(POLL_COMPUTES, __LINE__);
}
static void an_index_and_a_sum_are_a_computation(void **state)
{
    (void)state;
    begin();
    look();
    count();
    step(POLL_BIT(RCX) | POLL_BIT(RDX), POLL_BIT(RDX), 0);
    turn.last.general[RDX] = 7;
    step(POLL_BIT(RCX), POLL_BIT(POLL_FLAGS), 0);
    step(POLL_BIT(POLL_FLAGS), 0, POLL_BRANCH | POLL_CHOICE);
    verdict(POLL_COMPUTES, __LINE__);
}
static void an_address_that_moves_is_a_computation(void **state)
{
    (void)state;
    begin();
    look();
    count();
    struct poll_step *s = step(0, POLL_BIT(RAX), 0);
    s->addresses = POLL_BIT(RCX);
    touch(s, HEAP + 64, true, false);
    verdict(POLL_COMPUTES, __LINE__);
}
static void a_counter_on_the_stack_is_proven_one_elsewhere_is_not(void **state)
{
    (void)state;
    begin();
    look();
    touch(step(0, POLL_BIT(POLL_FLAGS), 0), STACK, true, true)->last = 1;
    verdict(POLL_PROVEN, __LINE__);
    begin();
    look();
    touch(step(0, POLL_BIT(POLL_FLAGS), 0), HEAP + 8, true, true)->last = 1;
    verdict(POLL_UNPROVEN, __LINE__);
    begin(); /* storing what was there changes nothing */
    look();
    touch(step(0, 0, 0), HEAP + 8, false, true);
    verdict(POLL_PROVEN, __LINE__);
}
static void what_comes_from_outside_is_no_proof(void **state)
{
    (void)state;
    begin();
    look();
    step(0, POLL_BIT(RDX), POLL_SOURCE);
    verdict(POLL_PROVEN, __LINE__); /* it decides nothing */
    step(POLL_BIT(RDX), POLL_BIT(POLL_FLAGS), 0);
    step(POLL_BIT(POLL_FLAGS), 0, POLL_BRANCH | POLL_CHOICE);
    verdict(POLL_UNPROVEN, __LINE__);
    begin();
    look();
    step(0, POLL_BIT(RAX), POLL_OPAQUE);
    verdict(POLL_UNPROVEN, __LINE__);
}
/* A counter that equals its first value now, but is computed from one that does not, will differ later. */
static void what_is_computed_from_a_counter_varies_too(void **state)
{
    (void)state;
    begin();
    step(POLL_BIT(RDX), POLL_BIT(POLL_FLAGS), 0);
    step(POLL_BIT(POLL_FLAGS), 0, POLL_BRANCH | POLL_CHOICE);
    look();
    count();
    step(POLL_BIT(RCX), POLL_BIT(RDX), 0); /* equal at both ends of this turn */
    verdict(POLL_COMPUTES, __LINE__);
}

/* A machine of four registers and four words, whose random straight-line turns end with one branch on
 * register 0. If a turn is proven, then running it again and again takes the branch the same way. */
static uint64_t reg[4], memory[4];
struct op {
    int kind, to, from;
};
static void run(const struct op *o, int n)
{
    for (int k = 0; k < n; k++)
        switch (o[k].kind) {
        case 0:
            reg[o[k].to] = reg[o[k].from];
            break;
        case 1:
            reg[o[k].to] += reg[o[k].from] + 1;
            break;
        case 2:
            reg[o[k].to] = memory[o[k].from];
            break;
        case 3:
            memory[2 + (o[k].to & 1)] = reg[o[k].from]; /* on the stack */
            break;
        default:
            reg[o[k].to] &= 3;
        }
}
static uintptr_t address(int word)
{
    return word < 2 ? HEAP + 8 * (unsigned)word : STACK + 8 * (unsigned)word;
}
static void record(const struct op *o, int n)
{
    begin();
    for (int k = 0; k < 4; k++)
        turn.first.general[k] = reg[k];
    uint64_t before[4];
    memcpy(before, memory, sizeof before);
    run(o, n);
    for (int k = 0; k < 4; k++)
        turn.last.general[k] = reg[k];
    for (int k = 0; k < n; k++) {
        uint64_t to = POLL_BIT(o[k].to), from = POLL_BIT(o[k].from);
        int word = o[k].kind == 3 ? 2 + (o[k].to & 1) : o[k].from;
        struct poll_step *s = step(o[k].kind == 0 || o[k].kind == 3 ? from
                                   : o[k].kind == 1                 ? to | from
                                   : o[k].kind == 2                 ? 0
                                                                    : to,
                                   o[k].kind == 3 ? 0 : to, 0);
        if (o[k].kind == 2 || o[k].kind == 3) {
            struct poll_word *w = touch(s, address(word), o[k].kind == 2, o[k].kind == 3);
            w->first = before[word];
            w->last = memory[word];
        }
    }
    step(POLL_BIT(0), 0, POLL_BRANCH | POLL_CHOICE);
}
static void proven_turns_repeat(void **state)
{
    unsigned seed = (unsigned)seed_of_test(1), proven = 0;
    (void)state;
    srand(seed);
    for (int round = 0; round < 20000; round++) {
        struct op o[8];
        int n = 1 + rand() % 8;
        for (int k = 0; k < n; k++)
            o[k] = (struct op){rand() % 5, rand() % 4, rand() % 4};
        for (int k = 0; k < 4; k++) {
            reg[k] = (uint64_t)rand() % 4;
            memory[k] = (uint64_t)rand() % 4;
        }
        run(o, n); /* so that what settles after a turn has settled */
        record(o, n);
        if (poll_turn_judge(&turn) != POLL_PROVEN)
            continue;
        proven++;
        uint64_t decided = reg[0];
        for (int again = 0; again < 50; again++) {
            run(o, n);
            if (reg[0] != decided)
                fail_msg("seed %u, round %d: a proven turn decided otherwise", seed, round);
        }
    }
    assert_in_range(proven, 1000, 19999);
}

static int make(void **state)
{
    (void)state;
    poll_turn_create(&turn);
    return 0;
}
static int unmake(void **state)
{
    (void)state;
    poll_turn_destroy(&turn);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_poll_is_proven),
        cmocka_unit_test(the_head_may_be_anywhere),
        cmocka_unit_test(a_counter_that_decides_is_no_proof),
        cmocka_unit_test(an_index_and_a_sum_are_a_computation),
        cmocka_unit_test(an_address_that_moves_is_a_computation),
        cmocka_unit_test(a_counter_on_the_stack_is_proven_one_elsewhere_is_not),
        cmocka_unit_test(what_comes_from_outside_is_no_proof),
        cmocka_unit_test(what_is_computed_from_a_counter_varies_too),
        cmocka_unit_test(proven_turns_repeat),
    };
    return cmocka_run_group_tests(tests, make, unmake);
}
