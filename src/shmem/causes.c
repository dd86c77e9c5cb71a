/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * causes: what a wait or a test of a run that is recorded was ended by: the last operation that wrote what it saw. All
 * words that operations of few bytes have written are known, and the latest of the larger operations.
 */
#include "shmem/recorded.h"

#include "base/table.h"

#include <stdlib.h>

enum { SMALL = 64, LARGE_ONES = 256, WORD = 8 };

struct writer {
    uint64_t order; /* 0: none */
    int64_t cause;
    uint32_t pe;
};
struct large {
    struct writer by;
    uint32_t pe; /* whose memory */
    uintptr_t low, high;
};
struct shmem_writers {
    struct base_table words; /* struct writer */
    struct large large[LARGE_ONES];
    uint64_t orders;
};

static uint64_t key_of(uint32_t pe, uintptr_t word)
{
    return (uint64_t)pe << 44 | (word & ((UINT64_C(1) << 44) - 1));
}

static struct shmem_writers *writers_of(struct shmem_job *job)
{
    if (!job->writers) {
        job->writers = base_zalloc(sizeof *job->writers, "causes of waits");
        base_table_init(&job->writers->words, BASE_NUMBERS, sizeof(struct writer), "causes of waits");
    }
    return job->writers;
}

void shmem_causes_told(void *arg, const struct rma_marked *m)
{
    struct shmem_writers *w = writers_of(arg);
    const struct writer by = {++w->orders, shmem_operation_cause(m), shmem_operation_by(arg, m)};
    if (!m->writes || m->low == m->high)
        return;
    if (m->high - m->low > SMALL) {
        w->large[w->orders % LARGE_ONES] = (struct large){by, m->memory->id, m->low, m->high};
        return;
    }
    for (uintptr_t word = m->low / WORD; word <= (m->high - 1) / WORD; word++) {
        bool fresh;
        struct writer *found = base_table_add(&w->words, key_of(m->memory->id, word), &fresh);
        *found = by;
    }
}

static struct writer last_writer(const struct shmem_writers *w, uint32_t pe, uintptr_t low, uintptr_t high)
{
    struct writer last = {0};
    for (uintptr_t word = low / WORD; word <= (high - 1) / WORD; word++) {
        const struct writer *found = base_table_find(&w->words, key_of(pe, word));
        if (found && found->order > last.order)
            last = *found;
    }
    for (size_t k = 0; k < LARGE_ONES; k++) {
        const struct large *l = &w->large[k];
        if (l->by.order > last.order && l->pe == pe && l->low < high && l->high > low)
            last = l->by;
    }
    return last;
}

struct shmem_causes *shmem_causes_begin(void)
{
    return BASE_UNLIKELY(shmem_recording) ? base_zalloc(sizeof(struct shmem_causes), "causes of a wait")
                                          : NULL;
}

void shmem_causes_see(struct shmem_causes *c, const struct shmem_pe *self, uintptr_t address, size_t bytes)
{
    struct writer w = {0};
    if (self->job->writers)
        w = last_writer(self->job->writers, self->me, address, address + bytes);
    if (!w.order || (c->list.n && c->list.at[c->list.n - 1] == w.cause && c->list.at[c->list.n - 2] == w.pe))
        return;
    BASE_ARRAY_PUSH(&c->list, w.pe);
    BASE_ARRAY_PUSH(&c->list, w.cause);
}

/* A call that has waited was ended by what is happening now. */
void shmem_causes_end(struct shmem_causes *c, const struct shmem_pe *self)
{
    const struct rma_marked *now = rma_mark_acting(self->rank);
    c->unknown = c->asked;
    for (size_t k = 0; now && k < c->list.n; k += 2)
        if (c->list.at[k] == shmem_operation_by(self->job, now) && c->list.at[k + 1] == shmem_operation_cause(now))
            c->unknown = false;
}

void shmem_record_seen(const struct shmem_pe *self, struct shmem_causes *c, const void *ivars, size_t bytes,
                       int64_t result)
{
    static const int64_t none;
    struct record_value v[] = {{.p = ivars}, {.i = (int64_t)bytes}, {.i = result}, {0}}, *causes = &v[3];
    uint32_t function = RECORD_SHMEM_TEST;
    if (result == -1) {
        function = RECORD_SHMEM_WAIT_UNTIL;
        causes = &v[2];
    } else if (result == -2) {
        function = RECORD_SHMEM_SIGNAL_FETCH;
        causes = &v[1];
    } else if (result == -3) {
        function = RECORD_SHMEM_POLLED;
        causes = &v[0];
    }
    *causes = (struct record_value){c->unknown ? -1 : (int64_t)c->list.n, c->list.n ? c->list.at : &none, 8};
    if (c->unknown && !base_warn_again("record/unknown-cause"))
        base_warn(
            "record/unknown-cause",
            "PE %u has waited for what no operation of OpenSHMEM has written (a store through a pointer, a "
            "collective, another thread): the trace cannot say what, and its replay will not wait there",
            self->me);
    shmem_record_call(self, function, v);
    free(c->list.at);
    free(c);
}

bool shmem_record_polled(struct rank *r, const uintptr_t *word, size_t n)
{
    const struct shmem_pe *self = rank_kept(r, &shmem_slot);
    if (!self || !self->job)
        return false;
    struct shmem_causes *c = base_zalloc(sizeof *c, "causes of a wait");
    for (size_t k = 0; k < n; k++)
        shmem_causes_see(c, self, word[k], WORD);
    c->unknown = !c->list.n;
    shmem_record_seen(self, c, NULL, 0, -3);
    return true;
}

void shmem_causes_release(struct shmem_job *job)
{
    if (job->writers)
        base_table_release(&job->writers->words);
    free(job->writers);
}
