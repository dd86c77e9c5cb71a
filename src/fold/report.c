/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports about a rank, and the case that there is none: a program that was started without `pgasim run`.
 */
#include "fold/gates.h"
#include "fold/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *fold_where(char *buf, const struct fold_rank *r)
{
    char when[32], thread[24] = "";
    if (r == fold_current && r->threads > 1)
        snprintf(thread, sizeof thread, ", thread %u", thread_number(r));
    snprintf(buf, FOLD_WHERE_SIZE, "rank %u%s (host %s) at %s", r->id, thread,
             platform_host(fabric_platform(r->job->fabric), r->host)->name,
             base_show_time(when, rank_now(r)));
    return buf;
}

void fold_report_overflow(const struct fold_rank *r, const char *place)
{
    char where[FOLD_WHERE_SIZE], stack[32];
    base_error("%s: stack overflow: its stack of %s is full%s; raise it with --stack-size",
               fold_where(where, r), base_show_size(stack, (double)engine_stack_size(r->engine)), place);
}

/* Events happen on the stack of whoever waits: then it is not the rank that runs. */
static bool runs_now(const struct fold_rank *r)
{
    struct engine_actor *self = r ? engine_current(r->engine) : NULL;
    return r == fold_current && self && engine_actor_running(self);
}

/* "called in exchange, heat.c:88"; "" when that is not known. */
static char *write_caller(struct fold_rank *r, char *buf, size_t size)
{
    char place[FOLD_WHERE_SIZE - 16];
    buf[0] = 0;
    if (runs_now(r) && *fold_code_name(r->job, fold_code_caller(r), place, sizeof place))
        snprintf(buf, size, "called in %s", place);
    return buf;
}

_Noreturn void fold_program_error(struct fold_rank *r, const char *call, const char *fmt, ...)
{
    char text[1024], where[FOLD_WHERE_SIZE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    base_error("%s: %s: %s", fold_where(where, r), call, text);
    if (*write_caller(r, where, sizeof where))
        base_error_more("%s", where);
    fold_job_exit(r->job, BASE_EXIT_PROGRAM);
}

static void warning_place(char *buf, size_t size)
{
    const struct fold_job *job = fold_running_job;
    char where[FOLD_WHERE_SIZE];
    if (!job)
        return;
    if (runs_now(fold_current))
        snprintf(buf, size, "%s", fold_where(where, fold_current));
    else
        snprintf(buf, size, "at %s", base_show_time(where, engine_now(job->engine)));
}

static void warning_caller(char *buf, size_t size)
{
    if (fold_current)
        write_caller(fold_current, buf, size);
}

static void strict_end(int status)
{
    if (!fold_running_job)
        base_exit(status);
    engine_stop(fold_running_job->engine, status); /* returns to an event, and then the run ends */
}

void fold_warnings_begin(bool strict)
{
    base_warn_place(warning_place, warning_caller);
    base_strict(strict ? strict_end : NULL);
}

/* --- no rank ------------------------------------------------------------------------------------- */

#define ALONE_VARIABLE "PGASIM_ALONE" /* set in the restarted process, so that it is tried once */

/* build/lib/libpgasim.so -> build/bin/pgasim; the same when installed. */
static bool find_command(char *path, size_t size)
{
    Dl_info self;
    char real[4096];
    if (!dladdr(ALONE_VARIABLE, &self) || !self.dli_fname || !realpath(self.dli_fname, real))
        return false;
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(real, '/');
        if (!slash)
            return false;
        *slash = 0;
    }
    int n = snprintf(path, size, "%s/bin/pgasim", real);
    return n > 0 && (size_t)n < size && access(path, X_OK) == 0;
}

/* The arguments of this process, as the kernel has them; at most `room` of them. */
static size_t own_arguments(char *text, size_t size, char **argv, size_t room)
{
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);
    size_t n = 0;
    if (fd >= 0)
        close(fd);
    for (ssize_t at = 0; at < got && n < room; at += (ssize_t)strlen(text + at) + 1)
        argv[n++] = text + at;
    return n;
}

/* Programs are also started directly, by configure scripts above all: they run as the one rank of a job. */
static void restart_under_run(void)
{
    static char command[4200], exe[4200], text[1 << 16], *argv[4096];
    static char run[] = "run", quiet[] = "--quiet", np[] = "-np", one[] = "1", name[] = "pgasim",
                end[] = "--";
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0 || getenv(ALONE_VARIABLE) || !find_command(command, sizeof command))
        return;
    exe[n] = 0;
    char **a = argv;
    *a++ = name;
    *a++ = run;
    *a++ = quiet;
    *a++ = np;
    *a++ = one;
    *a++ = end;
    size_t given = own_arguments(text, sizeof text, a, BASE_LENGTH(argv) - 8);
    a[0] = exe;
    a[given ? given : 1] = NULL;
    setenv(ALONE_VARIABLE, "1", 1);
    execv(command, argv);
}

struct fold_rank *fold_no_rank(const char *call)
{
    if (fold_ahead) {
        fold_gate_enter();
        return fold_current;
    }
    if (fold_running_job)
        base_fatal(
            BASE_EXIT_PROGRAM,
            "%s was called by a thread that pgasim does not know: one that a system library made by itself",
            call);
    restart_under_run();
    base_fatal(BASE_EXIT_INPUT,
               "%s was called outside of a simulated rank; start the program with `pgasim run -np N`", call);
}
