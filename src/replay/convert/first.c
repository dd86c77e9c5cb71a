/* SPDX-License-Identifier: BSD-3-Clause */
/* first: when a recorded run begins: time 0 is when its first rank's first call was over. */
#include "replay/convert/convert.h"

#include <math.h>

double replay_first_end(struct replay_tape *t, uint32_t rank)
{
    struct replay_cursor c;
    struct replay_action a = {0};
    double end = INFINITY;
    replay_cursor_begin(t, rank, &c);
    while (isinf(end) && replay_cursor_next(t, &c, &a))
        if (a.kind == REPLAY_TIMES)
            end = (a.amount + (double)a.bytes) * 1e-9;
    replay_cursor_end(&c);
    return end;
}
