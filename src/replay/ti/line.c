/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line: "rank action arguments", by the shape of each action's arguments (numbers.c reads these).
 */
#include "replay/ti/line.h"

#include "coll/coll.h"
#include "p2p/p2p.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum shape {
    NOTHING,
    INIT,       /* [x] */
    AMOUNT,     /* flops, or seconds and a count */
    LOCATION,   /* file line */
    REPEAT,     /* times */
    END,        /* nothing */
    SOURCE,     /* src tag, or nothing */
    THREAD,     /* what threads do to one another (threads.c) */
    MESSAGE,    /* peer tag count [type]; before 3.20: peer count [type] */
    EXCHANGE,   /* scount dst rcount src [stype rtype] */
    REQUEST,    /* src dst tag; before 3.20: nothing */
    BARRIER,    /* nothing */
    BROADCAST,  /* count [root [type]] */
    REDUCE,     /* count flops [root [type]] */
    ALLREDUCE,  /* count flops [type] */
    ROOTED,     /* scount rcount [root stype rtype] */
    UNROOTED,   /* scount rcount [stype rtype] */
    GATHERV,    /* scount r1 ... rN [root stype rtype] */
    ALLGATHERV, /* scount r1 ... rN [stype rtype] [disp1 ... dispN] */
    SCATTERV,   /* s1 ... sN rcount [root stype rtype] */
    ALLTOALLV,  /* sbuf s1 ... sN rbuf r1 ... rN [stype rtype] */
    SCATTERED,  /* r1 ... rN flops [type] */
};

/* A persistent request is started: with this rank as destination it is a receive, from a source that is not said. */
enum { STARTED = UINT8_MAX };

struct name {
    const char *name;
    enum shape shape;
    enum replay_kind kind;
    uint32_t number;
};
static const struct name names[] = {
#define NAME(name, shape, KIND, number) {name, shape, REPLAY_##KIND, number},
#include "replay/ti/names.def"
#undef NAME
};

void replay_ti_reader_init(struct replay_ti_reader *x, uint32_t ranks, bool old)
{
    *x = (struct replay_ti_reader){.ranks = ranks, .old = old};
    x->doubles = base_zalloc(ranks ? ranks : 1, "ranks of a trace");
}

void replay_ti_reader_release(struct replay_ti_reader *x)
{
    free(x->doubles);
    free(x->words.at);
    free(x->counts.at);
    record_words_release(&x->call);
}

/* --- words ------------------------------------------------------------------------------------------ */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void cut(struct replay_ti_reader *x, char *line)
{
    x->words.n = 0;
    for (char *p = line; *p;) {
        if (is_blank(*p)) {
            *p++ = '\0';
            continue;
        }
        BASE_ARRAY_PUSH(&x->words, p);
        while (*p && !is_blank(*p))
            p++;
    }
}

static bool begins(const char *line)
{
    while (is_blank(*line))
        line++;
    return *line && *line != '#';
}

bool replay_ti_rank_of(const char *line, uint32_t *rank)
{
    while (is_blank(*line))
        line++;
    uint32_t thread;
    return replay_ti_who(line, rank, &thread);
}

/* Names differ in case between versions. They are found by a hash of their letters. */
enum { PLACES = 256 };
static unsigned place_of(const char *word)
{
    unsigned hash = 0;
    for (; *word; word++)
        hash = hash * 31 + (*word | 0x20U);
    return (hash ^ hash >> 8) % PLACES;
}

static const struct name *name_of(const char *word)
{
    static unsigned char places[PLACES]; /* index + 1; the next free place where two meet */
    if (!places[place_of(names[0].name)])
        for (size_t k = 0; k < BASE_LENGTH(names); k++) {
            unsigned at = place_of(names[k].name);
            while (places[at])
                at = (at + 1) % PLACES;
            places[at] = (unsigned char)(k + 1);
        }
    for (unsigned at = place_of(word); places[at]; at = (at + 1) % PLACES)
        if (!strcasecmp(names[places[at] - 1].name, word))
            return &names[places[at] - 1];
    return NULL;
}

enum replay_ti_version replay_ti_version_of(const char *line)
{
    static const char *const cased[] = {"Isend",      "Irecv",         "waitAll", "allReduce",
                                        "allToAll",   "allToAllV",     "gatherV", "allGather",
                                        "allGatherV", "reduceScatter", "bCast"};
    char word[4][24] = {""};
    int n = sscanf(line, "%*s %23s %23s %23s %23s", word[0], word[1], word[2], word[3]);
    if (n < 1)
        return REPLAY_TI_EITHER;
    for (size_t k = 0; k < BASE_LENGTH(cased); k++)
        if (!strcmp(cased[k], word[0]))
            return REPLAY_TI_OLD;
    const struct name *name = name_of(word[0]);
    if (name && name->shape == REQUEST)
        return n == 1 ? REPLAY_TI_OLD : REPLAY_TI_NEW;
    if (name && name->shape == MESSAGE && n == 3)
        return REPLAY_TI_OLD;
    return REPLAY_TI_EITHER;
}

