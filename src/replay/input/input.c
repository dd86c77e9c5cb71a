/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * input: a file's bytes pass through two buffers: `raw` holds what was read of it, `plain` what is not yet taken
 * of its content. An uncompressed file is read into `plain` at once. Of a .pgt, the content is its recording.
 */
#include "replay/input/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>
#include <zstd.h>

#include "base/output.h"
#include "trace/trace.h"

enum { RAW = 256 << 10, PLAIN = 256 << 10, LONGEST = 1 << 30, PEEK = 64 << 10 };

struct replay_input {
    char *path;
    int fd;
    enum { AS_IS, GZIP, ZSTD, PGT } how;
    bool ended;    /* no more raw bytes */
    bool binary;   /* there is a NUL in what was read by lines */
    bool within;   /* a compressed stream has begun and not ended */
    uint64_t made; /* plain bytes */
    uint32_t line;
    z_stream gzip;
    ZSTD_DCtx *zstd;
    struct trace_file *trace;
    unsigned char *raw;
    size_t raw_at, raw_n;
    unsigned char *plain;
    size_t at, n, cap; /* of plain: bytes [at, n) are left */
};

static int fill_raw(struct replay_input *in, unsigned char *to, size_t room, size_t *n,
                    struct base_status *st)
{
    ssize_t got;
    do
        got = read(in->fd, to, room);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return base_fail(st, "%s: it cannot be read: %s", in->path, strerror(errno));
    in->ended = got == 0;
    *n = (size_t)got;
    return 0;
}

static int begin_gzip(struct replay_input *in, struct base_status *st)
{
    enum { GZIP_HEADER = 16 };
    if (inflateInit2(&in->gzip, 15 + GZIP_HEADER) != Z_OK)
        return base_fail(st, "%s: no memory to decompress it", in->path);
    in->how = GZIP;
    return 0;
}

static int begin_pgt(struct replay_input *in, struct base_status *st)
{
    in->how = PGT;
    return trace_file_open(&in->trace, in->path, st);
}

static int recognize(struct replay_input *in, struct base_status *st)
{
    static const unsigned char gzip[] = {0x1f, 0x8b}, zstd[] = {0x28, 0xb5, 0x2f, 0xfd};
    in->raw = base_alloc(RAW, "a trace's bytes");
    while (in->raw_n < TRACE_FILE_HEAD && !in->ended) {
        size_t n;
        if (fill_raw(in, in->raw + in->raw_n, RAW - in->raw_n, &n, st))
            return -1;
        in->raw_n += n;
    }
    if (in->raw_n >= sizeof gzip && !memcmp(in->raw, gzip, sizeof gzip))
        return begin_gzip(in, st);
    if (in->raw_n >= TRACE_FILE_HEAD && trace_file_is(in->raw))
        return begin_pgt(in, st);
    if (in->raw_n >= sizeof zstd && !memcmp(in->raw, zstd, sizeof zstd)) {
        in->how = ZSTD;
        in->zstd = ZSTD_createDCtx();
    }
    return 0;
}

struct replay_input *replay_input_open(const char *path, struct base_status *st)
{
    struct replay_input *in = base_zalloc(sizeof *in, "a trace");
    in->path = base_strdup(path);
    struct stat file;
    in->fd = base_input_open(path, &file);
    if (in->fd < 0)
        base_fail(st, "%s: %s", path, strerror(errno));
    if (in->fd < 0 || recognize(in, st)) {
        replay_input_close(in);
        return NULL;
    }
    in->cap = PLAIN;
    in->plain = base_alloc(in->cap, "a trace's content");
    return in;
}

void replay_input_close(struct replay_input *in)
{
    if (!in)
        return;
    if (in->how == GZIP)
        inflateEnd(&in->gzip);
    ZSTD_freeDCtx(in->zstd);
    if (in->trace)
        trace_file_close(in->trace);
    if (in->fd >= 0)
        close(in->fd);
    free(in->raw);
    free(in->plain);
    free(in->path);
    free(in);
}

const char *replay_input_path(const struct replay_input *in)
{
    return in->path;
}

uint32_t replay_input_line_number(const struct replay_input *in)
{
    return in->line;
}

/* --- decompressing ---------------------------------------------------------------------------------- */

static int damaged(const struct replay_input *in, const char *why, struct base_status *st)
{
    return base_fail(st, "%s: the %s data is %s after %" PRIu64 " bytes of content (line %" PRIu32 ")",
                     in->path, in->how == GZIP ? "gzip" : "zstd", why, in->made, in->line + 1);
}

/* Both take from raw and append to plain; *n is what was appended. */
static int step_gzip(struct replay_input *in, size_t *n, struct base_status *st)
{
    z_stream *z = &in->gzip;
    z->next_in = in->raw + in->raw_at;
    z->avail_in = (uInt)(in->raw_n - in->raw_at);
    z->next_out = in->plain + in->n;
    z->avail_out = (uInt)(in->cap - in->n);
    int rc = inflate(z, Z_NO_FLUSH);
    *n = in->cap - in->n - z->avail_out;
    in->raw_at = in->raw_n - z->avail_in;
    in->within = rc != Z_STREAM_END;
    if (rc == Z_STREAM_END)
        inflateReset(z); /* another member may follow */
    return rc == Z_OK || rc == Z_STREAM_END || rc == Z_BUF_ERROR ? 0 : damaged(in, "damaged", st);
}

static int step_zstd(struct replay_input *in, size_t *n, struct base_status *st)
{
    ZSTD_inBuffer from = {in->raw + in->raw_at, in->raw_n - in->raw_at, 0};
    ZSTD_outBuffer to = {in->plain + in->n, in->cap - in->n, 0};
    size_t left = ZSTD_decompressStream(in->zstd, &to, &from);
    if (ZSTD_isError(left))
        return damaged(in, "damaged", st);
    in->raw_at += from.pos;
    *n = to.pos;
    in->within = left != 0;
    return 0;
}

