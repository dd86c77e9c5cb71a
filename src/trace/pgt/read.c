/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * read: traces read again. The head and all blocks' heads, strings and routes are read when the file is
 * opened, from the index or, when the run was killed, from block to block; events when they are asked for.
 * Events beyond a block's floor wait for the next block.
 *
 * Invariants
 *  R1  The heads of blocks [0, blocks) are intact; `damage` says why the rest can't be read.
 *  R2  `pending` is sorted from `at` on; no event of a later block comes before those up to `ready`.
 */
#include "trace/pgt/read.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* --- pieces of the file ----------------------------------------------------------------------------- */

static bool read_at(const struct trace_file *f, uint64_t at, void *to, size_t n)
{
    unsigned char *p = to;
    if (at > f->size || n > f->size - at)
        return false;
    while (n) {
        ssize_t done = pread(f->fd, p, n, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (size_t)done;
        at += (uint64_t)done;
    }
    return true;
}

/* Reads a section into `raw`; false: damaged. Sizes are checked before memory is allocated. */
static bool read_section(struct trace_file *f, uint64_t at, struct pgt_section s, struct trace_bytes *out)
{
    f->packed.n = f->raw.n = 0;
    *out = (struct trace_bytes){NULL, NULL, false};
    if (!s.raw)
        return !s.packed;
    if (at > f->size || s.packed > f->size - at || s.raw > PGT_SECTION)
        return false;
    if (!read_at(f, at, trace_buffer_room(&f->packed, s.packed), s.packed) ||
        ZSTD_getFrameContentSize(f->packed.at, s.packed) != s.raw)
        return false;
    unsigned char *to = trace_buffer_room(&f->raw, s.raw);
    if (ZSTD_decompressDCtx(f->zstd, to, s.raw, f->packed.at, s.packed) != s.raw)
        return false;
    *out = (struct trace_bytes){to, to + s.raw, false};
    return true;
}

__attribute__((format(printf, 2, 3))) static void damaged(struct trace_file *f, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    if (!f->damage[0])
        vsnprintf(f->damage, sizeof f->damage, fmt, args);
    va_end(args);
}

/* --- opening ---------------------------------------------------------------------------------------- */

static uint32_t route(void *ctx, uint32_t from, uint32_t to, const uint32_t **links, double *latency)
{
    return pgt_route(((const struct trace_file *)ctx)->routes, from, to, links, latency);
}

static const struct trace_call *call(void *ctx, const char *name)
{
    const struct trace_file *f = ctx;
    return trace_call_in(f->calls.at, f->calls.n, name);
}

bool trace_file_is(const unsigned char *head)
{
    return !memcmp(head, pgt_magic, sizeof pgt_magic);
}

static int read_head(struct trace_file *f, const char *path, struct base_status *st)
{
    unsigned char head[PGT_FILE_HEAD];
    struct trace_bytes b = {head + sizeof pgt_magic, head + sizeof head, false};
    if (!read_at(f, 0, head, sizeof head) || memcmp(head, pgt_magic, sizeof pgt_magic) != 0)
        return base_fail(st, "%s: not a pgasim trace (.pgt)", path);
    f->version = (uint32_t)trace_get_fixed(&b, 4);
    if (f->version < PGT_VERSION_LEAST || f->version > PGT_VERSION)
        return base_fail(st, "%s: a trace of format version %u; this pgasim reads versions %d to %d", path,
                         f->version, PGT_VERSION_LEAST, PGT_VERSION);
    struct pgt_section s;
    s.raw = (uint32_t)trace_get_fixed(&b, 4);
    s.packed = (uint32_t)trace_get_fixed(&b, 4);
    bool sane = trace_get_fixed(&b, 4) == pgt_sum(head, sizeof head - 4);
    if (!sane || !read_section(f, sizeof head, s, &b) || !(f->about = pgt_about_get(&b)))
        return base_fail(st, "%s: the trace's head is damaged", path);
    f->blocks_at = sizeof head + s.packed;
    struct trace_about *about = pgt_about_of(f->about);
    f->routes = pgt_routes_create(about);
    about->route = route;
    about->call = f->version < 2 ? NULL : call;
    about->ctx = f;
    return 0;
}

/* What a string stands for. */
static bool add_call(struct trace_file *f, const char *name, struct trace_bytes *b)
{
    uint8_t kind = (uint8_t)trace_get_within(b, TRACE_KINDS - 1);
    const struct trace_call is = {name, kind, (uint8_t)trace_get_within(b, TRACE_AWAITEDS - 1)};
    if (is.kind)
        BASE_ARRAY_PUSH(&f->calls, is);
    return !b->bad;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct trace_call *)a)->name, ((const struct trace_call *)b)->name);
}

