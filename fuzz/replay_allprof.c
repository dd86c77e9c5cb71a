/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as liballprof's file of one rank, and of two. */
#include "replay/replay.h"

#include "folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const files[] = {"trace-0", "trace-1", NULL};

static void write_file(const char *name, const uint8_t *data, size_t size)
{
    FILE *f = fopen(name, "w");
    if (!f || fputs("MPI_Init:-:1:1:1\n", f) < 0 || fwrite(data, 1, size, f) != size || fclose(f))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    struct replay_facts facts;
    uint32_t ranks = size && data[0] % 2 ? 2 : 1;
    fuzz_enter(files);
    unlink(files[1]);
    for (uint32_t k = 0; k < ranks; k++)
        write_file(files[k], data, size);
    struct replay_trace *t = replay_trace_read(files[0], 0, &st);
    if (t) {
        replay_trace_facts(t, &facts);
        BASE_ASSERT("ranks", facts.ranks == ranks && facts.least <= facts.most);
    } else {
        BASE_ASSERT("a reason", strlen(st.text) > 0);
    }
    replay_trace_release(t);
    return 0;
}
