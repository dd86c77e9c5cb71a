/* SPDX-License-Identifier: BSD-3-Clause */
/* openmp: parallel regions and barriers (openmp.h). */
#include "fold/thread/openmp.h"

#include <dlfcn.h>
#include <stdlib.h>

struct openmp_real openmp_real;

void openmp_order_begin(void *library)
{
    static const struct {
        void *to;
        const char *name;
    } all[] = {
#define FOLD_LIBC(type, name, params) {&openmp_real.name, #name},
#include "fold/thread/openmp.def"
#undef FOLD_LIBC
    };
    for (size_t k = 0; k < BASE_LENGTH(all); k++)
        *(void **)all[k].to = dlsym(library, all[k].name);
}

struct openmp_here *openmp_here(void)
{
    struct fold_thread *t = thread_me();
    if (!t->openmp)
        t->openmp = base_zalloc(sizeof *t->openmp, "a thread's place in OpenMP");
    return t->openmp;
}

/* --- regions ---------------------------------------------------------------------------------------- */

/* One thread's part of a region. */
static void run_part(void *arg)
{
    struct openmp_team *team = arg;
    struct rank *r = rank_current;
    struct openmp_here *here = openmp_here(), outer = *here;
    rank_order_acquire(r, team->begun);
    *here = (struct openmp_here){.team = team, .task = openmp_task_make()};
    team->fn(team->data);
    openmp_task_leave(here->task);
    *here = outer;
    thread_moment_add(r, &team->done);
}

static void begin(struct openmp_team *team, struct rank *r, void (*fn)(void *), void *data)
{
    *team = (struct openmp_team){
        .first = data ? *(void **)data : NULL, .fn = fn, .data = data, .begun = rank_order_release(r)};
}

static void end(struct openmp_team *team, struct rank *r)
{
    rank_order_acquire(r, team->done);
    thread_moment_forget(&team->begun);
    thread_moment_forget(&team->done);
    thread_moment_forget(&team->ordered);
    thread_moment_forget(&team->barrier[0].all);
    thread_moment_forget(&team->barrier[1].all);
}

/* The region's code is its second argument, or run_part with our record of it. */
#define REGION(name, params, rest)                                                                           \
    void in_rank_##name params                                                                               \
    {                                                                                                        \
        struct openmp_team team;                                                                             \
        struct rank *r = rank_current;                                                                       \
        if (r)                                                                                               \
            begin(&team, r, fn, data);                                                                       \
        openmp_real.name(r ? run_part : fn, r ? &team : data, REST rest);                                    \
        if (r)                                                                                               \
            end(&team, r);                                                                                   \
    }
#define REST(...) __VA_ARGS__
#define LOOP(kind)                                                                                           \
    REGION(GOMP_parallel_loop_##kind,                                                                        \
           (void (*fn)(void *), void *data, unsigned threads, long start, long stop, long step, long chunk,  \
            unsigned flags),                                                                                 \
           (threads, start, stop, step, chunk, flags))
#define LOOP_RUNTIME(kind)                                                                                   \
    REGION(GOMP_parallel_loop_##kind,                                                                        \
           (void (*fn)(void *), void *data, unsigned threads, long start, long stop, long step,              \
            unsigned flags),                                                                                 \
           (threads, start, stop, step, flags))

REGION(GOMP_parallel, (void (*fn)(void *), void *data, unsigned threads, unsigned flags), (threads, flags))
REGION(GOMP_parallel_sections, (void (*fn)(void *), void *data, unsigned threads, unsigned n, unsigned flags),
       (threads, n, flags))
LOOP(static)
LOOP(dynamic)
LOOP(guided)
LOOP(nonmonotonic_dynamic)
LOOP(nonmonotonic_guided)
LOOP_RUNTIME(runtime)
LOOP_RUNTIME(nonmonotonic_runtime)
LOOP_RUNTIME(maybe_nonmonotonic_runtime)

unsigned in_rank_GOMP_parallel_reductions(void (*fn)(void *), void *data, unsigned threads, unsigned flags)
{
    struct openmp_team team;
    struct rank *r = rank_current;
    if (!r)
        return openmp_real.GOMP_parallel_reductions(fn, data, threads, flags);
    begin(&team, r, fn, data);
    unsigned n = openmp_real.GOMP_parallel_reductions(run_part, &team, threads, flags);
    end(&team, r);
    return n;
}

/* --- barriers --------------------------------------------------------------------------------------- */

void openmp_barrier_add(struct rank *r, const struct openmp_here *here)
{
    struct openmp_barrier *b = &here->team->barrier[here->barriers & 1];
    if (b->number != here->barriers) {
        thread_moment_forget(&b->all);
        b->number = here->barriers;
    }
    thread_moment_add(r, &b->all);
}

static struct openmp_here *arrive(void)
{
    struct openmp_here *here = rank_current ? openmp_here() : NULL;
    if (!here || !here->team)
        return NULL;
    openmp_barrier_add(rank_current, here);
    return here;
}

static void pass(struct openmp_here *here)
{
    if (!here)
        return;
    rank_order_acquire(rank_current, here->team->barrier[here->barriers & 1].all);
    here->barriers++;
}

#define BARRIER(name)                                                                                        \
    void in_rank_##name(void)                                                                                \
    {                                                                                                        \
        struct openmp_here *here = arrive();                                                                 \
        openmp_real.name();                                                                                  \
        pass(here);                                                                                          \
    }
#define BARRIER_CANCEL(name)                                                                                 \
    bool in_rank_##name(void)                                                                                \
    {                                                                                                        \
        struct openmp_here *here = arrive();                                                                 \
        bool cancelled = openmp_real.name();                                                                 \
        pass(here);                                                                                          \
        return cancelled;                                                                                    \
    }
BARRIER(GOMP_barrier)
BARRIER(GOMP_loop_end)
BARRIER(GOMP_sections_end)
BARRIER_CANCEL(GOMP_barrier_cancel)
BARRIER_CANCEL(GOMP_loop_end_cancel)
BARRIER_CANCEL(GOMP_sections_end_cancel)

/* NULL to the thread that computes what the others get; it arrives at their barrier when it hands that on. */
void *in_rank_GOMP_single_copy_start(void)
{
    struct openmp_here *here = arrive();
    void *data = openmp_real.GOMP_single_copy_start();
    if (data)
        pass(here);
    return data;
}

void in_rank_GOMP_single_copy_end(void *data)
{
    struct openmp_here *here = arrive();
    openmp_real.GOMP_single_copy_end(data);
    pass(here);
}

void in_rank_GOMP_workshare_task_reduction_unregister(bool cancelled)
{
    struct openmp_here *here = cancelled ? NULL : arrive();
    openmp_real.GOMP_workshare_task_reduction_unregister(cancelled);
    pass(here);
}
