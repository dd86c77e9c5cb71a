/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a trace, which is written in each format; what is written can be read. */
#include "replay/replay.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { DUMPI_RANKS = 4 }; /* each has a file */
/* The input may be a list of files. */
static const char *const files[] = {"trace",           "written",          "written-0000.bin", "written-0001.bin",
                                    "written-0002.bin", "written-0003.bin", NULL};

/* Where all that there was is left out, there is no trace. */
static bool is_empty(void)
{
    char line[64];
    FILE *f = fopen("written", "r");
    bool empty = true;
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

/* A wrong trace of calls is as wrong as one of DUMPI, whose reader finds that earlier. */
static void read_again(uint32_t ranks, enum replay_format to)
{
    if (is_empty())
        return;
    struct base_status st = {""};
    struct replay_trace *t = replay_trace_read("written", ranks, &st);
    if (!t && to == REPLAY_TO_DUMPI && strlen(st.text) > 0)
        return;
    if (!t)
        base_fatal(BASE_EXIT_BUG, "what was written: %s", st.text);
    BASE_ASSERT("ranks", replay_trace_ranks(t) == ranks);
    replay_trace_release(t);
}

static void convert(struct replay_trace *t, enum replay_format to)
{
    struct base_status st = {""};
    struct replay_conversion c = {.to = to, .speed = 1e9};
    FILE *old = fopen("written", "w"); /* there is one to be replaced */
    if (!old || fclose(old))
        abort();
    if (replay_trace_convert(t, "written", &c, &st)) {
        if (to == REPLAY_TO_DUMPI && !strstr(st.text, "cannot")) /* there are no calls */
            return;
        base_fatal(BASE_EXIT_BUG, "not written: %s", st.text);
    }
    BASE_ASSERT("unsaid", c.n <= BASE_LENGTH(c.unsaid));
    read_again(replay_trace_ranks(t), to);
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
    if (small && replay_trace_ranks(t) <= DUMPI_RANKS)
        convert(t, REPLAY_TO_DUMPI);
    BASE_ASSERT("a reason", t || strlen(st.text) > 0);
    replay_trace_release(t);
    return 0;
}
