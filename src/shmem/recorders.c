/* SPDX-License-Identifier: BSD-3-Clause */
/* recorders: calls as words, to whom records them. None of these is inlined: a PE that waits has none of their frames. */
#include "shmem/recorded.h"
#include "shmem/team.h"

#include <stdlib.h>

bool shmem_recording;
static shmem_record_fn listener;
static void *listens;

void shmem_record(shmem_record_fn fn, void *arg)
{
    shmem_recording = fn != NULL;
    listener = fn;
    listens = arg;
}

/* --- words ---------------------------------------------------------------------------------------- */

enum { PLACES = 1 << 16 }; /* of a PE's contexts: the low bits of a handle */

static int64_t number_of(void *ctx, enum record_object o, uint64_t handle)
{
    (void)ctx;
    if (record_name_of(o, (int64_t)handle))
        return (int64_t)handle;
    return RECORD_MADE + (int64_t)(o == RECORD_CTX ? handle % PLACES : handle);
}

static int64_t place_of(void *ctx, const void *address)
{
    const struct shmem_pe *self = ctx;
    size_t offset = shmem_heap_offset(self, (uintptr_t)address);
    if (!address)
        return RECORD_NULL;
    if (offset != SHMEM_HEAP_NONE)
        return record_place(0, offset);
    for (uint32_t n = 0; n < rank_span_count(self->rank) && n + 1 < RECORD_AREAS; n++) {
        struct rank_span s = rank_span_of(self->rank, n);
        if ((uintptr_t)address - s.base < s.size)
            return record_place(n + 1, (uintptr_t)address - s.base);
    }
    if (shmem_folded_contains(self->job, address))
        return record_place(RECORD_FOLDED, (uintptr_t)address - self->job->folded_base);
    return RECORD_SOMEWHERE;
}

void shmem_record_call(const struct shmem_pe *self, uint32_t function, const struct record_value *v)
{
    static struct record_library library = {.number = number_of, .place = place_of};
    struct record_words w = {0};
    void *ctx = (void *)(uintptr_t)self;
    library.handle[RECORD_CTX] = library.handle[RECORD_TEAM] = sizeof(void *);
    const struct record_function *f = record_function_of(function);
    record_before(&w, f, v, &library, ctx);
    record_after(&w, f, v, &library, ctx);
    listener(listens, self->rank, function, &w);
    record_words_release(&w);
}

void shmem_record_question(struct rank *r, uint32_t function)
{
    const struct record_words none = {0};
    listener(listens, r, function, &none);
}

/* --- calls ---------------------------------------------------------------------------------------- */

#define I(x)                                                                                                 \
    {                                                                                                        \
        .i = (int64_t)(x)                                                                                    \
    }
#define P(x)                                                                                                 \
    {                                                                                                        \
        .p = (x)                                                                                             \
    }
#define BITS(x)                                                                                              \
    {                                                                                                        \
        .i = (int64_t)(uintptr_t)(x)                                                                         \
    }
#define SAY(function, ...) shmem_record_call(self, function, (const struct record_value[]){__VA_ARGS__})
#define SET_OF(who)        I((who)->start), I((who)->log_stride), I((who)->size), P((who)->psync)

void shmem_record_init(const struct shmem_pe *self)
{
    int64_t pieces[2 * RECORD_AREAS];
    uint32_t n = rank_span_count(self->rank);
    if (n >= RECORD_AREAS)
        n = RECORD_AREAS - 1;
    for (uint32_t k = 0; k < n; k++) {
        struct rank_span s = rank_span_of(self->rank, k);
        pieces[2 * k] = (int64_t)s.size;
        pieces[2 * k + 1] = (int64_t)(s.base % base_page_size());
    }
    SAY(RECORD_SHMEM_INIT, I(self->job->heap.size), {2 * (int64_t)n, pieces, 8});
}

void shmem_record_move(const struct shmem_pe *self, uint32_t function, shmem_ctx_t ctx, const void *dest,
                       const void *source, size_t bytes, int pe)
{
    SAY(function, BITS(ctx), P(dest), P(source), I(bytes), I(pe));
}

