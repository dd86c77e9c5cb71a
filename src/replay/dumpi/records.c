/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * records: a rank's file. Its records begin with the number of the call, which of the following they have, the thread,
 * times by the clocks of the CPU and of the wall, counters of the hardware; then come the fields. Times are seconds of 16
 * bits since a bias, and nanoseconds.
 */
#include "replay/dumpi/reader.h"

#include <inttypes.h>
#include <stdlib.h>

enum { STATUSES = 3, CPU = 1 << 2, WALL = 1 << 3, THREAD = 1 << 6, COUNTERS = 1 << 7 };
/* Numbers behind those of calls: none of a record, begin and end of one of the program's functions, no more records. */
enum { NO_CALL = REPLAY_DUMPI_CALLS, ENTER, LEAVE, NO_MORE };

struct clock {
    int64_t bias; /* seconds */
    bool begun;
    int64_t seconds; /* of the last begin of a call, since the bias */
};
/* When a call was, in nanoseconds since the biases. */
struct times {
    bool known, wall;
    int64_t begin, end;
};
struct file {
    struct replay_dumpi_rank x;
    struct replay_dumpi_bytes b;
    struct replay_dumpi_index index;
    const char *path;
    struct clock cpu, wall;
    int64_t base; /* of TIMES, in seconds */
    bool busy;    /* there was a call */
    int64_t end;  /* of the calls so far */
};

/* --- parts of the file ------------------------------------------------------------------------------------ */

static int read_version(const char *path, uint64_t at, uint32_t *version, struct base_status *st)
{
    struct replay_dumpi_bytes b;
    uint64_t bits = 0;
    if (replay_dumpi_open(&b, path, at, st))
        return -1;
    int rc = 0;
    for (int k = 0; k < 3 && !rc; k++) {
        uint64_t part = 0;
        rc = replay_dumpi_number(&b, 1, &part, st);
        bits = bits << 8 | part;
    }
    replay_dumpi_close(&b);
    *version = (uint32_t)bits;
    return rc;
}

static int read_sizes(struct replay_dumpi_rank *x, const char *path, uint64_t at, struct base_status *st)
{
    struct replay_dumpi_bytes b;
    uint64_t n = 0, size = 0;
    if (!at)
        return 0;
    if (replay_dumpi_open(&b, path, at, st))
        return -1;
    int rc = replay_dumpi_number(&b, 4, &n, st);
    for (; n > 0 && !rc; n--) {
        rc = replay_dumpi_number(&b, 4, &size, st);
        BASE_ARRAY_PUSH(&x->sizes, (int32_t)size);
    }
    replay_dumpi_close(&b);
    return rc;
}

/* Calls that the tracer was told to leave out are counted. */
static int put_left_out(struct replay_dumpi_rank *x, struct replay_dumpi_bytes *b, struct base_status *st)
{
    uint64_t magic = 0, n;
    if (replay_dumpi_number(b, 8, &magic, st))
        return -1;
    if (magic != 0xf007fee7)
        return base_fail(st, "%s: byte %" PRIu64 ": expected the footer of a trace of DUMPI",
                         replay_input_path(b->in), b->at - 8);
    if (replay_dumpi_skip(b, (REPLAY_DUMPI_CALLS + 1) * 4, st))
        return -1;
    for (uint32_t call = 0; call < REPLAY_DUMPI_CALLS; call++) {
        if (replay_dumpi_number(b, 4, &n, st))
            return -1;
        if (!n || x->layouts->of[call].how == REPLAY_DUMPI_LOCAL)
            continue;
        char *what =
            base_strfmt("%" PRIu64 " calls of %s that are not in the trace", n, x->layouts->of[call].name);
        replay_dumpi_put_skip(x, what, true);
        free(what);
    }
    return 0;
}

