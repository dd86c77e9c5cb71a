/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * step: follows an interrupted rank instruction by instruction, by the processor's trap flag, and records
 * what each reads and writes. When it comes by where it began, the turn is judged (turn.c). A loop within a
 * loop comes by often with counters that differ, so the record goes on for some time.
 *
 * The handler runs on the alternate stack. A jump that has a breakpoint of ours (breaks.c) is done here.
 */
#include "fold/poll/x86.h"

#if defined(__x86_64__)
#include <sys/syscall.h>
#include <unistd.h>

#include "fold/libc/libc.h"

enum { TRAP_FLAG = 0x100 };
enum { ELSEWHERE = 8 }; /* words that a loop may store to before it is taken for a computation */
enum { SEEKS = 2000, ENOUGH = 64 /* arrivals that proved nothing */ };

static uintptr_t pc_of(const ucontext_t *u)
{
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
}

/* --- the record --------------------------------------------------------------------------------- */

static void set_ends(struct poll_here *h, const ucontext_t *u)
{
    struct poll_turn *t = &h->turn;
    poll_registers_read(&t->last, u);
    for (uint32_t k = 0; k < t->words; k++) {
        struct poll_word *w = &t->word[k];
        w->own = w->address >= h->stack_low && w->address < h->stack_high;
        if (w->stored && !poll_peek(w->address, &w->last, sizeof w->last))
            t->full = true;
    }
}

/* All arrivals of a loop within a loop differ, so not all of them are worth a judgement. */
static bool worth_it(const struct poll_here *h)
{
    return (h->arrivals & (h->arrivals - 1)) == 0 ||
           !memcmp(h->turn.first.general, h->turn.last.general, sizeof h->turn.first.general);
}

/* At the head again: whether the rank is to be put aside. */
static bool arrived(struct poll_here *h, const ucontext_t *u)
{
    h->arrivals++;
    poll_registers_read(&h->turn.last, u);
    if (!worth_it(h))
        return false;
    set_ends(h, u);
    enum poll_verdict v = poll_turn_judge(&h->turn);
    h->best = v > h->best ? v : h->best;
    return v == POLL_PROVEN;
}

static bool same_rank(const struct poll_here *h, const ucontext_t *u)
{
    uintptr_t low, high;
    const struct rank *r = poll_rank();
    if (r != h->rank || !r || poll_actor(r) != h->actor)
        return false;
    if (!rank_ahead_on &&
        (h->events != engine_event_count(r->engine) || h->switches != engine_switch_count(r->engine)))
        return false;
    return poll_stack_room(r, poll_stack_pointer(u), &low, &high);
}

/* --- beginning and ending ----------------------------------------------------------------------- */