void shmem_record_strided(const struct shmem_pe *self, const struct shmem_form *f, uint32_t function,
                          shmem_ctx_t ctx, const void *dest, const void *source,
                          const struct shmem_strides *s, int pe)
{
    SAY(function, BITS(ctx), P(dest), P(source), I(s->dst), I(s->sst), I(s->block), I(s->count), I(f->size),
        I(pe));
}

void shmem_stores_touch(struct shmem_pe *self, const int64_t *pes, size_t n)
{
    struct rma_marked m = {.origin = self->rank->id,
                           .mark = rma_count_next(self->rank),
                           .high = UINTPTR_MAX,
                           .last = true,
                           .writes = true};
    for (size_t k = 0; k < n; k++) {
        if (pes[k] < 0 || pes[k] >= self->job->n)
            continue;
        m.memory = shmem_rank(self->job, (uint32_t)pes[k]);
        rma_mark_touch(&m);
    }
}

void shmem_record_stores(const struct shmem_pe *self)
{
    const struct shmem_peers *peers = self->peers;
    bool ahead = self->rank->ahead_until > engine_now(self->rank->engine);
    size_t n = 0;
    int64_t *pes = base_alloc(peers->n * sizeof *pes, "PEs that wait");
    for (uint32_t k = 0; k < peers->n; k++)
        if (shmem_rank(self->job, peers->at[k])->watching)
            pes[n++] = peers->at[k];
    if (n) {
        SAY(RECORD_SHMEM_STORES, I(ahead), {(int64_t)n, pes, 8});
        shmem_stores_touch(&self->job->pes[self->me], pes, n);
    }
    free(pes);
}

static uint32_t posting(enum rma_atomic op)
{
    switch (op) {
    case RMA_ADD:
        return RECORD_SHMEM_ADD;
    case RMA_AND:
        return RECORD_SHMEM_AND;
    case RMA_OR:
        return RECORD_SHMEM_OR;
    case RMA_XOR:
        return RECORD_SHMEM_XOR;
    default:
        return RECORD_SHMEM_SET;
    }
}

static uint32_t fetching(enum rma_atomic op)
{
    switch (op) {
    case RMA_FETCH:
        return RECORD_SHMEM_FETCH;
    case RMA_ADD:
        return RECORD_SHMEM_FETCH_ADD;
    case RMA_AND:
        return RECORD_SHMEM_FETCH_AND;
    case RMA_OR:
        return RECORD_SHMEM_FETCH_OR;
    case RMA_XOR:
        return RECORD_SHMEM_FETCH_XOR;
    case RMA_COMPARE_SWAP:
        return RECORD_SHMEM_COMPARE_SWAP;
    default:
        return RECORD_SHMEM_SWAP;
    }
}

void shmem_record_atomic(const struct shmem_pe *self, const struct shmem_form *f, bool fetches,
                         shmem_ctx_t ctx, const void *object, int pe)
{
    enum rma_atomic op = (enum rma_atomic)f->kind;
    SAY(fetches ? fetching(op) : posting(op), BITS(ctx), P(object), I(f->size), I(pe));
}

/* Its number follows that of the blocking one. */
void shmem_record_atomic_nbi(const struct shmem_pe *self, const struct shmem_form *f, shmem_ctx_t ctx,
                             const void *fetched, const void *object, int pe)
{
    SAY(fetching((enum rma_atomic)f->kind) + 1, BITS(ctx), P(fetched), P(object), I(f->size), I(pe));
}

void shmem_record_put_signal(const struct shmem_pe *self, const struct shmem_form *f, shmem_ctx_t ctx,
                             const void *dest, const void *source, size_t bytes, const struct shmem_signal *s,
                             int pe)
{
    SAY(f->kind == RMA_BLOCKING ? RECORD_SHMEM_PUT_SIGNAL : RECORD_SHMEM_PUT_SIGNAL_NBI, BITS(ctx), P(dest),
        P(source), I(bytes), P(s->sig_addr), I(s->op), I(pe));
}

