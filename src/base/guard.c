/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * guard: while code or files of the user's are loaded into this process, a signal is theirs: the dynamic
 * linker trusts what it reads, and a library's code may do anything. So it is when the simulator takes itself
 * apart after a program that has written to memory that is not its own. The process ends with a message that
 * names the file. Signals of running ranks are fold/crash.c's.
 *
 * Invariants
 *  B12 At most one file is guarded at a time.
 */
#include "base/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct {
    struct base_guard is; /* .what NULL: nothing is guarded */
    struct sigaction before[BASE_LENGTH(caught)];
    stack_t stack_before;
    bool at_exit, said;
    char text[512]; /* the message, if the C library is damaged, too */
    size_t n;
} guard;
static char stack[1 << 16];

static void on_second(int sig)
{
    (void)sig;
    if (!guard.said)
        (void)!write(STDERR_FILENO, guard.text, guard.n);
    _exit(guard.is.status);
}

static void take(void (*fn)(int sig), struct sigaction *before)
{
    struct sigaction sa = {.sa_handler = fn, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&sa.sa_mask);
    for (size_t k = 0; k < BASE_LENGTH(caught); k++)
        sigaction(caught[k], &sa, before ? &before[k] : NULL);
}

static void on_signal(int sig)
{
    const struct base_guard *is = &guard.is;
    take(on_second, NULL);
    base_error("%s: signal %d (%s) while %s: %s", is->what, sig, strsignal(sig), is->doing, is->blame);
    guard.said = true;
    base_exit(is->status);
}

/* Whatever status it gave: what we were asked for has not been done. */
static void on_exit_within(void)
{
    struct base_guard was = guard.is;
    if (!was.what || was.to_the_end)
        return;
    base_error("%s: its code ended the process while %s", was.what, was.doing);
    base_exit(was.status);
}

void base_guard_begin(const struct base_guard *g)
{
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    BASE_ASSERT("B12", !guard.is.what);
    if (!guard.at_exit)
        guard.at_exit = !atexit(on_exit_within);
    guard.is = *g;
    snprintf(guard.text, sizeof guard.text, "pgasim: error: %.100s: a signal while %.80s: %.200s\n", g->what,
             g->doing, g->blame);
    guard.n = strlen(guard.text);
    sigaltstack(&own, &guard.stack_before);
    take(on_signal, guard.before);
}

void base_guard_file(const char *path, const char *doing)
{
    base_guard_begin(&(struct base_guard){.what = path,
                                          .doing = doing,
                                          .blame = "the file is damaged, or its own code is wrong",
                                          .status = BASE_EXIT_INPUT});
}

void base_guard_end(void)
{
    if (!guard.is.what)
        return;
    guard.is.what = NULL;
    for (size_t k = 0; k < BASE_LENGTH(caught); k++)
        sigaction(caught[k], &guard.before[k], NULL);
    sigaltstack(&guard.stack_before, NULL);
}
