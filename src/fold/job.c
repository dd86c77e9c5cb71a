/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program's part of a job's life: let each rank run its main with its own globals. program.c loads it.
 * rank/ owns the ranks' records, actors and ends, and calls the functions here.
 */
#include "fold/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/annotate/annotate.h"
#include "fold/heap/heap.h"
#include "fold/image/image.h"
#include "fold/io/io.h"
#include "fold/libc/libc.h"
#include "fold/poll/poll.h"
#include "fold/sanitize/sanitize.h"
#include "fold/thread/thread.h"
#include "fold/view/view.h"
#include "rank/folded.h"

/* --- a rank --------------------------------------------------------------------------------------- */

/* The arguments belong to the rank: programs permute and overwrite them. */
static int run_main(struct rank *r, char *text, char **argv)
{
    const struct fold_start *s = fold_part(r)->start;
    const struct images *im = &s->program->images;
    for (uint32_t i = 0; i < s->argc; i++) {
        argv[i] = text;
        text = stpcpy(text, s->config.argv[i]) + 1;
    }
    argv[s->argc] = NULL;
    int argc = (int)s->argc;
    if (s->config.folder && in_rank_chdir(s->config.folder))
        base_fatal(BASE_EXIT_INPUT, "cannot change to the folder %s: %s", s->config.folder, strerror(errno));
    if (r->measured_from >= 0)
        rank_compute_start(r);
    image_construct(im, fold_part(r)->image, argc, argv, s->config.envp);
    return image_main(im, fold_part(r)->image)(argc, argv, s->config.envp);
}

static void run(struct rank *r)
{
    char text[fold_part(r)->start->argv_bytes + 1];
    char *argv[fold_part(r)->start->argc + 1];
    thread_system_rank_begin(r);
    int code = run_main(r, text, argv);
    if (!rank_current && !rank_ahead) /* a child process that the rank has forked */
        exit(code);
    rank_exit(code);
}

static void close_program(struct rank *r)
{
    modules_destruct(r);
    image_destruct(fold_images(r), fold_part(r)->image);
}

static void release(struct rank *r)
{
    sanitize_rank_ends(r);
    thread_drop_others(r);
    thread_crew_release(r);
    annotated_release(r);
    io_release(r);
    fold_libc_release(r);
    image_release(fold_images(r), fold_part(r)->image);
    thread_system_rank_end(r);
    view_release(r);
    heaps_release(r);
}

static void drop(struct rank *r)
{
    thread_drop_all(r);
    io_drop(r);
}

/* D1, D2. */
static void on_switch(void *unused, struct rank *from, struct rank *to, struct engine_actor *to_actor)
{
    struct fold_thread *thread = to_actor ? engine_actor_local(to_actor) : NULL;
    (void)unused;
    if (BASE_UNLIKELY(fold_thread))
        thread_switch_from(fold_thread);
    if (from != to) {
        sanitize_switch(from);
        fold_libc_switch(from, to);
        if (to && fold_images(to)->swap)
            swap_to(fold_images(to)->swap, &fold_part(to)->image->version);
        if (to)
            thread_system_switch(to);
        if (to && BASE_UNLIKELY(fold_part(to)->view))
            view_switch(to);
    }
    if (BASE_UNLIKELY(thread))
        thread_switch_to(thread);
    fold_thread = thread;
}

/* --- the job -------------------------------------------------------------------------------------- */

static void job_begin(struct rank_job *ranks)
{
    struct fold_job *job = fold_of_job(ranks);
    const struct rank_memory *native = rank_memory_choose(ranks);
    for (uint32_t k = 0; k < job->ranks; k++)
        if (!fold_images(fold_rank_at(job, k))->swap)
            rank_use_memory(fold_rank_at(job, k), native);
    thread_exit_begin();
    heaps_begin(job);
    fold_libc_begin(job);
    io_begin(job);
    thread_costs_read(job);
    thread_park_begin();
    thread_system_begin(job);
    fold_crash_handlers_install();
    sanitize_begin(job);
    poll_begin(job);
    rank_on_switch(ranks, on_switch, NULL);
}

static void job_end(struct rank_job *ranks)
{
    struct fold_job *job = fold_of_job(ranks);
    poll_end(job);
    sanitize_end(job);
    thread_system_end(job);
    thread_park_end();
    thread_order_end_all();
    io_end(job);
    fold_libc_end(job);
    heaps_end(job);
    views_end(job);
}

static void job_destroy(struct rank_job *ranks)
{
    struct fold_job *job = fold_of_job(ranks);
    if (!job)
        return;
    fold_crash_handlers_remove();
    for (uint32_t i = 0; i < job->ranks; i++) /* of jobs that were stopped */
        thread_crew_release(fold_rank_at(job, i));
    annotated_end(job);
    programs_close(job);
    free(job->exceptions);
    rank_set_part(ranks, &fold_slot, NULL);
    free(job);
}

