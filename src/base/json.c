/* SPDX-License-Identifier: BSD-3-Clause */
/* json: see json.h. */
#include "base/json.h"

#include <math.h>

enum { FULL = 1 << 16, DEPTH_MOST = 64 };

void base_json_init_for(struct base_json *j, FILE *out, const struct base_json_form *form, const char *layer)
{
    *j = (struct base_json){.form = *form, .out = out};
    base_text_init_for(&j->text, "JSON", layer);
}

void base_json_end(struct base_json *j)
{
    BASE_ASSERT("J1", !j->depth);
    if (j->out)
        base_text_write(&j->text, j->out);
    base_text_release(&j->text);
}

/* --- between values ------------------------------------------------------------------------------------- */

static void new_line(struct base_json *j)
{
    if (!j->form.indent)
        return;
    base_text_char(&j->text, '\n');
    for (uint32_t k = 0; k < j->depth; k++)
        base_text_add(&j->text, j->form.indent);
}

static bool in_object(const struct base_json *j)
{
    return j->depth && j->objects >> (j->depth - 1) & 1;
}

struct base_text *base_json_value(struct base_json *j, const char *key)
{
    struct base_text *t = &j->text;
    BASE_ASSERT("J1", (key != NULL) == in_object(j) && (j->depth || !j->more));
    if (j->out && t->n >= FULL)
        base_text_write(t, j->out);
    if (j->more)
        base_text_char(t, ',');
    if (j->depth)
        new_line(j);
    j->more = true;
    if (key) {
        base_text_char(t, '"');
        base_text_json(t, j->form.style, key);
        base_text_add(t, j->form.indent ? "\": " : "\":");
    }
    return t;
}

/* --- values --------------------------------------------------------------------------------------------- */

void base_json_open(struct base_json *j, const char *key, char bracket)
{
    base_text_char(base_json_value(j, key), bracket);
    BASE_ASSERT("J1", j->depth < DEPTH_MOST);
    uint64_t bit = UINT64_C(1) << j->depth++;
    j->objects = bracket == '{' ? j->objects | bit : j->objects & ~bit;
    j->more = false;
}

void base_json_close(struct base_json *j)
{
    BASE_ASSERT("J1", j->depth);
    char bracket = in_object(j) ? '}' : ']';
    if (!j->more && j->form.indent) /* empty brackets contain an empty line */
        base_text_char(&j->text, '\n');
    j->depth--;
    new_line(j);
    base_text_char(&j->text, bracket);
    j->more = true;
    if (!j->depth && j->form.indent)
        base_text_char(&j->text, '\n');
}

void base_json_text(struct base_json *j, const char *key, const char *text)
{
    struct base_text *t = base_json_value(j, key);
    if (!text || (j->form.null_for_invalid && !base_utf8_is_valid(text))) {
        base_text_add(t, "null");
        return;
    }
    base_text_char(t, '"');
    base_text_json(t, j->form.style, text);
    base_text_char(t, '"');
}

void base_json_count(struct base_json *j, const char *key, uint64_t n)
{
    base_text_count(base_json_value(j, key), n);
}

void base_json_digits(struct base_json *j, const char *key, double value, int digits)
{
    struct base_text *t = base_json_value(j, key);
    if (isfinite(value))
        base_text_format(t, "%.*g", digits, value);
    else
        base_text_add(t, "null");
}

void base_json_number(struct base_json *j, const char *key, double value)
{
    base_json_digits(j, key, value, 17);
}

void base_json_flag(struct base_json *j, const char *key, bool value)
{
    base_text_add(base_json_value(j, key), value ? "true" : "false");
}
