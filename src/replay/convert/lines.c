/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines: actions as lines of time-independent traces, all of a rank together. For SMPI's replayer they are those that it
 * knows, with types always, and any source and any tag as it numbers them; a wait for a request that is not open, at
 * which it may stop, is left out, as it takes no time. Lines of our own that repeat become loops. Collectives of some of the ranks are their messages (flat.c), as lines name no
 * ranks, unless the trace's own lines were of this kind: then they stay as they were.
 */
#include "replay/convert/lines.h"

#include "p2p/p2p.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_AMOUNT 1e300 /* of a line */

static void put_text(void *to, const char *text, size_t n)
{
    replay_output_put(to, text, n);
}

/* --- messages ------------------------------------------------------------------------------------------------- */

static void message(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    bool sends = a->kind == REPLAY_SEND || a->kind == REPLAY_ISEND;
    const char *name = replay_name_of(a);
    replay_lines_begin(x, rank, x->calls ? name : replay_kind_name(a->kind));
    if (sends && !x->calls && a->number != P2P_STANDARD)
        replay_unsay(x->sink.out, name, "in standard mode");
    replay_lines_peer(x, a->peer);
    replay_lines_tag(x, a->tag);
    if (a->bytes == REPLAY_UNKNOWN_SIZE)
        base_text_add(&x->text, " -1");
    else
        replay_lines_count(x, a->bytes);
    replay_lines_number(x, REPLAY_LINES_BYTE);
    replay_lines_flush(x);
    if (a->kind == REPLAY_ISEND || a->kind == REPLAY_IRECV)
        replay_started_add(&x->open, a, rank, 0);
}

static void exchange(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    replay_lines_begin(x, rank, "sendRecv");
    replay_lines_count(x, a->bytes);
    replay_lines_peer(x, a->peer);
    replay_lines_count(x, a->bytes2);
    replay_lines_peer(x, a->peer2);
    replay_lines_number(x, REPLAY_LINES_BYTE);
    replay_lines_number(x, REPLAY_LINES_BYTE);
    replay_lines_flush(x);
}

/* A test leaves its request among the open ones, last. */
static void request(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    struct replay_started s = {a->peer, a->peer2, a->tag, 0, 0};
    size_t k = a->kind == REPLAY_WAIT_LAST ? x->open.n - 1 : replay_started_find(&x->open, a);
    if (k >= x->open.n)
        return;
    if (a->kind == REPLAY_WAIT_LAST)
        s = x->open.at[k];
    replay_lines_begin(x, rank, replay_kind_name(a->kind));
    replay_lines_peer(x, s.from);
    replay_lines_peer(x, s.to);
    replay_lines_tag(x, s.tag);
    replay_lines_flush(x);
    s = x->open.at[k];
    replay_started_take(&x->open, k);
    if (a->kind == REPLAY_TEST)
        BASE_ARRAY_PUSH(&x->open, s);
}

/* --- others ---------------------------------------------------------------------------------------------------- */

static void computation(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    double speed = x->sink.out->speed;
    bool seconds = a->kind == REPLAY_SECONDS && !x->calls;
    if (x->sink.out->blocks && a->kind != REPLAY_SLEEP) {
        replay_lines_compute(x, rank, a);
        return;
    }
    replay_lines_begin(x, rank, !seconds ? replay_kind_name(a->kind) : speed > 0 ? "compute" : "sleep");
    replay_lines_amount(x, fmin(seconds && speed > 0 ? a->amount * speed : a->amount, MOST_AMOUNT));
    if (a->kind == REPLAY_SECONDS && x->calls && a->bytes)
        replay_lines_number(x, a->bytes);
    replay_lines_flush(x);
}

