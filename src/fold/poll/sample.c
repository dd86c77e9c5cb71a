/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample: where there are no single steps, what ticks of the timer see of a rank must do. One that polls
 * comes by the same instructions with the same registers, but for a counter. One that computes keeps more
 * than one value that changes: an index and what it works on.
 */
#include "fold/poll/parts.h"

#include <string.h>

enum { ENOUGH = 4, VARYING = 1 };

static void read_registers(uint64_t out[32], const ucontext_t *u)
{
    memset(out, 0, 32 * sizeof *out);
#if defined(__x86_64__)
    for (unsigned k = 0; k < 16; k++)
        out[k] = (uint64_t)u->uc_mcontext.gregs[k];
    if (u->uc_mcontext.fpregs) /* of computations with numbers */
        memcpy(out + 16, u->uc_mcontext.fpregs->_xmm, 16 * sizeof *out);
#else
    memcpy(out, u->uc_mcontext.regs, 31 * sizeof *out);
    out[31] = u->uc_mcontext.sp;
#endif
}

static unsigned differing(const uint64_t a[32], const uint64_t b[32])
{
    unsigned n = 0;
    for (unsigned k = 0; k < 32; k++)
        n += a[k] != b[k];
    return n;
}

bool poll_sample(struct poll_samples *s, const ucontext_t *u)
{
    uintptr_t pc = rank_program_counter(u);
    uint64_t now[32];
    read_registers(now, u);
    for (unsigned k = 0; k < s->n; k++) {
        if (s->at[k].pc != pc)
            continue;
        if (differing(s->at[k].general, now) > VARYING) {
            s->n = s->same = 0;
            return false;
        }
        return ++s->same >= ENOUGH;
    }
    if (s->n == POLL_SAMPLES)
        s->n = 0;
    s->at[s->n].pc = pc;
    memcpy(s->at[s->n++].general, now, sizeof now);
    return false;
}
