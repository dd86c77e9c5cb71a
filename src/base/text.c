/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text: see text.h. The escape functions copy runs of harmless bytes at once; a table tells which bytes end a
 * run.
 */
#include "base/text.h"

#include <stdlib.h>

/* --- UTF-8 ---------------------------------------------------------------------------------------------- */

/* RFC 3629, section 4. */
unsigned base_utf8(const char *text)
{
    static const struct {
        unsigned char first, last, least, most; /* of the first byte; of the second */
        unsigned bytes;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *b = (const unsigned char *)text;
    size_t r = 0;
    while (r < BASE_LENGTH(rows) && (*b < rows[r].first || *b > rows[r].last))
        r++;
    if (r == BASE_LENGTH(rows))
        return 0;
    if (rows[r].bytes > 1 && (b[1] < rows[r].least || b[1] > rows[r].most))
        return 0;
    for (unsigned k = 2; k < rows[r].bytes; k++)
        if (b[k] < 0x80 || b[k] > 0xbf)
            return 0;
    return rows[r].bytes;
}

bool base_utf8_is_valid(const char *text)
{
    unsigned bytes;
    while ((bytes = base_utf8(text)))
        text += bytes;
    return !*text;
}

/* --- a growing text ------------------------------------------------------------------------------------- */

void base_text_init_for(struct base_text *t, const char *what, const char *layer)
{
    *t = (struct base_text){.what = what, .layer = layer};
}

void base_text_release(struct base_text *t)
{
    free(t->at);
    base_text_init_for(t, t->what, t->layer);
}

char *base_text_grow(struct base_text *t, size_t more)
{
    t->at = base_array_grow_for(t->at, &t->cap, t->n + more, 1, t->what, t->layer);
    return t->at + t->n;
}

void base_text_count(struct base_text *t, uint64_t number)
{
    char digits[20] = "";
    size_t k = sizeof digits;
    do
        digits[--k] = (char)('0' + number % 10);
    while (number /= 10);
    base_text_put(t, digits + k, sizeof digits - k);
}

void base_text_decimal(struct base_text *t, uint64_t number, unsigned decimals)
{
    char digits[40] = "";
    size_t k = sizeof digits, end = sizeof digits;
    for (unsigned n = 0; number || n <= decimals; n++, number /= 10) {
        if (n == decimals)
            digits[--k] = '.';
        digits[--k] = (char)('0' + number % 10);
    }
    while (digits[end - 1] == '0')
        end--;
    end -= digits[end - 1] == '.';
    base_text_put(t, digits + k, end - k);
}

void base_text_format(struct base_text *t, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = vsnprintf(t->at ? t->at + t->n : NULL, t->cap - t->n, fmt, args);
    BASE_ASSERT("B2", n >= 0);
    if ((size_t)n >= t->cap - t->n)
        vsnprintf(base_text_grow(t, (size_t)n + 1), (size_t)n + 1, fmt, again);
    t->n += (size_t)n;
    va_end(again);
    va_end(args);
}

char *base_text_take(struct base_text *t)
{
    base_text_char(t, 0);
    char *text = t->at;
    base_text_init_for(t, t->what, t->layer);
    return text;
}

void base_text_write(struct base_text *t, FILE *out)
{
    if (t->n)
        fwrite(t->at, 1, t->n, out);
    t->n = 0;
}

/* --- text from outside ---------------------------------------------------------------------------------- */

/* Kinds of bytes that may need escaping. */
enum { CONTROL = 1, QUOTE = 2, LESS = 4, MARKUP = 8, DELETE = 16, HIGH = 32 };
static const unsigned char kinds[256] = {
    [0x01 ... 0x1f] = CONTROL,
    ['"'] = QUOTE,
    ['\\'] = QUOTE,
    ['<'] = LESS,
    ['>'] = MARKUP,
    ['&'] = MARKUP,
    ['\''] = MARKUP,
    [0x7f] = DELETE,
    [0x80 ... 0xff] = HIGH,
};

/* Copies up to the first byte of one of the kinds in `of`, or to the end; returns where it stopped. */
static const char *copy_plain(struct base_text *t, const char *text, unsigned of)
{
    const char *p = text;
    while (*p && !(kinds[(unsigned char)*p] & of))
        p++;
    base_text_put(t, text, (size_t)(p - text));
    return p;
}

/* Copies one character, or `replacement` for an invalid byte; returns the next position. */
static const char *copy_high(struct base_text *t, const char *p, const char *replacement)
{
    unsigned bytes = base_utf8(p);
    if (bytes)
        base_text_put(t, p, bytes);
    else
        base_text_add(t, replacement);
    return p + (bytes ? bytes : 1);
}

void base_text_utf8(struct base_text *t, const char *text)
{
    while (*(text = copy_plain(t, text, HIGH)))
        text = copy_high(t, text, BASE_UTF8_REPLACEMENT);
}

static void put_code(struct base_text *t, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    base_text_put(t, (const char[]){'\\', 'u', '0', '0', digits[c >> 4], digits[c & 15]}, 6);
}

/* The letter of JSON's short escape, or 0. */
static char short_form(enum base_json_style style, char c)
{
    if (style == BASE_JSON_CODES)
        return 0;
    if (c == '"' || c == '\\')
        return c;
    const char *at = style == BASE_JSON_PLAIN ? strchr("\bb\ff\nn\rr\tt", c) : NULL;
    return at ? at[1] : 0;
}

void base_text_json(struct base_text *t, enum base_json_style style, const char *text)
{
    static const unsigned char escaped[] = {
        [BASE_JSON_PLAIN] = CONTROL | QUOTE,
        [BASE_JSON_MARKUP] = CONTROL | QUOTE | LESS | MARKUP | DELETE,
        [BASE_JSON_CODES] = CONTROL | QUOTE | LESS | DELETE,
    };
    const char *replacement = style == BASE_JSON_MARKUP ? "\\ufffd" : BASE_UTF8_REPLACEMENT;
    while (*(text = copy_plain(t, text, escaped[style] | HIGH))) {
        char letter = short_form(style, *text);
        if (kinds[(unsigned char)*text] == HIGH) {
            text = copy_high(t, text, replacement);
            continue;
        }
        if (letter)
            base_text_put(t, (const char[]){'\\', letter}, 2);
        else
            put_code(t, (unsigned char)*text);
        text++;
    }
}

void base_text_xml(struct base_text *t, const char *text)
{
    while (*(text = copy_plain(t, text, CONTROL | QUOTE | LESS | MARKUP | HIGH))) {
        char c = *text;
        if (kinds[(unsigned char)c] == HIGH) {
            text = copy_high(t, text, BASE_UTF8_REPLACEMENT);
            continue;
        }
        if (c == '\t' || c == '\n' || c == '\r')
            base_text_format(t, "&#%d;", c);
        else if (kinds[(unsigned char)c] == CONTROL)
            base_text_add(t, BASE_UTF8_REPLACEMENT);
        else if (c == '\\' || c == '\'')
            base_text_char(t, c);
        else
            base_text_add(t, c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&quot;");
        text++;
    }
}

void base_text_shell(struct base_text *t, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=,:+@%^~";
    if (*word && strspn(word, plain) == strlen(word)) {
        base_text_add(t, word);
        return;
    }
    base_text_char(t, '\'');
    for (; *word; word++)
        if (*word == '\'')
            base_text_add(t, "'\\''");
        else
            base_text_char(t, *word);
    base_text_char(t, '\'');
}

void base_text_shell_words(struct base_text *t, const char *const *words)
{
    for (; *words; words++) {
        base_text_char(t, ' ');
        base_text_shell(t, *words);
    }
}

void base_text_quoted(struct base_text *t, const char *text)
{
    base_text_char(t, '"');
    while (*(text = copy_plain(t, text, CONTROL | QUOTE | DELETE | HIGH))) {
        if (kinds[(unsigned char)*text] == HIGH) {
            text = copy_high(t, text, BASE_UTF8_REPLACEMENT);
            continue;
        }
        base_text_char(t, (char)(*text == '"' ? '\'' : *text == '\\' ? '\\' : ' '));
        text++;
    }
    base_text_char(t, '"');
}

/* Length of the character if it may go to a terminal: no ASCII control character, none of U+0080 to
 * U+009F. */
static unsigned shown(const char *p)
{
    unsigned bytes = base_utf8(p);
    bool control = kinds[(unsigned char)*p] & (CONTROL | DELETE) ||
                   (bytes == 2 && (unsigned char)p[0] == 0xc2 && (unsigned char)p[1] < 0xa0);
    return control ? 0 : bytes;
}

char *base_text_show(char *buf, size_t size, const char *text)
{
    size_t n = 0, cut = 0; /* cut: where the dots would go */
    while (*text) {
        unsigned bytes = shown(text), more = bytes ? bytes : 1;
        if (n + more >= size) {
            memcpy(buf + cut, "...", 4);
            return buf;
        }
        if (bytes)
            memcpy(buf + n, text, bytes);
        else
            buf[n] = '?';
        n += more;
        text += more;
        if (n + 4 <= size)
            cut = n;
    }
    buf[n] = 0;
    return buf;
}

void base_text_mask(char *text)
{
    while (*text) {
        unsigned bytes = shown(text);
        if (!bytes)
            *text = '?';
        text += bytes ? bytes : 1;
    }
}