/* Appends content to plain, which has room; nothing only at the end. */
static int fill_compressed(struct replay_input *in, size_t *n, struct base_status *st)
{
    for (*n = 0; !*n;) {
        if (in->raw_at == in->raw_n && !in->ended) {
            in->raw_at = in->raw_n = 0;
            if (fill_raw(in, in->raw, RAW, &in->raw_n, st))
                return -1;
        }
        bool nothing = in->raw_at == in->raw_n;
        if (nothing && !in->within)
            return 0;
        if (in->how == GZIP ? step_gzip(in, n, st) : step_zstd(in, n, st))
            return -1;
        if (nothing && !*n && in->within)
            return damaged(in, "cut off", st);
    }
    return 0;
}

static int fill_recorded(struct replay_input *in, size_t *n, struct base_status *st)
{
    bool wrong;
    struct base_status why;
    const unsigned char *piece = trace_file_recording(in->trace, n, &wrong, &why);
    if (wrong)
        return base_fail(st, "%s: %s", in->path, why.text);
    if (!piece && !in->made)
        return base_fail(
            st, "%s: a trace without the run's calls; a run with --trace-kinds default,replay has them, too",
            in->path);
    if (!piece)
        *n = 0;
    while (in->cap - in->n < *n)
        in->plain = base_array_grow(in->plain, &in->cap, in->n + *n, 1, "a trace's content");
    if (*n)
        memcpy(in->plain + in->n, piece, *n);
    return 0;
}

static int fill(struct replay_input *in, size_t *n, struct base_status *st)
{
    if (in->how == PGT) {
        if (fill_recorded(in, n, st))
            return -1;
    } else if (in->how != AS_IS) {
        if (fill_compressed(in, n, st))
            return -1;
    } else if (in->raw_at < in->raw_n) { /* what was read to recognize it */
        *n = in->raw_n - in->raw_at;
        *n = *n > in->cap - in->n ? in->cap - in->n : *n;
        memcpy(in->plain + in->n, in->raw + in->raw_at, *n);
        in->raw_at += *n;
    } else if (in->ended) {
        *n = 0;
    } else if (fill_raw(in, in->plain + in->n, in->cap - in->n, n, st)) {
        return -1;
    }
    in->n += *n;
    in->made += *n;
    return 0;
}

/* Makes room behind the bytes that are left. */
static void make_room(struct replay_input *in)
{
    if (in->at) {
        memmove(in->plain, in->plain + in->at, in->n - in->at);
        in->n -= in->at;
        in->at = 0;
    }
    if (in->cap - in->n < PLAIN / 4)
        in->plain = base_array_grow(in->plain, &in->cap, in->cap * 2, 1, "a trace's content");
}

/* --- taking ----------------------------------------------------------------------------------------- */

const unsigned char *replay_input_peek(struct replay_input *in, size_t *n, struct base_status *st)
{
    size_t more = 1;
    while (in->n - in->at < PEEK && more) {
        make_room(in);
        if (fill(in, &more, st))
            return NULL;
    }
    in->binary = memchr(in->plain + in->at, '\0', in->n - in->at) != NULL;
    *n = in->n - in->at < PEEK ? in->n - in->at : PEEK;
    return in->plain + in->at;
}

static int take_line(struct replay_input *in, size_t length, size_t skip, char **line, struct base_status *st)
{
    char *text = (char *)in->plain + in->at;
    in->at += length + skip;
    in->line++;
    text[length] = '\0';
    if (BASE_UNLIKELY(in->binary) && strlen(text) != length)
        return base_fail(st, "%s:%" PRIu32 ": a NUL byte; expected a trace in text", in->path, in->line);
    if (length && text[length - 1] == '\r')
        text[length - 1] = '\0';
    *line = text;
    return 1;
}

int replay_input_line(struct replay_input *in, char **line, struct base_status *st)
{
    for (size_t searched = 0;;) {
        unsigned char *from = in->plain + in->at;
        unsigned char *end = memchr(from + searched, '\n', in->n - in->at - searched);
        if (end)
            return take_line(in, (size_t)(end - from), 1, line, st);
        searched = in->n - in->at;
        if (searched > LONGEST)
            return base_fail(st, "%s:%" PRIu32 ": a line of more than 1 GiB", in->path, in->line + 1);
        size_t more;
        make_room(in);
        if (fill(in, &more, st))
            return -1;
        in->binary |= memchr(in->plain + in->n - more, '\0', more) != NULL;
        if (!more)
            return searched ? take_line(in, searched, 0, line, st) : 0; /* there is room for its end */
    }
}

const unsigned char *replay_input_bytes(struct replay_input *in, size_t n, struct base_status *st)
{
    while (BASE_UNLIKELY(in->n - in->at < n)) {
        size_t more;
        make_room(in);
        if (fill(in, &more, st))
            return NULL;
        if (!more) {
            base_fail(st, "%s: it ends after %" PRIu64 " bytes of content, within a trace", in->path,
                      in->made);
            return NULL;
        }
    }
    const unsigned char *bytes = in->plain + in->at;
    in->at += n;
    return bytes;
}

int replay_input_some(struct replay_input *in, const unsigned char **bytes, size_t *n, struct base_status *st)
{
    size_t more = 0;
    if (in->at == in->n) {
        make_room(in);
        if (fill(in, &more, st))
            return -1;
    }
    *bytes = in->plain + in->at;
    *n = in->n - in->at;
    in->at = in->n;
    return 0;
}
