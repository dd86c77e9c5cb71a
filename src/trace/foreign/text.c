/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text: a file of text, written by whole records, and the texts of programs and platforms made harmless for
 * its form. Of bytes that are no UTF-8 each becomes U+FFFD, where a form wants UTF-8.
 *
 * Invariants
 *  X1  The file holds whole records only, unless a write has failed.
 *  X2  After a write that failed nothing more is written, and it was reported once.
 */
#include "trace/foreign/foreign.h"
#include "trace/stream/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FULL = 1 << 16 };

/* --- the file --------------------------------------------------------------------------------------- */

int trace_out_open(struct trace_out *o, const char *path, struct base_status *st)
{
    bool created;
    int fd = trace_output_open(path, &created);
    if (fd < 0)
        return base_fail(st, "trace %s: %s", path, strerror(errno));
    *o = (struct trace_out){.fd = fd, .created = created, .path = trace_output_path(path)};
    return 0;
}

static void fail(struct trace_out *o)
{
    if (!o->failed)
        base_error("trace %s: %s: events from now on are lost", o->path, strerror(errno));
    o->failed = true;
}

void trace_out_replace(struct trace_out *o)
{
    if (ftruncate(o->fd, 0) && errno != EINVAL) /* EINVAL: a pipe or a device */
        fail(o);
}

static void flush(struct trace_out *o)
{
    if (!o->failed && trace_output_write(o->fd, o->at, o->n, -1))
        fail(o);
    o->n = 0;
}

void trace_out_record(struct trace_out *o)
{
    if (o->n >= FULL)
        flush(o);
}

int trace_out_close(struct trace_out *o, bool discard)
{
    flush(o);
    if (close(o->fd))
        fail(o);
    if (discard && o->created)
        unlink(o->path);
    free(o->at);
    free(o->path);
    return o->failed ? -1 : 0;
}

/* --- pieces ----------------------------------------------------------------------------------------- */

static char *room(struct trace_out *o, size_t more)
{
    if (BASE_UNLIKELY(o->n + more > o->cap))
        o->at = base_array_grow(o->at, &o->cap, o->n + more, 1, "text of a trace");
    return o->at + o->n;
}

static void put(struct trace_out *o, const char *text, size_t n)
{
    memcpy(room(o, n), text, n);
    o->n += n;
}

void trace_out_text(struct trace_out *o, const char *text)
{
    put(o, text, strlen(text));
}

void trace_out_count(struct trace_out *o, uint64_t v)
{
    char digits[20] = "";
    size_t k = sizeof digits;
    do
        digits[--k] = (char)('0' + v % 10);
    while (v /= 10);
    put(o, digits + k, sizeof digits - k);
}

void trace_out_decimal(struct trace_out *o, uint64_t v, unsigned decimals)
{
    char digits[40] = "";
    size_t k = sizeof digits, end = sizeof digits;
    for (unsigned n = 0; v || n <= decimals; n++, v /= 10) {
        if (n == decimals)
            digits[--k] = '.';
        digits[--k] = (char)('0' + v % 10);
    }
    while (digits[end - 1] == '0')
        end--;
    end -= digits[end - 1] == '.';
    put(o, digits + k, end - k);
}

/* --- texts of others ---------------------------------------------------------------------------------- */

/* The shortest form of a character only, and no surrogates (RFC 3629, section 4). */
unsigned trace_utf8(const char *p)
{
    static const struct {
        unsigned char first, last, least, most; /* of the first byte; of the second */
        unsigned bytes;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    const unsigned char *b = (const unsigned char *)p;
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

/* The next character, or its replacement. */
static const char *put_character(struct trace_out *o, const char *p)
{
    unsigned bytes = trace_utf8(p);
    if (bytes)
        put(o, p, bytes);
    else
        put(o, "\xef\xbf\xbd", 3);
    return p + (bytes ? bytes : 1);
}

/* '<' is escaped, too: a viewer may paste what it reads into a page. */
void trace_out_json(struct trace_out *o, const char *text)
{
    char code[8] = "";
    put(o, "\"", 1);
    for (const char *p = text; *p;) {
        unsigned char c = (unsigned char)*p;
        if (c >= 0x20 && c != 0x7f && c != '"' && c != '\\' && c != '<') {
            p = put_character(o, p);
            continue;
        }
        put(o, code, (size_t)snprintf(code, sizeof code, "\\u%04x", c));
        p++;
    }
    put(o, "\"", 1);
}

/* The form knows no escapes: a quote becomes an apostrophe, control characters blanks. */
void trace_out_quoted(struct trace_out *o, const char *text)
{
    put(o, "\"", 1);
    for (const char *p = text; *p;) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c < 0x20 || c == 0x7f) {
            put(o, c == '"' ? "'" : " ", 1);
            p++;
        } else {
            p = put_character(o, p);
        }
    }
    put(o, "\"", 1);
}
