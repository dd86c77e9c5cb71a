/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program: will this program run? Prints what fold's survey finds, for people or as one JSON object
 * whose keys are documented in pgasim-info(1).
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/output.h"
#include "cli/command.h"
#include "fold/fold.h"
#include "mpi/mpi_front.h"

/* --- for people ---------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_objects(const struct fold_survey *s)
{
    char globals[32], tls[32];
    for (size_t i = 0; i < s->objects.n; i++) {
        const struct fold_survey_object *o = &s->objects.at[i];
        printf("  %-13s %s: %s of globals", i ? "" : "own", o->path,
               base_show_size(globals, (double)o->globals));
        if (o->thread_local_bytes)
            printf(", %s thread-local%s", base_show_size(tls, (double)o->thread_local_bytes),
                   o->static_tls ? " in static storage" : "");
        if (o->instrumented && o->functions)
            printf(", instrumented in %u of %u functions", o->instrumented, o->functions);
        else if (o->instrumented)
            printf(", instrumented in %u functions", o->instrumented);
        putchar('\n');
    }
}

static void print_list(const char *title, const char *const *names, size_t n)
{
    for (size_t i = 0, column = 0; i < n; i++) {
        if (i == 0 || column + strlen(names[i]) > 76) {
            printf("%s  %-13s ", i ? ",\n" : "", i ? "" : title);
            column = 0;
        } else {
            printf(", ");
        }
        printf("%s", names[i]);
        column += strlen(names[i]) + 2;
    }
    if (n)
        putchar('\n');
}

static void print_names(const char *title, const struct fold_survey_items *items)
{
    BASE_ARRAY(const char *) names = {0};
    for (size_t i = 0; i < items->n; i++)
        BASE_ARRAY_PUSH(&names, items->at[i].name);
    print_list(title, names.at, names.n);
    free(names.at);
}

static void print_items(const char *title, const struct fold_survey_items *items, bool several)
{
    if (items->n)
        printf("%s\n", title);
    for (size_t i = 0; i < items->n; i++) {
        const struct fold_survey_item *k = &items->at[i];
        printf("  %-28s %s", k->name, k->note);
        if (several)
            printf(" (in %s)", base_name(k->object));
        putchar('\n');
    }
}

/* --- MPI ----------------------------------------------------------------------------------------- */

/* Whether `name` means the function: also PMPI_Send, and Fortran's mpi_send_. */
static bool is_function(const char *name, const char *function)
{
    size_t n = strlen(function);
    name += *name == 'P' || *name == 'p';
    return !strncasecmp(name, function, n) && (!name[n] || !strcmp(name + n, "_"));
}

static bool is_absent(const char *name)
{
    for (const char *const *a = mpi_absent_names; *a; a++)
        if (is_function(name, *a))
            return true;
    return false;
}

/* Those of the program's calls of MPI that are not modelled; *calls: how many it has in all. */
static struct fold_survey_items absent_of(const struct fold_survey *s, size_t *calls)
{
    struct fold_survey_items absent = {0};
    *calls = 0;
    for (size_t i = 0; i < s->supported.n; i++) {
        const char *name = s->supported.at[i].name;
        bool mpi = !strncasecmp(name, "MPI_", 4) || !strncasecmp(name, "PMPI_", 5);
        *calls += mpi;
        if (mpi && is_absent(name))
            BASE_ARRAY_PUSH(&absent, s->supported.at[i]);
    }
    return absent;
}

static void print_mpi(const struct fold_survey *s)
{
    size_t calls;
    struct fold_survey_items absent = absent_of(s, &calls);
    if (calls && !absent.n)
        printf("  %-13s %zu functions, all of which are modelled\n", "MPI", calls);
    if (absent.n)
        printf("  %-13s %zu functions; calls of these fail with MPI_ERR_UNSUPPORTED_OPERATION:\n", "MPI",
               calls);
    print_names("", &absent);
    free(absent.at);
}

static void print_text(const struct fold_survey *s, const char *program)
{
    printf("%s: %s\n", program, fold_survey_runs(s) ? "will run" : "will not run");
    for (size_t i = 0; i < s->obstacles.n; i++)
        printf("  %s\n", s->obstacles.at[i]);
    print_objects(s);
    print_list("libraries", s->system.at, s->system.n);
    if (s->missing.n)
        printf("  %-13s %zu functions that pgasim has, %zu that it does not have\n", "API", s->supported.n,
               s->missing.n);
    else
        printf("  %-13s %zu functions, all of which pgasim has\n", "API", s->supported.n);
    print_mpi(s);
    print_names("per rank", &s->replaced);
    print_names("threads", &s->threads);
    print_items("what is missing", &s->missing, s->objects.n > 1);
    print_items("what differs from a real process", &s->differs, s->objects.n > 1);
}

/* --- for machines -------------------------------------------------------------------------------- */

static void put_texts(struct base_json *j, const char *key, const char *const *text, size_t n)
{
    base_json_open(j, key, '[');
    for (size_t i = 0; i < n; i++)
        base_json_text(j, NULL, text[i]);
    base_json_close(j);
}

static void put_items(struct base_json *j, const char *key, const struct fold_survey_items *items)
{
    base_json_open(j, key, '[');
    for (size_t i = 0; i < items->n; i++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "name", items->at[i].name);
        base_json_text(j, "object", items->at[i].object);
        if (items->at[i].note) {
            base_json_text(j, "note", items->at[i].note);
        }
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_objects(struct base_json *j, const struct fold_survey *s)
{
    base_json_open(j, "objects", '[');
    for (size_t i = 0; i < s->objects.n; i++) {
        const struct fold_survey_object *o = &s->objects.at[i];
        base_json_open(j, NULL, '{');
        base_json_text(j, "path", o->path);
        base_json_count(j, "globals_bytes", o->globals);
        base_json_count(j, "thread_local_bytes", o->thread_local_bytes);
        base_json_flag(j, "static_thread_local", o->static_tls);
        base_json_count(j, "instrumented_functions", o->instrumented);
        base_json_close(j);
    }
    base_json_close(j);
}

static void print_json(const struct fold_survey *s, const char *program)
{
    struct base_json j;
    base_json_init(&j, stdout, &(struct base_json_form){.indent = "  ", .null_for_invalid = true});
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "program", program);
    base_json_flag(&j, "runs", fold_survey_runs(s));
    base_json_flag(&j, "built_for_pgasim", s->built_for_us);
    put_texts(&j, "obstacles", (const char *const *)s->obstacles.at, s->obstacles.n);
    put_objects(&j, s);
    put_texts(&j, "libraries", s->system.at, s->system.n);
    put_items(&j, "supported", &s->supported);
    put_items(&j, "per_rank", &s->replaced);
    put_items(&j, "threads", &s->threads);
    put_items(&j, "missing", &s->missing);
    put_items(&j, "differs", &s->differs);
    size_t calls;
    struct fold_survey_items absent = absent_of(s, &calls);
    put_items(&j, "mpi_not_modelled", &absent);
    free(absent.at);
    base_json_close(&j);
    base_json_end(&j);
}

int cli_info_program(const char *program, bool json)
{
    struct base_status st;
    struct fold_survey s;
    base_guard_file(program, "reading it");
    int rc = fold_survey_read(&s, program, getenv("LD_LIBRARY_PATH"), &st);
    base_guard_end();
    if (rc) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    if (json)
        print_json(&s, program);
    else
        print_text(&s, program);
    bool runs = fold_survey_runs(&s);
    fold_survey_release(&s);
    return runs ? BASE_EXIT_OK : BASE_EXIT_PROGRAM;
}