/* --- shapes ----------------------------------------------------------------------------------------- */

static int read_location(struct replay_ti_reader *x, struct base_status *st)
{
    int64_t line;
    if (!(x->action.text = replay_ti_word(x, 2)))
        return base_fail(st, "location: the file is missing");
    if (replay_ti_whole(x, 3, "a line", 0, INT32_MAX, &line, st))
        return -1;
    x->action.number = (uint32_t)line;
    return 0;
}

static int read_repeat(struct replay_ti_reader *x, struct base_status *st)
{
    int64_t times;
    if (replay_ti_whole(x, 2, "a number of times", 1, UINT32_MAX, &times, st))
        return -1;
    x->action.number = (uint32_t)times;
    return 0;
}

static int read_message(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    bool receive = a->kind == REPLAY_RECV || a->kind == REPLAY_IRECV;
    bool started = !receive && a->number == STARTED;
    size_t k = 3;
    int64_t count;
    uint64_t size;
    a->tag = 0;
    if (replay_ti_rank(x, 2, receive ? "a source" : "a destination", receive, &a->peer, st) ||
        (!x->old && replay_ti_tag(x, k++, &a->tag, st)))
        return -1;
    if (!receive && a->tag == REPLAY_ANY_TAG)
        return base_fail(st, "%s %s: expected a tag of 0 or more", x->words.at[1], x->words.at[3]);
    if (x->old && receive && k >= x->words.n) { /* the oldest traces leave it out */
        a->bytes = REPLAY_UNKNOWN_SIZE;
        return 0;
    }
    if (replay_ti_whole(x, k, "a count", receive ? -0x1p53 : 0, 0x1p53, &count, st) ||
        replay_ti_type(x, k + 1, &size, st))
        return -1;
    a->bytes = count < 0 ? REPLAY_UNKNOWN_SIZE : (uint64_t)count * size;
    if (started)
        a->number = P2P_STANDARD;
    if (started && a->peer == x->rank) {
        a->kind = REPLAY_IRECV;
        a->peer = REPLAY_ANY;
    }
    return 0;
}

static int read_exchange(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    return replay_ti_data(x, 2, 6, &a->bytes, st) ||
                   replay_ti_rank(x, 3, "a destination", false, &a->peer, st) ||
                   replay_ti_data(x, 4, 7, &a->bytes2, st) ||
                   replay_ti_rank(x, 5, "a source", true, &a->peer2, st)
               ? -1
               : 0;
}

static int read_request(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    if (x->old && x->words.n == 2 && a->kind == REPLAY_WAIT) {
        a->kind = REPLAY_WAIT_LAST;
        return 0;
    }
    if (x->old && x->words.n == 2) {
        a->kind = REPLAY_TESTANY;
        return 0;
    }
    return replay_ti_rank(x, 2, "a sender", true, &a->peer, st) ||
                   replay_ti_rank(x, 3, "a receiver", true, &a->peer2, st) || replay_ti_tag(x, 4, &a->tag, st)
               ? -1
               : 0;
}

/* One part of what a collective moves: the larger of what the line says is sent and received. Where the data is in
 * place, one of them is 0. */
static int read_parts(struct replay_ti_reader *x, size_t types, struct base_status *st)
{
    uint64_t sent, received;
    struct replay_action *a = &x->action;
    if (replay_ti_data(x, 2, types, &sent, st) || replay_ti_data(x, 3, types + 1, &received, st) ||
        replay_ti_type(x, types, &a->bytes2, st))
        return -1;
    a->bytes = a->number == COLL_SCATTER ? received : sent;
    if (!a->bytes)
        a->bytes = a->number == COLL_SCATTER ? sent : received;
    return 0;
}

static int read_reduction(struct replay_ti_reader *x, size_t type, struct base_status *st)
{
    struct replay_action *a = &x->action;
    return replay_ti_data(x, 2, type, &a->bytes, st) || replay_ti_amount(x, 3, "an amount of flops", st) ||
                   replay_ti_type(x, type, &a->bytes2, st)
               ? -1
               : 0;
}