static int read_footer(struct file *f, struct base_status *st)
{
    struct replay_dumpi_bytes b;
    if (!f->index.footer)
        return 0;
    if (replay_dumpi_open(&b, f->path, f->index.footer, st))
        return -1;
    int rc = put_left_out(&f->x, &b, st);
    replay_dumpi_close(&b);
    return rc;
}

/* --- times ------------------------------------------------------------------------------------------------ */

/* Seconds of 16 bits begin again at 0 after 18 hours. */
static int64_t unwrapped(int64_t seconds, const struct clock *c)
{
    enum { PERIOD = 1 << 16 };
    int64_t since = ((seconds - c->seconds) % PERIOD + PERIOD) % PERIOD;
    return !c->begun ? seconds : c->seconds + (since < PERIOD / 2 ? since : since - PERIOD);
}

static int read_moment(struct file *f, const struct clock *c, int64_t *out, struct base_status *st)
{
    enum { SECOND = 1000000000 };
    uint64_t seconds, ns;
    if (replay_dumpi_number(&f->b, 2, &seconds, st) || replay_dumpi_number(&f->b, 4, &ns, st))
        return -1;
    if (ns >= SECOND)
        return base_fail(st, "%s: byte %" PRIu64 ": %" PRIu64 " ns; expected less than a second", f->path,
                         f->b.at - 4, ns);
    *out = unwrapped((int64_t)seconds, c) * SECOND + (int64_t)ns;
    return 0;
}

static int read_clock(struct file *f, struct clock *c, struct times *t, struct base_status *st)
{
    if (read_moment(f, c, &t->begin, st))
        return -1;
    c->seconds = t->begin / 1000000000;
    c->begun = true;
    if (read_moment(f, c, &t->end, st))
        return -1;
    t->known = true;
    t->wall = c == &f->wall;
    return t->begin <= t->end
               ? 0
               : base_fail(st, "%s: byte %" PRIu64 ": a call ends before it begins", f->path, f->b.at - 12);
}

/* The wall's time counts, if it is there. */
static int read_times(struct file *f, unsigned mask, struct times *t, struct base_status *st)
{
    *t = (struct times){.known = false};
    if (mask & CPU && read_clock(f, &f->cpu, t, st))
        return -1;
    return mask & WALL ? read_clock(f, &f->wall, t, st) : 0;
}

/* What the rank computed since its last call, and when this one was. */
static void put_times(struct file *f, const struct times *t)
{
    struct replay_dumpi_rank *x = &f->x;
    if (!t->known)
        return;
    if (f->busy && t->begin > f->end)
        replay_tape_write(x->tape, x->rank,
                          &(struct replay_action){.kind = REPLAY_SECONDS,
                                                  .line = x->call,
                                                  .amount = (double)(t->begin - f->end) / 1e9});
    f->end = f->busy && f->end > t->end ? f->end : t->end;
    f->busy = true;
    x->timed = t->wall && replay_tape_keeps_times(x->tape);
    x->times = (struct replay_action){.kind = REPLAY_TIMES,
                                      .line = x->call,
                                      .amount = (double)(f->wall.bias - f->base) * 1e9 + (double)t->begin,
                                      .bytes = (uint64_t)(t->end - t->begin)};
}

/* --- records ------------------------------------------------------------------------------------------------ */

static int skip_counters(struct replay_dumpi_bytes *b, struct base_status *st)
{
    uint64_t n;
    return replay_dumpi_number(b, 1, &n, st) || replay_dumpi_skip(b, n * 2 * 8, st) ? -1 : 0;
}

