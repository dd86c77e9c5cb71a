/* SPDX-License-Identifier: BSD-3-Clause */
/* special: quantiles of the normal and the gamma distribution. */
#include "noise/internal.h"

#include <math.h>

/* --- normal -------------------------------------------------------------------------------------------------- */

/* A first guess by Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.23: off by less than 5e-4. */
static double guess(double small)
{
    double t = sqrt(-2 * log(small));
    return t -
           (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}

/* Halley's steps on the tail, which erfc knows to all its digits. */
double noise_normal_quantile(double u)
{
    double small = u < 0.5 ? u : 1 - u, x = guess(small);
    for (int k = 0; k < 2; k++) {
        double density = exp(-x * x / 2) * 0.39894228040143267794;
        double step = (0.5 * erfc(x * M_SQRT1_2) - small) / density;
        x += step / (1 - x * step / 2);
    }
    return u < 0.5 ? -x : x;
}

/* --- gamma ----------------------------------------------------------------------------------------------------- */

enum { TERMS = 10000 };
static const double enough = 1e-16;

/* x^a e^-x / Gamma(a + 1) */
static double front(double a, double x)
{
    return exp(a * log(x) - x - lgamma(a + 1));
}

/* The sum of x^n / ((a+1)...(a+n)): for x below a. */
static double series(double a, double x)
{
    double term = 1, sum = 1;
    for (int n = 1; n < TERMS && term > enough * sum; n++)
        sum += term *= x / (a + n);
    return front(a, x) * sum;
}

/* The part above x, as a continued fraction evaluated by Lentz's method: for x above a. */
static double fraction(double a, double x)
{
    const double tiny = 1e-300;
    double b = x + 1 - a, c = 1 / tiny, d = 1 / b, h = d;
    for (int n = 1; n < TERMS; n++) {
        double top = -n * (n - a);
        b += 2;
        d = top * d + b;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = b + top / c;
        c = fabs(c) < tiny ? tiny : c;
        h *= c * d;
        if (fabs(c * d - 1) < enough)
            break;
    }
    return front(a, x) * a * h;
}

double noise_gamma_part(double shape, double x)
{
    if (!(x > 0))
        return 0;
    return x < shape + 1 ? series(shape, x) : 1 - fraction(shape, x);
}

/* Wilson and Hilferty's guess, or where the first term of the series reaches u. */
static double gamma_guess(double a, double u, double near_zero)
{
    double w = 1 - 1 / (9 * a) + noise_normal_quantile(u) / (3 * sqrt(a));
    return a < 1 || w <= 0.2 ? fmin(near_zero, a + 50) : a * w * w * w;
}

/* Newton's steps, and halving where these would leave what is known to hold the quantile. */
double noise_gamma_quantile(double shape, double u)
{
    double near_zero = exp((log(u) + lgamma(shape + 1)) / shape);
    if (near_zero < 1e-20) /* the other terms add nothing */
        return near_zero;
    double low = 0, high = INFINITY, x = gamma_guess(shape, u, near_zero);
    for (int k = 0; k < 100; k++) {
        double off = noise_gamma_part(shape, x) - u;
        *(off > 0 ? &high : &low) = x;
        double density = front(shape, x) * shape / x;
        double next = x - off / density;
        if (!(next > low && next < high))
            next = isinf(high) ? 2 * x + 1 : 0.5 * (low + high);
        if (fabs(next - x) <= 1e-14 * x)
            return next;
        x = next;
    }
    return x;
}
