/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A signal that ends a program ends the job with a report: which rank, where, when in simulated time, and by
 * which calls it got there. The handler runs on a stack of its own, because the rank's may have overflowed.
 * The process is about to end, so the handler may call functions that are not async-signal-safe. Where these
 * fail (a heap that is damaged, a lock that is held), a second signal, or an alarm, ends the process with
 * what can be said without them.
 */
#include "fold/internal.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/output.h"
#include "fold/ahead/ahead.h"
#include "fold/libc/libc.h"
#include "fold/poll/poll.h"
#include "fold/view/view.h"
#include "fold/where/where.h"

enum { PATIENCE = 20, ENDING = 20 }; /* seconds for a report, and to end the outputs */
static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXFSZ};
static struct sigaction before[BASE_LENGTH(caught)];
static char handler_stack[1 << 18];

/* The signal being reported. */
static struct {
    volatile sig_atomic_t sig;  /* 0: none so far */
    volatile sig_atomic_t said; /* its first line is out */
    bool no_room;               /* of a view's fault: for its handler on the rank's stack */
    struct rank *rank;
    uintptr_t pc;
} handling;

/* --- what is said ----------------------------------------------------------------------------------- */

/* Not one that somebody sent (kill, raise). */
static bool is_fault(const siginfo_t *info)
{
    return (info->si_signo == SIGSEGV || info->si_signo == SIGBUS) && info->si_code > 0;
}

/* Of an access to memory: "read", "written". */
static const char *access_of(const void *context)
{
#if defined(__x86_64__)
    const ucontext_t *u = context; /* the processor's error code: Intel manual, volume 3, 4.7 */
    return u->uc_mcontext.gregs[REG_ERR] & 2 ? "written" : "read";
#else
    (void)context;
    return "accessed";
#endif
}

/* The processor does not say which address it was if none could be there. */
static bool is_no_address(const siginfo_t *info)
{
    return info->si_code == SI_KERNEL && !info->si_addr;
}

static void describe_address(struct rank *r, const siginfo_t *info, char *buf, size_t size)
{
    if (is_no_address(info))
        snprintf(buf, size, "an address that is not one of memory");
    else if (!view_explain(r, (uintptr_t)info->si_addr, buf, size))
        where_address(r, (uintptr_t)info->si_addr, buf, size);
}

/* Fault in our own copying: in a call of the rank that runs, or in an event, of any rank's operation. */
static bool report_copying(const siginfo_t *info, const void *context)
{
    char why[1200], where[RANK_WHERE_SIZE], note[500] = "";
    struct rank_fault f = {.address = (uintptr_t)info->si_addr, .access = access_of(context)};
    if (!rank_crash_explain(&f, why, sizeof why))
        return false;
    if (!f.explained)
        describe_address(f.rank, info, note, sizeof note);
    handling.said = true;
    base_error("%s%s%s%s", why, *note ? " (" : "", note, *note ? ")" : "");
    if (*rank_code_name(f.rank, f.caller, where, sizeof where))
        base_error_more("called in %s", where);
    return true;
}

static void report_stack(const struct where_stack *s, size_t first)
{
    for (size_t k = first; k < s->n; k++) {
        if (s->left_out && k == s->cut)
            base_error_more("... %zu more calls", s->left_out);
        base_error_more("called in %s", s->line[k]);
    }
}

static void report_in_call(const struct rank *r, const siginfo_t *info, const void *context, const char *note)
{
    char where[RANK_WHERE_SIZE];
    base_error("%s: %s: its caller gave it memory that cannot be %s, at address %p%s%s%s",
               rank_where(where, r), rank_call_of(r->call), access_of(context), info->si_addr,
               *note ? " (" : "", note, *note ? ")" : "");
}

