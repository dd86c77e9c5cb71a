/* SPDX-License-Identifier: BSD-3-Clause */
/* looks: waits and tests. Their lines are written without causes (`null`), which are found at the end. */
#include "shmem_recorder.h"

#include <string.h>

static uint64_t waits; /* whose lines have no causes so far */

static uint64_t value_at(const struct recorder_look *l, size_t k)
{
    uint64_t value = 0;
    memcpy(&value, (const char *)l->ivars + k * l->size, l->size < sizeof value ? l->size : sizeof value);
    return value;
}

bool recorder_look_enter(struct recorder_shmem_call *c, struct recorder_look *l)
{
    uint32_t function = l->fetch  ? RECORD_SHMEM_SIGNAL_FETCH
                        : l->test ? RECORD_SHMEM_TEST
                                  : RECORD_SHMEM_WAIT_UNTIL;
    if (!recorder_shmem_enter(c, function))
        return false;
    l->before = l->n == 1 ? value_at(l, 0) : 0;
    recorder_shmem_before(c, NULL);
    return true;
}

static bool asks(const struct recorder_look *l)
{
    size_t k = 0;
    while (k < l->n && l->status && l->status[k])
        k++;
    return k < l->n;
}

static bool has_found(const struct recorder_look *l, size_t result)
{
    if (!l->test || l->fetch)
        return true;
    return l->find == LOOK_ANY ? result != SIZE_MAX : result > 0;
}

/* Of what the call saw one variable. */
static void see(const struct recorder_shmem_call *c, const struct recorder_look *l, size_t k)
{
    uint64_t value = l->equal ? l->wanted : value_at(l, k); /* it may have changed again */
    recorder_note(&(struct recorder_note){.kind = NOTED_SEEN,
                                          .begin = recorder_shmem_time(c->call.begin),
                                          .end = recorder_shmem_time(c->call.end),
                                          .place = recorder_place(NULL, (const char *)l->ivars + k * l->size),
                                          .bytes = l->size,
                                          .value = value,
                                          .before = l->test || l->fetch ? value
                                                    : l->n == 1         ? l->before
                                                                        : ~value,
                                          .number = waits});
}

static void see_all(const struct recorder_shmem_call *c, const struct recorder_look *l, size_t result)
{
    if (l->find == LOOK_ANY) {
        see(c, l, result);
    } else if (l->find == LOOK_SOME) {
        for (size_t k = 0; k < result; k++)
            see(c, l, l->indices[k]);
    } else {
        for (size_t k = 0; k < l->n; k++)
            if (!l->status || !l->status[k])
                see(c, l, k);
    }
    waits++;
}

void recorder_look_over(struct recorder_shmem_call *c, const struct recorder_look *l, size_t result)
{
    static const int64_t none;
    bool found = asks(l) && has_found(l, result);
    const struct record_value causes = {found ? RECORD_NO_ARRAY : 0, &none, 8},
                              ivars = {.p = (const void *)l->ivars}, bytes = {.i = (int64_t)(l->n * l->size)};
    const struct record_value wait[] = {ivars, bytes, causes}, test[] = {ivars, bytes, {.i = found}, causes},
                              fetch[] = {ivars, causes};
    recorder_return(&c->call);
    if (asks(l) || l->test)
        recorder_shmem_write(c, l->fetch ? fetch : l->test ? test : wait);
    if (found)
        see_all(c, l, result);
    recorder_close(&c->call);
}
