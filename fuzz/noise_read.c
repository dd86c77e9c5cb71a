/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text read as a distribution and as sources of interruptions: a report, or values that are finite and rise (O2). */
#include "noise/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct noise_distribution *d)
{
    static const double u[] = {0x1p-53, 0.001, 0.3, 0.5, 0.9, 0.999, 1 - 0x1p-53};
    double last = 0;
    for (size_t k = 0; k < BASE_LENGTH(u); k++) {
        double x = noise_quantile(d, u[k]);
        BASE_ASSERT("O2", isfinite(x) && x >= 0 && x >= last * (1 - 1e-9));
        last = x;
    }
    BASE_ASSERT("O2", isfinite(noise_mean(d)) && noise_mean(d) >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    for (int unit = NOISE_SECONDS; unit <= NOISE_FACTOR; unit++) {
        struct base_status st = {""};
        struct noise_distribution *d = noise_read(text, (enum noise_unit)unit, &st);
        if (d)
            check(d);
        else
            BASE_ASSERT("B2", *st.text);
        noise_distribution_destroy(d);
    }
    struct base_status st = {""};
    struct noise_detours *d = strncmp(text, "file:", 5) ? noise_detours_read(text, &st) : NULL;
    BASE_ASSERT("B2", d || *st.text || !strncmp(text, "file:", 5));
    if (d) {
        struct noise_place *p = noise_place_create(d, 1, 1);
        BASE_ASSERT("O2", noise_detours_take(d, p, 1e-6) >= 0);
        free(p);
    }
    noise_detours_destroy(d);
    free(text);
    return 0;
}
