/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes read as a time-independent trace of SMPI, compressed or not. */
#include "replay/replay.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct base_status st = {""};
    struct replay_facts facts;
    char path[32];
    int fd = memfd_create("trace", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct replay_tape *t = replay_trace_read(path, 0, &st);
    if (t) {
        replay_trace_facts(t, &facts);
        BASE_ASSERT("ranks", facts.ranks == replay_trace_ranks(t) && facts.least <= facts.most);
    } else {
        BASE_ASSERT("a reason", strlen(st.text) > 0);
    }
    replay_trace_release(t);
    close(fd);
    return 0;
}