void shmem_record_signal(const struct shmem_pe *self, shmem_ctx_t ctx, const struct shmem_signal *s, int pe)
{
    SAY(s->op == SHMEM_SIGNAL_ADD ? RECORD_SHMEM_SIGNAL_ADD : RECORD_SHMEM_SIGNAL_SET, BITS(ctx),
        P(s->sig_addr), I(pe));
}

void shmem_record_ctx(const struct shmem_pe *self, uint32_t function, shmem_ctx_t ctx)
{
    SAY(function, BITS(ctx));
}

void shmem_record_pe_quiet(const struct shmem_pe *self, shmem_ctx_t ctx, const int *pes, size_t n)
{
    int64_t *list = base_alloc((n + 1) * sizeof *list, "target PEs");
    for (size_t k = 0; k < n; k++)
        list[k] = pes[k];
    SAY(RECORD_SHMEM_PE_QUIET, BITS(ctx), {(int64_t)n, list, 8});
    free(list);
}

void shmem_record_set(const struct shmem_pe *self, uint32_t function, const struct shmem_who *who)
{
    SAY(function, SET_OF(who));
}

void shmem_record_team(const struct shmem_pe *self, uint32_t function, shmem_team_t team)
{
    SAY(function, BITS(team));
}

void shmem_record_place(const struct shmem_pe *self, uint32_t function, const void *place)
{
    SAY(function, P(place));
}

void shmem_record_size(const struct shmem_pe *self, uint32_t function, size_t size)
{
    SAY(function, I(size));
}

void shmem_record_exchange(const struct shmem_pe *self, const struct shmem_form *f, uint32_t function,
                           const struct shmem_who *who, const void *dest, const void *source, size_t nelems,
                           int root)
{
    bool rooted = function == RECORD_SHMEM_BROADCAST;
    if (!who->set)
        SAY(function, BITS(who->team), P(dest), P(source), I(nelems), I(f->size), I(root));
    else if (rooted)
        SAY(function + 1, P(dest), P(source), I(nelems), I(f->size), I(root), SET_OF(who));
    else
        SAY(function + 1, P(dest), P(source), I(nelems), I(f->size), SET_OF(who));
}

void shmem_record_alltoalls(const struct shmem_pe *self, const struct shmem_form *f,
                            const struct shmem_who *who, const void *dest, const void *source, ptrdiff_t dst,
                            ptrdiff_t sst, size_t nelems)
{
    if (who->set)
        SAY(RECORD_SHMEM_ALLTOALLS_SET, P(dest), P(source), I(dst), I(sst), I(nelems), I(f->size),
            SET_OF(who));
    else
        SAY(RECORD_SHMEM_ALLTOALLS, BITS(who->team), P(dest), P(source), I(dst), I(sst), I(nelems),
            I(f->size));
}

static uint32_t reducing(const struct shmem_form *f, enum types_op op)
{
    switch (op) {
    case TYPES_BAND:
        return RECORD_SHMEM_BAND_REDUCE;
    case TYPES_BOR:
        return RECORD_SHMEM_BOR_REDUCE;
    case TYPES_BXOR:
        return RECORD_SHMEM_BXOR_REDUCE;
    case TYPES_MAX:
        return RECORD_SHMEM_MAX_REDUCE;
    case TYPES_MIN:
        return RECORD_SHMEM_MIN_REDUCE;
    case TYPES_PROD:
        return RECORD_SHMEM_PROD_REDUCE;
    default:
        return f->kind == COLL_INSCAN   ? RECORD_SHMEM_SUM_INSCAN
               : f->kind == COLL_EXSCAN ? RECORD_SHMEM_SUM_EXSCAN
                                        : RECORD_SHMEM_SUM_REDUCE;
    }
}

void shmem_record_reduce(const struct shmem_pe *self, const struct shmem_form *f, const struct shmem_who *who,
                         const void *dest, const void *source, size_t nelems, struct coll_operator op)
{
    uint32_t function = reducing(f, op.op);
    const char *type = types_element_info(op.element)->name;
    if (who->set)
        SAY(function + 1, P(dest), P(source), I(nelems), P(type), SET_OF(who));
    else
        SAY(function, BITS(who->team), P(dest), P(source), I(nelems), P(type));
}