static int put_call(struct file *f, const struct times *t, struct base_status *st)
{
    struct replay_dumpi_rank *x = &f->x;
    const struct replay_dumpi_layout *l = x->record.layout;
    struct base_status why;
    const char *skipped = NULL;
    x->timed = false;
    put_times(f, t);
    switch (l->how) {
    case REPLAY_DUMPI_PLAYED:
        if (replay_dumpi_call(x, &skipped, &why))
            return base_fail(st, "%s: call %" PRIu32 ", %s: %.300s", f->path, x->call, l->name, why.text);
        if (skipped)
            replay_dumpi_put_skip(x, skipped, true);
        return 0;
    case REPLAY_DUMPI_A_TYPE:
        replay_dumpi_new_type(x);
        break;
    case REPLAY_DUMPI_LOCAL:
        if (replay_dumpi_learn(x, &why))
            return base_fail(st, "%s: call %" PRIu32 ", %s: %.300s", f->path, x->call, l->name, why.text);
        break;
    case REPLAY_DUMPI_SKIPPED:
        break;
    }
    replay_dumpi_put_skip(x, l->name, l->how == REPLAY_DUMPI_SKIPPED);
    return 0;
}

static int read_record(struct file *f, uint64_t number, struct base_status *st)
{
    uint64_t mask;
    struct times t;
    bool known = number < REPLAY_DUMPI_CALLS && !f->x.layouts->of[number].unknown;
    if (!known && number != ENTER && number != LEAVE)
        return base_fail(st, "%s: byte %" PRIu64 ": a record of call number %" PRIu64 ", which there is not",
                         f->path, f->b.at - 2, number);
    if (replay_dumpi_number(&f->b, 1, &mask, st) || (mask & THREAD && replay_dumpi_skip(&f->b, 2, st)) ||
        read_times(f, (unsigned)mask, &t, st) || (mask & COUNTERS && skip_counters(&f->b, st)))
        return -1;
    if (!known)
        return replay_dumpi_skip(&f->b, 8, st); /* the function's address */
    if (f->x.call == UINT32_MAX)
        return base_fail(st, "%s: more than %" PRIu32 " calls", f->path, UINT32_MAX);
    f->x.call++;
    if (replay_dumpi_fields(&f->x.record, f->x.layouts, (uint32_t)number, mask & STATUSES, &f->b, st))
        return -1;
    return put_call(f, &t, st);
}

static int read_records(struct file *f, struct base_status *st)
{
    for (;;) {
        uint64_t number;
        if (replay_dumpi_number(&f->b, 2, &number, st))
            return -1;
        if (number == NO_MORE)
            break;
        if (read_record(f, number, st))
            return -1;
    }
    if (f->b.at != f->index.header)
        return base_fail(
            st, "%s: its records end at byte %" PRIu64 "; expected byte %" PRIu64 ", where the header begins",
            f->path, f->b.at, f->index.header);
    return 0;
}

static int read_body(struct file *f, int64_t *base, struct base_status *st)
{
    uint64_t cpu = 0, wall = 0;
    if (replay_dumpi_number(&f->b, 4, &cpu, st) || replay_dumpi_number(&f->b, 4, &wall, st))
        return -1;
    f->cpu.bias = (int64_t)cpu;
    f->wall.bias = (int64_t)wall;
    *base = *base ? *base : f->wall.bias;
    f->base = *base;
    return read_records(f, st) || read_footer(f, st) ? -1 : 0;
}

int replay_dumpi_file(struct replay_tape *t, const char *path, uint32_t rank, uint32_t ranks, int64_t *base,
                      struct replay_dumpi_layouts *layouts, struct base_status *st)
{
    struct file f = {.path = path, .x = {.tape = t, .rank = rank, .ranks = ranks, .layouts = layouts}};
    uint32_t version;
    if (replay_dumpi_index(path, &f.index, st) || read_version(path, f.index.header, &version, st))
        return -1;
    if (version != layouts->version)
        replay_dumpi_layouts(layouts, version);
    replay_dumpi_objects_begin(&f.x);
    int rc = read_sizes(&f.x, path, f.index.sizes, st);
    rc = rc ? rc : replay_dumpi_open(&f.b, path, f.index.body, st);
    rc = rc ? rc : read_body(&f, base, st);
    replay_dumpi_close(&f.b);
    replay_dumpi_objects_end(&f.x);
    return rc;
}
