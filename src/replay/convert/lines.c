/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines: actions as lines of time-independent traces, all of a rank together. For SMPI's replayer they are those that it
 * knows, with types always, and any source and any tag as it numbers them; a wait for a request that is not open, at
 * which it may stop, is left out, as it takes no time. Lines of our own that repeat become loops. Collectives of some of the ranks are their messages (flat.c), as lines name no
 * ranks, unless the trace's own lines were of this kind: then they stay as they were.
 */
#include "base/text.h"
#include "coll/coll.h"
#include "p2p/p2p.h"
#include "replay/convert/steps.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lines {
    struct replay_sink sink; /* first */
    replay_fold_put put;     /* where the text goes */
    void *ctx;
    const struct record_relative
        *relative; /* ranks are relative to the line's (`self`); NULL: they are not */
    struct record_relative self;
    bool calls;
    struct replay_fold *fold; /* the rank's, of calls; NULL: it has none so far */
    uint32_t rank, thread;    /* the line's; thread: from 1 */
    struct base_text text;
    struct replay_started_list open;
};

#define MOST_AMOUNT 1e300 /* of a line */
enum { SMPI_ANY_SOURCE = -555, SMPI_ANY_TAG = -444, BYTE = 6 };

enum { WINDOW = 512 }; /* lines or loops that may be a loop's two turns */

static void put_text(void *to, const char *text, size_t n)
{
    replay_output_put(to, text, n);
}

static void flush(struct lines *x)
{
    base_text_char(&x->text, '\n');
    if (x->calls && !x->fold) {
        char who[24];
        snprintf(who, sizeof who, "%.*s", (int)strcspn(x->text.at, " "), x->text.at);
        x->fold = replay_fold_create(who, WINDOW, x->put, x->ctx);
    }
    if (x->fold)
        replay_fold_line(x->fold, x->text.at, x->text.n);
    else
        x->put(x->ctx, x->text.at, x->text.n);
    x->text.n = 0;
}

static void begin(struct lines *x, uint32_t rank, const char *name)
{
    x->rank = rank;
    x->self.rank = rank;
    if (x->relative)
        base_text_char(&x->text, '-');
    else
        base_text_format(&x->text, "%" PRIu32, rank);
    if (x->thread > 1)
        base_text_format(&x->text, ".%" PRIu32, x->thread);
    base_text_format(&x->text, " %s", name);
}

static void number(struct lines *x, uint64_t value)
{
    base_text_format(&x->text, " %" PRIu64, value);
}

/* A count, which lines have up to 2^53. */
static void count(struct lines *x, uint64_t value)
{
    static const uint64_t most = UINT64_C(1) << 53;
    if (value > most)
        replay_unsay(x->sink.out, "counts above 2^53", "as 2^53");
    number(x, value < most ? value : most);
}

void replay_put_amount(struct base_text *to, double value)
{
    char text[BASE_DECIMAL];
    *base_decimal_write(text, value) = '\0';
    if (strtod(text, NULL) != value)
        snprintf(text, sizeof text, "%.17g", value);
    base_text_add(to, text);
}

static void amount(struct lines *x, double value)
{
    base_text_char(&x->text, ' ');
    replay_put_amount(&x->text, value);
}

static void peer(struct lines *x, uint32_t rank)
{
    if (rank == REPLAY_ANY)
        base_text_format(&x->text, " %d", SMPI_ANY_SOURCE);
    else if (x->relative)
        base_text_format(&x->text, " +%" PRIu32, (rank + x->self.ranks - x->rank) % x->self.ranks);
    else
        number(x, rank);
}

static void tag(struct lines *x, int32_t value)
{
    base_text_format(&x->text, " %" PRId32, value == REPLAY_ANY_TAG ? SMPI_ANY_TAG : value);
}

/* --- types ------------------------------------------------------------------------------------------------ */

/* SMPI's number of a type of that size, which sums know, too; -1: there is none. */
static int type_of(uint64_t size)
{
    switch (size) {
    case 1:
        return BYTE;
    case 2:
        return 3;
    case 4:
        return 1;
    case 8:
        return 0;
    case 16:
        return 26;
    case 32:
        return 27;
    default:
        return -1;
    }
}

/* The size of the elements in which a collective's data can be counted: its own, or a byte. */
static uint64_t element_of(const struct replay_action *a)
{
    uint64_t size = a->bytes2;
    bool whole = type_of(size) >= 0 && a->bytes % size == 0;
    for (uint32_t k = 0; whole && k < a->n; k++)
        whole = (uint64_t)a->counts[k] % size == 0;
    for (uint32_t k = 0; whole && k < a->n2; k++)
        whole = (uint64_t)a->counts2[k] % size == 0;
    return whole ? size : 1;
}