void poll_step_stop(ucontext_t *u)
{
    poll_here->seeks = 0;
    poll_here->stepping = false;
    u->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

static void found(struct poll_here *h, ucontext_t *u, enum poll_verdict v)
{
    poll_step_stop(u);
    h->missed = 0;
    if (h->from_break)
        poll_break_met(h->rank, h->from_break);
    poll_ask_aside(&(struct poll_finding){
        .verdict = v,
        .pc = pc_of(u),
        .sampled = h->turn.blind,
        .endless = v == POLL_PROVEN && !h->turn.exits,
        .jump = v == POLL_PROVEN && !h->from_break ? poll_break_place(h->rank, &h->turn) : 0,
        .length = h->turn.n});
}

static void give_up(struct poll_here *h, ucontext_t *u)
{
    poll_step_stop(u);
    if (h->from_break)
        poll_break_missed(h->rank, h->from_break);
    h->missed++;
}

/* --- a step ------------------------------------------------------------------------------------- */

/* A loop that is not proven is put aside nevertheless if it does nothing, as far as is known. */
static bool will_do(const struct poll_here *h)
{
    return h->settles && h->best == POLL_UNPROVEN;
}

/* A rank that stores here and there computes. One that is to be put aside must first come to the head. */
static bool too_long(const struct poll_here *h)
{
    return h->turn.n >= h->budget || h->turn.elsewhere > ELSEWHERE ||
           (h->turn.n % 8 == 0 && !will_do(h) && rank_compute_seconds() > h->until);
}

/* Whether all has been seen of a loop that is not proven. Half of the record may be too little for one turn
 * more, whatever a turn takes. */
static bool seen_enough(const struct poll_here *h)
{
    return h->arrivals >= ENOUGH || h->turn.n >= h->budget / 2 || rank_compute_seconds() > h->until;
}

/* Whether the rank, which comes by the head, is to be put aside. */
static bool is_found(struct poll_here *h, ucontext_t *u)
{
    if (arrived(h, u))
        found(h, u, POLL_PROVEN);
    else if (will_do(h) && seen_enough(h))
        found(h, u, POLL_UNPROVEN);
    return !h->stepping;
}

/* Records the instruction that comes next. Simple ones are done here, as are jumps with a breakpoint of ours,
 * because a trap takes ten times as long; then the one after it is recorded. */
static void record(struct poll_here *h, ucontext_t *u)
{
    struct x86_instruction i;
    for (;;) {
        bool back;
        struct poll_turn *t = &h->turn;
        if (t->n && pc_of(u) == h->head && poll_stack_pointer(u) == h->head_stack && is_found(h, u))
            return;
        if (too_long(h)) {
            give_up(h, u);
            return;
        }
        struct poll_step *s = &t->step[t->n];
        uintptr_t to = poll_break_follow(h->rank, pc_of(u), u, &back, s);
        if (!to && !x86_decode(t, s, &i, u)) {
            give_up(h, u);
            return;
        }
        t->n++;
        if (to)
            u->uc_mcontext.gregs[REG_RIP] = (greg_t)to;
        else if (!x86_emulate(&i, u, h->stack_low, h->stack_high))
            return;
    }
}

static void start(struct poll_here *h, ucontext_t *u, uint32_t budget, uintptr_t from_break)
{
    poll_turn_clear(&h->turn);
    poll_registers_read(&h->turn.first, u);
    (void)poll_stack_room(h->rank, poll_stack_pointer(u), &h->stack_low, &h->stack_high);
    h->head = pc_of(u);
    h->head_stack = poll_stack_pointer(u);
    h->budget = budget < POLL_STEPS ? budget : POLL_STEPS;
    h->arrivals = 0;
    h->from_break = from_break;
    h->best = POLL_COMPUTES;
    h->seen = UINT32_MAX;
    h->seeks = 0;
    h->stepping = true;
    u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
    record(h, u);
}

void poll_step_start(ucontext_t *u, double seconds, bool settles)
{
    struct poll_here *h = poll_here;
    h->settles = settles;
    h->until = rank_compute_seconds() + seconds;
    if (poll_own_code(h->rank, pc_of(u))) {
        start(h, u, POLL_STEPS, 0);
        return;
    }
    poll_turn_clear(&h->turn);
    h->from_break = 0;
    h->seeks = SEEKS;
    h->stepping = true;
    u->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

/* Within a function that the rank's code calls: the turn begins when that returns. */
static void seek(struct poll_here *h, ucontext_t *u)
{
    h->seeks--;
    if (poll_own_code(h->rank, pc_of(u)))
        start(h, u, POLL_STEPS, 0);
    else if (!h->seeks || rank_compute_seconds() > h->until)
        poll_step_stop(u);
}

/* A rank came to a breakpoint. */
static bool at_break(struct poll_here *h, ucontext_t *u)
{
    bool back;
    struct poll_step s;
    struct rank *r = poll_rank();
    uintptr_t low, high, pc = pc_of(u) - 1, to;
    if (!r || !(to = poll_break_follow(r, pc, u, &back, &s)))
        return false;
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)to;
    if (!back || getpid() != poll_job.process || rank_work_doing(r) ||
        !poll_stack_room(r, poll_stack_pointer(u), &low, &high))
        return true;
    h->rank = r;
    h->actor = poll_actor(r);
    h->events = engine_event_count(r->engine);
    h->switches = engine_switch_count(r->engine);
    h->age = 0;
    h->since = rank_compute_seconds();
    h->settles = false;
    h->until = INFINITY;
    start(h, u, poll_break_budget(r, pc), pc);
    return true;
}

/* Whether the trap is ours. */
static bool on_trap(const siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    struct poll_here *h = poll_here;
    int error = errno;
    bool ours = true;
    if (!h || (info->si_code != TRAP_TRACE && info->si_code != SI_KERNEL && info->si_code != TRAP_BRKPT))
        return false;
    if (h->stepping && info->si_code == TRAP_TRACE) {
        if (!same_rank(h, u))
            poll_step_stop(u);
        else if (h->seeks)
            seek(h, u);
        else
            record(h, u);
    } else if (info->si_code == TRAP_TRACE) {
        poll_step_stop(u);
    } else {
        ours = at_break(h, u);
    }
    errno = error;
    return ours;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
    if (on_trap(info, context))
        return;
    signal(sig, SIG_DFL);
    raise(sig);
}

void poll_steps_begin(void)
{
    struct sigaction sa = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    sigfillset(&sa.sa_mask);
    sigaction(SIGTRAP, &sa, NULL);
    libc_trap_first = on_trap;
}

void poll_steps_end(void)
{
    libc_trap_first = NULL;
    signal(SIGTRAP, SIG_DFL);
}
#endif
