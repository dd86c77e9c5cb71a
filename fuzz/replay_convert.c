/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a trace, which is written in each format; what is written can be read. */
#include "replay/replay.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_RANKS = 4 }; /* each has a file */
/* The input may be a list of files. */
static const char *const files[] = {"trace",
                                    "written",
                                    "written-0000.bin",
                                    "written-0001.bin",
                                    "written-0002.bin",
                                    "written-0003.bin",
                                    "written-0",
                                    "written-1",
                                    "written-2",
                                    "written-3",
                                    NULL};

static const char *name_of(enum replay_format to)
{
    return to == REPLAY_TO_ALLPROF ? "written-0" : "written";
}

/* Of calls alone, with a file for each rank. */
static bool is_of_calls(enum replay_format to)
{
    return to == REPLAY_TO_DUMPI || to == REPLAY_TO_ALLPROF;
}

/* Where all that there was is left out, there is no trace. */
static bool is_empty(enum replay_format to)
{
    char line[64];
    FILE *f = to == REPLAY_TO_PGT ? NULL : fopen(name_of(to), "r");
    bool empty = f != NULL;
    while (empty && f && fgets(line, sizeof line, f))
        empty = line[0] == '#';
    if (f)
        fclose(f);
    return empty;
}

/* Collectives of many bytes become schedules of many segments. */
static bool has_large_numbers(const uint8_t *data, size_t size)
{
    for (size_t k = 0, digits = 0; k < size; k++) {
        bool exponent = digits && (data[k] | 0x20) == 'e';
        digits = data[k] >= '0' && data[k] <= '9' ? digits + 1 : 0;
        if (digits > 5 || exponent)
            return true;
    }
    return false;
}

/* A wrong trace of calls is as wrong as one of DUMPI or liballprof, whose reader finds that earlier. */
static void read_again(const struct replay_trace *of, enum replay_format to)
{
    if (is_empty(to))
        return;
    struct base_status st = {""};
    struct replay_trace *t = replay_trace_read(name_of(to), replay_trace_initial(of), &st);
    if (!t && is_of_calls(to) && strlen(st.text) > 0)
        return;
    if (!t)
        base_fatal(BASE_EXIT_BUG, "what was written: %s", st.text);
    BASE_ASSERT("ranks", replay_trace_ranks(t) == replay_trace_ranks(of));
    replay_trace_release(t);
}

/* Else the recording is empty. */
static bool has_lines(struct replay_trace *t)
{
    struct base_status st;
    struct replay_conversion c = {.to = REPLAY_TO_CALLS, .speed = 1e9};
    return !replay_trace_convert(t, "written", &c, &st) && !is_empty(REPLAY_TO_CALLS);
}

static void convert(struct replay_trace *t, enum replay_format to)
{
    struct base_status st = {""};
    struct replay_conversion c = {.to = to, .speed = 1e9};
    FILE *old = fopen(name_of(to), "w"); /* there is one to be replaced */
    if (!old || fclose(old))
        abort();
    for (int k = 1; k <= MOST_RANKS; k++) {
        char further[32];
        snprintf(further, sizeof further, "written-%d", k);
        unlink(further);
    }
    if (replay_trace_convert(t, name_of(to), &c, &st)) {
        if (is_of_calls(to) && !strstr(st.text, "cannot")) /* there are no calls */
            return;
        if (replay_trace_initial(t) < replay_trace_ranks(t) && to != REPLAY_TO_CALLS && to != REPLAY_TO_PGT)
            return; /* others have no ranks that are started */
        base_fatal(BASE_EXIT_BUG, "not written: %s", st.text);
    }
    BASE_ASSERT("unsaid", c.n <= BASE_LENGTH(c.unsaid));
    read_again(t, to);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    fuzz_enter(files);
    FILE *f = fopen("trace", "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f))
        abort();
    struct replay_trace *t = replay_trace_read("trace", 0, &st);
    int last = has_large_numbers(data, size) ? REPLAY_TO_CALLS : REPLAY_TO_GOAL;
    bool small = t && replay_trace_ranks(t) <= 64;
    for (int to = REPLAY_TO_TI; small && to <= last; to++)
        convert(t, (enum replay_format)to);
    if (small && has_lines(t))
        convert(t, REPLAY_TO_PGT);
    if (small && replay_trace_ranks(t) <= MOST_RANKS) {
        convert(t, REPLAY_TO_DUMPI);
        convert(t, REPLAY_TO_ALLPROF);
    }
    BASE_ASSERT("a reason", t || strlen(st.text) > 0);
    replay_trace_release(t);
    return 0;
}
