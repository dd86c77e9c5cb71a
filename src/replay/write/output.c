/* SPDX-License-Identifier: BSD-3-Clause */
/* output: bytes into a file, through a compressor or not. */
#include "replay/write/write.h"

#include "base/output.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { PIECE = 1 << 16, GZIP_WINDOW = 15 + 16, GZIP_MEMORY = 8 };

struct replay_output {
    struct base_output file;
    void (*take)(void *ctx, const void *bytes, size_t n); /* NULL: they go to the file */
    void *ctx;
    ZSTD_CStream *zstd;
    z_stream *gzip;
    size_t n;
    char buffer[PIECE], packed[PIECE];
};

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n > m && !strcmp(path + n - m, end);
}

static void begin_gzip(struct replay_output *o)
{
    o->gzip = base_zalloc(sizeof *o->gzip, "a compressor");
    if (deflateInit2(o->gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        base_fatal(BASE_EXIT_HOST, "no memory for a compressor");
}

struct replay_output *replay_output_open(const char *path, struct base_status *st)
{
    struct replay_output *o = base_zalloc(sizeof *o, "an output file");
    if (base_output_open(&o->file, path, st)) {
        free(o);
        return NULL;
    }
    if (ends_with(path, ".zst")) {
        o->zstd = ZSTD_createCStream();
        if (!o->zstd)
            base_fatal(BASE_EXIT_HOST, "no memory for a compressor");
    } else if (ends_with(path, ".gz")) {
        begin_gzip(o);
    }
    return o;
}

struct replay_output *replay_output_into(void (*take)(void *ctx, const void *bytes, size_t n), void *ctx)
{
    struct replay_output *o = base_zalloc(sizeof *o, "an output file");
    o->take = take;
    o->ctx = ctx;
    return o;
}

/* What has come so far goes to the file; with `end`, all of it. */
static void flush_zstd(struct replay_output *o, bool end)
{
    ZSTD_inBuffer in = {o->buffer, o->n, 0};
    size_t left;
    do {
        ZSTD_outBuffer out = {o->packed, PIECE, 0};
        left = ZSTD_compressStream2(o->zstd, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
        fwrite(o->packed, 1, out.pos, o->file.out);
    } while (end ? left && !ZSTD_isError(left) : in.pos < in.size);
}

static void flush_gzip(struct replay_output *o, bool end)
{
    int rc;
    o->gzip->next_in = (unsigned char *)o->buffer;
    o->gzip->avail_in = (unsigned)o->n;
    do {
        o->gzip->next_out = (unsigned char *)o->packed;
        o->gzip->avail_out = PIECE;
        rc = deflate(o->gzip, end ? Z_FINISH : Z_NO_FLUSH);
        fwrite(o->packed, 1, PIECE - o->gzip->avail_out, o->file.out);
    } while (rc == Z_OK && (end || o->gzip->avail_in));
}

static void flush(struct replay_output *o, bool end)
{
    if (o->zstd)
        flush_zstd(o, end);
    else if (o->gzip)
        flush_gzip(o, end);
    else if (o->take)
        o->take(o->ctx, o->buffer, o->n);
    else
        fwrite(o->buffer, 1, o->n, o->file.out);
    o->n = 0;
}

void replay_output_put(struct replay_output *o, const char *bytes, size_t n)
{
    while (n) {
        size_t piece = n < PIECE - o->n ? n : PIECE - o->n;
        memcpy(o->buffer + o->n, bytes, piece);
        o->n += piece;
        bytes += piece;
        n -= piece;
        if (o->n == PIECE)
            flush(o, false);
    }
}

static void release(struct replay_output *o)
{
    ZSTD_freeCStream(o->zstd);
    if (o->gzip)
        deflateEnd(o->gzip);
    free(o->gzip);
    free(o);
}

int replay_output_close(struct replay_output *o, struct base_status *st)
{
    flush(o, true);
    int rc = o->take ? 0 : base_output_commit(&o->file, st);
    release(o);
    return rc;
}

void replay_output_discard(struct replay_output *o)
{
    if (!o->take)
        base_output_discard(&o->file);
    release(o);
}
