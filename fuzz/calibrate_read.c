/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as measurements, in whichever format they seem to be: points that can be trusted, or a reason and
 * nothing left in the table. From some of the points constants are found, and everything is written. */
#include "calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct calibrate_point *p)
{
    BASE_ASSERT("a kind", calibrate_kind_name(p->kind));
    BASE_ASSERT("a mode", p->mode == CALIBRATE_PLAIN || calibrate_mode_name(p->mode));
    BASE_ASSERT("CA2", !p->identified || (isfinite(p->seconds) && p->seconds >= 0));
    BASE_ASSERT("a line", p->line > 0);
}

static void fit(const struct calibrate_table *t)
{
    struct base_status st = {""};
    struct calibrate_options o = {.seed = 1};
    struct calibrate_result *r = calibrate_fit(t, &o);
    FILE *out = fopen("/dev/null", "w");
    if (!out)
        abort();
    calibrate_show(r, out);
    calibrate_json(r, out);
    calibrate_page(r, out);
    if (calibrate_platform_check(r, &st))
        BASE_ASSERT("a reason", st.text[0]);
    else
        calibrate_platform(r, out);
    fclose(out);
    calibrate_result_destroy(r);
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
    if (t.point.n && t.point.n <= 100)
        fit(&t);
    calibrate_table_release(&t);
    fclose(in);
    return 0;
}
