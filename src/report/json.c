/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON of names and numbers as traces have them: any bytes, any double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/show.h"

void report_json_text(yajl_gen g, const char *text)
{
    struct base_text clean;
    base_text_init(&clean, "a text as JSON");
    base_text_utf8(&clean, text);
    yajl_gen_string(g, (const unsigned char *)(clean.at ? clean.at : ""), clean.n);
    base_text_release(&clean);
}

void report_json_key(yajl_gen g, const char *key)
{
    yajl_gen_string(g, (const unsigned char *)key, strlen(key));
}

void report_json_key_text(yajl_gen g, const char *key, const char *text)
{
    report_json_key(g, key);
    report_json_text(g, text ? text : "");
}

void report_json_key_count(yajl_gen g, const char *key, uint64_t n)
{
    char digits[32];
    int size = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
    report_json_key(g, key);
    yajl_gen_number(g, digits, (size_t)size);
}

void report_json_number(yajl_gen g, double value)
{
    char digits[40];
    int size = snprintf(digits, sizeof digits, "%.17g", value);
    if (isfinite(value))
        yajl_gen_number(g, digits, (size_t)size);
    else
        yajl_gen_null(g);
}

void report_json_key_number(yajl_gen g, const char *key, double value)
{
    report_json_key(g, key);
    report_json_number(g, value);
}

yajl_gen report_json_begin(void)
{
    yajl_gen g = yajl_gen_alloc(NULL);
    yajl_gen_config(g, yajl_gen_beautify, 1);
    yajl_gen_config(g, yajl_gen_indent_string, " ");
    return g;
}

void report_json_write(yajl_gen g, FILE *out)
{
    const unsigned char *text;
    size_t size;
    yajl_gen_get_buf(g, &text, &size);
    fwrite(text, 1, size, out);
    yajl_gen_free(g);
}