/* Of computation and of hosts, as recorder.c writes it. */
static void around(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    if (!x->calls) {
        replay_unsay(x->sink.out, replay_kind_name(a->kind), "left out");
        return;
    }
    replay_lines_begin(x, rank, replay_kind_name(a->kind));
    replay_lines_number(x, a->kind == REPLAY_MOVES ? a->bytes : a->number);
    if (a->kind == REPLAY_MOVES && a->bytes2)
        replay_lines_number(x, a->bytes2);
    if (a->kind == REPLAY_PSTATE && a->peer != REPLAY_ANY)
        replay_lines_peer(x, a->peer);
    replay_lines_flush(x);
}

static void location(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    replay_lines_begin(x, rank, "location");
    base_text_format(&x->text, " %s", a->text);
    replay_lines_number(x, a->number);
    replay_lines_flush(x);
}

static void skip(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    if (a->number) {
        replay_unsay(x->sink.out, replay_name_of(a), "left out");
    } else if (strncmp(a->text, "MPI_", 4)) {
        replay_lines_begin(x, rank, a->text);
        replay_lines_flush(x);
    }
}

static void call(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    const struct record_function *f = record_function_of(a->number);
    static const int64_t none[1];
    const int64_t *words = a->n ? a->counts : none;
    replay_lines_begin(x, rank, f->name);
    size_t n = record_print_relative(f, words, a->n, x->relative, base_text_room(&x->text, 1), 0);
    record_print_relative(f, words, a->n, x->relative, base_text_room(&x->text, n), n);
    x->text.n += n;
    replay_lines_flush(x);
}

/* Of what threads do to one another, as recorder.c writes it. */
static void thread(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    bool other = a->kind == REPLAY_THREAD_WAKE || a->kind == REPLAY_THREAD_WAIT;
    if (!x->calls) {
        replay_unsay(x->sink.out, replay_kind_name(a->kind), "left out");
        return;
    }
    replay_lines_begin(x, rank, replay_kind_name(a->kind));
    if (other && a->peer != rank)
        base_text_format(&x->text, " %" PRIu32 ".%" PRIu32, a->peer, a->number);
    else if (replay_kind_fields(a->kind) & REPLAY_NUMBER && a->number)
        replay_lines_number(x, a->number);
    if (a->kind == REPLAY_THREAD_WAKE && a->tag)
        base_text_add(&x->text, " early");
    if (a->kind == REPLAY_THREAD_WAIT && a->tag)
        base_text_format(&x->text, " %s", replay_waking_name((unsigned)a->tag));
    if (a->kind == REPLAY_THREAD_TIMEOUT)
        replay_lines_amount(x, a->amount);
    replay_lines_flush(x);
}

static void source(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    replay_lines_begin(x, rank, "source");
    if (a->peer != REPLAY_ANY) {
        replay_lines_peer(x, a->peer);
        replay_lines_tag(x, a->tag);
    } else if (a->tag == REPLAY_ANY_TAG) {
        base_text_add(&x->text, " any");
    }
    replay_lines_flush(x);
}

/* Names alone; those which SMPI does not know complete some of the open requests, and it is not said which. */
static void bare(struct replay_lines *x, uint32_t rank, const struct replay_action *a)
{
    bool known = a->kind == REPLAY_INIT || a->kind == REPLAY_FINALIZE || a->kind == REPLAY_WAITALL;
    if (!known && !x->calls) {
        replay_unsay(x->sink.out, replay_name_of(a), "left out");
        return;
    }
    replay_lines_begin(x, rank, replay_kind_name(a->kind));
    replay_lines_flush(x);
    if (a->kind == REPLAY_WAITALL)
        x->open.n = 0;
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct replay_lines *x = (struct replay_lines *)(void *)s;
    switch (a->kind) {
    case REPLAY_COMPUTE:
    case REPLAY_SLEEP:
    case REPLAY_SECONDS:
        computation(x, rank, a);
        return;
    case REPLAY_MOVES:
    case REPLAY_PSTATE:
        around(x, rank, a);
        return;
    case REPLAY_LOCATION:
        location(x, rank, a);
        return;
    case REPLAY_SKIP:
        skip(x, rank, a);
        return;
    case REPLAY_SEND:
    case REPLAY_ISEND:
    case REPLAY_RECV:
    case REPLAY_IRECV:
        message(x, rank, a);
        return;
    case REPLAY_SENDRECV:
        exchange(x, rank, a);
        return;
    case REPLAY_WAIT:
    case REPLAY_TEST:
    case REPLAY_WAIT_LAST:
        request(x, rank, a);
        return;
    case REPLAY_COLLECTIVE:
    case REPLAY_ICOLLECTIVE:
        replay_lines_collective(x, rank, a);
        return;
    case REPLAY_CALL:
        call(x, rank, a);
        return;
    case REPLAY_SOURCE:
        source(x, rank, a);
        return;
    default:
        (replay_kind_is_of_threads(a->kind) ? thread : bare)(x, rank, a);
    }
}

