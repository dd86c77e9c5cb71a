/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a time-independent trace of SMPI, compressed or not. */
#include "replay/replay.h"

#include "folder.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input may be a list of files. */
static const char *const files[] = {"trace", "list", "shared.calls", "measured.pgt", NULL};

/* As a trace of three times as many ranks; or there is a reason why not. */
static void extrapolate(struct replay_trace *t, uint32_t ranks)
{
    struct base_status st = {""};
    char to[32], *assumptions = NULL;
    snprintf(to, sizeof to, "%u", 3 * ranks);
    int rc = replay_trace_extrapolate(t, "trace", to, ranks % 2, &assumptions, &st);
    BASE_ASSERT("a reason", rc ? strlen(st.text) > 0 : replay_trace_ranks(t) == 3 * ranks);
    free(assumptions);
}

/* With typical computation it is as long; the recorded run is written if the trace has times. */
static void change(struct replay_trace *t, uint32_t ranks)
{
    struct base_status st = {""};
    struct replay_facts before, after;
    char *assumptions = NULL;
    replay_trace_facts(t, &before);
    int rc = replay_trace_typical(t, "trace", ranks % 2 ? REPLAY_MEAN : REPLAY_MEDIAN, &assumptions, &st);
    BASE_ASSERT("a reason", !rc || strlen(st.text) > 0);
    replay_trace_facts(t, &after);
    BASE_ASSERT("the same actions", before.actions == after.actions && before.ranks == after.ranks);
    free(assumptions);
    rc = replay_measured_write("trace", 0, "measured.pgt", NULL, &st);
    BASE_ASSERT("a reason", !rc || strlen(st.text) > 0);
}

/* With files that ranks share it has as many ranks. The folder of these files is removed each time. */
static void share(struct replay_trace *t, uint32_t ranks)
{
    struct base_status st = {""};
    struct replay_conversion c = {.to = REPLAY_TO_CALLS};
    char *assumptions = NULL;
    int rc = replay_trace_share(t, "trace", "shared.calls", &c, &assumptions, &st);
    BASE_ASSERT("a reason", rc ? strlen(st.text) > 0 : assumptions != NULL);
    struct replay_trace *again = rc || ranks < 2 ? NULL : replay_trace_read("shared.calls", 0, &st);
    BASE_ASSERT("the same ranks", rc || ranks < 2 || (again && replay_trace_ranks(again) == ranks));
    replay_trace_release(again);
    free(assumptions);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        char name[64];
        snprintf(name, sizeof name, "shared.calls_files/rank-%u", rank);
        unlink(name);
    }
    rmdir("shared.calls_files");
}

/* The input as a file that three ranks share. */
static void read_shared(void)
{
    struct base_status st = {""};
    FILE *f = fopen("list", "w");
    if (!f || fputs("trace\ntrace\ntrace\n", f) < 0 || fclose(f))
        abort();
    struct replay_trace *t = replay_trace_read("list", 0, &st);
    if (t) {
        BASE_ASSERT("ranks", replay_trace_ranks(t) == 3);
        share(t, 3);
    } else {
        BASE_ASSERT("a reason", strlen(st.text) > 0);
    }
    replay_trace_release(t);
}

/* Whether loops say so many times that reading what they do would take too long. */
static bool is_long(const uint8_t *data, size_t size)
{
    unsigned digits = 0;
    const char *text = (const char *)data;
    for (size_t k = 0; k + 7 < size; k++) {
        if (strncasecmp(text + k, "repeat", 6))
            continue;
        for (k += 6; k < size && strchr(" \t+.", text[k]); k++)
            ;
        for (; k < size && isdigit((unsigned char)text[k]); k++)
            digits++;
        if (k < size && !isspace((unsigned char)text[k]))
            return true; /* as 1e9 */
    }
    return digits > 4;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (is_long(data, size))
        return 0;
    struct base_status st = {""};
    struct replay_facts facts;
    fuzz_enter(files);
    FILE *f = fopen("trace", "w");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f))
        abort();
    struct replay_trace *t = replay_trace_read("trace", 0, &st);
    if (t) {
        replay_trace_facts(t, &facts);
        BASE_ASSERT("ranks", facts.ranks == replay_trace_ranks(t) && facts.least <= facts.most);
        if (facts.ranks <= 64)
            share(t, facts.ranks);
        if (facts.ranks <= 64)
            change(t, facts.ranks);
        if (facts.ranks <= 64)
            extrapolate(t, facts.ranks);
    } else {
        BASE_ASSERT("a reason", strlen(st.text) > 0);
    }
    replay_trace_release(t);
    read_shared();
    return 0;
}
