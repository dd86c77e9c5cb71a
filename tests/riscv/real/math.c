/* SPDX-License-Identifier: BSD-3-Clause */
/* The mathematical library: values with all digits. */
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "count.h"

static uint64_t sum;

static void take(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x != x)
        bits = 1; /* a NaN is a NaN */
    sum = (sum ^ bits) * 0x100000001b3u;
}

static void functions(double x)
{
    take(sin(x)), take(cos(x)), take(tan(x)), take(atan(x)), take(exp(x / 8)), take(log(fabs(x) + 1));
    take(pow(fabs(x), 1.25)), take(sqrt(fabs(x))), take(cbrt(x)), take(floor(x)), take(ceil(x)),
        take(rint(x));
    take(fmod(x, 0.7)), take(hypot(x, 3)), take(fma(x, x, -x)), take(tanh(x)), take(erf(x)),
        take(lgamma(fabs(x) + 1));
    take((double)lrint(x)), take((double)sinf((float)x)), take((double)powf((float)fabs(x), 0.5f));
}

int main(void)
{
    unsigned long before = count_now();
    for (double x = -40; x < 40; x += 0.37)
        functions(x);
    count_print(before);
    printf("%016llx\n", (unsigned long long)sum);
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    for (int i = 0; i < 4; i++) {
        fesetround(modes[i]);
        volatile double third = 1.0, big = 1e308, n = 3;
        third = third / n;
        big = big * n;
        printf("%.17g %g %ld\n", third, big, lrint(2.5));
    }
    fesetround(FE_TONEAREST);
    feclearexcept(FE_ALL_EXCEPT);
    volatile double zero = 0, one = 1;
    volatile double infinite = one / zero;
    printf("%d %d %d\n", isinf(infinite) != 0, fetestexcept(FE_DIVBYZERO) != 0,
           fetestexcept(FE_INVALID) != 0);
    return 0;
}
