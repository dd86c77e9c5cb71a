/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder: a call from its beginning to its end, and the lines that it leaves:
 *   RANK seconds S            what the program has computed since its last call, by the clock, so that stalls count
 *   RANK MPI_... @B+D         the call, which began at B ns and took D ns; 0 is when the first rank's MPI_Init ended
 * The recorder's own time is in neither. Calls of several threads are recorded in the order in which they end, one at a
 * time; the time between them is then that in which none of them was in a call.
 */
#include "recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool on;
    bool threads; /* more than one may call */
    int rank;
    int64_t zero;    /* ns of this host's clock */
    int64_t left;    /* when the last call was over and written */
    unsigned inside; /* threads that are in calls */
    struct record_words spare; /* memory for the next call's */
    pthread_mutex_t lock;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};
static __thread bool in_call;

static void lock(void)
{
    if (state.threads)
        pthread_mutex_lock(&state.lock);
}

static void unlock(void)
{
    if (state.threads)
        pthread_mutex_unlock(&state.lock);
}

/* --- lines ------------------------------------------------------------------------------------------------ */

static char *put_number(char *at, int64_t value)
{
    return at + record_print_number(value, at);
}

static char *put_text(char *at, const char *text)
{
    size_t n = strlen(text);
    memcpy(at, text, n);
    return at + n;
}

static char *put_head(char *at)
{
    at = put_number(at, state.rank);
    *at++ = ' ';
    return at;
}

static void write_computation(int64_t ns)
{
    enum { ROOM = 80 };
    if (ns <= 0)
        return;
    char *line = recorder_file_room(ROOM), *at = put_text(put_head(line), "seconds ");
    at = put_number(at, ns / 1000000000);
    *at++ = '.';
    int64_t rest = ns % 1000000000;
    for (int64_t unit = 100000000; unit && rest; rest %= unit, unit /= 10)
        *at++ = (char)('0' + rest / unit);
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}

enum { HEAD = 96, END = 64 }; /* room for a line's rank and name, and for its times */

/* The rank, and the call with its words; there is room for END bytes more. */
static char *print_call(struct recorder_call *c, char **line)
{
    const struct record_function *f = &record_mpi[c->function];
    size_t room = 512, n;
    char *at;
    recorder_translate(f, &c->words);
    for (;; room = n + 1) {
        *line = recorder_file_room(room + HEAD + END);
        at = put_text(put_head(*line), f->name);
        n = record_print(f, c->words.at, c->words.n, at, room);
        if (n < room)
            return at + n;
    }
}

/* Programs repeat their calls: lines, without times, by the words that they were printed from. */
enum { LINES = 256, WORDS = 12, TEXT = 128 };
static struct line {
    uint32_t function;
    uint16_t words, length; /* length 0: none is kept here */
    int64_t word[WORDS];
    char text[TEXT];
} lines[LINES];

static struct line *line_of(const struct recorder_call *c)
{
    uint64_t hash = c->function;
    for (size_t k = 0; k < c->words.n; k++)
        hash = (hash ^ (uint64_t)c->words.at[k]) * 0x9e3779b97f4a7c15U;
    return &lines[hash >> 32 & (LINES - 1)];
}

static bool is_line_of(const struct line *l, const struct recorder_call *c)
{
    return l->length && l->function == c->function && l->words == c->words.n &&
           !memcmp(l->word, c->words.at, c->words.n * sizeof *l->word);
}

static void keep_line(struct line *l, const struct recorder_call *c)
{
    l->function = c->function;
    l->words = (uint16_t)c->words.n;
    memcpy(l->word, c->words.at, c->words.n * sizeof *l->word);
}

static char *put_call(struct recorder_call *c, char **line)
{
    struct line *l = c->words.n <= WORDS ? line_of(c) : NULL;
    if (!l)
        return print_call(c, line);
    if (is_line_of(l, c)) {
        *line = recorder_file_room(TEXT + END);
        memcpy(*line, l->text, TEXT); /* its length is a constant, so this is quick */
        return *line + l->length;
    }
    keep_line(l, c);
    char *end = print_call(c, line);
    size_t length = (size_t)(end - *line);
    l->length = length <= TEXT ? (uint16_t)length : 0;
    memcpy(l->text, *line, l->length);
    return end;
}

static void write_call(struct recorder_call *c)
{
    char *line, *at = put_text(put_call(c, &line), " @");
    at = put_number(at, c->begin - state.zero);
    *at++ = '+';
    at = put_number(at, c->end - c->begin);
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}

/* --- a call -------------------------------------------------------------------------------------------------- */

bool recorder_enter(struct recorder_call *c, uint32_t function)
{
    if (!state.on || in_call)
        return false;
    in_call = true;
    *c = (struct recorder_call){.function = function, .entered = recorder_now()};
    return true;
}

void recorder_before(struct recorder_call *c, const struct record_value *v)
{
    bool made = false;
    const struct record_function *f = &record_mpi[c->function];
    lock();
    if (!state.inside++)
        write_computation(c->entered - state.left);
    recorder_handles_begin();
    c->words = state.spare;
    state.spare = (struct record_words){0};
    record_before(&c->words, f, v, recorder_library(), &made);
    unlock();
    c->begin = recorder_now();
}

