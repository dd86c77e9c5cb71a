/* SPDX-License-Identifier: BSD-3-Clause */
/* JSON of names and numbers as traces have them: any bytes, any double. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/show.h"

/* Bytes of the UTF-8 character at `s`, 0 when it is none (RFC 3629). */
static size_t character(const unsigned char *s)
{
    static const struct {
        unsigned char low, high, second_low, second_high;
        size_t bytes;
    } forms[] = {{0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
                 {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
                 {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    for (size_t k = 0; k < BASE_LENGTH(forms); k++) {
        if (s[0] < forms[k].low || s[0] > forms[k].high)
            continue;
        if (forms[k].bytes > 1 && (s[1] < forms[k].second_low || s[1] > forms[k].second_high))
            return 0;
        for (size_t b = 2; b < forms[k].bytes; b++)
            if (s[b] < 0x80 || s[b] > 0xbf)
                return 0;
        return forms[k].bytes;
    }
    return 0;
}

void report_json_text(yajl_gen g, const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */
    size_t size = strlen(text), n = 0;
    char *clean = base_alloc(3 * size + 1, "a text as JSON");
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        size_t bytes = character(s);
        memcpy(clean + n, bytes ? (const char *)s : replacement, bytes ? bytes : 3);
        n += bytes ? bytes : 3;
        s += bytes ? bytes : 1;
    }
    yajl_gen_string(g, (const unsigned char *)clean, n);
    free(clean);
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
