/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * later: programs that ranks start while the job runs. A file that is loaded already is not loaded otherwise: its new ranks
 * get more images of the same program, unless they are so many that they have to be exchanged where the first ones are
 * loaded copies; then it is a program of its own.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/internal.h"
#include "fold/libc/libc.h"
#include "fold/thread/thread.h"

/* The program with this file to which n more ranks can be added; NULL: there is none, and *wanted says how it is loaded. */
static struct fold_program *known(struct fold_job *job, const char *path, uint32_t n,
                                  enum fold_privatize *wanted)
{
    enum fold_privatize asked = job->start[0].config.privatize;
    *wanted = asked;
    for (size_t k = 0; k < job->programs; k++) {
        struct fold_program *p = &job->program[k];
        const struct images *im = &p->images;
        if (strcmp(p->path, path) != 0)
            continue;
        if (im->way != FOLD_DLOPEN ||
            images_choose(&im->objects, im->ranks + n, asked, job->settings) == im->way)
            return p;
        *wanted = FOLD_SWAP;
    }
    return NULL;
}

static int open_more(struct fold_job *job, struct fold_program *p, const char *path, uint32_t n,
                     enum fold_privatize wanted, struct base_status *st)
{
    const struct fold_program *last = &job->program[job->programs - 1];
    *p = (struct fold_program){
        .path = path, .objects_before = last->objects_before + (uint32_t)last->images.objects.list.n};
    if (images_open(&p->images, path, getenv("LD_LIBRARY_PATH"), n,
                    n + rank_room(job->job) - rank_count(job->job), wanted, false, job->settings, st))
        return -1;
    images_check_frames(&p->images.objects, 0, engine_guard_size(job->engine));
    return 0;
}

/* The environment is unchanged, but its list may have moved. */
static int open_program(struct fold_job *job, const char *path, uint32_t n, enum fold_privatize wanted,
                        struct base_status *st)
{
    char **before = environ;
    struct fold_program *p = &job->program[job->programs];
    thread_system_before_load();
    int failed = open_more(job, p, path, n, wanted, st);
    thread_system_after_load();
    for (size_t k = 0; k < job->starts && environ != before; k++)
        if (job->start[k].config.envp == before)
            job->start[k].config.envp = environ;
    if (!failed)
        job->programs++;
    return failed;
}

static char **copy_words(char *const *words)
{
    size_t n = 0;
    while (words[n])
        n++;
    char **copy = base_zalloc((n + 1) * sizeof *copy, "arguments");
    for (size_t k = 0; k < n; k++)
        copy[k] = base_strdup(words[k]);
    return copy;
}

/* The same environment as the rank's that starts it; and its folder, unless another is named. */
static struct fold_start start_of(struct rank *by, const struct rank_start *what)
{
    const struct fold_libc *l = fold_part(by)->libc;
    const struct fold_config *own = &fold_part(by)->start->config;
    const char *folder = what->folder ? what->folder : l && l->folder ? l->folder : own->folder;
    struct fold_start s = {.later = true};
    s.config = (struct fold_config){.program = base_strdup(what->program),
                                    .argv = copy_words(what->argv),
                                    .envp = own->envp,
                                    .folder = folder ? base_strdup(folder) : NULL,
                                    .privatize = own->privatize,
                                    .ranks = what->ranks};
    programs_count_arguments(&s);
    return s;
}

static void give(struct fold_job *job, struct fold_start *s, uint32_t first)
{
    const struct rank_memory *native = rank_memory_choose(job->job);
    uint32_t image = s->program->ranks;
    fold_supply(job, s, first);
    for (uint32_t k = 0; k < s->config.ranks; k++) {
        struct rank *r = fold_rank_at(job, first + k);
        fold_part(r)->start = s;
        fold_part(r)->image = &s->program->images.image[image + k];
        if (!s->program->images.swap)
            rank_use_memory(r, native);
    }
    s->program->ranks += s->config.ranks;
}

static int start_one(struct rank *by, const struct rank_start *what, uint32_t first, struct base_status *st)
{
    struct fold_job *job = fold_of(by);
    enum fold_privatize wanted;
    struct fold_program *p = known(job, what->program, what->ranks, &wanted);
    struct fold_start *s = &job->start[job->starts];
    *s = start_of(by, what);
    job->starts++; /* its texts are freed with the job's, whatever comes */
    if (p ? images_add(&p->images, what->ranks, st)
          : open_program(job, s->config.program, what->ranks, wanted, st))
        return -1;
    s->program = p ? p : &job->program[job->programs - 1];
    job->ranks += what->ranks;
    give(job, s, first);
    return 0;
}

int programs_start(struct rank *by, const struct rank_start *what, size_t n, uint32_t first,
                   struct base_status *st)
{
    struct fold_job *job = fold_of(by);
    uint32_t before = job->ranks, at = first;
    if (n > job->most - job->starts)
        return base_fail(st, "the job has room for %zu more calls that start processes",
                         job->most - job->starts);
    for (size_t k = 0; k < n; at += what[k++].ranks)
        if (start_one(by, &what[k], at, st)) {
            job->ranks = before;
            return -1;
        }
    return 0;
}
