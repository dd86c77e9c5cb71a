/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts: a counter of the system's (perf_event_open) beside the clock: of the instructions of this process outside of the
 * kernel, in all threads that it makes from now on. Where it is not allowed or there is none, one notice says so.
 */
#include "recorder.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct counter {
    const char *name;
    uint32_t type;
    uint64_t config;
} counters[] = {
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK}, /* ns on a processor */
};
static int opened = -1;

static const struct counter *named(const char *name)
{
    for (size_t k = 0; k < BASE_LENGTH(counters); k++)
        if (!strcmp(counters[k].name, name))
            return &counters[k];
    return NULL;
}

static void tell(int rank, const char *name, const char *why)
{
    if (!rank)
        fprintf(stderr, "pgasim record: %s are not counted (%s): the trace has the time alone\n", name, why);
}

static const char *reason(void)
{
    switch (errno) {
    case EACCES:
    case EPERM:
        return "perf_event_paranoid or a filter forbids it";
    case ENOENT:
    case EOPNOTSUPP:
        return "this machine has no such counter";
    default:
        return strerror(errno);
    }
}

void recorder_counts_begin(int rank)
{
    const char *name = getenv("PGASIM_RECORD_COUNTER");
    const struct counter *c = name && *name ? named(name) : NULL;
    if (!name || !*name || opened >= 0)
        return;
    if (!c) {
        tell(rank, name, "there is no such counter");
        return;
    }
    struct perf_event_attr attr = {.type = c->type,
                                   .size = sizeof attr,
                                   .config = c->config,
                                   .inherit = 1,
                                   .exclude_kernel = 1,
                                   .exclude_hv = 1};
    opened = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (opened < 0)
        tell(rank, name, reason());
}

int64_t recorder_count(void)
{
    int64_t count;
    return opened >= 0 && read(opened, &count, sizeof count) == sizeof count ? count : 0;
}

void recorder_counts_end(void)
{
    if (opened >= 0)
        close(opened);
    opened = -1;
}
