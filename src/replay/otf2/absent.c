/* SPDX-License-Identifier: BSD-3-Clause */
/* absent: stands in for the reader and the writer where OTF2's headers were missing when pgasim was built. */
#include "replay/otf2/otf2.h"

#include <string.h>

bool replay_otf2_is(const char *head, size_t n)
{
    return n > 6 && !memcmp(head + 1, "BOTF2", 5);
}

static void absent(const char *path, struct base_status *st)
{
    base_fail(st,
              "%s: this pgasim was built without OTF2: install the Debian package libopen-trace-format2-dev "
              "and build "
              "again",
              path);
}

struct replay_tape *replay_otf2_read(const char *path, uint32_t ranks, struct base_status *st)
{
    (void)ranks;
    absent(path, st);
    return NULL;
}

struct replay_otf2_writer *replay_otf2_writer_create(const char *path, const struct replay_tape *groups,
                                                     struct base_status *st)
{
    (void)groups;
    absent(path, st);
    return NULL;
}

void replay_otf2_writer_rank(struct replay_otf2_writer *x, uint32_t rank)
{
    (void)x, (void)rank;
}

void replay_otf2_writer_put(struct replay_otf2_writer *x, const struct replay_otf2_event *e)
{
    (void)x, (void)e;
}

int replay_otf2_writer_close(struct replay_otf2_writer *x, struct base_status *st)
{
    (void)x, (void)st;
    return 0;
}