/* Types stand directly behind the counts, or not at all if displacements do. */
static size_t types_of_allgatherv(const struct replay_ti_reader *x, uint32_t members)
{
    size_t behind = 3 + (size_t)members, n = x->words.n;
    return n > behind + 2 && n <= behind + members ? n : behind;
}

/* Of how many ranks a line has counts: of all, if what may be left out behind them is there or is not, or if there are
 * displacements; else of as many as there are words for, beside what may be left out, which SMPI's tracer writes. */
static uint32_t members_of(const struct replay_ti_reader *x, enum shape shape)
{
    static const struct {
        unsigned char needed, optional; /* words beside the counts */
    } others[] = {[GATHERV] = {3, 3},
                  [ALLGATHERV] = {3, 2},
                  [SCATTERV] = {3, 3},
                  [ALLTOALLV] = {4, 2},
                  [SCATTERED] = {3, 1}};
    size_t lists = shape == ALLTOALLV ? 2 : 1, words = x->words.n,
           least = lists * x->ranks + others[shape].needed;
    size_t beside = (size_t)others[shape].needed + others[shape].optional;
    if (words == least || words >= least + others[shape].optional || words < beside + lists)
        return x->ranks;
    return (uint32_t)((words - beside) / lists);
}

static int read_v(struct replay_ti_reader *x, enum shape shape, struct base_status *st)
{
    struct replay_action *a = &x->action;
    uint32_t n = members_of(x, shape);
    size_t first = shape == SCATTERV || shape == SCATTERED ? 2 : 3, own = 0, types = first + n;
    bool receives = shape == GATHERV || shape == ALLGATHERV;
    a->bytes = 0;
    switch (shape) {
    case GATHERV:
        own = 2;
        types++;
        break;
    case ALLGATHERV:
        own = 2;
        types = types_of_allgatherv(x, n);
        break;
    case SCATTERV:
        own = n + 2;
        types += 2;
        break;
    case SCATTERED:
        types++;
        break;
    default:
        types += n + 1;
        break;
    }
    if (replay_ti_counts(x, first, n, types + receives, st) ||
        (shape == ALLTOALLV && replay_ti_counts(x, n + 4, n, types + 1, st)) ||
        (own && replay_ti_data(x, own, types + (shape == SCATTERV), &a->bytes, st)) ||
        replay_ti_type(x, types, &a->bytes2, st))
        return -1;
    replay_ti_use_counts(x, n);
    if (shape == GATHERV || shape == SCATTERV)
        return replay_ti_root(x, n + 3, &a->peer, st);
    return shape == SCATTERED ? replay_ti_amount(x, n + 2, "an amount of flops", st) : 0;
}

static int read_amount(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    int64_t counted = 0;
    if (replay_ti_choose(x, 2, st) || replay_ti_choose(x, 3, st))
        return -1;
    if (a->kind == REPLAY_SECONDS && x->words.n > 3 &&
        replay_ti_whole(x, 3, "a count of instructions", 0, 0x1p53, &counted, st))
        return -1;
    a->bytes = (uint64_t)counted;
    return replay_ti_amount(x, 2, a->kind == REPLAY_COMPUTE ? "an amount of flops" : "a number of seconds",
                            st);
}

/* Of traces of calls: a rank of a communicator, which has no more than there are. */
static int read_source(struct replay_ti_reader *x, struct base_status *st)
{
    struct replay_action *a = &x->action;
    int64_t tag;
    a->peer = REPLAY_ANY;
    a->tag = REPLAY_ANY_TAG;
    if (x->words.n == 2)
        return 0;
    if (replay_ti_rank(x, 2, "a rank", false, &a->peer, st) ||
        replay_ti_whole(x, 3, "a tag", 0, INT32_MAX, &tag, st))
        return -1;
    a->tag = (int32_t)tag;
    return 0;
}

static int read_arguments(struct replay_ti_reader *x, const struct name *name, struct base_status *st)
{
    struct replay_action *a = &x->action;
    switch (name->shape) {
    case NOTHING:
    case BARRIER:
        a->text = name->name;
        return 0;
    case INIT:
        x->doubles[x->rank] = x->words.n > 2;
        return 0;
    case AMOUNT:
        return read_amount(x, st);
    case LOCATION:
        return read_location(x, st);
    case REPEAT:
        return read_repeat(x, st);
    case END:
        return 0;
    case SOURCE:
        return read_source(x, st);
    case THREAD:
        return replay_ti_thread(x, st);
    case MESSAGE:
        return read_message(x, st);
    case EXCHANGE:
        return read_exchange(x, st);
    case REQUEST:
        return read_request(x, st);
    case BROADCAST:
        return replay_ti_data(x, 2, 4, &a->bytes, st) || replay_ti_root(x, 3, &a->peer, st) ||
               replay_ti_type(x, 4, &a->bytes2, st);
    case REDUCE:
        return read_reduction(x, 5, st) || replay_ti_root(x, 4, &a->peer, st) ? -1 : 0;
    case ALLREDUCE:
        return read_reduction(x, 4, st);
    case ROOTED:
        return replay_ti_root(x, 4, &a->peer, st) || read_parts(x, 5, st) ? -1 : 0;
    case UNROOTED:
        return read_parts(x, 4, st);
    default:
        return read_v(x, name->shape, st);
    }
}

