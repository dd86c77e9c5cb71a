/* SPDX-License-Identifier: BSD-3-Clause */
/* json_put: see json_put.h. */
#include "cli/json_put.h"

#include <stdio.h>
#include <string.h>

void cli_json_text(yajl_gen g, const char *text)
{
    if (yajl_gen_string(g, (const unsigned char *)text, strlen(text)) == yajl_gen_invalid_string)
        yajl_gen_null(g);
}

void cli_json_key_text(yajl_gen g, const char *key, const char *text)
{
    cli_json_text(g, key);
    cli_json_text(g, text);
}

void cli_json_key_count(yajl_gen g, const char *key, uint64_t n)
{
    cli_json_text(g, key);
    yajl_gen_integer(g, (long long)n);
}

void cli_json_key_number(yajl_gen g, const char *key, double x)
{
    char digits[40];
    int n = snprintf(digits, sizeof digits, "%.17g", x);
    cli_json_text(g, key);
    yajl_gen_number(g, digits, (size_t)n);
}