/* --- collectives --------------------------------------------------------------------------------------------- */

static void counts(struct lines *x, const int64_t *each, uint32_t n, uint64_t size)
{
    for (uint32_t k = 0; k < n; k++)
        count(x, (uint64_t)each[k] / size);
}

/* A buffer's size in front of its counts, which SMPI skips. */
static void exchange_counts(struct lines *x, const int64_t *each, uint32_t n, uint64_t size)
{
    uint64_t sum = 0;
    for (uint32_t k = 0; k < n; k++)
        sum += (uint64_t)each[k] / size;
    count(x, sum);
    counts(x, each, n, size);
}

static void put_data(struct lines *x, const struct replay_action *a, uint64_t size)
{
    uint64_t own = a->bytes / size;
    switch (a->number) {
    case COLL_GATHER:
    case COLL_SCATTER:
    case COLL_FCOLLECT:
    case COLL_ALLTOALL:
        count(x, own);
        count(x, own);
        break;
    case COLL_SCATTERV:
        counts(x, a->counts, a->n, size);
        count(x, own);
        break;
    case COLL_GATHERV:
    case COLL_ALLGATHERV:
        count(x, own);
        counts(x, a->counts, a->n, size);
        break;
    case COLL_REDUCE_SCATTER:
        counts(x, a->counts, a->n, size);
        break;
    case COLL_ALLTOALLV:
        exchange_counts(x, a->counts, a->n, size);
        exchange_counts(x, a->n2 ? a->counts2 : a->counts, a->n, size);
        break;
    default:
        count(x, own);
    }
}

static bool reduces(uint32_t op)
{
    return op == COLL_REDUCE_ROOT || op == COLL_REDUCE || op == COLL_INSCAN || op == COLL_EXSCAN ||
           op == COLL_REDUCE_SCATTER;
}

static void collective(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    enum coll_op op = (enum coll_op)a->number;
    uint64_t size = element_of(a);
    const char *name = replay_name_of(a);
    bool later = a->kind == REPLAY_ICOLLECTIVE;
    begin(x, rank, later && !x->calls ? name + 1 : name);
    if (later && !x->calls)
        replay_unsay(x->sink.out, name, "as the blocking one");
    if (op != COLL_BARRIER) {
        put_data(x, a, size);
        if (reduces(op))
            amount(x, a->amount);
        if (coll_op_is_rooted(op))
            number(x, a->peer);
        for (int types = op == COLL_BROADCAST || reduces(op) ? 1 : 2; types > 0; types--)
            number(x, (uint64_t)type_of(size));
    }
    flush(x);
    if (later && x->calls)
        replay_started_add(&x->open, a, rank, 0);
}

/* --- messages ------------------------------------------------------------------------------------------------- */

static void message(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    bool sends = a->kind == REPLAY_SEND || a->kind == REPLAY_ISEND;
    const char *name = replay_name_of(a);
    begin(x, rank, x->calls ? name : replay_kind_name(a->kind));
    if (sends && !x->calls && a->number != P2P_STANDARD)
        replay_unsay(x->sink.out, name, "in standard mode");
    peer(x, a->peer);
    tag(x, a->tag);
    if (a->bytes == REPLAY_UNKNOWN_SIZE)
        base_text_add(&x->text, " -1");
    else
        count(x, a->bytes);
    number(x, BYTE);
    flush(x);
    if (a->kind == REPLAY_ISEND || a->kind == REPLAY_IRECV)
        replay_started_add(&x->open, a, rank, 0);
}

static void exchange(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    begin(x, rank, "sendRecv");
    count(x, a->bytes);
    peer(x, a->peer);
    count(x, a->bytes2);
    peer(x, a->peer2);
    number(x, BYTE);
    number(x, BYTE);
    flush(x);
}

/* A test leaves its request among the open ones, last. */
static void request(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    struct replay_started s = {a->peer, a->peer2, a->tag, 0, 0};
    size_t k = a->kind == REPLAY_WAIT_LAST ? x->open.n - 1 : replay_started_find(&x->open, a);
    if (k >= x->open.n)
        return;
    if (a->kind == REPLAY_WAIT_LAST)
        s = x->open.at[k];
    begin(x, rank, replay_kind_name(a->kind));
    peer(x, s.from);
    peer(x, s.to);
    tag(x, s.tag);
    flush(x);
    s = x->open.at[k];
    replay_started_take(&x->open, k);
    if (a->kind == REPLAY_TEST)
        BASE_ARRAY_PUSH(&x->open, s);
}

/* --- others ---------------------------------------------------------------------------------------------------- */

