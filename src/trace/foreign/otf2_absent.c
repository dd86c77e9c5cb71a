/* SPDX-License-Identifier: BSD-3-Clause */
/* otf2_absent: stands in for the OTF2 writer where the library's headers were missing when pgasim was built.
 */
#include "trace/trace.h"

static int absent(const char *path, struct base_status *st)
{
    return base_fail(st,
                     "trace %s: this pgasim was built without OTF2: install the Debian package "
                     "libopen-trace-format2-dev and build again",
                     path);
}

int trace_otf2_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                    struct base_status *st)
{
    (void)out, (void)about;
    return absent(path, st);
}

int trace_otf2_archive_open(struct trace_otf2_archive **out, const char *path,
                            const struct trace_about *about, void **archive, struct base_status *st)
{
    (void)out, (void)about, (void)archive;
    return absent(path, st);
}

int trace_otf2_archive_close(struct trace_otf2_archive *a)
{
    (void)a;
    return 0;
}
