/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as measurements, in whichever format they seem to be: points that can be trusted, or a reason and
 * nothing left in the table. */
#include "calibrate/calibrate.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct calibrate_point *p)
{
    BASE_ASSERT("a kind", calibrate_kind_name(p->kind));
    BASE_ASSERT("a mode", p->mode == CALIBRATE_PLAIN || calibrate_mode_name(p->mode));
    BASE_ASSERT("CA2", !p->identified || (isfinite(p->seconds) && p->seconds >= 0));
    BASE_ASSERT("a line", p->line > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct calibrate_table t = {0};
    struct base_status st = {""};
    FILE *in = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!in)
        return 0;
    int rc = calibrate_read_stream(&t, in, "measurements", CALIBRATE_NETWORK, &st);
    if (rc) {
        BASE_ASSERT("a reason with its place", !strncmp(st.text, "measurements:", 13));
        BASE_ASSERT("nothing is left", !t.point.n && !t.rank.n && !t.file.n);
    } else {
        BASE_ASSERT("points", t.point.n > 0 && t.file.n == 1);
    }
    for (size_t k = 0; k < t.point.n; k++)
        check(&t.point.at[k]);
    calibrate_table_release(&t);
    fclose(in);
    return 0;
}
