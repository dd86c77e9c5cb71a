/* SPDX-License-Identifier: BSD-3-Clause */
/* soft: the info key "soft": how many processes are enough, as a list of triplets (MPI-5.0 section 11.8.4). */
#include "mpi/process/process.h"

#include <stdlib.h>

/* a, a + step, ... up to b; `step` may be negative. */
struct triplet {
    long long a, b, step;
};

/* "a", "a:b" or "a:b:c". Returns where it ends, or NULL. */
static const char *read_triplet(const char *at, struct triplet *t)
{
    long long part[3] = {0, 0, 1};
    int n = 0;
    for (char *end;; at = end + 1) {
        part[n] = strtoll(at, &end, 10);
        if (end == at)
            return NULL;
        if (*end != ':' || ++n == 3) {
            at = end;
            break;
        }
    }
    *t = (struct triplet){part[0], n ? part[1] : part[0], part[2]};
    return n == 3 || t->step == 0 ? NULL : at;
}

static long long below(long long x, long long y)
{
    return x < y ? x : y;
}

/* The largest one in 0 to `most`; -1: none. */
static int64_t largest(const struct triplet *t, int64_t most)
{
    if (t->step > 0) {
        long long high = below(t->b, most);
        long long value = t->a <= high ? t->a + (high - t->a) / t->step * t->step : -1;
        return value >= 0 ? value : -1;
    }
    long long by = -t->step, over = t->a > most ? (t->a - most + by - 1) / by : 0, value = t->a - over * by;
    return value >= t->b && value >= 0 ? value : -1;
}

int64_t mpi_soft_most(const char *soft, int64_t most)
{
    static const long long limit = 1LL << 31;
    int64_t best = -1;
    for (const char *at = soft;; at++) {
        struct triplet t;
        at = read_triplet(at, &t);
        if (!at || llabs(t.a) > limit || llabs(t.b) > limit || llabs(t.step) > limit)
            return -2;
        int64_t found = largest(&t, most);
        best = found > best ? found : best;
        while (*at == ' ')
            at++;
        if (!*at)
            return best;
        if (*at != ',')
            return -2;
    }
}
