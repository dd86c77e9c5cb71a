/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write: the writer of the compact format. Memory is that of one block; a block goes to the file when it is
 * full. An incomplete block is also written about once per second of host time and overwritten when full, so
 * a killed run loses only its last second. The final file does not depend on host time.
 *
 * Invariants
 *  W1  `end` is the current block's position in the file; everything before it is final.
 *  W2  After a failed write nothing more is written.
 */
#include "trace/stream/stream.h"
#include "trace/pgt/pgt.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

enum { LEVEL = 1, EVENTS_A_LOOK = 64 };
static const double seconds_a_write = 1, seconds_a_look = 0.05;

struct writer {
    const struct trace_about *about;
    char *path;
    int fd;
    bool created, failed, seekable;
    uint64_t end, beyond; /* bytes in the file: final, and in total */
    struct pgt_columns columns;
    struct pgt_strings *strings;
    uint32_t first_string;                      /* not yet in a final block */
    uint32_t ranks;                             /* in the head and final blocks */
    struct pgt_met met;                         /* routes */
    struct trace_buffer raw, out, index, piece; /* piece: of the recording, not yet written */
    uint64_t blocks;
    struct trace_totals totals;
    ZSTD_CCtx *zstd;
    uint32_t next_look;     /* when the block has this many events */
    double looked, written; /* host seconds */
};

/* --- the file --------------------------------------------------------------------------------------- */

static void fail(struct writer *w)
{
    base_error("trace %s: %s: events from now on are lost", w->path, strerror(errno));
    w->failed = true;
}

static void write_at_end(struct writer *w, const unsigned char *p, size_t n)
{
    if (w->failed)
        return;
    if (trace_output_write(w->fd, p, n, w->seekable ? (int64_t)w->end : -1)) {
        fail(w);
        return;
    }
    uint64_t at = w->end + n;
    /* Removes the rest of a longer block written here before. */
    if (w->seekable && at < w->beyond && ftruncate(w->fd, (off_t)at))
        fail(w);
    w->beyond = at;
}

/* Appends the bytes of `raw` to `out`. */
static struct pgt_section pack(struct writer *w)
{
    size_t room = ZSTD_compressBound(w->raw.n);
    struct pgt_section s = {(uint32_t)w->raw.n, 0};
    if (!w->raw.n)
        return s;
    unsigned char *to = trace_buffer_room(&w->out, room);
    s.packed = (uint32_t)ZSTD_compress2(w->zstd, to, room, w->raw.at, w->raw.n);
    BASE_ASSERT("W2", !ZSTD_isError(s.packed));
    w->out.n += s.packed;
    return s;
}

/* The first write. It replaces what the file held. */
static void write_head(struct writer *w)
{
    w->raw.n = w->out.n = 0;
    pgt_about_put(&w->raw, w->about);
    w->ranks = w->about->ranks;
    trace_buffer_bytes(&w->out, (unsigned char[PGT_FILE_HEAD]){0}, PGT_FILE_HEAD);
    struct pgt_section s = pack(w);
    memcpy(w->out.at, pgt_magic, sizeof pgt_magic);
    unsigned char *p = trace_put_fixed(w->out.at + sizeof pgt_magic, PGT_VERSION, 4);
    p = trace_put_fixed(trace_put_fixed(p, s.raw, 4), s.packed, 4);
    trace_put_fixed(p, pgt_sum(w->out.at, PGT_FILE_HEAD - 4), 4);
    if (w->seekable && ftruncate(w->fd, 0))
        fail(w);
    write_at_end(w, w->out.at, w->out.n);
    w->end += w->out.n;
}

/* --- blocks ----------------------------------------------------------------------------------------- */

static double floor_of(const struct writer *w)
{
    return w->about->clock ? *w->about->clock : w->columns.last;
}

/* Writes strings, routes and ranks. Returns the first string of the next block. */
static uint32_t put_more(struct writer *w)
{
    w->raw.n = 0;
    uint32_t next = pgt_strings_put(w->strings, w->first_string, &w->raw);
    trace_buffer_varint(&w->raw, w->met.fresh);
    trace_buffer_bytes(&w->raw, w->met.routes.at, w->met.routes.n);
    pgt_about_put_ranks(&w->raw, w->about, w->ranks);
    if (next == w->first_string && !w->met.fresh && w->ranks == w->about->ranks)
        w->raw.n = 0;
    return next;
}