/* A program that refers to one of these makes threads or waits for them. */
static bool is_of_threads(const char *name)
{
    static const char *const names[] = {"pthread_create", "thrd_create", "GOMP_parallel"};
    static const char *const ends[] = {"cond_wait",     "cond_timedwait", "cond_clockwait", "cnd_wait",
                                       "cnd_timedwait", "sem_wait",       "sem_timedwait",  "sem_clockwait"};
    size_t length = strlen(name);
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (!strcmp(name, names[k]))
            return true;
    for (size_t k = 0; k < BASE_LENGTH(ends); k++)
        if (length >= strlen(ends[k]) && !strcmp(name + length - strlen(ends[k]), ends[k]))
            return true;
    return false;
}

static void look(void *arg, const char *name, bool weak)
{
    bool *threads = arg;
    *threads |= !weak && is_of_threads(name);
}

static bool makes_threads(const struct rank_job *ranks)
{
    const struct fold_job *job = fold_of_job(ranks);
    bool threads = false;
    for (size_t k = 0; k < job->programs; k++)
        for (size_t i = 0; i < job->program[k].images.objects.list.n; i++)
            elf_references_each(&job->program[k].images.objects.list.at[i]->elf, look, &threads);
    return threads;
}

static const struct rank_life life = {.job_begin = job_begin,
                                      .run = run,
                                      .claim_end = thread_claim_end,
                                      .leave = thread_run_atexit,
                                      .close = close_program,
                                      .release = release,
                                      .drop = drop,
                                      .job_end = job_end,
                                      .job_destroy = job_destroy,
                                      .makes_threads = makes_threads,
                                      .thread = thread_slot,
                                      .owed = annotated_owed,
                                      .charged = sample_charge,
                                      .says = annotated_says,
                                      .speaks = annotated_speaks,
                                      .start = programs_start};
static const struct rank_provider native = {"native program", &rank_memory_native, &life, &fold_names_table,
                                            &fold_ahead_hooks};
static const struct rank_provider swapped = {"native program, exchanged", &fold_memory_swapped, &life,
                                             &fold_names_table, &fold_ahead_hooks};

/* --- making --------------------------------------------------------------------------------------- */

void fold_supply(struct fold_job *job, const struct fold_start *s, uint32_t first)
{
    rank_job_supply(job->job, s->program->images.swap ? &swapped : &native, first, s->config.ranks);
}

static void supply(struct fold_job *job)
{
    uint32_t first = 0;
    for (size_t k = 0; k < job->starts; k++) {
        fold_supply(job, &job->start[k], first);
        first += job->start[k].config.ranks;
    }
}

int fold_attach(struct rank_job *ranks, const struct fold_config *config, size_t n, struct base_status *st)
{
    struct fold_job *job = base_zalloc(sizeof *job, "job");
    *job = (struct fold_job){.job = ranks,
                             .engine = rank_engine(ranks),
                             .fabric = rank_fabric(ranks),
                             .trace = rank_trace(ranks),
                             .settings = rank_settings(ranks),
                             .ranks = rank_count(ranks)};
    references_interpose_before(fold_checking_interposers, rank_checker ? fold_checking_interposer_count : 0);
    if (programs_open(job, config, n, st)) {
        free(job);
        return -1;
    }
    for (size_t k = 0; k < job->programs; k++)
        images_check_frames(&job->program[k].images.objects, 0, engine_guard_size(job->engine));
    rank_set_part(ranks, &fold_slot, job);
    supply(job);
    annotated_begin(job);
    return 0;
}

void fold_register(void)
{
    trace_calls_register(fold_calls, fold_calls_count);
    references_interpose(fold_interposers, fold_interposer_count, fold_interposer_system);
}

void fold_ranks_register(void)
{
    rank_slot_register(&fold_slot, sizeof(struct fold_part));
    poll_register();
    heaps_register();
    rank_folds = folded_holds;
    rank_streams = (struct rank_streams){in_rank_read, in_rank_write};
}

/* --- questions ----------------------------------------------------------------------------------- */

enum fold_privatize fold_privatize_of(const struct rank_job *job)
{
    return fold_way(fold_of_job(job));
}

struct fold_counts fold_counts(const struct rank_job *ranks)
{
    const struct fold_job *job = fold_of_job(ranks);
    struct fold_counts c = {.kernels_run = job->annotated->samples.run,
                            .kernels_skipped = job->annotated->samples.skipped,
                            .folded_asked = job->annotated->asked,
                            .folded_peak = job->annotated->folded_peak,
                            .heap = heaps_counts()};
    for (size_t k = 0; k < job->programs; k++) {
        const struct images *im = &job->program[k].images;
        uint64_t bytes = objects_data_size(&im->objects);
        c.swaps += im->swap ? swap_count(im->swap) : 0;
        c.image_bytes = bytes > c.image_bytes ? bytes : c.image_bytes;
    }
    return c;
}
