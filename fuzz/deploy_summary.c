/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as the summary of a run: a report, or a time and an energy. */
#include "deploy/deploy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct deploy_result r;
    struct base_status st = {""};
    char *copy = malloc(size ? size : 1); /* exactly as long as it says */
    if (size)
        memcpy(copy, data, size);
    if (deploy_result_read(copy, size, &r, &st))
        BASE_ASSERT("a reason", st.text[0]);
    else
        BASE_ASSERT("values", isfinite(r.value.time) && isfinite(r.value.energy) && r.value.time >= 0);
    free(copy);
    return 0;
}
