/* SPDX-License-Identifier: BSD-3-Clause */
/* report: errors of the program with blocks of its heap, and what an address in a heap belongs to. */
#include <signal.h>
#include <string.h>

#include "fold/heap/traced.h"

/* Where glibc's malloc would call abort. */
enum { STATUS = 128 + SIGABRT };

struct rank_code heap_caller(struct rank *r, const void *caller)
{
    struct rank_code c = rank_code_of(r, caller);
    return c.object || r != rank_current ? c : rank_code_caller(r);
}

char *heap_place(const struct rank *r, const char *verb, struct rank_code c, char *buf, size_t size)
{
    char place[HEAP_PLACE - 24];
    buf[0] = 0;
    if (*rank_code_name(r, c, place, sizeof place))
        snprintf(buf, size, "; %s in %s", verb, place);
    return buf;
}

static _Noreturn void end_with(struct rank *r, const char *call, const void *caller, const char *text)
{
    char where[RANK_WHERE_SIZE], place[HEAP_PLACE];
    if (!rank_current && rank_ahead)
        rank_ahead_enter(); /* reports come in the ranks' order */
    base_error("%s: %s: %s", rank_where(where, r), call, text);
    if (*rank_code_name(r, heap_caller(r, caller), place, sizeof place))
        base_error_more("called in %s", place);
    rank_job_exit(r->job, STATUS);
}

_Noreturn void heap_error(struct rank *r, const char *call, const void *caller, const char *fmt, ...)
{
    char text[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    end_with(r, call, caller, text);
}

/* --- what an address is ------------------------------------------------------------------------------ */

/* "block+8 of at most 40 bytes"; whose: "rank 3's " or "a " */
static void describe(const struct heap_found *f, const void *p, const char *whose, char *buf, size_t size)
{
    size_t offset = f->block ? (size_t)((uintptr_t)p - (uintptr_t)f->block) : 0;
    switch (f->what) {
    case HEAP_USED:
    case HEAP_FREED:
        if (offset > f->bytes) /* in the words before its payload */
            snprintf(buf, size, "just before %s%sblock of at most %zu bytes", whose,
                     f->what == HEAP_FREED ? "freed " : "", f->bytes);
        else
            snprintf(buf, size, "%s%sblock+%zu of at most %zu bytes", whose,
                     f->what == HEAP_FREED ? "freed " : "", offset, f->bytes);
        break;
    case HEAP_DAMAGED:
        snprintf(buf, size, "behind %sblock of at most %zu bytes whose end was written over", whose,
                 f->bytes);
        break;
    default:
        snprintf(buf, size, "%sheap, but no block", whose);
    }
}

static bool explain(struct rank *r, uintptr_t address, char *buf, size_t size)
{
    const void *p = (const void *)address;
    struct heap *h = heap_holds(p) ? heap_of(p) : NULL;
    const struct rank *owner = heaps_owner(p);
    char whose[32] = "the ranks' ";
    (void)r;
    if (!heap_holds(p))
        return false;
    if (!h) {
        snprintf(buf, size, "memory for heaps, of no rank now");
        return true;
    }
    if (owner && traced_explain(owner, p, buf, size))
        return true;
    if (owner)
        snprintf(whose, sizeof whose, "rank %u's ", owner->id);
    struct heap_found f = heap_what(h, p);
    describe(&f, p, whose, buf, size);
    return true;
}

static bool find(uintptr_t address, struct rank_block *out)
{
    const void *p = (const void *)address;
    struct heap *h = heap_holds(p) ? heap_of(p) : NULL;
    if (!h)
        return false;
    struct heap_found f = heap_what(h, p);
    uintptr_t low = (uintptr_t)f.block;
    *out = (struct rank_block){low, low + f.bytes, f.what != HEAP_USED};
    return f.what == HEAP_USED || f.what == HEAP_FREED || f.what == HEAP_UNUSED;
}

/* --- errors ------------------------------------------------------------------------------------------ */

_Noreturn void heap_error_free(struct rank *r, const char *call, const void *p, const void *caller)
{
    char what[HEAP_TEXT];
    const struct rank *owner = heaps_owner(p);
    struct heap_found f = heap_of(p) ? heap_what(heap_of(p), p) : (struct heap_found){.what = HEAP_INSIDE};
    (void)explain(r, (uintptr_t)p, what, sizeof what);
    if (owner && owner != r)
        heap_error(r, call, caller, "the pointer is another rank's: %s; on a cluster it has no meaning here",
                   what);
    if (f.what == HEAP_FREED && f.block == p)
        heap_error(r, call, caller, "the block was freed before: %s", what);
    if (f.what == HEAP_DAMAGED)
        heap_error(r, call, caller, "the heap is damaged: the pointer is %s", what);
    heap_error(r, call, caller, "the pointer is not the start of a block: %s", what);
}

static void damaged(struct heap *h, const void *block, size_t bytes, const char *how)
{
    struct rank *r = rank_current ? rank_current : rank_ahead;
    char what[HEAP_TEXT] = "a block";
    if (!r)
        return;
    if (block)
        snprintf(what, sizeof what, "a block of at most %zu bytes", bytes);
    (void)h;
    heap_error(r, "the heap is damaged", NULL, "%s: %s (--heap-guard tells where it was allocated)", what,
               how);
}

void heap_report_register(void)
{
    heap_on_damage(damaged);
    rank_on_address(explain);
    rank_on_block(find);
}
