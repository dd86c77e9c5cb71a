/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: whose error a sanitizer or Valgrind has found, and when: one line beside its report. If the report
 * ends the process, it ends as after other errors of the program: output is written, traces and figures are
 * finished.
 */
#include "fold/sanitize/sanitize.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/libc/libc.h"

static struct {
    pid_t process;
    unsigned errors; /* Valgrind's, so far */
} said;

/* "rank 3 (host node-3) at 1.2 us"; in an event, "at 1.2 us, in an event of the simulation". */
static const char *where_now(char *buf)
{
    const struct rank *r = rank_current;
    const struct engine_actor *self = r ? engine_current(r->engine) : NULL;
    char when[32];
    if (self && engine_actor_running(self))
        return rank_where(buf, r);
    snprintf(buf, RANK_WHERE_SIZE, "at %s, in an event of the simulation",
             rank_running_job ? base_show_time(when, engine_now(rank_engine(rank_running_job))) : "the end");
    return buf;
}

/* --- AddressSanitizer -------------------------------------------------------------------------------- */

/* Called with the whole text when it has been printed. */
static void on_address_report(const char *text)
{
    static const char mark[] = "SUMMARY: AddressSanitizer: ";
    char where[RANK_WHERE_SIZE];
    const char *at = strstr(text, mark);
    int n = at ? (int)strcspn(at += strlen(mark), "\n") : 0;
    if (getpid() == said.process)
        base_error("%s: %.*s (AddressSanitizer's report is above)", where_now(where), n, n ? at : "");
}

/* --- UndefinedBehaviorSanitizer ---------------------------------------------------------------------- */

typedef void (*report_data_fn)(const char **kind, const char **message, const char **file, unsigned *line,
                               unsigned *column, char **address);

/* That of the library that calls; it need not be in the process's scope. */
static report_data_fn data_of(const void *caller)
{
    Dl_info info;
    void *library = dladdr(caller, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    return library ? (report_data_fn)dlsym(library, "__ubsan_get_current_report_data") : NULL;
}

/* By this name the run time knows it. It is called before the report is printed. */
BASE_PUBLIC void __ubsan_on_report(void);
void __ubsan_on_report(void)
{
    char where[RANK_WHERE_SIZE];
    const char *kind = "", *message = "", *file = "";
    unsigned line = 0, column = 0;
    char *address = NULL;
    if (!rank_running_job || getpid() != said.process)
        return;
    report_data_fn data = data_of(__builtin_return_address(0));
    if (data)
        data(&kind, &message, &file, &line, &column, &address);
    base_error("%s: %s, %s:%u (UndefinedBehaviorSanitizer's report is below)", where_now(where),
               message ? message : "", file ? file : "?", line);
}

/* --- the end ----------------------------------------------------------------------------------------- */

static void on_death(void)
{
    if (!rank_running_job || getpid() != said.process)
        return;
    fold_libc_end(fold_of_job(rank_running_job));
    sanitize_leaks_failed();
    base_exit(BASE_EXIT_PROGRAM);
}

typedef void (*set_death_fn)(void (*callback)(void));

static void attend_death(void *library)
{
    set_death_fn set = (set_death_fn)dlsym(library, "__sanitizer_set_death_callback");
    if (set)
        set(on_death);
}

/* The run times that the program needs each have an end of their own. */
static void attend_deaths(const struct fold_job *job)
{
    const char *name;
    attend_death(RTLD_DEFAULT);
    for (size_t p = 0; p < job->programs; p++)
        for (size_t i = 0; i < job->program[p].images.objects.list.n; i++)
            for (uint32_t k = 0; (name = elf_needed(&job->program[p].images.objects.list.at[i]->elf, k));
                 k++) {
                void *library = strstr(name, "ubsan") ? dlopen(name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
                if (library)
                    attend_death(library);
            }
}

/* --- Valgrind ---------------------------------------------------------------------------------------- */

void sanitize_name_errors(const struct rank *r)
{
    char where[RANK_WHERE_SIZE];
    unsigned errors = base_valgrind_errors(), more = errors - said.errors;
    said.errors = errors;
    if (more && r)
        base_error("%s: %u error%s, reported by Valgrind above", rank_where(where, r), more,
                   more > 1 ? "s" : "");
}

/* --- the job ----------------------------------------------------------------------------------------- */

void sanitize_begin(struct fold_job *job)
{
    said.process = getpid();
    said.errors = base_valgrind_errors();
    if (BASE_ASAN || BASE_TSAN) /* our own build's reports are about us */
        return;
    attend_deaths(job);
    if (base_sanitizer.program && base_sanitizer.address) {
        void (*set)(void (*)(const char *)) =
            (void (*)(void (*)(const char *)))dlsym(RTLD_DEFAULT, "__asan_set_error_report_callback");
        if (set)
            set(on_address_report);
    }
}

void sanitize_end(struct fold_job *job)
{
    sanitize_leaks(job);
}
