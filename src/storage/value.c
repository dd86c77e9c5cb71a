/* SPDX-License-Identifier: BSD-3-Clause */
/* value: values of properties, with what is wrong about them. A property that is not there leaves *out as it is. */
#include "storage/internal.h"

static int read_value(const struct storage_value *v, enum base_kind kind, const char *range,
                      struct base_number *out, struct base_status *st)
{
    struct base_status why;
    if (base_parse_range(kind, range, v->value, out, &why))
        return base_fail(st, "%.200s: <prop id=\"%.80s\">: %.200s", v->where, v->key, why.text);
    return 0;
}

int storage_value_number(const struct storage_value *v, enum base_kind kind, const char *range, double *out,
                         struct base_status *st)
{
    struct base_number n;
    if (!v->value)
        return 0;
    if (read_value(v, kind, range, &n, st))
        return -1;
    *out = n.number;
    return 0;
}

int storage_value_whole(const struct storage_value *v, enum base_kind kind, const char *range, uint64_t *out,
                        struct base_status *st)
{
    struct base_number n;
    if (!v->value)
        return 0;
    if (read_value(v, kind, range, &n, st))
        return -1;
    *out = n.whole;
    return 0;
}
