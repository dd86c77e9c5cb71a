/* SPDX-License-Identifier: BSD-3-Clause */
/* elsewhere: processors on which user code cannot be followed in single steps. No loop is proven there. */
#include "fold/poll/parts.h"

#if !defined(__x86_64__)
bool poll_steps_possible(void)
{
    return false;
}

void poll_steps_begin(void)
{
}

void poll_steps_end(void)
{
}

void poll_step_start(ucontext_t *u, double seconds, bool settles)
{
    (void)u, (void)seconds, (void)settles;
}

void poll_step_stop(ucontext_t *u)
{
    (void)u;
}

void poll_break_add(const struct rank *r, const struct poll_finding *f)
{
    (void)r, (void)f;
}

void poll_breaks_end(void)
{
}
#endif
