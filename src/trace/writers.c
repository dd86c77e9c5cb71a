/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * writers: selects a trace file's format by its extension. Leaves the formats to their files, the choice of
 * events to filter.c and their order to order.c.
 */
#include "trace/writers.h"

#include <string.h>

/* One line per form. `ordered`: it needs events in order of time. */
static const struct {
    const char *extension;
    int (*open)(struct trace_sink *out, const char *path, const struct trace_about *about,
                struct base_status *st);
    bool ordered;
} forms[] = {
    {"pgt", trace_pgt_open, false},  {"paje", trace_paje_open, true},   {"trace", trace_paje_open, true},
    {"otf2", trace_otf2_open, true}, {"json", trace_chrome_open, true},
};

const char *trace_writer_extensions(void)
{
    static char text[64];
    size_t n = 0;
    for (size_t k = 0; k < BASE_LENGTH(forms) && n < sizeof text; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s.%s", k ? ", " : "", forms[k].extension);
    return text;
}

static int open_form(struct trace_sink *out, const char *path, const struct trace_about *about,
                     struct base_status *st)
{
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot && k < BASE_LENGTH(forms); k++) {
        if (strcmp(dot + 1, forms[k].extension) != 0)
            continue;
        if (forms[k].open(out, path, about, st))
            return -1;
        if (forms[k].ordered)
            *out = trace_ordered(out, about);
        return 0;
    }
    return base_fail(st, "trace %s: expected a name that ends in one of %s", path, trace_writer_extensions());
}

int trace_writer_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                      const struct trace_filter *filter, struct base_status *st)
{
    struct trace_chosen *chosen = NULL;
    struct trace_sink sink;
    if (filter && !trace_filter_is_open(filter) && trace_chosen_create(&chosen, filter, about->ranks, st))
        return -1;
    if (open_form(&sink, path, about, st)) {
        trace_chosen_destroy(chosen);
        return -1;
    }
    *out = chosen ? trace_filtered(&sink, chosen) : sink;
    return 0;
}
