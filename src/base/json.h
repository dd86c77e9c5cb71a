/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json: writes JSON piece by piece (RFC 8259), to a file or into a growing text.
 *
 *     struct base_json j;
 *     base_json_init(&j, stdout, &(struct base_json_form){.indent = "  "});
 *     base_json_open(&j, NULL, '{');
 *     base_json_count(&j, "ranks", 64);
 *     base_json_open(&j, "hosts", '[');
 *     base_json_text(&j, NULL, "node-0");
 *     base_json_close(&j);
 *     base_json_close(&j);
 *     base_json_end(&j);
 *
 * Invariants
 *  J1  Brackets match; values within an object have a key, others have none.
 *  J2  What is written is well-formed UTF-8, whatever the texts were; keys are ours.
 */
#ifndef PGASIM_BASE_JSON_H
#define PGASIM_BASE_JSON_H

#include "base/text.h"

struct base_json_form {
    const char *indent; /* of one level; NULL: no spaces and no line breaks */
    enum base_json_style style;
    bool null_for_invalid; /* invalid UTF-8: the text becomes null; otherwise bad bytes are replaced (X1) */
};
struct base_json {
    struct base_json_form form;
    struct base_text text; /* not yet written; without `out`, all of it */
    FILE *out;
    uint64_t objects; /* bit k: the bracket at depth k is an object's */
    uint32_t depth;
    bool more; /* the innermost bracket already has a value */
};

/* If `out` is NULL, everything stays in j->text, for base_text_take. Write errors are left in `out`
 * (ferror). */
void base_json_init_for(struct base_json *j, FILE *out, const struct base_json_form *form, const char *layer);
/* A macro with variable arguments, because `form` may be a compound literal, which contains commas. */
#define base_json_init(j, out, ...) base_json_init_for(j, out, __VA_ARGS__, PGASIM_LAYER)
void base_json_end(struct base_json *j); /* writes the rest; asserts J1; frees the text */

/* `key` is NULL for an array's value and for the outermost one. */
void base_json_open(struct base_json *j, const char *key, char bracket); /* '{' or '[' */
void base_json_close(struct base_json *j);
void base_json_text(struct base_json *j, const char *key, const char *text); /* text NULL: null */
void base_json_count(struct base_json *j, const char *key, uint64_t n);
/* Read back, it gives the same number. Infinities and NaN become null. */
void base_json_number(struct base_json *j, const char *key, double value);
void base_json_digits(struct base_json *j, const char *key, double value, int digits); /* significant ones */
void base_json_flag(struct base_json *j, const char *key, bool value);
/* Begins a value; the caller writes it into the text returned. */
struct base_text *base_json_value(struct base_json *j, const char *key);

#endif