static bool add_string(struct trace_file *f, struct trace_bytes *b)
{
    uint64_t n = trace_get_varint(b);
    if (b->bad || n > trace_bytes_left(b) || memchr(b->at, 0, n))
        return false;
    char *text = base_alloc(n + 1, "texts of a trace");
    memcpy(text, b->at, n);
    text[n] = 0;
    b->at += n;
    const char *item = text;
    BASE_ARRAY_PUSH(&f->strings, item);
    return f->version < 2 || add_call(f, text, b);
}

/* The strings and routes that a block adds. */
static bool add_more(struct trace_file *f, const struct pgt_place *p)
{
    struct trace_bytes b;
    if (!p->block.more.raw)
        return true;
    if (!read_section(f, p->at + PGT_BLOCK_HEAD, p->block.more, &b))
        return false;
    uint64_t n = trace_get_varint(&b);
    for (uint64_t k = 0; k < n; k++)
        if (!add_string(f, &b))
            return false;
    pgt_routes_get(f->routes, &b);
    if (f->version >= 9)
        pgt_about_get_ranks(f->about, &b);
    return !b.bad && b.at == b.end;
}

static uint64_t end_of(const struct pgt_place *p)
{
    return p->at + PGT_BLOCK_HEAD + p->block.more.packed + p->block.columns.packed;
}

/* Adds a block to the index. */
static void add_block(struct trace_file *f, struct pgt_place p)
{
    if (f->damage[0])
        return;
    if (end_of(&p) > f->size)
        damaged(f, "the file ends within block %zu", f->blocks.n + 1);
    else if (p.block.magic == PGT_RECORDING)
        BASE_ARRAY_PUSH(&f->pieces, p);
    else if (!add_more(f, &p))
        damaged(f, "block %zu is damaged", f->blocks.n + 1);
    else {
        p.strings = (uint32_t)f->strings.n;
        BASE_ARRAY_PUSH(&f->blocks, p);
    }
}

static bool get_totals(struct trace_file *f, struct trace_bytes *b)
{
    struct trace_totals t = {.known = true, .end = trace_get_double(b)};
    uint64_t types = trace_get_within(b, TRACE_TYPES);
    if (!(t.end >= 0) || isinf(t.end))
        return false;
    for (uint64_t k = 0; k < types; k++)
        t.events += t.of_type[k] = trace_get_varint(b);
    if (!b->bad)
        f->totals = t;
    return !b->bad;
}

/* The end, if the file has one: totals, and places of all blocks. */
static bool read_end(struct trace_file *f)
{
    unsigned char tail[PGT_TAIL], head[PGT_BLOCK_HEAD];
    struct trace_bytes b = {tail, tail + 8, false};
    struct pgt_block end;
    if (f->size < PGT_TAIL || !read_at(f, f->size - PGT_TAIL, tail, sizeof tail) ||
        memcmp(tail + 8, pgt_tail_magic, sizeof pgt_tail_magic) != 0)
        return false;
    uint64_t at = trace_get_fixed(&b, 8);
    if (!read_at(f, at, head, sizeof head) || !pgt_block_get(&end, head) || end.magic != PGT_END ||
        !read_section(f, at + sizeof head, end.columns, &b) || !get_totals(f, &b))
        return false;
    uint64_t n = trace_get_varint(&b);
    if (b.bad || n > f->size / PGT_BLOCK_HEAD || n * (8 + PGT_BLOCK_HEAD) != trace_bytes_left(&b))
        return false;
    trace_buffer_bytes(&f->index, b.at, trace_bytes_left(&b));
    return true;
}

static void use_index(struct trace_file *f)
{
    struct trace_bytes b = {f->index.at, f->index.at + f->index.n, false};
    while (trace_bytes_left(&b)) {
        struct pgt_place p = {.at = trace_get_fixed(&b, 8)};
        if (!pgt_block_get(&p.block, b.at) || p.at > f->size)
            damaged(f, "the index is damaged");
        b.at += PGT_BLOCK_HEAD;
        add_block(f, p);
    }
}

/* Without an index: reads the blocks one after another as far as possible. */
static void walk_blocks(struct trace_file *f)
{
    struct pgt_place p = {.at = f->blocks_at};
    while (!f->damage[0] && p.at < f->size) {
        unsigned char head[PGT_BLOCK_HEAD];
        if (!read_at(f, p.at, head, sizeof head))
            damaged(f, "the file ends within the head of block %zu", f->blocks.n + 1);
        else if (!pgt_block_get(&p.block, head))
            damaged(f, "the head of block %zu is damaged", f->blocks.n + 1);
        else if (p.block.magic == PGT_END)
            damaged(f, "the end is damaged");
        else
            add_block(f, p);
        p.at = end_of(&p);
    }
    damaged(f, "the trace has no end: its run was killed or is still going on");
}

