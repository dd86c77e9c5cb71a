/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * openmp_task: explicit tasks (openmp.h). The library copies a task's data when it makes the task, and hands the
 * copy to the task's function. We make it copy a record of ours, with the program's data behind it.
 */
#include "fold/thread/openmp.h"

#include <stdlib.h>
#include <string.h>

enum { NO_GROUP = 1 << 11, DETACH = 1 << 13 }; /* flags of libgomp.h; since GCC 6, 10 */
enum { DEPEND_IN = 1 };                        /* omp_depend_t, GCC's libgomp */

/* An address that a task depends on. */
struct dependence {
    const void *address;
    bool reads; /* only */
};

/* The library and the program exchange words at the beginning of the data: bounds of a loop, an event. */
struct job {
    void *shared[3];
    void (*fn)(void *);
    void (*copy)(void *, void *);
    void *data; /* the program's, while the task is made */
    size_t size, offset;
    bool loop, detach;
    struct openmp_team *team;
    struct openmp_task *parent;
    struct openmp_group *group;
    rank_moment begun;
    struct dependence *depends;
    size_t n_depends;
};

struct openmp_task *openmp_task_make(void)
{
    struct openmp_task *t = base_zalloc(sizeof *t, "an OpenMP task");
    t->references = 1;
    return t;
}

void openmp_task_leave(struct openmp_task *t)
{
    if (!t || --t->references)
        return;
    thread_moment_forget(&t->children);
    free(t);
}

/* --- dependences ------------------------------------------------------------------------------------ */

/* The list as GCC makes it: a number of items and of writing ones, items; or 0, a number of items, three of them by
 * kind, items, the last of which are objects with a kind. */
static size_t read_depends(void **list, struct dependence **out)
{
    bool old = list && list[0];
    size_t n = !list ? 0 : (size_t)list[!old], writes = !list ? 0 : (size_t)list[1 + !old];
    size_t known = old || !list ? n : writes + (size_t)list[3] + (size_t)list[4];
    *out = n ? base_alloc(n * sizeof **out, "what a task depends on") : NULL;
    if (n && !old)
        writes += (size_t)list[3];
    for (size_t k = 0; k < n; k++) {
        void **item = &list[(old ? 2 : 5) + k];
        void **object = *item;
        (*out)[k] = k < known ? (struct dependence){*item, k >= writes}
                              : (struct dependence){object[0], (uintptr_t)object[1] == DEPEND_IN};
    }
    return n;
}

static void depends_acquire(struct rank *r, const struct dependence *d, size_t n)
{
    for (size_t k = 0; k < n; k++)
        (d[k].reads ? thread_order_acquire_reading : thread_order_acquire)(r, d[k].address);
}

static void depends_release(struct rank *r, const struct dependence *d, size_t n)
{
    for (size_t k = 0; k < n; k++)
        (d[k].reads ? thread_order_release_reading : thread_order_release)(r, d[k].address);
}

/* --- a task's life ---------------------------------------------------------------------------------- */

static void job_release(struct job *j)
{
    thread_moment_forget(&j->begun);
    openmp_task_leave(j->parent);
    free(j->depends);
}

/* Copies a job for a task, when the library makes it. */
static void copy_job(void *to, void *from)
{
    struct job *j = to;
    const struct job *source = from;
    char *data = (char *)to + source->offset;
    *j = *source;
    j->begun = rank_order_copy(source->begun);
    if (j->parent)
        j->parent->references++;
    if (j->n_depends) {
        j->depends = base_alloc(j->n_depends * sizeof *j->depends, "what a task depends on");
        memcpy(j->depends, source->depends, j->n_depends * sizeof *j->depends);
    }
    if (source->copy)
        source->copy(data, source->data);
    else if (source->size)
        memcpy(data, source->data, source->size);
    enum { HANDLE = sizeof(uintptr_t) };
    if (source->detach && source->size >= HANDLE)
        memcpy(data, source->shared, HANDLE);
}

static void task_ends(struct rank *r, const struct job *j, const struct openmp_here *outer)
{
    if (j->parent)
        thread_moment_add(r, &j->parent->children);
    if (j->group)
        thread_moment_add(r, &j->group->done);
    if (j->team)
        thread_moment_add(r, &j->team->done);
    if (j->team && outer->team == j->team)
        openmp_barrier_add(r, outer);
    depends_release(r, j->depends, j->n_depends);
}

