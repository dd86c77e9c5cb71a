/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins the region of stacks: little memory for many short actors, overflows noticed with and without guard
 * pages, every address attributed to its actor. */
#include "engine/engine.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <cmocka.h>

enum { STACK = 65536 };
static struct engine *e;

enum guards { SPARSE, LIGHT, MAPPED };

static struct engine *fresh(uint32_t actors, enum guards guards)
{
    struct engine_config config = {.max_actors = actors,
                                   .stack_size = STACK,
                                   .guard_pages = guards == MAPPED,
                                   .light_guards = guards == LIGHT,
                                   .guard_size = 256 << 10};
    return engine_create(&config);
}

static void nothing(void *arg)
{
    ++*(int *)arg;
}

/* Actors that run one after the other share a stack: only their records grow. */
static void test_short_actors(void **state)
{
    (void)state;
    enum { N = 100000 };
    uint64_t before = base_peak_rss();
    int ran = 0;
    e = fresh(N, SPARSE);
    for (int k = 0; k < N; k++)
        engine_actor_spawn(e, nothing, &ran, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_int_equal(ran, N);
    engine_destroy(e);
    uint64_t each = (base_peak_rss() - before) / N;
    if (each > 1000) /* a stack of its own would take more than a page */
        fail_msg("%llu bytes for each of %d short actors", (unsigned long long)each, N);
}

/* --- whose address --- */

static char *frame[4];
static struct engine_actor *actor[4];

static void show_frame(void *arg)
{
    frame[(intptr_t)arg] = __builtin_frame_address(0);
    engine_yield(e);
}

static void look(void *arg)
{
    bool overflow;
    (void)arg;
    for (int k = 0; k < 3; k++) {
        assert_ptr_equal(engine_stack_owner(e, frame[k], &overflow), actor[k]);
        assert_false(overflow);
    }
    assert_null(engine_stack_owner(e, (void *)((uintptr_t)__builtin_frame_address(0) + STACK), &overflow));
    assert_null(engine_stack_owner(e, &e, &overflow));
}

static void owners(enum guards guards)
{
    bool overflow = false;
    e = fresh(4, guards);
    for (int k = 0; k < 3; k++)
        actor[k] = engine_actor_spawn(e, show_frame, (void *)(intptr_t)k, NULL);
    actor[3] = engine_actor_spawn(e, look, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_null(engine_stack_owner(e, frame[0], &overflow)); /* it has ended */
    engine_destroy(e);
}

static void test_owner(void **state)
{
    (void)state;
    owners(MAPPED);
    owners(LIGHT);
    owners(SPARSE);
}

/* --- overflow --- */

static void overflow_told(void *ctx, struct engine_actor *a)
{
    fprintf(stderr, "overflow of %s%s\n", (char *)engine_actor_owner(a), (char *)ctx);
    _exit(41);
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
    const ucontext_t *u = context;
    (void)sig;
#if defined(__x86_64__)
    const void *pointer = (const void *)(uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#else
    const void *pointer = (const void *)(uintptr_t)u->uc_mcontext.sp;
#endif
    _exit(engine_stack_overflowed(e, pointer, info->si_addr) ? 42 : 50);
}

__attribute__((no_sanitize("address"))) static void dig(size_t bytes)
{
    volatile char *room = __builtin_alloca(bytes);
    for (size_t k = bytes; k > 0; k -= 64)
        room[k - 64] = 1;
    __asm__ volatile("" : : "r"(room) : "memory");
}

/* Digs, but not deep enough to reach the next guard, and returns before it waits. */
__attribute__((no_sanitize("address"))) static void dig_and_return(void *arg)
{
    engine_yield(e);
    dig((size_t)(uintptr_t)arg);
    if (engine_current(e) == actor[0])
        engine_actor_exit(e);
}

__attribute__((no_sanitize("address"))) static void dig_and_wait(void *arg)
{
    volatile char *room = __builtin_alloca((size_t)(uintptr_t)arg);
    __asm__ volatile("" : : "r"(room) : "memory");
    engine_yield(e);
}

static void bystander(void *arg)
{
    (void)arg;
    engine_yield(e);
    engine_yield(e);
}

/* Runs two actors in a child, the second one doing `fn`; returns the child's status. */
static int overflow_status(engine_actor_fn fn, size_t bytes, enum guards guards)
{
    pid_t child = fork();
    if (child == 0) {
        static char alternate[65536];
        stack_t ss = {.ss_sp = alternate, .ss_size = sizeof alternate};
        struct sigaction sa = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
        sigaltstack(&ss, NULL);
        sigaction(SIGSEGV, &sa, NULL);
        freopen("/dev/null", "w", stderr);
        e = fresh(4, guards);
        engine_on_overflow(e, overflow_told, "");
        engine_actor_spawn(e, bystander, NULL, "bystander");
        actor[0] = engine_actor_spawn(e, fn, (void *)(uintptr_t)bytes, "digger");
        engine_run(e);
        _exit(43);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void test_overflow(void **state)
{
    (void)state;
    for (enum guards g = SPARSE; g <= MAPPED; g++)
        assert_int_equal(overflow_status(dig_and_return, STACK / 2, g), 43);
    assert_int_equal(overflow_status(dig_and_return, STACK, MAPPED), 42);     /* the guard */
    assert_int_equal(overflow_status(dig_and_return, STACK, SPARSE), 41);     /* the canary, at its end */
    assert_int_equal(overflow_status(dig_and_return, 4 * STACK, SPARSE), 42); /* the group's guard */
    assert_int_equal(overflow_status(dig_and_wait, STACK + 2048, SPARSE),
                     41); /* the stack pointer, at a switch */
}

/* One byte at the far end of a frame that is larger than the stack: in the guard, or past the neighbour's. */
__attribute__((no_sanitize("address"))) static void touch_far(void *arg)
{
    engine_yield(e);
    volatile char *room = __builtin_alloca((size_t)(uintptr_t)arg);
    room[0] = 1;
    __asm__ volatile("" : : "r"(room) : "memory");
}

static void wild(void *arg)
{
    volatile char *low = (char *)__builtin_frame_address(0) - (uintptr_t)arg;
    low[0] = 1; /* far below a stack pointer that has not moved */
}

static void test_far(void **state)
{
    (void)state;
    for (size_t bytes = STACK; bytes < STACK + (250 << 10); bytes += 7777)
        assert_int_equal(overflow_status(touch_far, bytes, MAPPED), 42);
    assert_int_equal(overflow_status(touch_far, STACK + (STACK + (320 << 10)), MAPPED), 42);
    assert_int_equal(overflow_status(wild, STACK + (100 << 10), MAPPED), 50);
    assert_int_equal(overflow_status(wild, 2 * STACK + (356 << 10), MAPPED), 50);
    int light = overflow_status(touch_far, STACK + (200 << 10), LIGHT);
    if (light != 42)
        print_message("no guards without mappings (status %d)\n", light);
}

static bool damaged;
static void test_canary_body(void *arg)
{
    dig_and_wait((void *)(uintptr_t)100);
    damaged = engine_stack_damaged(e, engine_current(e));
    (void)arg;
}

static void test_sound(void **state)
{
    (void)state;
    e = fresh(4, SPARSE);
    for (int k = 0; k < 4; k++)
        engine_actor_spawn(e, test_canary_body, NULL, NULL);
    assert_int_equal(engine_run(e), ENGINE_ALL_DONE);
    assert_false(damaged);
    assert_int_equal(engine_stack_size(e), STACK);
    engine_destroy(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_actors), cmocka_unit_test(test_owner), cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_far),          cmocka_unit_test(test_sound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
