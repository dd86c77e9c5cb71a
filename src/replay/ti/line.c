/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * line: "rank action arguments": who, the action by its name, and its arguments by their shape (shapes.c).
 */
#include "replay/ti/line.h"

#include "coll/coll.h"
#include "p2p/p2p.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct name {
    const char *name;
    enum replay_ti_shape shape;
    enum replay_kind kind;
    uint32_t number;
};
static const struct name names[] = {
#define NAME(name, shape, KIND, number) {name, REPLAY_TI_##shape, REPLAY_##KIND, number},
#include "replay/ti/names.def"
#undef NAME
};

void replay_ti_reader_init(struct replay_ti_reader *x, struct replay_ti_ranks ranks, bool old)
{
    *x = (struct replay_ti_reader){.ranks = ranks.initial, .all = ranks.all, .old = old};
    x->doubles = base_zalloc(ranks.all ? ranks.all : 1, "ranks of a trace");
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
    if (name && name->shape == REPLAY_TI_REQUEST)
        return n == 1 ? REPLAY_TI_OLD : REPLAY_TI_NEW;
    if (name && name->shape == REPLAY_TI_MESSAGE && n == 3)
        return REPLAY_TI_OLD;
    return REPLAY_TI_EITHER;
}

/* --- lines ------------------------------------------------------------------------------------------ */

/* What the tracer writes of files and of one-sided operations, and recorders of what they cannot tell, does not say what they
 * did: they take no time. */
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
    bool known = !strncasecmp(name, "Win_", 4) || !strncmp(name, "unrecorded_", 11);
    for (size_t k = 0; k < BASE_LENGTH(others) && !known; k++)
        known = !strcasecmp(name, others[k]);
    if (!known)
        return base_fail(st, "%.80s: no action of a time-independent trace", name);
    x->action = (struct replay_action){.kind = REPLAY_SKIP, .text = name, .number = 1};
    return 1;
}

/* OpenSHMEM and cores know the ranks that begin with the trace. */
static bool is_for_all(uint32_t function)
{
    return function < RECORD_MPI_FUNCTIONS || function >= RECORD_RISCV_FUNCTIONS ||
           function == RECORD_SHMEM_POLLED;
}

/* The other ranks were counted where that is possible. */
static int check_started(const struct replay_ti_reader *x, struct base_status *st)
{
    uint32_t first, n;
    if (!replay_starts_of(x->action.number, x->call.at, x->call.n, &first, &n) || x->all > x->ranks)
        return 0;
    return base_fail(st,
                     "%s: ranks from %" PRIu32
                     " on are started: expected one file with the lines of all ranks, "
                     "and no number of ranks",
                     record_function_of(x->action.number)->name, first);
}

/* "MPI_...", "shmem_...", "riscv_...", "posix_..." and their words: of traces of calls. */
static int read_call(struct replay_ti_reader *x, const char *name, struct base_status *st)
{
    size_t n = strcspn(name, " \t\r");
    uint32_t function = record_find(name, n);
    if (function == RECORD_FUNCTIONS)
        return base_fail(st, "%.*s: no %s that traces of calls have", (int)(n < 80 ? n : 80), name,
                         !strncmp(name, "riscv_", 6)   ? "action of a RISC-V core"
                         : !strncmp(name, "posix_", 6) ? "operation on a file"
                                                       : "function of MPI or OpenSHMEM");
    if (x->rank >= x->ranks && !is_for_all(function))
        return base_fail(st, "%.*s: rank %" PRIu32 " is started by others: expected calls of MPI", (int)n,
                         name, x->rank);
    const struct record_relative to = {x->rank, x->ranks};
    if (record_parse_relative(record_function_of(function), name + n, x->shared ? &to : NULL, &x->call, st) ||
        record_check(function, &x->call, st))
        return -1;
    x->action = (struct replay_action){
        .kind = REPLAY_CALL, .number = function, .counts = x->call.at, .n = (uint32_t)x->call.n};
    return check_started(x, st) ? -1 : 1;
}

const char *replay_ti_call_on(const char *line)
{
    line += strspn(line, " \t");
    line += strcspn(line, " \t");
    line += strspn(line, " \t");
    static const char *const begins[] = {"MPI_", "shmem", "pgasim_", "riscv_", "posix_", "datarep_"};
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
    if (x->rank >= x->all)
        return base_fail(st, "rank %" PRIu32 ": expected one below %" PRIu32 ", the number of ranks", x->rank,
                         x->all);
    return 0;
}

int replay_ti_line(struct replay_ti_reader *x, char *line, struct base_status *st)
{
    if (!begins(line))
        return 0;
    if (replay_ti_cut_times(line, &x->times, st))
        return -1;
    const char *call = replay_ti_call_on(line);
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
    if (x->rank >= x->ranks && (name->kind == REPLAY_COLLECTIVE || name->kind == REPLAY_ICOLLECTIVE))
        return base_fail(st,
                         "%s: rank %" PRIu32 " is started by others: expected a call of MPI, which names its "
                         "communicator",
                         name->name, x->rank);
    x->action = (struct replay_action){.kind = name->kind, .number = name->number};
    x->counts.n = 0;
    if (name->shape == REPLAY_TI_NOTHING || name->shape == REPLAY_TI_BARRIER)
        x->action.text = name->name;
    return replay_ti_arguments(x, name->shape, st) ? -1 : 1;
}
