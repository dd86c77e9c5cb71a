/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text read as a quantity of each kind: a report, or a finite number >= 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void quantity(int (*parse)(const char *text, double *out, struct base_status *st), const char *text)
{
    struct base_status st = {""};
    double x = -1;
    if (parse(text, &x, &st))
        BASE_ASSERT("B2", x == -1 && strlen(st.text) > 0);
    else
        BASE_ASSERT("B2", isfinite(x) && x >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    uint64_t n;
    double x;
    bool b;
    struct base_status st;
    quantity(base_parse_time, text);
    quantity(base_parse_bandwidth, text);
    quantity(base_parse_speed, text);
    base_parse_size(text, &n, &st);
    base_parse_uint(text, &n, &st);
    base_parse_bool(text, &b, &st);
    if (base_parse_double(text, &x, &st) == 0)
        BASE_ASSERT("B2", isfinite(x));
    free(text);
    return 0;
}
