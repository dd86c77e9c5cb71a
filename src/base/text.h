/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text: a growing buffer of bytes, UTF-8, and text from outside (names from programs, platforms, traces) made
 * safe for JSON, XML and HTML, a shell and a terminal.
 *
 * Invariants
 *  X1  Escaped text is well-formed UTF-8 for any input: each byte that is not part of a valid character
 *      becomes U+FFFD.
 */
#ifndef PGASIM_BASE_TEXT_H
#define PGASIM_BASE_TEXT_H

#include <string.h>

#include "base/base.h"

/* --- UTF-8 (RFC 3629: shortest forms only, no surrogates, up to U+10FFFF) ------------------------------- */

#define BASE_UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Length in bytes of the character at the start of a NUL-terminated text; 0 at its end or if it is no valid
 * character. */
unsigned base_utf8(const char *text);
bool base_utf8_is_valid(const char *text);

/* --- a growing text ------------------------------------------------------------------------------------ */

/* Not NUL-terminated before base_text_take. */
struct base_text {
    char *at;
    size_t n, cap;
    const char *what, *layer; /* for accounts */
};
void base_text_init_for(struct base_text *t, const char *what, const char *layer);
#define base_text_init(t, what) base_text_init_for(t, what, PGASIM_LAYER)
void base_text_release(struct base_text *t);
char *base_text_grow(struct base_text *t, size_t more); /* room for `more` bytes; the caller advances n */
static inline char *base_text_room(struct base_text *t, size_t more)
{
    return BASE_LIKELY(t->n + more < t->cap) ? t->at + t->n : base_text_grow(t, more); /* never NULL */
}
static inline void base_text_put(struct base_text *t, const char *bytes, size_t n)
{
    memcpy(base_text_room(t, n), bytes, n);
    t->n += n;
}
static inline void base_text_add(struct base_text *t, const char *text)
{
    base_text_put(t, text, strlen(text));
}
static inline void base_text_char(struct base_text *t, char c)
{
    *base_text_room(t, 1) = c;
    t->n++;
}
void base_text_count(struct base_text *t, uint64_t number);
/* number / 10^decimals, exact, without trailing zeros. */
void base_text_decimal(struct base_text *t, uint64_t number, unsigned decimals);
void base_text_format(struct base_text *t, const char *fmt, ...) BASE_PRINTF(2, 3);
/* The text, NUL-terminated; the caller frees it. The buffer is empty afterwards. */
char *base_text_take(struct base_text *t);
/* Writes the text to `out` and empties the buffer; write errors are left in `out` (ferror). */
void base_text_write(struct base_text *t, FILE *out);

/* --- text from outside ---------------------------------------------------------------------------------- */

/* The text itself, with invalid UTF-8 replaced (X1). */
void base_text_utf8(struct base_text *t, const char *text);

/* How text is written in JSON. All styles escape the characters that JSON forbids. */
enum base_json_style {
    BASE_JSON_PLAIN,  /* only these, with JSON's short forms */
    BASE_JSON_MARKUP, /* for a script within HTML: also < > & ' and DEL, as \u00xx; U+FFFD as \ufffd */
    BASE_JSON_CODES,  /* also < and DEL; every escape is a \u00xx, for the simplest readers */
};
void base_text_json(struct base_text *t, enum base_json_style style, const char *text); /* without quotes */
/* For content or a quoted attribute in XML and HTML. Control characters that XML cannot hold (all but tabs
 * and line ends) become U+FFFD. */
void base_text_xml(struct base_text *t, const char *text);
/* As one word of a POSIX shell: unchanged if that is safe, otherwise in single quotes. */
void base_text_shell(struct base_text *t, const char *word);
void base_text_shell_words(struct base_text *t,
                           const char *const *words); /* each behind a space; NULL-ended */
/* In double quotes, for formats without escapes: a quote becomes an apostrophe, a control character a
 * space. */
void base_text_quoted(struct base_text *t, const char *text);
/* For a terminal, into `size` bytes (at least 4): characters that could control it, and invalid UTF-8, become
 * '?'; truncated text ends with "...". Returns buf. */
char *base_text_show(char *buf, size_t size, const char *text);
/* The same in place and of any length: each byte that may not be shown becomes '?'. */
void base_text_mask(char *text);

#endif
