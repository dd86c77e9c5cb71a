/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reports about a rank: its name, its program's errors, its warnings, and calls made outside of any rank.
 */
#include "rank/internal.h"

#include <string.h>
#include <ucontext.h>
#include <unistd.h>

char *rank_where(char *buf, const struct rank *r)
{
    char when[32], thread[24] = "";
    if (r == rank_current && r->threads > 1)
        snprintf(thread, sizeof thread, ", thread %u", rank_thread_number(r) + 1);
    snprintf(buf, RANK_WHERE_SIZE, "rank %u%s (host %s) at %s", r->id, thread,
             platform_host(fabric_platform(r->job->public.fabric), r->host)->name,
             base_show_time(when, rank_now(r)));
    return buf;
}

char *rank_list(const uint32_t *number, size_t stride, size_t n, char *buf, size_t size)
{
    size_t used = (size_t)snprintf(buf, size, n > 1 ? "ranks " : "rank ");
    if (used < size)
        base_show_runs(buf + used, size - used, number, stride, n);
    return buf;
}

void rank_report_overflow(const struct rank *r, const char *place)
{
    char where[RANK_WHERE_SIZE], stack[32];
    base_error("%s: stack overflow: its stack of %s is full%s; raise it with --stack-size",
               rank_where(where, r), base_show_size(stack, (double)engine_stack_size(r->engine)), place);
}

uintptr_t rank_program_counter(const void *context)
{
    const ucontext_t *u = context;
#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
#else
    return (uintptr_t)u->uc_mcontext.pc;
#endif
}

uintptr_t rank_stack_pointer(const void *context)
{
    const ucontext_t *u = context;
#if defined(__x86_64__)
    return (uintptr_t)u->uc_mcontext.gregs[REG_RSP];
#else
    return (uintptr_t)u->uc_mcontext.sp;
#endif
}

/* --- names ---------------------------------------------------------------------------------------- */

static const struct rank_code nowhere = {0, 0};

bool rank_static_name(const struct rank *r, uintptr_t address, char *buf, size_t size)
{
    return r->provider->names && r->provider->names->static_name(r, address, buf, size);
}

bool rank_module_of(const struct rank *r, uint32_t k, struct rank_module *out)
{
    const struct rank_names *names = r->provider->names;
    return names && names->module_of && names->module_of(r, k, out);
}

struct rank_code rank_code_of(const struct rank *r, const void *address)
{
    return r->provider->names ? r->provider->names->code_of(r, address) : nowhere;
}

struct rank_code rank_code_of_low(const struct rank *r, uint32_t address)
{
    return r->provider->names ? r->provider->names->code_of_low(r, address) : nowhere;
}

struct rank_code rank_code_caller(const struct rank *r)
{
    return r->provider->names ? r->provider->names->code_caller(r) : nowhere;
}

struct rank_code rank_code_of_call(const struct rank *r)
{
    struct rank_code c = rank_code_of_low(r, r->caller);
    return c.object ? c : rank_code_caller(r);
}

char *rank_code_name(const struct rank *r, struct rank_code c, char *buf, size_t size)
{
    struct rank_source s;
    rank_code_source(r, c, &s);
    const char *path = s.line ? s.file : s.object, *slash = path ? strrchr(path, '/') : NULL;
    const char *file = slash ? slash + 1 : path, *comma = *s.function ? ", " : "";
    buf[0] = 0;
    if (file && s.line)
        snprintf(buf, size, "%s%s%s:%u", s.function, comma, file, s.line);
    else if (file)
        snprintf(buf, size, "%s%s%s+0x%x", s.function, comma, file, s.offset);
    return buf;
}

void rank_code_source(const struct rank *r, struct rank_code c, struct rank_source *out)
{
    *out = (struct rank_source){.line = 0};
    if (r->provider->names)
        r->provider->names->code_source(r, c, out);
}

/* --- errors and warnings --------------------------------------------------------------------------- */

/* Events run on the stack of whichever rank waits; rank_current is then not the rank concerned. */
static bool runs_now(const struct rank *r)
{
    struct engine_actor *self = r ? engine_current(r->engine) : NULL;
    return r == rank_current && self && engine_actor_running(self);
}

/* "called in exchange, heat.c:88"; "" when that is not known. */
static char *write_caller(struct rank *r, char *buf, size_t size)
{
    char place[RANK_WHERE_SIZE - 16];
    buf[0] = 0;
    if (runs_now(r) && *rank_code_name(r, rank_code_caller(r), place, sizeof place))
        snprintf(buf, size, "called in %s", place);
    return buf;
}

_Noreturn void rank_program_error(struct rank *r, const char *call, const char *fmt, ...)
{
    char text[1024], where[RANK_WHERE_SIZE];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    base_error("%s: %s: %s", rank_where(where, r), call, text);
    if (*write_caller(r, where, sizeof where))
        base_error_more("%s", where);
    rank_job_exit(r->job, BASE_EXIT_PROGRAM);
}

static void warning_place(char *buf, size_t size)
{
    const struct rank_job *job = rank_running_job;
    char where[RANK_WHERE_SIZE];
    if (!job)
        return;
    if (runs_now(rank_current))
        snprintf(buf, size, "%s", rank_where(where, rank_current));
    else
        snprintf(buf, size, "at %s", base_show_time(where, engine_now(job->public.engine)));
}

static void warning_caller(char *buf, size_t size)
{
    if (rank_current)
        write_caller(rank_current, buf, size);
}

static void strict_end(int status)
{
    if (!rank_running_job)
        base_exit(status);
    engine_stop(rank_running_job->public.engine, status); /* the caller is an event; the run ends after it */
}

static void mistake_found(void)
{
    if (rank_running_job)
        rank_job_fault(rank_running_job, BASE_EXIT_FOUND);
}

void rank_warnings_begin(bool strict, bool checked)
{
    base_warn_place(warning_place, warning_caller);
    base_strict(strict ? strict_end : NULL);
    base_mistakes(checked ? mistake_found : NULL);
}

/* --- no rank ------------------------------------------------------------------------------------- */

static void (*stray)(void);
static uint32_t forked_from = UINT32_MAX; /* in a process that a rank forked: that rank */

void rank_on_stray(void (*fn)(void))
{
    stray = fn;
}

void rank_forked(void)
{
    if (rank_current || rank_ahead)
        forked_from = (rank_current ? rank_current : rank_ahead)->id;
    rank_current = NULL;
    rank_ahead = NULL;
}

/* The parent's hooks and files are not for the child to end. */
static _Noreturn void end_child(const char *call)
{
    base_error("%s was called by a child process that rank %u forked: it is no rank itself and cannot call "
               "the library",
               call, forked_from);
    _exit(BASE_EXIT_PROGRAM);
}

struct rank *rank_none(const char *call)
{
    if (forked_from != UINT32_MAX)
        end_child(call);
    if (rank_ahead) {
        rank_ahead_enter();
        return rank_current;
    }
    if (rank_running_job)
        base_fatal(BASE_EXIT_PROGRAM,
                   "%s was called by a thread that pgasim does not know, one created by a system library",
                   call);
    if (stray)
        stray();
    base_fatal(BASE_EXIT_INPUT,
               "%s was called outside of a simulated rank; start the program with `pgasim run -np N`", call);
}
