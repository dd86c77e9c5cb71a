/* SPDX-License-Identifier: BSD-3-Clause */
/* units: values as people read them, and the names of units in files. */
#include <math.h>

#include "calibrate/internal.h"

/* The value with the prefix that leaves 1 to 999 before the point. */
static char *prefixed(char buf[48], double value, const char *unit)
{
    static const struct {
        double least;
        const char *prefix;
    } scales[] = {{1e12, "T"}, {1e9, "G"},  {1e6, "M"},  {1e3, "k"}, {1, ""},
                  {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}, {0, "p"}};
    static const double one[] = {1e12, 1e9, 1e6, 1e3, 1, 1e-3, 1e-6, 1e-9, 1e-12};
    size_t k = 0;
    while (k + 1 < BASE_LENGTH(scales) && fabs(value) * (1 + 1e-9) < scales[k].least)
        k++;
    if (value == 0)
        k = 4;
    snprintf(buf, 48, "%.4g %s%s", value / one[k], scales[k].prefix, unit);
    return buf;
}

char *calibrate_show_value(char buf[48], enum calibrate_unit unit, double value)
{
    static const char *const units[] = {"s", "s/B", "B", "B/s", "flop/s", ""};
    if (isinf(value))
        snprintf(buf, 48, "any");
    else if (unit == CALIBRATE_BYTES)
        snprintf(buf, 48, "%.0f B", value);
    else if (unit == CALIBRATE_RATIO)
        snprintf(buf, 48, "%.4g", value);
    else
        return prefixed(buf, value, units[unit]);
    return buf;
}

const char *calibrate_unit_name(enum calibrate_unit unit)
{
    static const char *const names[] = {"seconds",      "seconds/byte", "bytes",
                                        "bytes/second", "flops/second", "ratio"};
    return names[unit];
}
