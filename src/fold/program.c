/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program: the programs of a job and the ranges of ranks that are started with them. Ranges that name the
 * same file share one program, whatever their arguments, so that static objects have the same places in all
 * ranks that run it.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/internal.h"
#include "fold/thread/thread.h"

void programs_count_arguments(struct fold_start *s)
{
    for (char **a = s->config.argv; *a; a++) {
        s->argc++;
        s->argv_bytes += strlen(*a) + 1;
    }
}

static struct fold_program *program_named(struct fold_job *job, const char *path)
{
    for (size_t k = 0; k < job->programs; k++)
        if (!strcmp(job->program[k].path, path))
            return &job->program[k];
    job->program[job->programs] = (struct fold_program){.path = path};
    return &job->program[job->programs++];
}

/* All are loaded in one way, that of the first: one kind of memory for all ranks. */
static int open_images(struct fold_job *job, size_t k, struct base_status *st)
{
    struct fold_program *p = &job->program[k];
    enum fold_privatize way = k ? job->program[0].images.way : job->start[0].config.privatize;
    uint32_t later = rank_job_config(job->job)->later;
    bool ahead = rank_job_config(job->job)->ahead && !job->trace->on && !later;
    if (images_open(&p->images, p->path, getenv("LD_LIBRARY_PATH"), p->ranks, p->ranks + later, way,
                    ahead && job->starts == 1, job->settings, st))
        return -1;
    if (ahead && job->starts > 1)
        p->images.alone = "they are started with different programs or arguments";
    for (size_t i = 0; i < k; i++)
        p->objects_before += (uint32_t)job->program[i].images.objects.list.n;
    return 0;
}

/* The environment is unchanged, but its list may have moved. */
static int open_all(struct fold_job *job, struct base_status *st)
{
    int failed = 0;
    char **before = environ;
    thread_system_before_load();
    for (size_t k = 0; k < job->programs && !failed; k++)
        failed = open_images(job, k, st);
    thread_system_after_load();
    for (size_t k = 0; k < job->starts; k++)
        if (job->start[k].config.envp == before)
            job->start[k].config.envp = environ;
    return failed;
}

static void give_to_ranks(struct fold_job *job)
{
    uint32_t *given = base_zalloc(job->programs * sizeof *given, "programs"), rank = 0;
    for (size_t k = 0; k < job->starts; k++) {
        const struct fold_start *s = &job->start[k];
        for (uint32_t n = 0; n < s->config.ranks; n++, rank++) {
            struct fold_part *part = fold_part(fold_rank_at(job, rank));
            part->start = s;
            part->image = &s->program->images.image[given[s->program - job->program]++];
        }
    }
    free(given);
    BASE_ASSERT("D5: every rank has a program", rank == job->ranks);
}

int programs_open(struct fold_job *job, const struct fold_config *config, size_t n, struct base_status *st)
{
    job->most = n + rank_job_config(job->job)->later;
    job->start = base_reserve(job->most * sizeof *job->start, "programs");
    job->program = base_reserve(job->most * sizeof *job->program, "programs");
    job->starts = n;
    for (size_t k = 0; k < n; k++) {
        job->start[k] =
            (struct fold_start){.config = config[k], .program = program_named(job, config[k].program)};
        job->start[k].program->ranks += config[k].ranks;
        programs_count_arguments(&job->start[k]);
    }
    if (open_all(job, st)) {
        programs_close(job);
        return -1;
    }
    give_to_ranks(job);
    return 0;
}

static void release_texts(const struct fold_config *c)
{
    for (char **a = c->argv; *a; a++)
        free(*a);
    free(c->argv);
    free((char *)(uintptr_t)c->folder);
    free((char *)(uintptr_t)c->program);
}

void programs_close(struct fold_job *job)
{
    for (size_t k = 0; k < job->programs; k++)
        if (job->program[k].images.objects.list.n)
            images_close(&job->program[k].images);
    for (size_t k = 0; k < job->starts; k++)
        if (job->start[k].later)
            release_texts(&job->start[k].config);
    base_unreserve(job->program, job->most * sizeof *job->program);
    base_unreserve(job->start, job->most * sizeof *job->start);
}

/* In C or Fortran, with a letter P in front or not. */
static void look(void *arg, const char *name, bool weak)
{
    bool *starts = arg;
    *starts |= !weak && strcasestr(name, "mpi_comm_spawn") != NULL;
}

struct fold_wants fold_wants(const struct fold_config *config, size_t n)
{
    enum { CALLED = 4096 }; /* bytes that a function below the frame may use before it touches them */
    struct fold_wants all = {0};
    for (size_t k = 0; k < n; k++) {
        struct objects o;
        struct base_status ignored;
        if (objects_open(&o, config[k].program, getenv("LD_LIBRARY_PATH"), &ignored))
            continue; /* fold_attach will say why */
        enum fold_privatize way = config[k].privatize == FOLD_AUTO ? FOLD_DLOPEN : config[k].privatize;
        uint64_t guard = images_largest_frame(&o) + CALLED;
        all.mappings += images_mappings(&o, config[k].ranks, way);
        all.guard = guard > all.guard ? guard : all.guard;
        for (size_t i = 0; i < o.list.n; i++)
            elf_references_each(&o.list.at[i]->elf, look, &all.starts);
        objects_close(&o);
    }
    return all;
}
