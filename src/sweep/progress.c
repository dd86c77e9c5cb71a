/* SPDX-License-Identifier: BSD-3-Clause */
/* progress: one line on the terminal that is written over. */
#include <unistd.h>

#include "sweep/internal.h"

void sweep_progress(struct sweep *x, uint32_t done, uint32_t all)
{
    static double next;
    double now = sweep_clock(), passed = now - x->began;
    if (!x->on_terminal || now < next)
        return;
    next = now + 0.25;
    dprintf(STDERR_FILENO, "pgasim: %u of %u points, %u failed, %u running", done, all, x->failed,
            x->running);
    if (done) {
        double left = passed / done * (all - done);
        if (left >= 5400)
            dprintf(STDERR_FILENO, "; %.1f h left", left / 3600);
        else if (left >= 90)
            dprintf(STDERR_FILENO, "; %.0f min left", left / 60);
        else
            dprintf(STDERR_FILENO, "; %.0f s left", left);
    }
    dprintf(STDERR_FILENO, "\033[K\r");
}

void sweep_progress_end(struct sweep *x)
{
    if (x->on_terminal)
        dprintf(STDERR_FILENO, "\033[K");
}
