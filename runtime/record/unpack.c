/* SPDX-License-Identifier: BSD-3-Clause */
/* unpack: reads a file that file.c has written. */
#include "recorder.h"

#include <stdlib.h>
#ifdef RECORDER_ZSTD
#include <zstd.h>
#elif defined RECORDER_GZIP
#include <zlib.h>
#endif

enum { PIECE = 1 << 17 };
struct recorder_unpack {
#if defined RECORDER_GZIP && !defined RECORDER_ZSTD
    gzFile in;
#else
    FILE *in;
#endif
#ifdef RECORDER_ZSTD
    ZSTD_DStream *unpacker;
    ZSTD_inBuffer left;
    char packed[PIECE];
#endif
};

struct recorder_unpack *recorder_unpack_open(const char *path)
{
    struct recorder_unpack *u = calloc(1, sizeof *u);
    if (!u)
        recorder_stop("no memory left");
#if defined RECORDER_GZIP && !defined RECORDER_ZSTD
    u->in = gzopen(path, "rb");
#else
    u->in = fopen(path, "rb");
#endif
    if (!u->in)
        recorder_stop("a recorded file cannot be read again");
#ifdef RECORDER_ZSTD
    u->unpacker = ZSTD_createDStream();
    if (!u->unpacker)
        recorder_stop("no memory left");
#endif
    return u;
}

size_t recorder_unpack_read(struct recorder_unpack *u, char *out, size_t size)
{
#ifdef RECORDER_ZSTD
    ZSTD_outBuffer to = {out, size, 0};
    while (!to.pos) {
        if (u->left.pos == u->left.size)
            u->left = (ZSTD_inBuffer){u->packed, fread(u->packed, 1, PIECE, u->in), 0};
        if (!u->left.size)
            break;
        if (ZSTD_isError(ZSTD_decompressStream(u->unpacker, &to, &u->left)))
            recorder_stop("a recorded file cannot be read again");
    }
    return to.pos;
#elif defined RECORDER_GZIP
    int n = gzread(u->in, out, (unsigned)size);
    if (n < 0)
        recorder_stop("a recorded file cannot be read again");
    return (size_t)n;
#else
    return fread(out, 1, size, u->in);
#endif
}

void recorder_unpack_close(struct recorder_unpack *u)
{
#ifdef RECORDER_ZSTD
    ZSTD_freeDStream(u->unpacker);
    fclose(u->in);
#elif defined RECORDER_GZIP
    gzclose(u->in);
#else
    fclose(u->in);
#endif
    free(u);
}
