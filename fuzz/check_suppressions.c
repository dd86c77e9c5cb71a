/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a file of suppressions: a report with the file's name and line, or rules, which can be compared
 * with findings. */
#include "check/finding/finding.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(const struct finding_suppressions *s)
{
    struct finding f;
    finding_init(&f, FINDING_RACE);
    finding_set(&f.object, "window+0x10");
    f.accesses = 2;
    for (int k = 0; k < 2; k++) {
        finding_set(&f.access[k].what, k ? "a load" : "MPI_Put");
        finding_set(&f.access[k].place.function, "aab");
        finding_set(&f.access[k].place.file, "/a/a.c");
        f.access[k].place.line = 16;
        finding_set(&finding_frame_add(&f.access[k])->function, "main");
    }
    const struct finding_suppression *by = finding_suppressed_by(s, &f);
    BASE_ASSERT("one of the rules", !by || (by >= s->at.at && by < s->at.at + s->at.n));
    finding_release(&f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct finding_suppressions rules = {.at = {0}};
    struct base_status st = {""};
    struct fuzz_stream s = fuzz_stream_open(data, size);
    if (finding_suppressions_read(&rules, s.in, "file", &st))
        BASE_ASSERT("a reason", !strncmp(st.text, "file:", 5));
    compare(&rules);
    finding_suppressions_release(&rules);
    fuzz_stream_close(&s);
    return 0;
}
