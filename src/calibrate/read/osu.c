/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * osu: the output of the OSU Micro-Benchmarks: "# OSU MPI Latency Test v5.9", lines with '#', rows of a size and a
 * value. Other lines (of a launcher) end the rows. Bandwidths are of windows of messages, in 10^6 bytes/s.
 */
#include "calibrate/read/read.h"

#include <string.h>
#include <strings.h>

/* The longest name that the title begins with holds. */
static const struct benchmark {
    const char *name;
    enum calibrate_kind kind;
    enum calibrate_mode mode;
    bool bandwidth;
    double ways; /* bandwidths are sums over so many directions */
} benchmarks[] = {
    {"Latency Test", CALIBRATE_PINGPONG, CALIBRATE_STANDARD, false, 1},
    {"Bandwidth Test", CALIBRATE_PAIRS, CALIBRATE_PLAIN, true, 1},
    {"Bi-Directional Bandwidth Test", CALIBRATE_BISECTION, CALIBRATE_PLAIN, true, 2},
    {"Multiple Bandwidth / Message Rate Test", CALIBRATE_PAIRS, CALIBRATE_PLAIN, true, 1},
    {"Allreduce Latency Test", CALIBRATE_ALLREDUCE, CALIBRATE_PLAIN, false, 1},
    {"Reduce Latency Test", CALIBRATE_REDUCE, CALIBRATE_PLAIN, false, 1},
    {"Barrier Latency Test", CALIBRATE_BARRIER, CALIBRATE_PLAIN, false, 1},
    {"Put Latency Test", CALIBRATE_PUT, CALIBRATE_LATENCY, false, 1},
    {"Get Latency Test", CALIBRATE_GET, CALIBRATE_LATENCY, false, 1},
    {"Put Bandwidth Test", CALIBRATE_PUT, CALIBRATE_RATE, true, 1},
    {"Get Bandwidth Test", CALIBRATE_GET, CALIBRATE_RATE, true, 1},
    {"Fetch_and_op latency Test", CALIBRATE_ATOMIC, CALIBRATE_LATENCY, false, 1},
    {"Put Test", CALIBRATE_PUT, CALIBRATE_LATENCY, false, 1},
    {"Get Test", CALIBRATE_GET, CALIBRATE_LATENCY, false, 1},
};

static bool is_osu(const char *line)
{
    return !strncmp(line, "# OSU ", 6);
}

/* Behind "# OSU ": "MPI Latency Test v5.9", "MPI_Put Latency Test", "OpenSHMEM Put Test", "MPI-CUDA Latency ..." */
static void title_read(struct read_state *r, const char *title)
{
    const char *name = title + strcspn(title, " _");
    name += *name != '\0';
    r->now = calibrate_read_point(r, CALIBRATE_OTHER, CALIBRATE_PLAIN);
    r->now.shmem = !strncmp(title, "OpenSHMEM", 9);
    r->unit = READ_MICROSECONDS;
    r->factor = 1;
    for (size_t k = 0; k < BASE_LENGTH(benchmarks); k++)
        if (!strncasecmp(name, benchmarks[k].name, strlen(benchmarks[k].name))) {
            r->now.kind = benchmarks[k].kind;
            r->now.mode = benchmarks[k].mode;
            r->unit = benchmarks[k].bandwidth ? READ_BANDWIDTH : READ_MICROSECONDS;
            r->factor = benchmarks[k].ways;
        }
    r->now.width = r->now.kind == CALIBRATE_PAIRS || r->now.kind == CALIBRATE_BISECTION;
    r->size_column = r->now.kind == CALIBRATE_BARRIER ? -1 : 0;
    r->part = READ_ROWS;
}

static int comment_read(struct read_state *r, const char *text)
{
    const char *at;
    if (is_osu(text)) {
        title_read(r, text + 6);
    } else if ((at = strstr(text, "[ pairs:")) && r->part == READ_ROWS && r->now.kind == CALIBRATE_PAIRS) {
        char word[32];
        double pairs = 0;
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at + 8 + strspn(at + 8, " "), " ]"),
                 at + 8 + strspn(at + 8, " "));
        if (calibrate_read_number(r, "pairs", word, 1, 2e9, &pairs))
            return -1;
        r->now.width = (uint64_t)pairs;
    }
    return 0;
}

static void row_add(struct read_state *r, double bytes, double value)
{
    struct calibrate_point p = r->now;
    bool between = p.kind <= CALIBRATE_ATOMIC;
    double streams = p.kind == CALIBRATE_PAIRS || p.kind == CALIBRATE_BISECTION ? (double)p.width : 1;
    if (r->unit == READ_BANDWIDTH && !(value > 0 && bytes > 0))
        return;
    p.where = between ? r->where : CALIBRATE_ANYWHERE;
    p.line = r->line;
    p.bytes = (uint64_t)bytes;
    p.seconds = r->unit == READ_MICROSECONDS ? value * 1e-6 : bytes * streams * r->factor / (value * 1e6);
    p.identified = p.seconds > 0;
    calibrate_read_add(r, &p);
}

static int line_read(struct read_state *r, char *text)
{
    char *word[12];
    double bytes = 0, value = 0;
    if (text[0] == '#')
        return comment_read(r, text);
    int n = calibrate_read_words(text, word, 12);
    if (!n || r->part != READ_ROWS)
        return 0;
    if (!strchr("0123456789.", word[0][0])) { /* a launcher's last words */
        r->part = READ_NOTHING;
        return 0;
    }
    if (n < r->size_column + 2)
        return calibrate_read_fail(r, "a row of %d columns: expected a size and a value", n);
    if ((r->size_column == 0 && calibrate_read_number(r, "size", word[0], 0, 1e15, &bytes)) ||
        calibrate_read_number(r, "value", word[r->size_column + 1], 0, 1e15, &value))
        return -1;
    row_add(r, bytes, value);
    return 0;
}

static int end(struct read_state *r)
{
    (void)r;
    return 0;
}

const struct read_format calibrate_read_osu_format = {"output of the OSU Micro-Benchmarks", is_osu, line_read,
                                                      end};
