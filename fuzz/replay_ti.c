/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a time-independent trace of SMPI, compressed or not. */
#include "replay/replay.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The input may be a list of files. */
static const char *const files[] = {"trace", NULL};

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
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
            extrapolate(t, facts.ranks);
    } else {
        BASE_ASSERT("a reason", strlen(st.text) > 0);
    }
    replay_trace_release(t);
    return 0;
}
