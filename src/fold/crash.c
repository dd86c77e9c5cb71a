/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal that ends a program ends the job with a report: which rank, where, when in simulated time. The
 * handler runs on a stack of its own, because the rank's may have overflowed. The process is about to end, so
 * the handler may call functions that are not async-signal-safe. A second signal in it ends the process at
 * once.
 */
#include "fold/internal.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/ahead/ahead.h"
#include "fold/libc/libc.h"

static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static char handler_stack[1 << 16];
static volatile sig_atomic_t handling;

/* ", in f (heat+0x12ab)": a function of the rank's image, or of another object as the dynamic linker knows
 * it. */
static void describe_place(char *buf, size_t size, const struct rank *r, uintptr_t pc)
{
    Dl_info info = {0};
    const struct objects *o = &fold_of(r)->images.objects;
    for (size_t i = 0; i < o->list.n; i++) {
        uintptr_t base = fold_part(r)->image->loaded[i].base;
        if (pc < base || pc - base >= o->list.at[i]->elf.image_size)
            continue;
        const char *name = strrchr(o->list.at[i]->path, '/') + 1;
        const char *function = elf_function_at(&o->list.at[i]->elf, pc - base);
        if (!function)
            function = "?";
        /* up to a dot: "f.localalias" and "f.part.0" are the compiler's names for (a part of) f */
        snprintf(buf, size, ", in %.*s (%s+0x%lx)", (int)strcspn(function, "."), function, name,
                 (unsigned long)(pc - base));
        return;
    }
    if (dladdr((void *)pc, &info) && info.dli_sname)
        snprintf(buf, size, ", in %s", info.dli_sname);
}

static void report_signal(const struct rank *r, int sig, const siginfo_t *info, void *context)
{
    char where[RANK_WHERE_SIZE], place[300] = "", at[40] = "";
    bool overflow = false, fault = sig == SIGSEGV || sig == SIGBUS;
    struct engine_actor *owner = fault ? engine_stack_owner(r->engine, info->si_addr, &overflow) : NULL;
    char why[1200];
    if (fault && rank_crash_explain(why, sizeof why)) {
        base_error("%s", why);
        return;
    }
    rank_where(where, r);
    describe_place(place, sizeof place, r, rank_program_counter(context));
    if (owner && overflow) {
        rank_report_overflow(r, place);
        return;
    }
    if (fault)
        snprintf(at, sizeof at, " at address %p", info->si_addr);
    base_error("%s was ended by signal %d (%s)%s%s", where, sig, strsignal(sig), at, place);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    if (rank_ahead) {
        rank_ahead_crashed();
        rank_ahead_enter(); /* at its turn the state is the same as without running ahead */
    }
    if (handling)
        _exit(128 + sig);
    handling = 1;
    struct rank *r = rank_current;
    if (rank_running_job && fold_of_job(rank_running_job))
        fold_libc_end(fold_of_job(rank_running_job));
    if (r)
        report_signal(r, sig, info, context);
    else
        base_error("pgasim itself was ended by signal %d (%s); please report it", sig, strsignal(sig));
    base_exit(r ? 128 + sig : BASE_EXIT_BUG);
}

void fold_crash_handlers_install(void)
{
    stack_t ss = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaltstack(&ss, NULL);
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < BASE_LENGTH(caught); i++)
        sigaction(caught[i], &sa, NULL);
}

void fold_crash_handlers_remove(void)
{
    stack_t ss = {.ss_flags = SS_DISABLE};
    for (size_t i = 0; i < BASE_LENGTH(caught); i++)
        signal(caught[i], SIG_DFL);
    sigaltstack(&ss, NULL);
}
