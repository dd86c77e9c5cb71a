/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * imb: the output of Intel's MPI Benchmarks: for each benchmark its name, its processes, a line of column heads, and
 * rows until the next line that is none. Times are in microseconds; of collectives the slowest process counts.
 */
#include "calibrate/read/read.h"

#include <string.h>

static const struct benchmark {
    const char *name;
    enum calibrate_kind kind;
    enum calibrate_mode mode;
} benchmarks[] = {
    {"PingPong", CALIBRATE_PINGPONG, CALIBRATE_STANDARD}, {"Uniband", CALIBRATE_PAIRS, CALIBRATE_PLAIN},
    {"Allreduce", CALIBRATE_ALLREDUCE, CALIBRATE_PLAIN},  {"Reduce", CALIBRATE_REDUCE, CALIBRATE_PLAIN},
    {"Barrier", CALIBRATE_BARRIER, CALIBRATE_PLAIN},
};

static bool is_imb(const char *line)
{
    return line[0] == '#' && (strstr(line, "Benchmarking ") || strstr(line, "MPI Benchmarks"));
}

static void benchmark_begin(struct read_state *r, char *text)
{
    char *word[2] = {"", ""};
    calibrate_read_words(text, word, 2);
    r->now = calibrate_read_point(r, CALIBRATE_OTHER, CALIBRATE_PLAIN);
    for (size_t k = 0; k < BASE_LENGTH(benchmarks); k++)
        if (!strcmp(word[0], benchmarks[k].name)) {
            r->now.kind = benchmarks[k].kind;
            r->now.mode = benchmarks[k].mode;
        }
    r->part = READ_HEAD;
}

/* Which column is what. */
static void heads_read(struct read_state *r, char *text)
{
    char *word[16];
    int n = calibrate_read_words(text, word, 16);
    r->size_column = r->time_column = -1;
    r->unit = READ_MICROSECONDS;
    r->columns = n < 16 ? n : 16;
    for (int k = 0; k < r->columns; k++) {
        if (!strcmp(word[k], "#bytes"))
            r->size_column = k;
        else if (!strcmp(word[k], "t[usec]") || !strcmp(word[k], "t_max[usec]"))
            r->time_column = k;
    }
    for (int k = 0; k < r->columns && r->time_column < 0; k++)
        if (!strcmp(word[k], "Mbytes/sec")) {
            r->time_column = k;
            r->unit = READ_BANDWIDTH;
        }
    r->part = r->time_column >= 0 ? READ_ROWS : READ_NOTHING;
}

/* Rows whose unit does not fit are kept, but not used. */
static void row_add(struct read_state *r, double bytes, double value)
{
    struct calibrate_point p = r->now;
    double pairs = p.kind == CALIBRATE_PAIRS && p.width > 1 ? (double)p.width / 2 : 1;
    if (r->unit == READ_BANDWIDTH && !(value > 0 && bytes > 0))
        return; /* no time follows from it */
    if (p.kind == CALIBRATE_PAIRS && r->unit != READ_BANDWIDTH)
        p.kind = CALIBRATE_OTHER;
    if (p.kind != CALIBRATE_PAIRS && r->unit == READ_BANDWIDTH)
        p.kind = CALIBRATE_OTHER;
    p.where = p.kind == CALIBRATE_PINGPONG || p.kind == CALIBRATE_PAIRS ? r->where : CALIBRATE_ANYWHERE;
    p.line = r->line;
    p.bytes = (uint64_t)bytes;
    p.seconds = r->unit == READ_MICROSECONDS ? value * 1e-6 : bytes * pairs / (value * 1e6);
    p.width = p.kind == CALIBRATE_PAIRS ? (uint64_t)pairs : p.width;
    p.identified = p.seconds > 0;
    calibrate_read_add(r, &p);
}

static int row_read(struct read_state *r, char *text)
{
    char *word[16];
    int n = calibrate_read_words(text, word, 16);
    double bytes = 0, value = 0;
    if (!n) {
        r->part = READ_NOTHING;
        return 0;
    }
    if (n < r->columns)
        return calibrate_read_fail(r, "a row of %d columns: expected %d, as in the line of their heads", n,
                                   r->columns);
    if ((r->size_column >= 0 && calibrate_read_number(r, "#bytes", word[r->size_column], 0, 1e15, &bytes)) ||
        calibrate_read_number(r, r->unit == READ_BANDWIDTH ? "Mbytes/sec" : "t[usec]", word[r->time_column],
                              0, 1e15, &value))
        return -1;
    row_add(r, bytes, value);
    return 0;
}

static int line_read(struct read_state *r, char *text)
{
    char *at;
    double processes = 0;
    if (text[0] == '#') {
        r->part = r->part == READ_ROWS ? READ_NOTHING : r->part;
        if ((at = strstr(text, "Benchmarking ")))
            benchmark_begin(r, at + strlen("Benchmarking "));
        else if ((at = strstr(text, "#processes = ")) && r->part == READ_HEAD) {
            char *word[1] = {""};
            calibrate_read_words(at + strlen("#processes = "), word, 1);
            if (calibrate_read_number(r, "#processes", word[0], 1, 2e9, &processes))
                return -1;
            r->now.width = (uint64_t)processes;
        }
        return 0;
    }
    at = text + strspn(text, " \t");
    if (r->part == READ_HEAD && (!strncmp(at, "#bytes", 6) || !strncmp(at, "#repetitions", 12)))
        heads_read(r, at);
    else if (r->part == READ_ROWS)
        return row_read(r, at);
    return 0;
}

static int end(struct read_state *r)
{
    (void)r;
    return 0;
}

const struct read_format calibrate_read_imb_format = {"output of Intel's MPI Benchmarks", is_imb, line_read,
                                                      end};
