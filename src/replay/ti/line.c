/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line: "rank action arguments", by the shape of each action's arguments. Numbers may be written as floating-point
 * ones and are cut to integers. Counts are in elements of a type, which is a number; here they become bytes.
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
    AMOUNT,     /* flops or seconds */
    LOCATION,   /* file line */
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

/* Sizes of SMPI's predefined types by their numbers, and the one of the default. */
static const unsigned char sizes[] = {
    8, 4,  1,  2, 8, 4, 1,  8,  1, 1, 2, 4,  8, 8,  16, 4, 1, 1, 2, 4,  8,  1, 2, 4,  8,  8, 16, 32, 8, 8,
    8, 16, 16, 8, 8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8, 16, 32, 1, 8, 16, 32, 0, 0,  1,  8, 8};
enum { DOUBLE = 0, BYTE = 6 };

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
    uint64_t value = 0;
    const char *p = line;
    for (; *p >= '0' && *p <= '9' && value <= UINT32_MAX; p++)
        value = value * 10 + (unsigned)(*p - '0');
    *rank = (uint32_t)value;
    return p > line && (!*p || *p == ' ' || *p == '\t') && value < UINT32_MAX;
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

bool replay_ti_known(const char *name)
{
    return name_of(name) != NULL;
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

/* --- numbers ---------------------------------------------------------------------------------------- */

static const char *word_at(const struct replay_ti_reader *x, size_t k)
{
    return k < x->words.n ? x->words.at[k] : NULL;
}

static int number(const struct replay_ti_reader *x, size_t k, const char *what, double *out,
                  struct base_status *st)
{
    const char *word = word_at(x, k), *rest;
    struct base_status why;
    if (!word)
        return base_fail(st, "%s: %s is missing", x->words.at[1], what);
    uint64_t value = 0;
    for (rest = word; *rest >= '0' && *rest <= '9' && rest < word + 15; rest++)
        value = value * 10 + (unsigned)(*rest - '0');
    *out = (double)value;
    if (!*rest)
        return 0;
    if (*word >= '0' && *word <= '9' && base_decimal_read(word, out, &rest) && !*rest)
        return 0;
    if (base_parse_double(word, out, &why))
        return base_fail(st, "%s %.80s: expected %s", x->words.at[1], word, what);
    return 0;
}

static int whole(const struct replay_ti_reader *x, size_t k, const char *what, double least, double most,
                 int64_t *out, struct base_status *st)
{
    double value;
    if (number(x, k, what, &value, st))
        return -1;
    if (!(value >= least && value <= most)) /* also not a number */
        return base_fail(st, "%s %.80s: expected %s from %.0f to %.0f", x->words.at[1], x->words.at[k], what,
                         least, most);
    *out = (int64_t)value;
    return 0;
}

static int rank_at_word(const struct replay_ti_reader *x, size_t k, const char *what, bool wild,
                        uint32_t *out, struct base_status *st)
{
    int64_t value;
    double least = wild ? INT32_MIN : 0;
    if (whole(x, k, what, least, UINT32_MAX - 1.0, &value, st))
        return -1;
    if (value >= x->ranks)
        return base_fail(st, "%s %s: expected %s below %" PRIu32 ", the number of ranks", x->words.at[1],
                         x->words.at[k], what, x->ranks);
    *out = value < 0 ? (uint32_t)REPLAY_ANY : (uint32_t)value; /* MPI_ANY_SOURCE is negative */
    return 0;
}

static int root_at(const struct replay_ti_reader *x, size_t k, uint32_t *out, struct base_status *st)
{
    *out = 0;
    return k < x->words.n ? rank_at_word(x, k, "a root", false, out, st) : 0;
}

/* MPI_ANY_TAG is negative, and so are tags of no message. */
static int tag_at(const struct replay_ti_reader *x, size_t k, int32_t *out, struct base_status *st)
{
    int64_t value;
    if (whole(x, k, "a tag", INT32_MIN, INT32_MAX, &value, st))
        return -1;
    *out = value < 0 ? REPLAY_ANY_TAG : (int32_t)value;
    return 0;
}

/* The size of the type there, or of the default. */
static int type_at(const struct replay_ti_reader *x, size_t k, uint64_t *out, struct base_status *st)
{
    int64_t type = x->doubles[x->rank] ? DOUBLE : BYTE;
    if (k < x->words.n && whole(x, k, "a type's number", 0, sizeof sizes - 1.0, &type, st))
        return -1;
    *out = sizes[type];
    return 0;
}

/* Bytes of `count` elements of the type at word `type`. */
static int data_at(const struct replay_ti_reader *x, size_t k, size_t type, uint64_t *out,
                   struct base_status *st)
{
    int64_t count;
    uint64_t size;
    if (whole(x, k, "a count", 0, 0x1p53, &count, st) || type_at(x, type, &size, st))
        return -1;
    *out = (uint64_t)count * size;
    return 0;
}

/* Bytes for each of n ranks, appended to x->counts. */
static int counts_at(struct replay_ti_reader *x, size_t k, uint32_t n, size_t type, struct base_status *st)
{
    uint64_t bytes;
    for (uint32_t m = 0; m < n; m++) {
        if (k + m >= x->words.n)
            return base_fail(st, "%s: expected counts of %" PRIu32 " ranks, found %zu", x->words.at[1], n,
                             x->words.n > k ? x->words.n - k : 0);
        if (data_at(x, k + m, type, &bytes, st))
            return -1;
        BASE_ARRAY_PUSH(&x->counts, (int64_t)bytes);
    }
    return 0;
}

static void use_counts(struct replay_ti_reader *x, uint32_t n)
{
    struct replay_action *a = &x->action;
    a->counts = x->counts.at;
    a->n = n;
    a->n2 = x->counts.n > n ? n : 0;
    a->counts2 = a->counts + n;
}

/* --- shapes ----------------------------------------------------------------------------------------- */

static int amount_at(struct replay_ti_reader *x, size_t k, const char *what, struct base_status *st)
{
    if (number(x, k, what, &x->action.amount, st))
        return -1;
    if (!(x->action.amount >= 0 && x->action.amount <= 1e300))
        return base_fail(st, "%s %.80s: expected %s of 0 or more", x->words.at[1], x->words.at[k], what);
    return 0;
}

static int read_location(struct replay_ti_reader *x, struct base_status *st)
{
    int64_t line;
    if (!(x->action.text = word_at(x, 2)))
        return base_fail(st, "location: the file is missing");
    if (whole(x, 3, "a line", 0, INT32_MAX, &line, st))
        return -1;
    x->action.number = (uint32_t)line;
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
    if (rank_at_word(x, 2, receive ? "a source" : "a destination", receive, &a->peer, st) ||
        (!x->old && tag_at(x, k++, &a->tag, st)))
        return -1;
    if (!receive && a->tag == REPLAY_ANY_TAG)
        return base_fail(st, "%s %s: expected a tag of 0 or more", x->words.at[1], x->words.at[3]);
    if (x->old && receive && k >= x->words.n) { /* the oldest traces leave it out */
        a->bytes = REPLAY_UNKNOWN_SIZE;
        return 0;
    }
    if (whole(x, k, "a count", receive ? -0x1p53 : 0, 0x1p53, &count, st) || type_at(x, k + 1, &size, st))
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
    return data_at(x, 2, 6, &a->bytes, st) || rank_at_word(x, 3, "a destination", false, &a->peer, st) ||
                   data_at(x, 4, 7, &a->bytes2, st) || rank_at_word(x, 5, "a source", true, &a->peer2, st)
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
    return rank_at_word(x, 2, "a sender", true, &a->peer, st) ||
                   rank_at_word(x, 3, "a receiver", true, &a->peer2, st) || tag_at(x, 4, &a->tag, st)
               ? -1
               : 0;
}

/* One part of what a collective moves: the larger of what the line says is sent and received. Where the data is in
 * place, one of them is 0. */
static int read_parts(struct replay_ti_reader *x, size_t types, struct base_status *st)
{
    uint64_t sent, received;
    struct replay_action *a = &x->action;
    if (data_at(x, 2, types, &sent, st) || data_at(x, 3, types + 1, &received, st) ||
        type_at(x, types, &a->bytes2, st))
        return -1;
    a->bytes = a->number == COLL_SCATTER ? received : sent;
    if (!a->bytes)
        a->bytes = a->number == COLL_SCATTER ? sent : received;
    return 0;
}

static int read_reduction(struct replay_ti_reader *x, size_t type, struct base_status *st)
{
    struct replay_action *a = &x->action;
    return data_at(x, 2, type, &a->bytes, st) || amount_at(x, 3, "an amount of flops", st) ||
                   type_at(x, type, &a->bytes2, st)
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
    if (counts_at(x, first, n, types + receives, st) ||
        (shape == ALLTOALLV && counts_at(x, n + 4, n, types + 1, st)) ||
        (own && data_at(x, own, types + (shape == SCATTERV), &a->bytes, st)) ||
        type_at(x, types, &a->bytes2, st))
        return -1;
    use_counts(x, n);
    if (shape == GATHERV || shape == SCATTERV)
        return root_at(x, n + 3, &a->peer, st);
    return shape == SCATTERED ? amount_at(x, n + 2, "an amount of flops", st) : 0;
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
        return amount_at(x, 2, a->kind == REPLAY_SLEEP ? "a number of seconds" : "an amount of flops", st);
    case LOCATION:
        return read_location(x, st);
    case MESSAGE:
        return read_message(x, st);
    case EXCHANGE:
        return read_exchange(x, st);
    case REQUEST:
        return read_request(x, st);
    case BROADCAST:
        return data_at(x, 2, 4, &a->bytes, st) || root_at(x, 3, &a->peer, st) ||
               type_at(x, 4, &a->bytes2, st);
    case REDUCE:
        return read_reduction(x, 5, st) || root_at(x, 4, &a->peer, st) ? -1 : 0;
    case ALLREDUCE:
        return read_reduction(x, 4, st);
    case ROOTED:
        return root_at(x, 4, &a->peer, st) || read_parts(x, 5, st) ? -1 : 0;
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

int replay_ti_line(struct replay_ti_reader *x, char *line, struct base_status *st)
{
    if (!begins(line))
        return 0;
    cut(x, line);
    if (!replay_ti_rank_of(x->words.at[0], &x->rank))
        return base_fail(st, "%.80s: expected a rank", x->words.at[0]);
    if (x->rank >= x->ranks)
        return base_fail(st, "rank %" PRIu32 ": expected one below %" PRIu32 ", the number of ranks", x->rank,
                         x->ranks);
    if (x->words.n < 2)
        return base_fail(st, "rank %" PRIu32 ": the action is missing", x->rank);
    const struct name *name = name_of(x->words.at[1]);
    if (!name)
        return read_other(x, st);
    x->action = (struct replay_action){.kind = name->kind, .number = name->number};
    x->counts.n = 0;
    return read_arguments(x, name, st) ? -1 : 1;
}
