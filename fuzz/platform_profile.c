/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text read as a profile, with and without a period given: a report, or changes in order that can be
 * iterated period by period. */
#include "platform/model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct platform_trace *t)
{
    double last = 0;
    for (uint32_t k = 0; k < t->n; k++) {
        BASE_ASSERT("P12", t->changes[k].at >= last && isfinite(t->changes[k].at));
        BASE_ASSERT("P12", isfinite(t->changes[k].value));
        last = t->changes[k].at;
    }
    BASE_ASSERT("P12", t->period < 0 || (t->period > 0 && t->period >= last));
    BASE_ASSERT("P12", t->n || t->period < 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int given = 0; given < 2; given++) {
        struct platform_trace t = {0};
        struct base_status st = {""};
        uint32_t line = 0;
        int rc = platform_trace_parse(&t, (const char *)data, size, given ? 21 : -1, &line, &st);
        if (rc)
            BASE_ASSERT("P10", *st.text && line >= 1 && !t.changes);
        else
            check(&t);
        free(t.changes);
    }
    return 0;
}
