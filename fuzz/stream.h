/* SPDX-License-Identifier: BSD-3-Clause */
/* stream: an input as a file, for parsers that read one. A line feed is put behind it, for fmemopen refuses an empty
 * one. */
#ifndef PGASIM_FUZZ_STREAM_H
#define PGASIM_FUZZ_STREAM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fuzz_stream {
    FILE *in;
    char *copy;
};

static inline struct fuzz_stream fuzz_stream_open(const uint8_t *data, size_t size)
{
    struct fuzz_stream s = {NULL, malloc(size + 1)};
    if (!s.copy)
        abort();
    if (size)
        memcpy(s.copy, data, size);
    s.copy[size] = '\n';
    s.in = fmemopen(s.copy, size + 1, "r");
    return s;
}

static inline void fuzz_stream_close(struct fuzz_stream *s)
{
    fclose(s->in);
    free(s->copy);
}

#endif
