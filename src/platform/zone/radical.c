/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * radical: the numbers of a cluster's hosts, "0-9,12,20-29", kept as ranges.
 */
#include "platform/zone/cluster.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

static int read_number(const char **at, uint32_t *out)
{
    while (isspace((unsigned char)**at))
        ++*at;
    if (!isdigit((unsigned char)**at))
        return -1;
    char *end;
    errno = 0;
    unsigned long value = strtoul(*at, &end, 10);
    if (errno || value > INT32_MAX)
        return -1;
    while (isspace((unsigned char)*end))
        end++;
    *at = end;
    *out = (uint32_t)value;
    return 0;
}

/* One group; *at moves past it and its comma. */
static int read_group(const char **at, struct platform_range *out)
{
    if (read_number(at, &out->first))
        return -1;
    out->last = out->first;
    if (**at == '-') {
        ++*at;
        if (read_number(at, &out->last) || out->last < out->first)
            return -1;
    }
    if (**at == ',' && (*at)[1])
        ++*at;
    else if (**at)
        return -1;
    return 0;
}

int platform_radical_parse(const struct platform *p, const char *text, struct platform_radical *out,
                           struct base_status *st)
{
    uint64_t n = 0;
    const char *at = text;
    do {
        struct platform_range range = {.index = (uint32_t)n};
        if (read_group(&at, &range))
            return base_fail(st,
                             "the radical '%s' is not a list of numbers; expected numbers and ranges, such "
                             "as 0-15,20,32-39",
                             text);
        n += (uint64_t)range.last - range.first + 1;
        if (n + p->hosts.n > p->host_limit)
            return base_fail(st, "the radical '%s' makes more than %u hosts", text, p->host_limit);
        BASE_ARRAY_PUSH(&out->ranges, range);
    } while (*at);
    out->n = (uint32_t)n;
    return 0;
}

bool platform_radical_find(const struct platform_radical *r, uint64_t number, uint32_t *index)
{
    for (size_t k = 0; k < r->ranges.n; k++) {
        const struct platform_range *range = &r->ranges.at[k];
        if (number >= range->first && number <= range->last) {
            *index = range->index + (uint32_t)number - range->first;
            return true;
        }
    }
    return false;
}

uint32_t platform_radical_number(const struct platform_radical *r, uint32_t index)
{
    size_t low = 0, high = r->ranges.n;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (r->ranges.at[middle].index <= index)
            low = middle;
        else
            high = middle;
    }
    return r->ranges.at[low].first + index - r->ranges.at[low].index;
}

void platform_radical_release(struct platform_radical *r)
{
    free(r->ranges.at);
}

bool platform_name_number(const char **at, uint64_t *out)
{
    const char *from = *at;
    uint64_t number = 0;
    if (!isdigit((unsigned char)*from) || (*from == '0' && isdigit((unsigned char)from[1])))
        return false;
    while (isdigit((unsigned char)*from) && number <= UINT32_MAX)
        number = number * 10 + (uint64_t)(*from++ - '0');
    *at = from;
    *out = number;
    return true;
}