/* Writes the block as it is at the end of the file. Returns the first string of the next one. */
static uint32_t write_block(struct writer *w, struct pgt_block *b)
{
    if (!w->end)
        write_head(w);
    w->out.n = 0;
    trace_buffer_bytes(&w->out, (unsigned char[PGT_BLOCK_HEAD]){0}, PGT_BLOCK_HEAD);
    uint32_t next = put_more(w);
    b->more = pack(w);
    w->raw.n = 0;
    pgt_columns_put(&w->columns, &w->raw);
    b->columns = pack(w);
    pgt_block_put(b, w->out.at);
    write_at_end(w, w->out.at, w->out.n);
    return next;
}

static struct pgt_block block_of(const struct writer *w)
{
    return (struct pgt_block){.magic = PGT_BLOCK,
                              .events = w->columns.events,
                              .first = w->columns.first,
                              .last = w->columns.last,
                              .floor = floor_of(w)};
}

static void note_in_index(struct writer *w, const struct pgt_block *b)
{
    trace_buffer_fixed(&w->index, w->end, 8);
    pgt_block_put(b, trace_buffer_room(&w->index, PGT_BLOCK_HEAD));
    w->index.n += PGT_BLOCK_HEAD;
    w->blocks++;
}

static void end_block(struct writer *w)
{
    struct pgt_block b = block_of(w);
    if (b.last > w->totals.end)
        w->totals.end = b.last;
    w->first_string = write_block(w, &b);
    w->ranks = w->about->ranks;
    note_in_index(w, &b);
    w->end += w->out.n;
    w->met.routes.n = w->met.fresh = 0;
    pgt_columns_clear(&w->columns);
}

/* Writes what there is of the recording. A block that is not complete, and was written there, is lost until it is
 * written again. */
static void end_piece(struct writer *w)
{
    struct pgt_block b = {.magic = PGT_RECORDING};
    if (!w->end)
        write_head(w);
    w->raw.n = w->out.n = 0;
    trace_buffer_bytes(&w->out, (unsigned char[PGT_BLOCK_HEAD]){0}, PGT_BLOCK_HEAD);
    trace_buffer_bytes(&w->raw, w->piece.at, w->piece.n);
    b.columns = pack(w);
    pgt_block_put(&b, w->out.at);
    write_at_end(w, w->out.at, w->out.n);
    note_in_index(w, &b);
    w->end += w->out.n;
    w->piece.n = 0;
}

/* --- the host's time -------------------------------------------------------------------------------- */

static double host_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* If events are rare, each one checks the host's clock. */
static void look(struct writer *w)
{
    double now = host_seconds();
    w->next_look = w->columns.events + (now - w->looked < seconds_a_look ? EVENTS_A_LOOK : 1);
    if (w->next_look > PGT_EVENTS)
        w->next_look = PGT_EVENTS;
    w->looked = now;
    if (now - w->written < seconds_a_write || !w->seekable || !w->columns.events)
        return;
    struct pgt_block b = block_of(w);
    write_block(w, &b);
    w->written = host_seconds();
}

/* --- the sink --------------------------------------------------------------------------------------- */

/* The routes that an operation takes, there and back. */
static __attribute__((noinline)) void meet_routes(struct writer *w, const struct trace_event *ev)
{
    uint32_t origin = w->about->rank_host[ev->rank], target = w->about->rank_host[ev->peer];
    if (origin == target)
        return;
    pgt_meet(&w->met, origin, target);
    if (ev->type == TRACE_GET_ISSUED || ev->type == TRACE_ATOMIC_ISSUED)
        pgt_meet(&w->met, target, origin);
}

static inline bool is_issue(enum trace_type type)
{
    return UINT64_C(1) << type & (UINT64_C(1) << TRACE_PUT_ISSUED | UINT64_C(1) << TRACE_GET_ISSUED |
                                  UINT64_C(1) << TRACE_ATOMIC_ISSUED | UINT64_C(1) << TRACE_MESSAGE_ISSUED |
                                  UINT64_C(1) << TRACE_SEND_ISSUED);
}

/* Now and then, and when the block is full. */
static __attribute__((noinline)) void take_break(struct writer *w)
{
    if (w->columns.events == PGT_EVENTS)
        end_block(w);
    look(w);
}

