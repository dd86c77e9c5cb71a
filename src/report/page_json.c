/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON within a script element of HTML. Names come from programs and platforms: whatever they hold, the text has
 * neither < nor > nor &, so that it can't end the element; control characters are escaped, and what is no UTF-8 is
 * replaced.
 *
 * Numbers in long lists are letters (page/README.md): five bits each, least first, 32 added while more follow.
 *
 * Invariants
 *  J1  What is written within a text is ASCII or well-formed UTF-8.
 */
#include "report/page_inside.h"

#include <math.h>
#include <string.h>

static void begin(struct page_json *j, const char *key)
{
    if (j->more)
        fputc(',', j->out);
    if (key)
        fprintf(j->out, "\"%s\":", key);
    j->more = true;
}

void page_json_open(struct page_json *j, const char *key, char bracket)
{
    begin(j, key);
    fputc(bracket, j->out);
    j->more = false;
}

void page_json_close(struct page_json *j, char bracket)
{
    fputc(bracket, j->out);
    j->more = true;
}

/* Bytes of the character at c, 0 when it is none: overlong forms, surrogates and what is beyond U+10FFFF are none. */
static unsigned character(const unsigned char *c)
{
    unsigned n = *c < 0x80                 ? 1
                 : *c >= 0xc2 && *c < 0xe0 ? 2
                 : *c >= 0xe0 && *c < 0xf0 ? 3
                 : *c >= 0xf0 && *c < 0xf5 ? 4
                                           : 0;
    for (unsigned k = 1; k < n; k++)
        if ((c[k] & 0xc0) != 0x80)
            return 0;
    if ((*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] >= 0xa0) || (*c == 0xf0 && c[1] < 0x90) ||
        (*c == 0xf4 && c[1] >= 0x90))
        return 0;
    return n;
}

static void put_text(FILE *out, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c;) {
        unsigned n = character(c);
        if (!n)
            fputs("\\ufffd", out);
        else if (n == 1 && (*c < ' ' || *c == 0x7f || strchr("<>&'", *c)))
            fprintf(out, "\\u%04x", *c);
        else if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else
            fwrite(c, 1, n, out);
        c += n ? n : 1;
    }
}

void page_json_text(struct page_json *j, const char *key, const char *text)
{
    begin(j, key);
    if (!text) {
        fputs("null", j->out);
        return;
    }
    fputc('"', j->out);
    put_text(j->out, text);
    fputc('"', j->out);
}

static void put_number(struct page_json *j, const char *key, double value, int digits)
{
    begin(j, key);
    fprintf(j->out, "%.*g", digits, isfinite(value) ? value : 0);
}

void page_json_number(struct page_json *j, const char *key, double value)
{
    put_number(j, key, value, 7);
}

void page_json_exact(struct page_json *j, const char *key, double value)
{
    put_number(j, key, value, 17);
}

void page_json_count(struct page_json *j, const char *key, uint64_t value)
{
    begin(j, key);
    fprintf(j->out, "%llu", (unsigned long long)value);
}

void page_json_flag(struct page_json *j, const char *key, bool value)
{
    begin(j, key);
    fputs(value ? "true" : "false", j->out);
}

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void page_codes_begin(struct page_json *j, const char *key)
{
    begin(j, key);
    fputc('"', j->out);
}

void page_codes_add(struct page_json *j, uint64_t number)
{
    do {
        fputc(letters[(number & 31) + (number >= 32 ? 32 : 0)], j->out);
        number >>= 5;
    } while (number);
}

void page_codes_letter(struct page_json *j, unsigned value)
{
    fputc(letters[value < 64 ? value : 63], j->out);
}

void page_codes_end(struct page_json *j)
{
    fputc('"', j->out);
}
