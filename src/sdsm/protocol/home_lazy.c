/* SPDX-License-Identifier: BSD-3-Clause */
/* home_lazy: every scope asks the home. Versions decide whether data are sent; nothing is invalidated. */
#include "sdsm/protocol/protocol.h"

const struct sat_protocol sat_home_lazy = {
    .title = "Home-Based Lazy MESI",
    .name = "home-lazy",
    .hit = sat_hit_never,
    .asks = sat_asks_mode,
    .granted = sat_granted_state,
    .release = sat_release_to_home,
    .invalidate = sat_never_invalidated,
    .evict = sat_evict_silently,
    .prepare = sat_prepare_exclusion,
    .admit = sat_admit_member,
    .ended = sat_ended_member,
    .answered = sat_answered_never,
};
