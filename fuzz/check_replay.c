/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a replay file: a report with the file's name, or words, a seed and an outcome that are the same
 * when they are written and read again. */
#include "check/explore/parts.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool equal(const struct explore_lines *a, const struct explore_lines *b)
{
    if (a->line.n != b->line.n)
        return false;
    for (size_t k = 0; k < a->line.n; k++)
        if (strcmp(a->line.at[k], b->line.at[k]) != 0)
            return false;
    return true;
}

static void check(const struct explore_replay *r)
{
    struct explore_replay again;
    struct base_status st;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    explore_replay_write(r, out);
    fclose(out);
    FILE *in = fmemopen(text, size, "r");
    BASE_ASSERT("it is read again", explore_replay_read(&again, in, "again", &st) == 0);
    BASE_ASSERT("the words", equal(&r->options, &again.options) && equal(&r->program, &again.program));
    BASE_ASSERT("the decisions", equal(&r->decisions, &again.decisions));
    BASE_ASSERT("the outcome", !strcmp(r->outcome, again.outcome) && !strcmp(r->key, again.key));
    BASE_ASSERT("the seed", r->seed == again.seed);
    fclose(in);
    explore_replay_release(&again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct explore_replay r;
    struct base_status st = {""};
    struct fuzz_stream s = fuzz_stream_open(data, size);
    if (explore_replay_read(&r, s.in, "file", &st) == 0) {
        check(&r);
        explore_replay_release(&r);
    } else {
        BASE_ASSERT("a reason", !strncmp(st.text, "file:", 5));
    }
    fuzz_stream_close(&s);
    return 0;
}
