/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places: coordinates of hosts and routers, for zones with routing="Vivaldi" (vivaldi.c).
 */
#include "platform/zone/routes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int platform_place_add(struct platform *p, platform_point at, const char *text, struct base_status *st)
{
    struct platform_place place = {.at = at};
    char *copy = base_strdup(text), *rest = copy, *one;
    unsigned n = 0;
    int rc = 0;
    while (rc == 0 && (one = strsep(&rest, " \t"))) {
        struct base_status why;
        double x;
        if (!*one)
            continue;
        if (n == 3 || base_parse_double(one, &x, &why) || !(fabs(x) <= 1e12))
            rc = -1;
        else
            place.x[n++] = x;
    }
    free(copy);
    if (rc || n % 3)
        return base_fail(st, "expected three coordinates such as \"25.5 9.4 1.4\", each -1e12 to 1e12");
    if (n)
        BASE_ARRAY_PUSH(&p->routes->places, place);
    return 0;
}

static int by_point(const void *left, const void *right)
{
    const struct platform_place *a = left, *b = right;
    return (a->at > b->at) - (a->at < b->at);
}

void platform_places_seal(struct platform *p)
{
    if (p->routes->places.n)
        qsort(p->routes->places.at, p->routes->places.n, sizeof *p->routes->places.at, by_point);
}

static const double *place_of(const struct platform *p, platform_point at)
{
    struct platform_place key = {.at = at};
    const struct platform_place *found =
        p->routes->places.n ? bsearch(&key, p->routes->places.at, p->routes->places.n, sizeof key, by_point)
                            : NULL;
    return found ? found->x : NULL;
}

double platform_place_distance(const struct platform *p, platform_point a, platform_point b)
{
    const double *s = place_of(p, a), *d = place_of(p, b);
    if (!s || !d)
        return -1;
    double x = s[0] - d[0], y = s[1] - d[1];
    return (sqrt(x * x + y * y) + fabs(s[2]) + fabs(d[2])) / 1000;
}