static void report_signal(struct rank *r, int sig, const siginfo_t *info, void *context)
{
    static struct where_stack s;
    char where[RANK_WHERE_SIZE], at[600] = "", note[500] = "", place[WHERE_LINE + 8] = "";
    const void *pointer = (const void *)rank_stack_pointer(context);
    bool overflow =
        handling.no_room || (is_fault(info) && engine_stack_overflowed(r->engine, pointer, info->si_addr));
    const struct engine_actor *self = engine_current(r->engine);
    bool runs = self && engine_actor_running(self);
    if (is_fault(info) && !overflow && report_copying(info, context))
        return;
    if (is_fault(info) && !overflow) {
        describe_address(r, info, note, sizeof note);
        if (is_no_address(info))
            snprintf(at, sizeof at, " at %s", note);
        else
            snprintf(at, sizeof at, " at address %p%s%s%s", info->si_addr, *note ? " (" : "", note,
                     *note ? ")" : "");
    }
    if (!runs && !overflow) { /* r only waits meanwhile */
        handling.said = true;
        base_error("at %s: signal %d (%s)%s in an event of the simulation",
                   base_show_time(where, rank_now(r)), sig, strsignal(sig), at);
        return;
    }
    where_stack_read(r, context, sig == SIGABRT, &s);
    handling.said = true;
    if (is_fault(info) && !overflow && runs && s.in_call) {
        report_in_call(r, info, context, note);
        report_stack(&s, 1);
        return;
    }
    if (s.n)
        snprintf(place, sizeof place, ", in %s", s.line[0]);
    if (overflow)
        rank_report_overflow(r, place);
    else
        base_error("%s was ended by signal %d (%s)%s%s", rank_where(where, r), sig, strsignal(sig), at,
                   place);
    report_stack(&s, 1);
}

static void report_outside(int sig)
{
    base_error("signal %d (%s) outside all ranks: a rank has written to memory that is not its own; if none "
               "has, pgasim is wrong, and this should be told to its authors",
               sig, strsignal(sig));
}

/* Without what may have failed. */
static void report_plainly(void)
{
    char where[RANK_WHERE_SIZE], place[120] = "";
    const struct rank *r = handling.rank;
    Dl_info info;
    if (handling.said)
        return;
    handling.said = true;
    if (!r) {
        report_outside(handling.sig);
        return;
    }
    if (dladdr((void *)handling.pc, &info) && info.dli_sname)
        snprintf(place, sizeof place, ", in %.80s", info.dli_sname);
    base_error("%s was ended by signal %d (%s)%s", rank_where(where, r), (int)handling.sig,
               strsignal(handling.sig), place);
}

/* --- the handler ------------------------------------------------------------------------------------ */

static _Noreturn void give_up(void)
{
    static volatile sig_atomic_t again;
    int status = 128 + handling.sig;
    if (!again) {
        again = 1;
        report_plainly();
    }
    _exit(status);
}

static void on_alarm(int sig)
{
    (void)sig;
    give_up();
}

static void have_patience(void)
{
    struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_ONSTACK};
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, SIGALRM);
    sigaction(SIGALRM, &sa, NULL);
    sigprocmask(SIG_UNBLOCK, &mine, NULL);
    alarm(PATIENCE);
}

/* A view's page that the rank needs, now or after its own handler has run. */
static bool is_of_view(int sig, const siginfo_t *info, void *context)
{
    struct rank *r = rank_current;
    if (sig != SIGSEGV || !r || !fold_part(r)->view)
        return false;
    enum view_fault what = view_fault(r, info, context);
    if (what == VIEW_LEAVES)
        poll_interrupted(context);
    handling.no_room = what == VIEW_NO_ROOM;
    return what == VIEW_RETRY || what == VIEW_LEAVES;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    if (sig == SIGXFSZ && base_is_writing())
        return; /* the write fails, which is reported */
    if (is_of_view(sig, info, context))
        return;
    if (rank_ahead) {
        rank_ahead_crashed();
        rank_ahead_enter(); /* at its turn the state is the same as without running ahead */
    }
    if (handling.sig)
        give_up();
    handling.sig = sig;
    struct rank *r = handling.rank = rank_current;
    handling.pc = rank_program_counter(context);
    have_patience();
    if (rank_running_job && fold_of_job(rank_running_job))
        fold_libc_end(fold_of_job(rank_running_job));
    if (r)
        report_signal(r, sig, info, context);
    else if (!is_fault(info) || !report_copying(info, context))
        report_outside(sig);
    handling.said = true;
    alarm(ENDING); /* what ends the outputs may need what is damaged: memory, a lock of malloc */
    base_exit(128 + sig);
}

void fold_crash_handlers_install(void)
{
    stack_t ss = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaltstack(&ss, NULL);
    sigemptyset(&sa.sa_mask);
    for (size_t i = 0; i < BASE_LENGTH(caught); i++)
        sigaction(caught[i], &sa, &before[i]);
}

void fold_crash_handlers_remove(void)
{
    stack_t ss = {.ss_flags = SS_DISABLE};
    for (size_t i = 0; i < BASE_LENGTH(caught); i++)
        sigaction(caught[i], &before[i], NULL);
    sigaltstack(&ss, NULL);
}
