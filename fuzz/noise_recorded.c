/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as recorded interruptions: a report, or noise that is finite and not negative. */
#include "noise/recorded.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    char path[] = "/tmp/pgasim-fuzz-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd))
        abort();
    struct noise_recorded *t = noise_recorded_read(path, &st);
    unlink(path);
    double place[3];
    BASE_ASSERT("a reason", t || *st.text);
    for (uint64_t seed = 0; t && seed < 2; seed++) {
        noise_recorded_places(t, seed, seed % 2, place, BASE_LENGTH(place));
        for (size_t k = 0; k < BASE_LENGTH(place); k++) {
            double none = noise_recorded_take(t, place[k], 0),
                   much = noise_recorded_take(t, place[k], 1e9 * (double)k);
            BASE_ASSERT("O2", isfinite(none) && none >= 0 && isfinite(much) && much >= 0);
        }
    }
    noise_recorded_destroy(t);
    return 0;
}
