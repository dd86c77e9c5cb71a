/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame: local variables that operations still use when their function returns. A return is taken for a
 * store to what the function had on its stack: whatever conflicts with a store was in use.
 *
 * Only the parts of stacks that operations were given are looked at. What belongs to a function lies between
 * two addresses: below is `frame`, where it was when it told of itself, above is the address to which it
 * returns, which x86-64 has on the stack. It is searched from below, so a part may be overlooked, but
 * nothing of the function's callers is taken for its own, whether they are instrumented or not. Elsewhere
 * the return address lies below the variables, and nothing is found.
 */
#include "base/sanitizer.h"
#include "check/race/accesses.h"
#include "check/race/strands.h"

/* Variables of the calls that the strand is in, but not of code that is not instrumented and was called from
 * there: it has told of no frame. */
void race_frame_hold(struct race *d, const struct rank *r, uint64_t low, uint64_t high)
{
    struct race_strand *s = race_strand_now(d);
    size_t n = s->frames.n;
    if (s->rank != r || !n || low < (uintptr_t)s->frames.at[n - 1] || high > (uintptr_t)s->frames.at[0])
        return;
    if (!s->held_high || low < s->held_low)
        s->held_low = low;
    if (high > s->held_high)
        s->held_high = high;
}

/* Where between two addresses of a stack the address `to` is; 0: nowhere. Words that the program never set are read,
 * too, of which Valgrind is not to speak. */
static uintptr_t find_return(uintptr_t from, uintptr_t end, uintptr_t to)
{
    const uintptr_t *at = (const void *)from;
    if (BASE_UNLIKELY(base_sanitizer.valgrind))
        base_valgrind_report(false);
    while ((uintptr_t)at < end && *at != to)
        at++;
    if (BASE_UNLIKELY(base_sanitizer.valgrind))
        base_valgrind_report(true);
    return (uintptr_t)at < end ? (uintptr_t)at : 0;
}

/* A store to what is there no more. One that jumped away has left its own code. */
static void overwrite(struct race *d, struct race_strand *s, uintptr_t end, const void *pc, bool jumped)
{
    uintptr_t low = (uintptr_t)s->frames.at[s->frames.n - 1];
    uint32_t stack = s->stack;
    if (low < s->held_low)
        low = s->held_low;
    if (end <= low)
        return;
    if (jumped)
        s->stack = race_stack_above(d, stack);
    race_plain(d, low, end - low, RACE_WRITE, pc, "a return");
    s->stack = stack;
}

enum { ARGUMENTS = 256 }; /* of its last call, which may still be on its stack */

/* The latest call returns. It may have taken its stack down already and jumped to the callback, which then
 * returns in its stead. Its frame begins where that of the call above told of itself, or less than two words
 * higher. */
void race_frame_ends(struct race *d, struct race_strand *s, const void *pc, const void *frame)
{
    size_t n = s->frames.n;
    if (n < 2)
        return;
    uintptr_t above = (uintptr_t)s->frames.at[n - 2], low = (uintptr_t)s->frames.at[n - 1],
              to = d->stack_of.at[2 * (size_t)s->stack + 1], word = sizeof(uintptr_t), end = 0;
    if (s->held_low >= above)
        return;
    bool jumped = (uintptr_t)pc == to;
    if (jumped)
        end = find_return((uintptr_t)frame, (uintptr_t)frame + 2 * word, to);
    else if (low - (uintptr_t)frame <= ARGUMENTS)
        end = find_return(low, above + 2 * word, to);
    overwrite(d, s, end, pc, jumped);
    s->held_low = above;
    if (s->held_high <= above)
        s->held_low = s->held_high = 0;
}