static void pgt_event(void *ctx, const struct trace_event *ev)
{
    struct writer *w = ctx;
    if (BASE_UNLIKELY(w->failed))
        return;
    w->totals.of_type[ev->type]++;
    if (is_issue(ev->type))
        meet_routes(w, ev);
    pgt_columns_add(&w->columns, ev);
    if (BASE_UNLIKELY(w->columns.events >= w->next_look))
        take_break(w);
}

/* The same for a call, which is mostly the same as the previous one. */
static void pgt_call(void *ctx, enum trace_type type, double time, uint32_t rank, uint32_t thread,
                     const char *call)
{
    struct writer *w = ctx;
    const struct pgt_last *e = &w->columns.of[type];
    if (BASE_UNLIKELY(w->failed || call != e->call || thread != e->thread)) {
        pgt_event(ctx, &(struct trace_event){
                           .time = time, .type = type, .rank = rank, .thread = thread, .call = call});
        return;
    }
    w->totals.of_type[type]++;
    pgt_put_tag(&w->columns, type | pgt_put_when(&w->columns, type, time, rank));
    if (BASE_UNLIKELY(w->columns.events >= w->next_look))
        take_break(w);
}

static void pgt_record(void *ctx, const void *text, size_t bytes)
{
    struct writer *w = ctx;
    const unsigned char *p = text;
    for (size_t n; bytes && !w->failed; bytes -= n, p += n) {
        n = PGT_PIECE - w->piece.n < bytes ? PGT_PIECE - w->piece.n : bytes;
        trace_buffer_bytes(&w->piece, p, n);
        if (w->piece.n == PGT_PIECE)
            end_piece(w);
    }
}

/* --- the end ---------------------------------------------------------------------------------------- */

static void put_totals(struct writer *w)
{
    w->raw.n = 0;
    trace_buffer_double(&w->raw, w->totals.end);
    trace_buffer_varint(&w->raw, TRACE_TYPES);
    for (int k = 0; k < TRACE_TYPES; k++)
        trace_buffer_varint(&w->raw, w->totals.of_type[k]);
    trace_buffer_varint(&w->raw, w->blocks);
    trace_buffer_bytes(&w->raw, w->index.at, w->index.n);
}

static void write_end(struct writer *w)
{
    struct pgt_block b = {.magic = PGT_END};
    if (w->piece.n)
        end_piece(w);
    if (w->columns.events)
        end_block(w);
    w->out.n = 0;
    trace_buffer_bytes(&w->out, (unsigned char[PGT_BLOCK_HEAD]){0}, PGT_BLOCK_HEAD);
    put_totals(w);
    b.columns = pack(w);
    pgt_block_put(&b, w->out.at);
    trace_buffer_fixed(&w->out, w->end, 8);
    trace_buffer_bytes(&w->out, pgt_tail_magic, sizeof pgt_tail_magic);
    write_at_end(w, w->out.at, w->out.n);
}

static int pgt_close(void *ctx)
{
    struct writer *w = ctx;
    bool empty = !w->end && !w->columns.events && !w->piece.n;
    if (!empty && !w->failed)
        write_end(w);
    if (empty && w->created)
        unlink(w->path);
    if (trace_output_close(w->fd) && !w->failed)
        fail(w);
    int status = w->failed ? -1 : 0;
    ZSTD_freeCCtx(w->zstd);
    pgt_columns_release(&w->columns);
    pgt_strings_destroy(w->strings);
    pgt_met_release(&w->met);
    free(w->raw.at);
    free(w->out.at);
    free(w->index.at);
    free(w->piece.at);
    free(w->path);
    free(w);
    return status;
}

int trace_pgt_open(struct trace_sink *out, const char *path, const struct trace_about *about,
                   struct base_status *st)
{
    bool created;
    struct stat file;
    int fd =
        trace_output_open(path, &created, st); /* what is there stays until there is something to write */
    if (fd < 0)
        return -1;
    if (fstat(fd, &file))
        return base_fail(st, "trace %s: %s", path, strerror(errno));
    struct writer *w = base_zalloc(sizeof *w, "a trace's writer");
    w->about = about;
    w->path = trace_output_path(path);
    w->fd = fd;
    w->created = created;
    w->seekable = S_ISREG(file.st_mode);
    w->first_string = 1;
    w->strings = pgt_strings_create(about);
    pgt_met_init(&w->met, about);
    w->zstd = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
    ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
    pgt_columns_init(&w->columns, w->strings);
    w->written = w->looked = host_seconds();
    *out = (struct trace_sink){pgt_event, pgt_close, w, pgt_call, pgt_record};
    return 0;
}
