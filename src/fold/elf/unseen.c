/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads copies out of a debugger's sight. A debugger stops at each loading, opens the file that the dynamic
 * linker names, and sets all breakpoints again: for a thousand copies this takes minutes, and at that moment
 * a copy still has the name of a temporary file. Here a child that shares this process's memory loads them.
 * As with vfork, this process waits meanwhile, and debuggers take their breakpoints out of the shared memory.
 * Then a library is loaded and unloaded that nobody uses: at its unloading a debugger reads the whole list.
 *
 * Without a tracer nothing of this happens. docs/decisions/0019-debuggers.md has the measurements.
 */
#include "fold/elf/elf.h"

#include <dlfcn.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 8 << 20 };

struct unseen {
    void (*load)(void *arg);
    void *arg;
    bool done;
};

static int child(void *arg)
{
    struct unseen *u = arg;
    u->load(u->arg);
    u->done = true;
    _exit(0);
}

/* Libraries that no program needs since glibc 2.34 has all of their functions. */
static void *open_bell(void)
{
    static const char *const names[] = {"libutil.so.1", "libanl.so.1", "librt.so.1", "libBrokenLocale.so.1"};
    static const char *chosen;
    for (size_t k = 0; k < BASE_LENGTH(names) && !chosen; k++)
        if (!dlopen(names[k], RTLD_LAZY | RTLD_NOLOAD))
            chosen = names[k];
    return chosen ? dlopen(chosen, RTLD_LAZY | RTLD_LOCAL) : NULL;
}

/* gdb reads the whole list when something was unloaded, lldb when something was loaded. */
static void ring(void *bell)
{
    if (bell)
        dlclose(bell);
    bell = open_bell();
    if (bell)
        dlclose(bell);
}

/* Where a debugger's extension may change the names that the debugger is about to read. */
BASE_PUBLIC void pgasim_debugger_loaded(const struct sparse_listed *names, size_t n);
__attribute__((noinline)) void pgasim_debugger_loaded(const struct sparse_listed *names, size_t n)
{
    __asm__ volatile("" : : "r"(names), "r"(n));
}

void unseen_load(void (*load)(void *arg), void *arg)
{
    struct unseen u = {load, arg, false};
    int status = 0;
    if (!base_traced()) {
        load(arg);
        return;
    }
    void *bell = open_bell();
    char *stack = base_reserve(STACK, "loading");
    pid_t pid = clone(child, stack + STACK, CLONE_VM | CLONE_VFORK | SIGCHLD, &u);
    if (pid < 0)
        load(arg);
    else if (waitpid(pid, &status, 0) == pid && !u.done)
        base_exit(WIFEXITED(status) ? WEXITSTATUS(status) : BASE_EXIT_HOST);
    base_unreserve(stack, STACK);
    pgasim_debugger_loaded(sparse_listing.at, sparse_listing.n);
    ring(bell);
}