static void end(struct replay_sink *s, uint32_t rank)
{
    struct replay_lines *x = (struct replay_lines *)(void *)s;
    (void)rank;
    replay_fold_close(x->fold);
    x->fold = NULL;
    x->open.n = 0;
}

/* What further threads do, each for itself. */
static void put_threads(struct replay_lines *x, const struct replay_tape *t)
{
    struct replay_tape *threads = replay_tape_threads(t);
    for (uint32_t place = 0; threads && place < replay_tape_ranks(threads); place++) {
        struct replay_cursor c;
        struct replay_action a = {0};
        uint32_t rank;
        replay_tape_thread_at(t, place, &rank, &x->thread);
        replay_cursor_begin(threads, place, &c);
        c.sources = true;
        while (replay_cursor_next(threads, &c, &a))
            put(&x->sink, rank, &a);
        replay_cursor_end(&c);
        end(&x->sink, rank);
    }
}

static int write_all(struct replay_lines *x, struct replay_tape *t, struct base_status *st)
{
    struct replay_flat *flat = replay_flat_create(t, &x->sink, st);
    if (!flat)
        return -1;
    base_text_init(&x->text, "a line of a trace");
    if (x->calls && !x->relative) {
        base_text_format(&x->text, REPLAY_CALLS_HEAD " %" PRIu32 "%s\n", replay_tape_initial(t),
                         replay_tape_started(t) ? ", " REPLAY_CALLS_OTHERS : "");
        x->put(x->ctx, x->text.at, x->text.n);
        x->text.n = 0;
    }
    replay_feed(t, replay_tape_guessed(t) ? &x->sink : replay_flat_sink(flat), x->calls);
    replay_flat_destroy(flat);
    if (x->calls)
        put_threads(x, t);
    base_text_release(&x->text);
    free(x->open.at);
    return 0;
}

int replay_convert_lines(struct replay_tape *t, struct replay_output *to, struct replay_conversion *out,
                         struct base_status *st)
{
    struct replay_lines x = {.sink = {.put = put, .end = end, .out = out},
                             .put = put_text,
                             .ctx = to,
                             .calls = out->to != REPLAY_TO_TI};
    return write_all(&x, t, st);
}

/* Lines of one rank after the other; who is the rank's is told behind its last line. */
struct relative {
    struct replay_lines lines; /* first */
    void (*end)(void *ctx, uint32_t rank);
};

static void end_relative(struct replay_sink *s, uint32_t rank)
{
    struct relative *x = (struct relative *)(void *)s;
    end(s, rank);
    x->end(x->lines.ctx, rank);
}

int replay_convert_relative(struct replay_tape *t, replay_fold_put text,
                            void (*rank_ends)(void *ctx, uint32_t rank), void *ctx,
                            struct replay_conversion *out, struct base_status *st)
{
    struct relative x = {.lines = {.sink = {.put = put, .end = end_relative, .out = out},
                                   .put = text,
                                   .ctx = ctx,
                                   .self = {0, replay_tape_ranks(t)},
                                   .calls = true},
                         .end = rank_ends};
    x.lines.relative = &x.lines.self;
    return write_all(&x.lines, t, st);
}
