/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bytes: a rank's file. It begins with a magic number, and ends with an index: the magic number again and where the
 * parts begin. Older versions of DUMPI have fewer parts, so that the magic number stands later there:
 *
 *      magic, sizes of types, addresses, counters' names, header, body, footer, key values       (8 bytes each)
 *      magic,                 addresses, counters' names, header, ...                            before 0.6.6
 *      magic,                            counters' names, header, ...
 *      magic,                                             header, ...
 */
#include "replay/dumpi/reader.h"

#include <inttypes.h>
#include <string.h>

enum { WORD = 8, INDEX = 8, PIECE = 64 << 10 };

int replay_dumpi_open(struct replay_dumpi_bytes *b, const char *path, uint64_t at, struct base_status *st)
{
    *b = (struct replay_dumpi_bytes){.in = replay_input_open(path, st)};
    if (!b->in)
        return -1;
    if (!replay_dumpi_skip(b, at, st))
        return 0;
    replay_dumpi_close(b);
    return -1;
}

void replay_dumpi_close(struct replay_dumpi_bytes *b)
{
    replay_input_close(b->in);
    b->in = NULL;
}

int replay_dumpi_skip(struct replay_dumpi_bytes *b, uint64_t n, struct base_status *st)
{
    while (n) {
        size_t piece = n < PIECE ? (size_t)n : PIECE;
        if (!replay_input_bytes(b->in, piece, st))
            return -1;
        n -= piece;
        b->at += piece;
    }
    return 0;
}

static uint64_t number(const unsigned char *bytes, unsigned n)
{
    uint64_t value = 0;
    for (unsigned k = 0; k < n; k++)
        value = value << 8 | bytes[k];
    return value;
}

int replay_dumpi_number(struct replay_dumpi_bytes *b, unsigned bytes, uint64_t *value, struct base_status *st)
{
    const unsigned char *at = replay_input_bytes(b->in, bytes, st);
    if (!at)
        return -1;
    b->at += bytes;
    *value = number(at, bytes);
    return 0;
}

/* --- index ---------------------------------------------------------------------------------------------- */

/* The last bytes of what was read so far. */
struct last {
    unsigned char bytes[INDEX * WORD];
    uint64_t size; /* of the file */
};

static void append(struct last *l, const unsigned char *bytes, size_t n)
{
    l->size += n;
    if (n >= sizeof l->bytes) {
        memcpy(l->bytes, bytes + n - sizeof l->bytes, sizeof l->bytes);
        return;
    }
    memmove(l->bytes, l->bytes + n, sizeof l->bytes - n);
    memcpy(l->bytes + sizeof l->bytes - n, bytes, n);
}

static int read_last(struct last *l, const char *path, struct base_status *st)
{
    struct replay_input *in = replay_input_open(path, st);
    const unsigned char *bytes;
    size_t n = 1;
    int rc = in ? 0 : -1;
    while (in && !rc && n) {
        rc = replay_input_some(in, &bytes, &n, st);
        if (!rc)
            append(l, bytes, n);
    }
    replay_input_close(in);
    return rc;
}

/* Where the magic number stands among the last words; INDEX: nowhere it may. */
static unsigned find_magic(const uint64_t *word)
{
    for (unsigned k = 0; k < INDEX - 4; k++)
        if (word[k] == REPLAY_DUMPI_MAGIC)
            return k;
    return INDEX;
}

int replay_dumpi_index(const char *path, struct replay_dumpi_index *out, struct base_status *st)
{
    struct last l = {.size = 0};
    uint64_t word[INDEX];
    if (read_last(&l, path, st))
        return -1;
    for (unsigned k = 0; k < INDEX; k++)
        word[k] = number(l.bytes + (size_t)k * WORD, WORD);
    unsigned magic = find_magic(word);
    if (magic == INDEX)
        return base_fail(
            st, "%s: expected the index of a trace of DUMPI in its last 64 bytes; it may be cut off", path);
    *out = (struct replay_dumpi_index){.size = l.size,
                                       .sizes = magic == 0 ? word[1] : 0,
                                       .header = word[4],
                                       .body = word[5],
                                       .footer = word[6]};
    const uint64_t places[] = {out->sizes, out->header, out->body, out->footer};
    for (size_t k = 0; k < BASE_LENGTH(places); k++)
        if (places[k] > l.size)
            return base_fail(st,
                             "%s: its index names byte %" PRIu64 "; expected at most %" PRIu64 ", its size",
                             path, places[k], l.size);
    if (!out->header || out->body < WORD)
        return base_fail(st, "%s: its index names no %s", path, out->header ? "records" : "header");
    return 0;
}
