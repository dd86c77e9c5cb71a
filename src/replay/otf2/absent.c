/* SPDX-License-Identifier: BSD-3-Clause */
/* absent: stands in for the reader where OTF2's headers were missing when pgasim was built. */
#include "replay/otf2/otf2.h"

#include <string.h>

bool replay_otf2_is(const char *head, size_t n)
{
    return n > 6 && !memcmp(head + 1, "BOTF2", 5);
}

struct replay_tape *replay_otf2_read(const char *path, uint32_t ranks, struct base_status *st)
{
    (void)ranks;
    base_fail(st,
              "%s: this pgasim was built without OTF2: install the Debian package libopen-trace-format2-dev "
              "and build "
              "again",
              path);
    return NULL;
}
