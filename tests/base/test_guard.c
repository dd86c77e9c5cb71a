/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what becomes of signals and of exit while a file is guarded, and after. */
#include "base/output.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char said[512];

/* What a child does; its status, or -signal, and what it says are returned. */
static int child(void (*fn)(void))
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (!pid) {
        base_report_to(fdopen(ends[1], "w"));
        fn();
        exit(0);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], said, sizeof said - 1);
    said[n > 0 ? n : 0] = 0;
    close(ends[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void crash(void)
{
    base_guard_file("x.so", "loading it");
    raise(SIGBUS);
}

static int deeper(volatile int n)
{
    volatile char some[4096] = {0};
    some[n % 4096] = 1;
    return n ? deeper(n - 1) + some[0] : 0;
}

static void overflow(void)
{
    base_guard_file("x.so", "loading it");
    deeper(1 << 20);
}

static void leave(void)
{
    base_guard_file("x.so", "loading it");
    exit(0);
}

static void end(void)
{
    base_guard_file("x.so", "loading it");
    base_guard_end();
    base_guard_end();
    base_guard_begin(&(struct base_guard){"p", "the process was ended", "it is wrong", 9, true});
}

static void crash_at_end(void)
{
    end();
    abort();
}

static void crash_after(void)
{
    signal(SIGFPE, SIG_DFL);
    base_guard_file("x.so", "loading it");
    base_guard_end();
    raise(SIGFPE); /* as it was before */
}

static void test_guard(void **state)
{
    (void)state;
    assert_int_equal(child(crash), BASE_EXIT_INPUT);
    assert_string_equal(said,
                        "pgasim: error: x.so: signal 7 (Bus error) while loading it: the file is damaged, "
                        "or its own code is wrong\n");
    assert_int_equal(child(leave), BASE_EXIT_INPUT);
    assert_string_equal(said, "pgasim: error: x.so: its code ended the process while loading it\n");
    assert_int_equal(child(end), 0);
    assert_string_equal(said, "");
    assert_int_equal(child(crash_at_end), 9);
    assert_non_null(strstr(said, "p: signal 6 (Aborted) while the process was ended: it is wrong"));
    assert_int_equal(child(crash_after), -SIGFPE);
}

static void test_stack_overflow(void **state)
{
    (void)state;
    if (BASE_ASAN || BASE_TSAN)
        skip(); /* they have a report of their own */
    assert_int_equal(child(overflow), BASE_EXIT_INPUT);
    assert_non_null(strstr(said, "x.so: signal 11"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guard), cmocka_unit_test(test_stack_overflow)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
