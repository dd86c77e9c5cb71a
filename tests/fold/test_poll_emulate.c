/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions that the handler does itself, compared with the processor: functions run in single steps,
 * and before each step a copy of the state goes through the emulation; then both must agree. A copy
 * stores nowhere, so that stores are left to the processor, and checked by what later instructions load.
 */
#include "fold/poll/x86.h"
#include "seed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#if defined(__x86_64__)
enum { TRAP = 0x100, STATUS = 0x8d5, ADJUST = 0x10 };
static struct poll_turn turn;
static ucontext_t predicted;
static bool have, wanted;
static unsigned compared, steps, wrong;
static char first_wrong[400];

static bool is_logic(const ZydisDecodedInstruction *is)
{
    return is->mnemonic == ZYDIS_MNEMONIC_AND || is->mnemonic == ZYDIS_MNEMONIC_OR ||
           is->mnemonic == ZYDIS_MNEMONIC_XOR || is->mnemonic == ZYDIS_MNEMONIC_TEST;
}

static struct x86_instruction last;
static void compare(const ucontext_t *u)
{
    const greg_t *real = u->uc_mcontext.gregs, *ours = predicted.uc_mcontext.gregs;
    greg_t flags = STATUS & ~(is_logic(&last.is) ? ADJUST : 0);
    bool same = ((real[REG_EFL] ^ ours[REG_EFL]) & flags) == 0;
    int bad = REG_EFL;
    for (int k = 0; k <= REG_RIP; k++)
        if (real[k] != ours[k]) {
            same = false;
            bad = k;
        }
    compared++;
    if (same || wrong++)
        return;
    snprintf(first_wrong, sizeof first_wrong, "mnemonic %d: register %d is %llx, not %llx",
             (int)last.is.mnemonic, bad, real[bad], ours[bad]);
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    struct poll_step s;
    (void)sig, (void)info;
    if (have)
        compare(u);
    have = false;
    if (!wanted) {
        u->uc_mcontext.gregs[REG_EFL] &= ~TRAP;
        return;
    }
    steps++;
    poll_turn_clear(&turn);
    predicted = *u;
    if (x86_decode(&turn, &s, &last, u))
        have = x86_emulate(&last, &predicted, 0, 0);
}

static void on_start(int sig, siginfo_t *info, void *context)
{
    (void)sig, (void)info;
    wanted = true;
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] |= TRAP;
}

/* Integer code of all widths and signs; not inlined, so that it calls and returns. Sums wrap around. */
#define PLAIN __attribute__((no_sanitize("address", "undefined")))
#define MIX(T, name)                                                                                         \
    PLAIN __attribute__((noinline)) static T name(T a, T b)                                                  \
    {                                                                                                        \
        T r = (T)(a + b);                                                                                    \
        r = (T)(r ^ (T)(a - b));                                                                             \
        r = a < b ? (T)(r | a) : (T)(r & b);                                                                 \
        r = (T)(r + (a == b) + (a > 3) + (b <= 7));                                                          \
        if ((T)(r & 5) == 4)                                                                                 \
            r--;                                                                                             \
        else if (r > a)                                                                                      \
            r++;                                                                                             \
        return r;                                                                                            \
    }
MIX(signed char, mix_char)
MIX(unsigned short, mix_short)
MIX(int, mix_int)
MIX(unsigned, mix_unsigned)
MIX(long, mix_long)
MIX(unsigned long, mix_size)

static volatile long sink;
PLAIN static void work(unsigned long a, unsigned long b)
{
    sink += mix_char((signed char)a, (signed char)b);
    sink += mix_short((unsigned short)a, (unsigned short)b);
    sink += mix_int((int)a, (int)b);
    sink += mix_unsigned((unsigned)a, (unsigned)b);
    sink += mix_long((long)a, (long)b);
    sink += (long)mix_size(a, b);
}

static void the_processor_does_the_same(void **state)
{
    struct sigaction sa = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    unsigned seed = (unsigned)seed_of_test(1);
    (void)state;
    poll_job.process = getpid();
    if (!poll_steps_possible())
        skip(); /* the decoder library is not there */
    srand(seed);
    poll_turn_create(&turn);
    sigaction(SIGTRAP, &sa, NULL);
    sa.sa_sigaction = on_start;
    sigaction(SIGUSR1, &sa, NULL);
    for (int k = 0; k < 40; k++) {
        unsigned long a = (unsigned long)rand() << (rand() % 40), b = rand() % 3 ? (unsigned long)rand() : a;
        raise(SIGUSR1);
        work(a, rand() % 2 ? b : -b);
        wanted = false;
        sink++;
    }
    if (wrong)
        fail_msg("seed %u: %u of %u differ; the first: %s", seed, wrong, compared, first_wrong);
    print_message("%u of %u instructions compared\n", compared, steps);
    assert_true(compared > 1000 && compared > steps / 2);
    poll_turn_destroy(&turn);
}
#endif

int main(void)
{
#if defined(__x86_64__)
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_processor_does_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    return 0;
#endif
}
