/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lines: what a call leaves in the trace:
 *   RANK seconds S [N]        what the program has computed since its last call, by the clock, so that stalls count, and by
 *                             the counter, if there is one
 *   RANK MPI_... @B+D         the call, which began at B ns and took D ns
 *   RANK unrecorded_MPI_...   a call of which the trace cannot tell more
 *   RANK source R T           whose message an earlier call got; or "source", nobody's; "source any": it is not known
 * Those of further threads begin with RANK.THREAD.
 */
#include "recorder.h"

#include <string.h>

static struct {
    int rank;
    uint32_t thread; /* from 1 */
    int64_t zero;    /* ns of this host's clock */
} of;

void recorder_lines_begin(int rank, int64_t zero)
{
    of.rank = rank;
    of.thread = 1;
    of.zero = zero;
}

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
    at = put_number(at, of.rank);
    if (of.thread > 1) {
        *at++ = '.';
        at = put_number(at, of.thread);
    }
    *at++ = ' ';
    return at;
}

void recorder_lines_thread(uint32_t thread)
{
    of.thread = thread;
}

static char *put_seconds(char *at, int64_t ns)
{
    at = put_number(at, ns / 1000000000);
    *at++ = '.';
    int64_t rest = ns % 1000000000;
    for (int64_t unit = 100000000; unit && rest; rest %= unit, unit /= 10)
        *at++ = (char)('0' + rest / unit);
    return at;
}

enum { ROOM = 128 }; /* for a line of few numbers */

void recorder_write_computation(int64_t ns, int64_t count)
{
    if (ns <= 0)
        return;
    char *line = recorder_file_room(ROOM), *at = put_seconds(put_text(put_head(line), "seconds "), ns);
    if (count > 0) {
        *at++ = ' ';
        at = put_number(at, count);
    }
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}

/* A line of the first thread. */
static void write_of_first(const char *action, uint32_t thread)
{
    of.thread = 1;
    char *line = recorder_file_room(ROOM), *at = put_number(put_text(put_head(line), action), thread);
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}

void recorder_write_thread(uint32_t thread, int64_t ns)
{
    write_of_first("thread_create ", thread);
    of.thread = thread;
    char *line = recorder_file_room(ROOM),
         *at = put_seconds(put_text(put_head(line), "sleep "), ns > 0 ? ns : 0);
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}

void recorder_write_thread_end(uint32_t thread)
{
    of.thread = thread;
    char *line = recorder_file_room(ROOM), *at = put_text(put_head(line), "thread_end\n");
    recorder_file_wrote((size_t)(at - line));
    write_of_first("thread_join ", thread);
}

void recorder_write_source(uint32_t thread, enum recorder_source what, int source, int tag)
{
    uint32_t now = of.thread;
    of.thread = thread;
    char *line = recorder_file_room(ROOM), *at = put_text(put_head(line), "source");
    of.thread = now;
    if (what == RECORDER_UNKNOWN)
        at = put_text(at, " any");
    if (what == RECORDER_FOUND) {
        *at++ = ' ';
        at = put_number(at, source);
        *at++ = ' ';
        at = put_number(at, tag);
    }
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}

void recorder_write_untold(const char *function)
{
    char *line = recorder_file_room(ROOM), *at = put_text(put_text(put_head(line), "unrecorded_"), function);
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}

enum { HEAD = 112, END = 64 }; /* room for a line's rank and name, and for its times */

/* The rank, and the call with its words; there is room for END bytes more. */
static char *print_call(struct recorder_call *c, char **line)
{
    const struct record_function *f = record_function_of(c->function);
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
    uint32_t function, thread;
    uint16_t words, length; /* length 0: none is kept here */
    int64_t word[WORDS];
    char text[TEXT];
} lines[LINES];

static struct line *line_of(const struct recorder_call *c)
{
    uint64_t hash = c->function ^ (uint64_t)of.thread << 32;
    for (size_t k = 0; k < c->words.n; k++)
        hash = (hash ^ (uint64_t)c->words.at[k]) * 0x9e3779b97f4a7c15U;
    return &lines[hash >> 32 & (LINES - 1)];
}

static bool is_line_of(const struct line *l, const struct recorder_call *c)
{
    return l->length && l->function == c->function && l->thread == of.thread && l->words == c->words.n &&
           (!l->words || !memcmp(l->word, c->words.at, c->words.n * sizeof *l->word));
}

static void keep_line(struct line *l, const struct recorder_call *c)
{
    l->function = c->function;
    l->thread = of.thread;
    l->words = (uint16_t)c->words.n;
    if (c->words.n)
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

void recorder_write_call(struct recorder_call *c)
{
    char *line, *at = put_text(put_call(c, &line), " @");
    at = put_number(at, c->begin - of.zero);
    *at++ = '+';
    at = put_number(at, c->end - c->begin);
    *at++ = '\n';
    recorder_file_wrote((size_t)(at - line));
}