static void computation(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    double speed = x->sink.out->speed;
    bool seconds = a->kind == REPLAY_SECONDS && !x->calls;
    begin(x, rank, !seconds ? replay_kind_name(a->kind) : speed > 0 ? "compute" : "sleep");
    amount(x, fmin(seconds && speed > 0 ? a->amount * speed : a->amount, MOST_AMOUNT));
    if (a->kind == REPLAY_SECONDS && x->calls && a->bytes)
        number(x, a->bytes);
    flush(x);
}

static void location(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    begin(x, rank, "location");
    base_text_format(&x->text, " %s", a->text);
    number(x, a->number);
    flush(x);
}

static void skip(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    if (a->number) {
        replay_unsay(x->sink.out, replay_name_of(a), "left out");
    } else if (strncmp(a->text, "MPI_", 4)) {
        begin(x, rank, a->text);
        flush(x);
    }
}

static void call(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    const struct record_function *f = record_function_of(a->number);
    static const int64_t none[1];
    const int64_t *words = a->n ? a->counts : none;
    begin(x, rank, f->name);
    size_t n = record_print_relative(f, words, a->n, x->relative, base_text_room(&x->text, 1), 0);
    record_print_relative(f, words, a->n, x->relative, base_text_room(&x->text, n), n);
    x->text.n += n;
    flush(x);
}

/* Of what threads do to one another, as recorder.c writes it. */
static void thread(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    bool other = a->kind == REPLAY_THREAD_WAKE || a->kind == REPLAY_THREAD_WAIT;
    if (!x->calls) {
        replay_unsay(x->sink.out, replay_kind_name(a->kind), "left out");
        return;
    }
    begin(x, rank, replay_kind_name(a->kind));
    if (other && a->peer != rank)
        base_text_format(&x->text, " %" PRIu32 ".%" PRIu32, a->peer, a->number);
    else if (replay_kind_fields(a->kind) & REPLAY_NUMBER && a->number)
        number(x, a->number);
    if (a->kind == REPLAY_THREAD_WAKE && a->tag)
        base_text_add(&x->text, " early");
    if (a->kind == REPLAY_THREAD_WAIT && a->tag)
        base_text_format(&x->text, " %s", replay_waking_name((unsigned)a->tag));
    if (a->kind == REPLAY_THREAD_TIMEOUT)
        amount(x, a->amount);
    flush(x);
}

static void source(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    begin(x, rank, "source");
    if (a->peer != REPLAY_ANY) {
        peer(x, a->peer);
        tag(x, a->tag);
    }
    flush(x);
}

/* Names alone; those which SMPI does not know complete some of the open requests, and it is not said which. */
static void bare(struct lines *x, uint32_t rank, const struct replay_action *a)
{
    bool known = a->kind == REPLAY_INIT || a->kind == REPLAY_FINALIZE || a->kind == REPLAY_WAITALL;
    if (!known && !x->calls) {
        replay_unsay(x->sink.out, replay_name_of(a), "left out");
        return;
    }
    begin(x, rank, replay_kind_name(a->kind));
    flush(x);
    if (a->kind == REPLAY_WAITALL)
        x->open.n = 0;
}

static void put(struct replay_sink *s, uint32_t rank, const struct replay_action *a)
{
    struct lines *x = (struct lines *)(void *)s;
    switch (a->kind) {
    case REPLAY_COMPUTE:
    case REPLAY_SLEEP:
    case REPLAY_SECONDS:
        computation(x, rank, a);
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
        collective(x, rank, a);
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
    struct lines *x = (struct lines *)(void *)s;
    (void)rank;
    replay_fold_close(x->fold);
    x->fold = NULL;
    x->open.n = 0;
}

/* What further threads do, each for itself. */
static void put_threads(struct lines *x, const struct replay_tape *t)
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

static int write_all(struct lines *x, struct replay_tape *t, struct base_status *st)
{
    struct replay_flat *flat = replay_flat_create(t, &x->sink, st);
    if (!flat)
        return -1;
    base_text_init(&x->text, "a line of a trace");
    if (x->calls && !x->relative) {
        base_text_format(&x->text, REPLAY_CALLS_HEAD " %" PRIu32 "\n", replay_tape_ranks(t));
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
    struct lines x = {
        .sink = {put, end, NULL, out}, .put = put_text, .ctx = to, .calls = out->to != REPLAY_TO_TI};
    return write_all(&x, t, st);
}

/* Lines of one rank after the other; who is the rank's is told behind its last line. */
struct relative {
    struct lines lines; /* first */
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
    struct relative x = {.lines = {.sink = {put, end_relative, NULL, out},
                                   .put = text,
                                   .ctx = ctx,
                                   .self = {0, replay_tape_ranks(t)},
                                   .calls = true},
                         .end = rank_ends};
    x.lines.relative = &x.lines.self;
    return write_all(&x.lines, t, st);
}