static uint64_t bits_at(enum record_object o, const void *p, int64_t k)
{
    unsigned size = recorder_library()->handle[o];
    uint64_t bits = 0;
    memcpy(&bits, (const char *)p + (size_t)k * size, size);
    return bits;
}

/* What the call took and left as a null handle is gone. */
static void forget(const struct record_function *f, const struct record_words *w,
                   const struct record_value *v)
{
    struct record_part part[RECORD_PARAMS];
    bool any = false;
    for (uint32_t k = 0; k < f->n; k++)
        any = any || f->param[k].way == RECORD_CHANGED;
    if (!any || !record_parts(f, w->at, w->n, part))
        return;
    for (uint32_t k = 0; k < f->n; k++) {
        enum record_object o = (enum record_object)f->param[k].object;
        for (int64_t i = 0; f->param[k].way == RECORD_CHANGED && v[k].p && i < part[k].n; i++)
            if (recorder_handle_is_null(o, bits_at(o, v[k].p, i)) || o == RECORD_MESSAGE)
                recorder_handle_forget(o, part[k].at[i]);
    }
}

static void complete(struct recorder_call *c, const struct record_value *v)
{
    bool made = true;
    const struct record_function *f = &record_mpi[c->function];
    record_after(&c->words, f, v, recorder_library(), &made);
    write_call(c);
    forget(f, &c->words, v);
}

static bool has_effect(int error)
{
    int class = MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        PMPI_Error_class(error, &class);
    return class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS;
}

void recorder_after(struct recorder_call *c, const struct record_value *v, int error)
{
    c->end = recorder_now();
    lock();
    if (has_effect(error))
        complete(c, v);
    record_words_release(&state.spare);
    state.spare = c->words;
    if (!--state.inside)
        state.left = recorder_now();
    unlock();
    in_call = false;
}

/* --- the beginning and the end ------------------------------------------------------------------------------- */

static void close_early(void)
{
    if (!state.on)
        return;
    state.on = false;
    recorder_file_close();
}

/* MPI_Init was over at `end`. */
static void begin(int64_t end, int provided)
{
    const char *path = getenv("PGASIM_RECORD");
    int ranks;
    PMPI_Comm_rank(MPI_COMM_WORLD, &state.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    state.threads = provided == MPI_THREAD_MULTIPLE;
    recorder_list_handles();
    recorder_file_open(path && *path ? path : "pgasim-record", state.rank, ranks);
    state.zero = recorder_common_zero(end, state.rank, ranks);
    state.on = true;
    atexit(close_early);
}

static void write_init(uint32_t function, const struct record_value *v, int64_t init, int64_t end)
{
    struct recorder_call c = {.function = function, .begin = init, .end = end};
    bool made = false;
    record_before(&c.words, &record_mpi[function], v, recorder_library(), &made);
    complete(&c, v);
    record_words_release(&c.words);
    state.left = recorder_now();
}

RECORDER_REAL(MPI_Init)
RECORDER_REAL(MPI_Init_thread)
RECORDER_REAL(MPI_Finalize)

__attribute__((constructor)) static void find_all(void)
{
    RECORDER_FIND(MPI_Init);
    RECORDER_FIND(MPI_Init_thread);
    RECORDER_FIND(MPI_Finalize);
    recorder_find_wrapped();
}

int MPI_Init(int *argc, char ***argv)
{
    int64_t init = recorder_now();
    int rc = real_MPI_Init(argc, argv);
    int64_t end = recorder_now();
    const struct record_value v[] = {{.i = 0}, {.i = 0}};
    if (rc != MPI_SUCCESS)
        return rc;
    begin(end, MPI_THREAD_SINGLE);
    write_init(RECORD_MPI_INIT, v, init, end);
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int64_t init = recorder_now();
    int rc = real_MPI_Init_thread(argc, argv, required, provided);
    int64_t end = recorder_now();
    const struct record_value v[] = {{.i = 0}, {.i = 0}, {.i = required}, {.i = 0}};
    if (rc != MPI_SUCCESS)
        return rc;
    begin(end, *provided);
    write_init(RECORD_MPI_INIT_THREAD, v, init, end);
    return rc;
}

int MPI_Finalize(void)
{
    struct recorder_call c;
    if (!recorder_enter(&c, RECORD_MPI_FINALIZE))
        return real_MPI_Finalize();
    uint64_t unknown = recorder_handles_unknown();
    if (unknown)
        fprintf(stderr,
                "pgasim record: rank %d: %llu times a call named an object that no recorded call has made\n",
                state.rank, (unsigned long long)unknown);
    recorder_before(&c, NULL);
    int rc = real_MPI_Finalize();
    recorder_after(&c, NULL, MPI_SUCCESS);
    state.on = false;
    recorder_file_close();
    recorder_handles_release();
    record_words_release(&state.spare);
    return rc;
}

RECORDER_ALSO(MPI_Init)
RECORDER_ALSO(MPI_Init_thread)
RECORDER_ALSO(MPI_Finalize)