/* What the tracer writes of files and of one-sided operations does not say what they did: they take no time. */
static int read_other(struct replay_ti_reader *x, struct base_status *st)
{
    static const char *const others[] = {"IO",
                                         "Put",
                                         "Get",
                                         "Accumulate",
                                         "Rput",
                                         "Rget",
                                         "Raccumulate",
                                         "Get_accumulate",
                                         "Rget_accumulate",
                                         "Fetch_and_op",
                                         "Compare_and_swap"};
    const char *name = x->words.at[1];
    bool known = !strncasecmp(name, "Win_", 4);
    for (size_t k = 0; k < BASE_LENGTH(others) && !known; k++)
        known = !strcasecmp(name, others[k]);
    if (!known)
        return base_fail(st, "%.80s: no action of a time-independent trace", name);
    x->action = (struct replay_action){.kind = REPLAY_SKIP, .text = name, .number = 1};
    return 1;
}

/* "MPI_...", "shmem_...", "riscv_..." and their words: of traces of calls. */
static int read_call(struct replay_ti_reader *x, const char *name, struct base_status *st)
{
    size_t n = strcspn(name, " \t\r");
    uint32_t function = record_find(name, n);
    if (function == RECORD_FUNCTIONS)
        return base_fail(st, "%.*s: no %s that traces of calls have", (int)(n < 80 ? n : 80), name,
                         strncmp(name, "riscv_", 6) ? "function of MPI or OpenSHMEM"
                                                    : "action of a RISC-V core");
    const struct record_relative to = {x->rank, x->ranks};
    if (record_parse_relative(record_function_of(function), name + n, x->shared ? &to : NULL, &x->call, st) ||
        record_check(function, &x->call, st))
        return -1;
    x->action = (struct replay_action){
        .kind = REPLAY_CALL, .number = function, .counts = x->call.at, .n = (uint32_t)x->call.n};
    return 1;
}

/* The second word, if it is the name of a function of MPI or OpenSHMEM, or of what a core does. */
static const char *call_on(const char *line)
{
    line += strspn(line, " \t");
    line += strcspn(line, " \t");
    line += strspn(line, " \t");
    static const char *const begins[] = {"MPI_", "shmem", "pgasim_", "riscv_"};
    for (size_t k = 0; k < BASE_LENGTH(begins); k++)
        if (!strncmp(line, begins[k], strlen(begins[k])))
            return line;
    return NULL;
}

/* Who a line is of: "RANK", "RANK.THREAD", or "-". */
static int read_who(struct replay_ti_reader *x, const char *word, struct base_status *st)
{
    x->shared = !strcmp(word, "-");
    if (x->shared && !x->sharers)
        return base_fail(st,
                         "-: expected a rank; only in a file that a list names for a rank, - is that one");
    if (x->shared) {
        x->rank = x->own;
        x->thread = 1;
    } else if (!replay_ti_who(word, &x->rank, &x->thread)) {
        return base_fail(st, "%.80s: expected a rank, or RANK.THREAD", word);
    }
    if (x->rank >= x->ranks)
        return base_fail(st, "rank %" PRIu32 ": expected one below %" PRIu32 ", the number of ranks", x->rank,
                         x->ranks);
    return 0;
}

int replay_ti_line(struct replay_ti_reader *x, char *line, struct base_status *st)
{
    if (!begins(line))
        return 0;
    if (replay_ti_cut_times(line, &x->times, st))
        return -1;
    const char *call = call_on(line);
    if (call)
        line[call - line - 1] = '\0';
    cut(x, line);
    if (read_who(x, x->words.at[0], st))
        return -1;
    if (call)
        return read_call(x, call, st);
    if (x->words.n < 2)
        return base_fail(st, "rank %" PRIu32 ": the action is missing", x->rank);
    const struct name *name = name_of(x->words.at[1]);
    if (!name)
        return read_other(x, st);
    x->action = (struct replay_action){.kind = name->kind, .number = name->number};
    x->counts.n = 0;
    return read_arguments(x, name, st) ? -1 : 1;
}