int trace_file_open(struct trace_file **out, const char *path, struct base_status *st)
{
    struct stat s;
    struct trace_file *f = base_zalloc(sizeof *f, "a trace's reader");
    const char *null = NULL;
    BASE_ARRAY_PUSH(&f->strings, null);
    f->zstd = ZSTD_createDCtx();
    f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a pipe without a writer opens, too */
    if (f->fd < 0 || fstat(f->fd, &s)) {
        base_open_failed(path);
        base_fail(st, "%s: %s", path, strerror(errno));
        trace_file_close(f);
        return -1;
    }
    f->size = S_ISREG(s.st_mode) ? (uint64_t)s.st_size : 0;
    if (read_head(f, path, st)) {
        trace_file_close(f);
        return -1;
    }
    if (read_end(f))
        use_index(f);
    else
        walk_blocks(f);
    if (f->calls.n)
        qsort(f->calls.at, f->calls.n, sizeof *f->calls.at, by_name);
    *out = f;
    return 0;
}

void trace_file_close(struct trace_file *f)
{
    for (size_t k = 1; k < f->strings.n; k++)
        free((void *)(uintptr_t)f->strings.at[k]);
    if (f->fd >= 0)
        close(f->fd);
    ZSTD_freeDCtx(f->zstd);
    pgt_routes_destroy(f->routes);
    pgt_about_destroy(f->about);
    pgt_pending_release(&f->pending);
    free(f->strings.at);
    free(f->calls.at);
    free(f->blocks.at);
    free(f->pieces.at);
    free(f->index.at);
    free(f->packed.at);
    free(f->raw.at);
    free(f);
}

const struct trace_about *trace_file_about(const struct trace_file *f)
{
    return pgt_about_of(f->about);
}

/* --- events ----------------------------------------------------------------------------------------- */

/* Adds the next block's events to `pending`. false: there is none or it can't be read; then the pending
 * events are the last. */
static bool load_block(struct trace_file *f)
{
    struct trace_bytes b;
    int64_t *values;
    if (f->next_block == f->blocks.n || f->stopped)
        return false;
    const struct pgt_place *p = &f->blocks.at[f->next_block++];
    const struct pgt_limits limits = {f->version, pgt_about_of(f->about)->ranks, p->strings, f->strings.at};
    struct trace_event *room = pgt_pending_room(&f->pending, p->block.events);
    if (!read_section(f, p->at + PGT_BLOCK_HEAD + p->block.more.packed, p->block.columns, &b) ||
        !pgt_columns_get(&b, p->block.events, &limits, room, &values)) {
        f->stopped = true;
        f->damage[0] = 0;
        damaged(f, "block %zu is damaged", f->next_block);
        return false;
    }
    pgt_pending_add(&f->pending, p->block.events, p->block.floor, values);
    return true;
}

const unsigned char *trace_file_recording(struct trace_file *f, size_t *bytes, bool *wrong,
                                          struct base_status *st)
{
    struct trace_bytes b;
    *wrong = false;
    if (f->next_piece == f->pieces.n) {
        *wrong = f->damage[0] && base_fail(st, "%s", f->damage);
        return NULL;
    }
    const struct pgt_place *p = &f->pieces.at[f->next_piece++];
    if (!read_section(f, p->at + PGT_BLOCK_HEAD, p->block.columns, &b)) {
        *wrong = base_fail(st, "piece %zu of the recording is damaged", f->next_piece);
        return NULL;
    }
    *bytes = trace_bytes_left(&b);
    return b.at;
}

static void count(struct trace_file *f, const struct trace_event *ev)
{
    if (f->totals.known)
        return;
    f->totals.events++;
    f->totals.of_type[ev->type]++;
    if (ev->time > f->totals.end)
        f->totals.end = ev->time;
}

bool trace_file_next(struct trace_file *f, struct trace_event *ev)
{
    while (!pgt_pending_take(&f->pending, ev))
        if (!load_block(f) && !pgt_pending_all(&f->pending))
            return false;
    count(f, ev);
    return true;
}

void trace_file_seek(struct trace_file *f, double time)
{
    struct trace_event ev;
    size_t k = 0;
    while (k < f->blocks.n && f->blocks.at[k].block.last < time)
        k++;
    f->next_block = k;
    f->stopped = false;
    pgt_pending_clear(&f->pending);
    do {
        while (!pgt_pending_peek(&f->pending, &ev))
            if (!load_block(f) && !pgt_pending_all(&f->pending))
                return;
    } while (ev.time < time && pgt_pending_take(&f->pending, &ev));
}

const char *trace_file_damage(const struct trace_file *f)
{
    return f->damage[0] ? f->damage : NULL;
}

struct trace_totals trace_file_totals(const struct trace_file *f)
{
    return f->totals;
}
