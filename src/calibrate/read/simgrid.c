/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * simgrid: the CSV files of SimGrid's platform-calibration: "MPI_Send,SIZE,START,SECONDS", a line for each sample. A
 * MPI_Recv behind a MPI_Send of its size and start is the rest of a round trip; alone it is the call, while the
 * message is there. MPI_Wtime's line is the time of ten million calls.
 */
#include "calibrate/read/read.h"

#include <string.h>

enum { CLOCK_CALLS = 10000000 };

static const struct call {
    const char *name;
    enum calibrate_kind kind;
    enum calibrate_mode mode;
} calls[] = {
    {"MPI_Send", CALIBRATE_CALL, CALIBRATE_SEND},  {"MPI_Isend", CALIBRATE_CALL, CALIBRATE_ISEND},
    {"MPI_Recv", CALIBRATE_CALL, CALIBRATE_RECV},  {"MPI_Wtime", CALIBRATE_CLOCK, CALIBRATE_PLAIN},
    {"MPI_Test", CALIBRATE_TEST, CALIBRATE_PLAIN}, {"MPI_Iprobe", CALIBRATE_PROBE, CALIBRATE_PLAIN},
};

static const struct call *call_of(const char *word)
{
    for (size_t k = 0; k < BASE_LENGTH(calls); k++)
        if (!strcmp(word, calls[k].name))
            return &calls[k];
    return NULL;
}

static bool is_simgrid(const char *line)
{
    for (size_t k = 0; k < BASE_LENGTH(calls); k++) {
        size_t n = strlen(calls[k].name);
        if (!strncmp(line, calls[k].name, n) && line[n] == ',')
            return true;
    }
    return false;
}

static void sample_add(struct read_state *r, const struct call *c, uint64_t bytes, double seconds)
{
    struct read_sample s = {c->kind, c->mode, bytes, r->line, seconds};
    bool send = c->mode == CALIBRATE_SEND, receive = c->mode == CALIBRATE_RECV;
    if (c->kind == CALIBRATE_CLOCK)
        s.seconds /= CLOCK_CALLS;
    if (receive && r->previous >= 0 && r->now.bytes == bytes) {
        s = (struct read_sample){CALIBRATE_PINGPONG, CALIBRATE_STANDARD, bytes, r->line,
                                 (r->previous + seconds) / 2};
        BASE_ARRAY_PUSH(&r->sample, s);
    } else {
        BASE_ARRAY_PUSH(&r->sample, s);
    }
    r->previous = send ? seconds : -1;
    r->now.bytes = bytes;
}

static int line_read(struct read_state *r, char *text)
{
    char *word[5];
    int n = 0;
    double bytes = 0, start = 0, seconds = 0;
    if (!text[strspn(text, " \t")])
        return 0;
    for (char *rest = NULL, *w = strtok_r(text, ", \t", &rest); w; w = strtok_r(NULL, ", \t", &rest)) {
        if (n < 5)
            word[n] = w;
        n++;
    }
    const struct call *c = n ? call_of(word[0]) : NULL;
    if (n != 4 || !c)
        return calibrate_read_fail(
            r, "expected CALL,SIZE,START,SECONDS with CALL one of MPI_Send, MPI_Recv, MPI_Isend, "
               "MPI_Wtime, MPI_Test and MPI_Iprobe");
    if (calibrate_read_number(r, "size", word[1], 0, 1e15, &bytes) ||
        calibrate_read_number(r, "start", word[2], -1e12, 1e12, &start) ||
        calibrate_read_number(r, "seconds", word[3], 0, 1e12, &seconds))
        return -1;
    sample_add(r, c, (uint64_t)bytes, seconds);
    return 0;
}

static int end(struct read_state *r)
{
    calibrate_read_samples_end(r);
    return 0;
}

const struct read_format calibrate_read_simgrid_format = {"SimGrid's platform-calibration", is_simgrid,
                                                          line_read, end};
