/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read by the player of traces, for two ranks of three: steps that can be played, or a reason with its place. */
#include "play/trace.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const files[] = {"trace", NULL};

static bool any(uint32_t function)
{
    return function % 7 != 0;
}

/* Loops are closed and within one another; the words of each call are those of its function. */
static void check(const struct play_trace *t)
{
    struct record_part part[RECORD_PARAMS];
    int depth = 0;
    for (size_t k = 0; k < t->n; k++) {
        const struct play_step *s = &t->step[k];
        if (s->what < RECORD_MPI_FUNCTIONS)
            BASE_ASSERT("words", s->at + s->n <= t->words.n &&
                                     record_parts(&record_mpi[s->what], t->words.at + s->at, s->n, part));
        else if (s->what == PLAY_REPEAT)
            BASE_ASSERT("a loop",
                        ++depth <= PLAY_DEPTH && s->times > 0 && s->at > k && t->step[s->at].at == k);
        else if (s->what == PLAY_END)
            BASE_ASSERT("a loop", --depth >= 0);
        else
            BASE_ASSERT("an amount", s->amount >= 0);
    }
    BASE_ASSERT("loops", depth == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_enter(files);
    /* What is compressed is another program's to read. */
    if (size > 1 && (!memcmp(data, "\x1f\x8b", 2) || !memcmp(data, "\x28\xb5", 2)))
        return 0;
    FILE *f = fopen("trace", "w");
    if (!f)
        abort();
    if (size)
        fwrite(data, 1, size, f);
    fclose(f);
    for (int rank = 0; rank < 2; rank++) {
        struct play_trace t;
        struct base_status st = {""};
        const struct play_wanted w = {rank, 3, any};
        if (play_trace_read(&t, "trace", &w, &st))
            BASE_ASSERT("a reason", strlen(st.text) > 0);
        else
            check(&t);
        play_trace_release(&t);
    }
    return 0;
}
