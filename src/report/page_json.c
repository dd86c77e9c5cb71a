/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON within a script element of HTML. Names come from programs and platforms: whatever they hold, the text
 * has neither < nor > nor &, so that it can't end the element (BASE_JSON_MARKUP).
 *
 * Numbers in long lists are letters (page/README.md): five bits each, least first, 32 added while more
 * follow.
 */
#include "report/page_internal.h"

#include <math.h>

void page_json_begin(struct page_json *j, FILE *out)
{
    base_json_init(&j->json, out, &(struct base_json_form){.style = BASE_JSON_MARKUP});
}

void page_json_end(struct page_json *j)
{
    base_json_end(&j->json);
}

void page_json_open(struct page_json *j, const char *key, char bracket)
{
    base_json_open(&j->json, key, bracket);
}

void page_json_close(struct page_json *j, char bracket)
{
    (void)bracket;
    base_json_close(&j->json);
}

void page_json_text(struct page_json *j, const char *key, const char *text)
{
    base_json_text(&j->json, key, text);
}

void page_json_number(struct page_json *j, const char *key, double value)
{
    base_json_digits(&j->json, key, isfinite(value) ? value : 0, 7);
}

void page_json_exact(struct page_json *j, const char *key, double value)
{
    base_json_number(&j->json, key, isfinite(value) ? value : 0);
}

void page_json_count(struct page_json *j, const char *key, uint64_t value)
{
    base_json_count(&j->json, key, value);
}

void page_json_flag(struct page_json *j, const char *key, bool value)
{
    base_json_flag(&j->json, key, value);
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void page_codes_begin(struct page_json *j, const char *key)
{
    base_text_char(base_json_value(&j->json, key), '"');
}

void page_codes_add(struct page_json *j, uint64_t number)
{
    do {
        base_text_char(&j->json.text, letters[(number & 31) + (number >= 32 ? 32 : 0)]);
        number >>= 5;
    } while (number);
}

void page_codes_letter(struct page_json *j, unsigned value)
{
    base_text_char(&j->json.text, letters[value < 64 ? value : 63]);
}

void page_codes_end(struct page_json *j)
{
    base_text_char(&j->json.text, '"');
}
