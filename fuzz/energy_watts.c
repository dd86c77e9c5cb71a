/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text read as the watts of a host, of a link, and as one power: a report, or finite numbers >= 0. */
#include "energy/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(double watts)
{
    BASE_ASSERT("B2", isfinite(watts) && watts >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { STATES = 3 };
    struct energy_watts w[STATES] = {{0}};
    struct base_status st = {""};
    double idle = 0, busy = 0;
    char *text = malloc(size + 1);
    if (size)
        memcpy(text, data, size);
    text[size] = 0;
    for (uint32_t states = 1; states <= STATES; states++)
        if (energy_watts_read(w, text, states, &st))
            BASE_ASSERT("B2", *st.text);
    for (int k = 0; k < STATES; k++) {
        check(w[k].idle);
        check(w[k].epsilon);
        check(w[k].all_cores);
    }
    if (!energy_range_read(&idle, &busy, text, &st)) {
        check(idle);
        check(busy);
    }
    if (!energy_watt_read(&idle, text, &st))
        check(idle);
    free(text);
    return 0;
}
