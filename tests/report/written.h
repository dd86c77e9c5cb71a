/* SPDX-License-Identifier: BSD-3-Clause */
/* written: a part of the profile as it is written, as text or as JSON. The caller frees it. */
#ifndef PGASIM_TESTS_REPORT_WRITTEN_H
#define PGASIM_TESTS_REPORT_WRITTEN_H

#include "report/profile.h"

static inline char *written_text(void (*print)(const struct report_facts *f, FILE *out, size_t top),
                                 const struct report_facts *f, size_t top)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    print(f, out, top);
    fclose(out);
    return text;
}

static inline char *written_json(void (*print)(struct base_json *j, const struct report_facts *f, size_t top),
                                 const struct report_facts *f, size_t top)
{
    static const struct base_json_form form = {.style = BASE_JSON_MARKUP};
    struct base_json j;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    base_json_init(&j, out, &form);
    base_json_open(&j, NULL, '{');
    print(&j, f, top);
    base_json_close(&j);
    base_json_end(&j);
    fclose(out);
    return text;
}

#endif