static void run_task(void *arg)
{
    struct job *j = arg;
    struct rank *r = rank_current;
    struct openmp_here *here = openmp_here(), outer = *here;
    void *data = (char *)arg + j->offset;
    if (j->loop)
        memcpy(data, j->shared, 2 * sizeof(void *));
    rank_order_acquire(r, j->begun);
    depends_acquire(r, j->depends, j->n_depends);
    *here = (struct openmp_here){
        .team = j->team, .barriers = outer.barriers, .task = openmp_task_make(), .group = j->group};
    j->fn(data);
    openmp_task_leave(here->task);
    *here = outer;
    task_ends(r, j, &outer);
    job_release(j);
}

/* `*align` becomes that of the job. */
static struct job make(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long *align,
                       void **depend)
{
    struct openmp_here *here = openmp_here();
    size_t least = _Alignof(struct job), wanted = (size_t)*align > least ? (size_t)*align : least;
    struct job j = {.fn = fn,
                    .copy = copy,
                    .data = data,
                    .size = (size_t)size,
                    .offset = (sizeof j + wanted - 1) / wanted * wanted,
                    .team = here->team,
                    .parent = here->task,
                    .group = here->group,
                    .begun = rank_order_release(rank_current)};
    j.n_depends = read_depends(depend, &j.depends);
    if (j.parent)
        j.parent->references++;
    if (data)
        memcpy(j.shared, data, j.size < sizeof j.shared ? j.size : sizeof j.shared);
    *align = (long)wanted;
    return j;
}

void in_rank_GOMP_task(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                       bool deferred, unsigned flags, void **depend, int priority, void *detach)
{
    enum { DEPENDS = 1 << 3 };
    if (!rank_current) {
        openmp_real.GOMP_task(fn, data, copy, size, align, deferred, flags, depend, priority, detach);
        return;
    }
    struct job j = make(fn, data, copy, size, &align, flags & DEPENDS ? depend : NULL);
    j.detach = flags & DETACH;
    openmp_real.GOMP_task(run_task, &j, copy_job, (long)j.offset + size, align, deferred, flags, depend,
                          priority, detach);
    job_release(&j);
}

/* --- groups and loops ------------------------------------------------------------------------------- */

static void group_begin(struct openmp_group *g)
{
    struct openmp_here *here = openmp_here();
    *g = (struct openmp_group){.outer = here->group};
    here->group = g;
}

static void group_end(struct openmp_group *g)
{
    openmp_here()->group = g->outer;
    rank_order_acquire(rank_current, g->done);
    thread_moment_forget(&g->done);
}

#define TASKLOOP(name, type, natural)                                                                        \
    void in_rank_##name(void (*fn)(void *), void *data, void (*copy)(void *, void *), long size, long align, \
                        unsigned flags, natural tasks, int priority, type start, type end, type step)        \
    {                                                                                                        \
        struct openmp_group group;                                                                           \
        if (!rank_current) {                                                                                 \
            openmp_real.name(fn, data, copy, size, align, flags, tasks, priority, start, end, step);         \
            return;                                                                                          \
        }                                                                                                    \
        if (!(flags & NO_GROUP))                                                                             \
            group_begin(&group);                                                                             \
        struct job j = make(fn, data, copy, size, &align, NULL);                                             \
        j.loop = true;                                                                                       \
        openmp_real.name(run_task, &j, copy_job, (long)j.offset + size, align, flags, tasks, priority,       \
                         start, end, step);                                                                  \
        job_release(&j);                                                                                     \
        if (!(flags & NO_GROUP))                                                                             \
            group_end(&group);                                                                               \
    }
TASKLOOP(GOMP_taskloop, long, unsigned long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long, unsigned long)

void in_rank_GOMP_taskgroup_start(void)
{
    if (rank_current)
        group_begin(base_alloc(sizeof(struct openmp_group), "a group of OpenMP tasks"));
    openmp_real.GOMP_taskgroup_start();
}

void in_rank_GOMP_taskgroup_end(void)
{
    openmp_real.GOMP_taskgroup_end();
    struct openmp_group *g = rank_current ? openmp_here()->group : NULL;
    if (g)
        group_end(g);
    free(g);
}

/* --- waiting ---------------------------------------------------------------------------------------- */

void in_rank_GOMP_taskwait(void)
{
    openmp_real.GOMP_taskwait();
    if (rank_current && openmp_here()->task)
        rank_order_acquire(rank_current, openmp_here()->task->children);
}

void in_rank_GOMP_taskwait_depend(void **depend)
{
    struct dependence *d;
    openmp_real.GOMP_taskwait_depend(depend);
    if (!rank_current)
        return;
    size_t n = read_depends(depend, &d);
    depends_acquire(rank_current, d, n);
    free(d);
}
