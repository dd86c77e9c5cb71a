/* SPDX-License-Identifier: BSD-3-Clause */
/* json_put: keys and values of the JSON that commands print (private to cli/). */
#ifndef PGASIM_CLI_JSON_PUT_H
#define PGASIM_CLI_JSON_PUT_H

#include <stdint.h>
#include <yajl/yajl_gen.h>

void cli_json_text(yajl_gen g, const char *text); /* null when it is not UTF-8, which JSON cannot hold */
void cli_json_key_text(yajl_gen g, const char *key, const char *text);
void cli_json_key_count(yajl_gen g, const char *key, uint64_t n);
/* With all digits, so that two runs can be compared for equality. */
void cli_json_key_number(yajl_gen g, const char *key, double x);

#endif
