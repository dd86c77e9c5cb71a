/* SPDX-License-Identifier: BSD-3-Clause */
/* Any text as the info key "soft" of MPI_Comm_spawn: nothing, or a number of processes that is not larger than what was
 * asked for. Lists of small numbers are checked one number after the other. */
#include "mpi/process/process.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The largest number up to `most` that a list of one-digit triplets has; -1: none. -2: it has something else. */
static int64_t slowly(const char *soft, int64_t most)
{
    int64_t best = -1;
    for (const char *at = soft;; at++) {
        int a = 0, b = 0, step = 1, used = 0;
        char *part = strndup(at, strcspn(at, ","));
        bool one = strspn(part, "0123456789") == 1 && strlen(part) == 1;
        if (one)
            b = a = *part - '0';
        else if (sscanf(part, "%1d:%1d:%1d%n", &a, &b, &step, &used) != 3 && !used)
            step = sscanf(part, "%1d:%1d%n", &a, &b, &used) == 2 ? 1 : 0;
        bool known = strpbrk(part, " +-\t\n\v\f\r") == NULL && (one || (used && !part[used])) && step > 0;
        free(part);
        if (!known)
            return -2;
        for (int value = a; value <= b && value <= most; value += step)
            best = value > best ? value : best;
        at += strcspn(at, ",");
        if (!*at)
            return best;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    int64_t most = data[0];
    char *soft = strndup((const char *)data + 1, size - 1);
    int64_t found = mpi_soft_most(soft, most), expected = slowly(soft, most);
    BASE_ASSERT("a number", found >= -2 && found <= most);
    BASE_ASSERT("the largest", expected == -2 || found == expected);
    free(soft);
    return 0;
}
