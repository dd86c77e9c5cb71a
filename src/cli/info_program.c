/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * info_program: will this program run? Prints what fold's survey finds, for people or as one JSON object whose keys
 * are documented in pgasim-info(1).
 */
#include <stdlib.h>
#include <string.h>

#include "cli/json_put.h"
#include "cli/command.h"
#include "fold/fold.h"

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

static void print_text(const struct fold_survey *s, const char *program)
{
    printf("%s: %s\n", program, fold_survey_runs(s) ? "will run" : "will not run");
    for (size_t i = 0; i < s->obstacles.n; i++)
        printf("  %s\n", s->obstacles.at[i]);
    print_objects(s);
    print_list("libraries", s->system.at, s->system.n);
    if (s->missing.n)
        printf("  %-13s %zu functions that pgasim has, %zu that it has not\n", "API", s->supported.n,
               s->missing.n);
    else
        printf("  %-13s %zu functions, all of which pgasim has\n", "API", s->supported.n);
    print_names("per rank", &s->replaced);
    print_names("threads", &s->threads);
    print_items("what is not here", &s->missing, s->objects.n > 1);
    print_items("what differs from a process of its own", &s->differs, s->objects.n > 1);
}

/* --- for machines -------------------------------------------------------------------------------- */

static void put_texts(yajl_gen g, const char *key, const char *const *text, size_t n)
{
    cli_json_text(g, key);
    yajl_gen_array_open(g);
    for (size_t i = 0; i < n; i++)
        cli_json_text(g, text[i]);
    yajl_gen_array_close(g);
}

static void put_items(yajl_gen g, const char *key, const struct fold_survey_items *items)
{
    cli_json_text(g, key);
    yajl_gen_array_open(g);
    for (size_t i = 0; i < items->n; i++) {
        yajl_gen_map_open(g);
        cli_json_text(g, "name");
        cli_json_text(g, items->at[i].name);
        cli_json_text(g, "object");
        cli_json_text(g, items->at[i].object);
        if (items->at[i].note) {
            cli_json_text(g, "note");
            cli_json_text(g, items->at[i].note);
        }
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

static void put_objects(yajl_gen g, const struct fold_survey *s)
{
    cli_json_text(g, "objects");
    yajl_gen_array_open(g);
    for (size_t i = 0; i < s->objects.n; i++) {
        const struct fold_survey_object *o = &s->objects.at[i];
        yajl_gen_map_open(g);
        cli_json_text(g, "path");
        cli_json_text(g, o->path);
        cli_json_text(g, "globals_bytes");
        yajl_gen_integer(g, (long long)o->globals);
        cli_json_text(g, "thread_local_bytes");
        yajl_gen_integer(g, (long long)o->thread_local_bytes);
        cli_json_text(g, "static_thread_local");
        yajl_gen_bool(g, o->static_tls);
        yajl_gen_map_close(g);
    }
    yajl_gen_array_close(g);
}

static void print_json(const struct fold_survey *s, const char *program)
{
    const unsigned char *text;
    size_t size;
    yajl_gen g = yajl_gen_alloc(NULL);
    yajl_gen_config(g, yajl_gen_beautify, 1);
    yajl_gen_config(g, yajl_gen_indent_string, "  ");
    yajl_gen_config(g, yajl_gen_validate_utf8, 1);
    yajl_gen_map_open(g);
    cli_json_text(g, "program");
    cli_json_text(g, program);
    cli_json_text(g, "runs");
    yajl_gen_bool(g, fold_survey_runs(s));
    cli_json_text(g, "built_for_pgasim");
    yajl_gen_bool(g, s->built_for_us);
    put_texts(g, "obstacles", (const char *const *)s->obstacles.at, s->obstacles.n);
    put_objects(g, s);
    put_texts(g, "libraries", s->system.at, s->system.n);
    put_items(g, "supported", &s->supported);
    put_items(g, "per_rank", &s->replaced);
    put_items(g, "threads", &s->threads);
    put_items(g, "missing", &s->missing);
    put_items(g, "differs", &s->differs);
    yajl_gen_map_close(g);
    yajl_gen_get_buf(g, &text, &size);
    fwrite(text, 1, size, stdout);
    yajl_gen_free(g);
}

int cli_info_program(const char *program, bool json)
{
    struct base_status st;
    struct fold_survey s;
    if (fold_survey_read(&s, program, getenv("LD_LIBRARY_PATH"), &st)) {
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
