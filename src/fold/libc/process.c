/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process: begins and ends interposition, and exchanges the live libc state at switches. That costs a few
 * nanoseconds when neither rank has any.
 */
#include "fold/ahead/ahead.h"
#include "fold/files/files.h"
#include "fold/libc/libc.h"

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLUSH_SWITCHES = 1 << 10 };

struct libc_process libc_process;

/* --- a rank's state ----------------------------------------------------------------------------- */

struct fold_libc *libc_of(struct rank *r)
{
    if (!fold_part(r)->libc)
        fold_part(r)->libc = base_zalloc(sizeof *fold_part(r)->libc, "libc state of a rank");
    return fold_part(r)->libc;
}

void fold_libc_release(struct rank *r)
{
    struct libc_process *p = &libc_process;
    struct fold_libc *l = fold_part(r)->libc;
    libc_streams_flush(p);
    p->released = r;
    if (!l)
        return;
    environ = p->environment;
    libc_folder_forget(p, l);
    if (l->masks)
        libc_mask_enter(p, NULL);
    free(l->at_exit.at);
    free(l->at_quick_exit.at);
    free(l->at_thread_exit.at);
    libc_random_forget(l);
    libc_input_release(l);
    free(l->times);
    free(l->cxx);
    free(l->signals);
    free(l->environment);
    free(l);
    fold_part(r)->libc = NULL;
}

/* --- the exchange ------------------------------------------------------------------------------- */

static struct libc_live first_values(const struct libc_process *p)
{
    return (struct libc_live){
        .option_index = 1, .option_errors = 1, .option_char = '?', .environment = p->environment};
}

static bool has_first_values(const struct libc_process *p)
{
    return !*p->error && environ == p->environment && optind == 1 && opterr == 1 && optopt == '?' &&
           !optarg && !libc_cxx_changed();
}

static void live_read(const struct libc_process *p, struct libc_live *out)
{
    *out = (struct libc_live){.error = *p->error,
                              .option_index = optind,
                              .option_errors = opterr,
                              .option_char = optopt,
                              .option_argument = optarg,
                              .environment = environ};
}

static void live_write(const struct libc_process *p, const struct libc_live *in)
{
    *p->error = in->error;
    optind = in->option_index;
    opterr = in->option_errors;
    optopt = in->option_char;
    optarg = in->option_argument;
    environ = in->environment;
}

static void keep(struct libc_process *p, struct rank *from)
{
    struct libc_live first = first_values(p);
    if (from != p->released) {
        struct fold_libc *l = libc_of(from);
        live_read(p, &l->live);
        if (l->cxx || libc_cxx_changed())
            libc_cxx_keep(l);
        l->kept = true;
    }
    live_write(p, &first);
    libc_cxx_put_back(NULL);
}

static void leave(struct libc_process *p, struct rank *from)
{
    libc_streams_flush(p);
    libc_streams_keep_input(p, from);
    if (BASE_UNLIKELY(!has_first_values(p)))
        keep(p, from);
    else if (BASE_UNLIKELY(fold_part(from)->libc && fold_part(from)->libc->kept) && from != p->released)
        fold_part(from)->libc->kept = false;
}

static void bring_back(struct libc_process *p, const struct fold_libc *l)
{
    live_write(p, &l->live);
    if (l->cxx)
        libc_cxx_put_back(l);
}

/* The name in libc's own messages: err(3), assert(3). */
static void name_program(struct libc_process *p, char *name)
{
    char *slash = strrchr(name, '/');
    if (!p->own_name)
        p->own_name = program_invocation_name;
    program_invocation_name = name;
    program_invocation_short_name = slash ? slash + 1 : name;
}

/* Ranks of another range begin with another environment and name. */
static void begin_as(struct libc_process *p, const struct fold_start *s)
{
    p->environment = s->config.envp;
    environ = p->environment;
    name_program(p, s->config.argv[0]);
}

void fold_libc_switch(struct rank *from, struct rank *to)
{
    struct libc_process *p = &libc_process;
    if (from)
        leave(p, from);
    else
        environ = p->environment;
    if (BASE_UNLIKELY(--p->until_flush == 0)) {
        p->until_flush = FLUSH_SWITCHES;
        rank_output_if_due();
    }
    *p->error = 0;
    if (to && BASE_UNLIKELY(p->job->starts > 1))
        begin_as(p, fold_part(to)->start);
    if (!to)
        environ = p->own_environment;
    else if (BASE_UNLIKELY(fold_part(to)->libc && fold_part(to)->libc->kept))
        bring_back(p, fold_part(to)->libc);
    if (BASE_UNLIKELY(p->folder_live || (to && fold_part(to)->libc && fold_part(to)->libc->folder)))
        libc_folder_enter(p, to);
    if (BASE_UNLIKELY(p->masks_live || (to && fold_part(to)->libc && fold_part(to)->libc->masks)))
        libc_mask_enter(p, to);
}

/* --- begin and end ------------------------------------------------------------------------------ */

/* A forked child is not a rank: it has the rank's open files under the rank's numbers, and calls the real
 * functions. */
static void in_child(void)
{
    if (rank_current)
        files_become(fold_part(rank_current)->files, rank_current->id == 0);
    rank_forked();
}

/* What was written before belongs to the parent alone. */
static void before_fork(void)
{
    libc_streams_flush(&libc_process);
    rank_output_flush();
}

static void flush_at_end(void *arg)
{
    (void)arg;
    if (libc_process.job)
        fold_libc_end(libc_process.job);
}

static void begin_once(void)
{
    static bool begun;
    if (begun)
        return;
    begun = true;
    pthread_atfork(before_fork, NULL, in_child);
    base_at_fatal(flush_at_end, NULL);
}

void fold_libc_begin(struct fold_job *job)
{
    struct libc_process *p = &libc_process;
    begin_once();
    p->job = job;
    p->released = NULL;
    p->error = &errno;
    p->environment = job->start[0].config.envp;
    p->own_environment = environ;
    p->folder = getcwd(NULL, 0);
    p->mask = umask(0);
    umask(p->mask);
    p->until_flush = FLUSH_SWITCHES;
    name_program(p, job->start[0].config.argv[0]);
    p->poll_cost = fabric_poll_cost(job->fabric);
    libc_streams_begin(p);
    libc_cxx_begin(p);
}

/* Now errno and C++'s exceptions belong to host threads, which several ranks share: rank/ahead.c and
 * fold/ahead.c exchange them. */
void libc_ahead_begin(void)
{
    static int no_error;
    libc_process.error = &no_error;
    libc_cxx_ahead_begin();
}

void fold_libc_end(struct fold_job *job)
{
    struct libc_process *p = &libc_process;
    if (!p->job)
        return;
    libc_streams_flush(p);
    for (uint32_t k = 0; k < job->ranks; k++)
        rank_output_end_line(fold_rank_at(job, k));
    rank_output_flush();
    libc_streams_end(p);
    libc_folder_enter(p, NULL);
    libc_mask_enter(p, NULL);
    name_program(p, p->own_name);
    setlocale(LC_ALL, "C"); /* a rank may have changed it; our own output needs decimal points */
    free(p->folder);
    p->folder = NULL;
    p->job = NULL;
}
