/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fault: accesses of ranks to their views that the mapping does not allow. Those that the view allows only
 * need the mapping to be opened. All others are for the program's own handler, which may wait for messages:
 * it has to run on the rank's stack, not on the signal stack, which all ranks share.
 *
 * So the first handler, on the signal stack, takes the thread's signal stack away: it changes what the return
 * from the handler will restore (uc_stack). The instruction faults again, and the system itself calls the
 * handler on the rank's stack, below what the interrupted function uses there, with all registers saved. That
 * one gives the thread its signal stack back and calls the program. Its own return must not take it away
 * again.
 *
 * The system refuses a change of the signal stack while it is in use. With SS_AUTODISARM it is not: each
 * handler runs without one, and its return brings it back.
 */
#include "fold/view/view.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <ucontext.h>

#include "pgasim.h"

#include "fold/where/where.h"

#ifndef SS_AUTODISARM
#define SS_AUTODISARM (1U << 31) /* Linux 4.7: sigaltstack(2) */
#endif

enum { HANDLER_ROOM = 48 << 10 }; /* bytes of stack for what the program's handler calls */

void view_signals_begin(struct views *v)
{
    sigaltstack(NULL, &v->signal_stack);
    v->signal_stack.ss_flags = (int)SS_AUTODISARM;
    if (sigaltstack(&v->signal_stack, NULL))
        base_fatal(BASE_EXIT_HOST, "views need a signal stack that disarms itself (Linux 4.7): %s",
                   strerror(errno));
}

/* --- the access ---------------------------------------------------------------------------------- */

#if defined(__x86_64__)
static bool is_store(const ucontext_t *u)
{
    return u->uc_mcontext.gregs[REG_ERR] & 2; /* the error code: Intel manual, volume 3, 4.7 */
}
#else
/* In the records behind the registers (asm/sigcontext.h), the exception's syndrome: bit 6 says that it was a
 * store (Arm manual, ESR_EL1, data aborts). */
static bool is_store(const ucontext_t *u)
{
    enum { SYNDROME = 0x45535201 };
    const unsigned char *at = (const unsigned char *)u->uc_mcontext.__reserved;
    const unsigned char *end = at + sizeof u->uc_mcontext.__reserved;
    struct record {
        uint32_t magic, size;
        uint64_t value;
    };
    for (const struct record *r; (size_t)(end - at) >= sizeof *r; at += r->size) {
        r = (const struct record *)(const void *)at;
        if (r->magic == SYNDROME)
            return r->value >> 6 & 1;
        if (!r->magic || r->size < sizeof *r || r->size > (size_t)(end - at))
            break;
    }
    return false;
}
#endif

static bool finds(const struct rank *r, uintptr_t address, size_t *page)
{
    const struct views *v = fold_of(r)->views;
    size_t offset = address - (uintptr_t)v->at;
    *page = offset / v->page;
    return offset < v->bytes;
}

bool view_explain(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    static const char *const may[] = {"not access", "only read", "read and write"};
    size_t page;
    if (!fold_of(r)->views || !fold_part(r)->view || !finds(r, address, &page))
        return false;
    snprintf(buf, size, "%zu bytes into the rank's view, in a page that it may %s",
             (size_t)(address - (uintptr_t)fold_of(r)->views->at), may[fold_part(r)->view->access[page]]);
    return true;
}

/* --- handlers ------------------------------------------------------------------------------------ */

static bool has_room(const struct rank *r, void *context)
{
    void *low;
    size_t size;
    uintptr_t sp = rank_stack_pointer(context);
    const struct engine_actor *a = engine_current(r->engine);
    if (!engine_actor_stack(r->engine, a, &low, &size) || sp - (uintptr_t)low >= size)
        return true; /* a stack that the program has made */
    return sp - (uintptr_t)low > getauxval(AT_MINSIGSTKSZ) + HANDLER_ROOM;
}

/* On the rank's stack. */
static enum view_fault call_program(const struct rank *r, void *address, ucontext_t *u, bool store)
{
    struct views *v = fold_of(r)->views;
    int error = errno;
    v->leaves = false;
    sigaltstack(&v->signal_stack, NULL);
    u->uc_stack = v->signal_stack;
    bool again = fold_part(r)->view->fault(address, store);
    errno = error;
    return again ? VIEW_RETRY : VIEW_NOT_HERE;
}

/* The mapping's opening is the simulation's affair, so it is not measured as the rank's computation. */
static void open_unmeasured(struct rank *r, size_t page)
{
    double from = r->measured_from > 0 ? rank_compute_seconds() : 0;
    int error = errno;
    view_open(r, page);
    if (from > 0)
        r->measured_from += rank_compute_seconds() - from;
    errno = error;
}

enum view_fault view_fault(struct rank *r, const siginfo_t *info, void *context)
{
    ucontext_t *u = context;
    struct views *v = fold_of(r)->views;
    size_t page;
    const struct engine_actor *a = engine_current(r->engine);
    if (info->si_code <= 0 || !a || !engine_actor_running(a) || !finds(r, (uintptr_t)info->si_addr, &page))
        return VIEW_NOT_HERE;
    bool store = is_store(u);
    if (v->leaves)
        return call_program(r, info->si_addr, u, store);
    if (fold_part(r)->view->access[page] >= (store ? PGASIM_READ_WRITE : PGASIM_READ)) {
        open_unmeasured(r, page);
        return VIEW_RETRY;
    }
    if (where_is_in_call(r, context))
        return VIEW_NOT_HERE;
    if (!has_room(r, context))
        return VIEW_NO_ROOM;
    if (u->uc_stack.ss_flags & SS_DISABLE) /* in another handler, on the rank's stack already */
        return call_program(r, info->si_addr, u, store);
    v->leaves = true;
    u->uc_stack.ss_flags = SS_DISABLE;
    return VIEW_LEAVES;
}
