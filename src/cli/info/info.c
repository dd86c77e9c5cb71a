/* SPDX-License-Identifier: BSD-3-Clause */
/* info: what this pgasim has: settings with their values and sources, and collective algorithms.
 * program.c says what a program needs. */
#include "cli/command.h"
#include "cli/options/options.h"
#include "cli/places/places.h"
#include "coll/coll.h"
#include "mpi/mpi_front.h"

#include <string.h>
#include <unistd.h>

static int set_json(void *ctx, const char *value, struct base_status *st)
{
    (void)value, (void)st;
    *(bool *)ctx = true;
    return 0;
}

static const struct cli_option info_options[] = {
    {"--json", NULL, "for a program: print a JSON object", set_json},
};

static const struct cli_options help_info = {
    .usage = "pgasim info [settings | collectives | algorithms | places | mpi]\n"
             "pgasim info selectors [NAME [OPERATION FACT... | -]]\npgasim info [--json] PROGRAM",
    .about = "Prints what this installation of pgasim has (without an argument, all of it), or whether a\n"
             "program will run and which of its calls are not modelled.",
    .option = info_options,
    .n = BASE_LENGTH(info_options),
    .notes =
        "settings      every setting: key, value in force, what it means, where the default comes from\n"
        "collectives   the algorithms of each collective operation\n"
        "algorithms    the same with the names that libraries have for them, what they need, and their "
        "sources\n"
        "selectors     the selectors of these algorithms; with NAME (or a file) its rules, and with a call,\n"
        "              as \"allreduce ranks=64 part=8KiB\", what it chooses (-: calls from stdin, one a "
        "line)\n"
        "mpi           how many functions of MPI are modelled, and which are not\n"
        "places        where the library, the headers and the compiler wrappers lie\n"
        "PROGRAM       a file: exit status 0 when it will run, 5 when it will not",
};

static void print_setting(void *arg, const struct base_setting *s, const char *value, enum base_origin from)
{
    static const char *const origins[] = {[BASE_FROM_DEFAULT] = "",
                                          [BASE_FROM_PLATFORM] = " (from the platform)",
                                          [BASE_FROM_ENVIRONMENT] = " (from the environment)",
                                          [BASE_FROM_COMMAND] = " (from the command line)"};
    (void)arg;
    printf("  %s = %s%s\n      %s\n", s->key, value, origins[from], s->help);
    if (from != BASE_FROM_DEFAULT)
        printf("      default: %s\n", s->value);
    if (s->range && *s->range)
        printf("      range: %s\n", s->range);
    if (s->source && *s->source)
        printf("      source: %s\n", s->source);
}

static int print_settings(void)
{
    struct base_status st;
    struct base_settings *s = cli_settings_create();
    int rc = base_settings_read_environment(s, environ, cli_not_settings, &st);
    if (rc) {
        base_error("%s", st.text);
    } else {
        puts("settings (--set KEY=VALUE, or PGASIM_ and the key in upper case in the environment)");
        base_settings_each(s, print_setting, NULL);
    }
    base_settings_destroy(s);
    return rc ? BASE_EXIT_INPUT : BASE_EXIT_OK;
}

/* Those between two groups. */
static void print_inter(bool all)
{
    for (int op = 0; op < COLL_INTER_OPS; op++) {
        printf("  inter-%s\n", coll_inter_op_name((enum coll_inter_op)op));
        for (size_t k = 0; k < COLL_INTER_KEYS; k++) {
            const struct coll_inter_info *a = &coll_inter_algorithms[k];
            if ((int)a->op != op)
                continue;
            printf(all ? "      %s: %s\n" : "      %-27s %s\n", a->name, a->good_for);
            if (all && *a->aliases)
                printf("          also %s\n", a->aliases);
            if (all && *a->source)
                printf("          from %s\n", a->source);
        }
    }
}

static int print_collectives(void)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    puts("collective algorithms (--set coll/OPERATION=NAME)");
    for (int op = 0; op < COLL_OPS; op++) {
        printf("  %s\n", coll_op_name(op));
        for (size_t k = 0; k < n; k++)
            if ((int)a[k].op == op)
                printf("      %-27s %s\n", a[k].name, a[k].good_for);
    }
    print_inter(false);
    return BASE_EXIT_OK;
}

/* One line each, if there is something to say. */
static void print_algorithm(const struct coll_algorithm_info *a)
{
    const char *lead = "          needs ";
    printf("      %s: %s\n", a->name, a->good_for);
    if (*a->aliases)
        printf("          also %s\n", a->aliases);
    for (unsigned trait = 1; trait && trait <= a->traits; trait <<= 1) {
        const char *words = a->traits & trait ? coll_trait_requirement(trait) : NULL;
        if (!words)
            continue;
        printf("%s%s", lead, words);
        lead = "; ";
    }
    if (*lead == ';')
        putchar('\n');
    if (*a->source)
        printf("          from %s\n", a->source);
}

static int print_algorithms(void)
{
    size_t n;
    const struct coll_algorithm_info *a = coll_algorithms(&n);
    puts("collective algorithms with their other names, what they need, and where they come from");
    for (int op = 0; op < COLL_OPS; op++) {
        printf("  %s\n", coll_op_name(op));
        for (size_t k = 0; k < n; k++)
            if ((int)a[k].op == op)
                print_algorithm(&a[k]);
    }
    print_inter(true);
    return BASE_EXIT_OK;
}

static int print_places(void)
{
    struct base_status st;
    struct cli_places p;
    if (cli_places_find(&p, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    printf("places\n  library   %s\n  headers   %s\n  wrappers  %s\n  start-up  %s\n", p.library, p.include,
           p.wrappers, p.crt);
    cli_places_release(&p);
    return BASE_EXIT_OK;
}

static int print_mpi(void)
{
    size_t n = 0;
    while (mpi_absent_names[n])
        n++;
    if (!n)
        printf("MPI-5.0: %zu functions, all of which are modelled\n", mpi_calls_count);
    else
        printf("MPI-5.0: %zu functions, %zu of which are modelled; the others:\n", mpi_calls_count,
               mpi_calls_count - n);
    for (size_t k = 0; k < n; k++)
        printf("  %s\n", mpi_absent_names[k]);
    return BASE_EXIT_OK;
}

static int print_all(void)
{
    printf("pgasim %s\n\n", pgasim_version);
    int status = print_places();
    putchar('\n');
    print_collectives();
    putchar('\n');
    int other = print_settings();
    return status ? status : other;
}

static int print_word(const char *word, bool json)
{
    if (!json && !strcmp(word, "settings"))
        return print_settings();
    if (!json && !strcmp(word, "collectives"))
        return print_collectives();
    if (!json && !strcmp(word, "algorithms"))
        return print_algorithms();
    if (!json && !strcmp(word, "places"))
        return print_places();
    if (!json && !strcmp(word, "mpi"))
        return print_mpi();
    if (!access(word, F_OK))
        return cli_info_program(word, json);
    return cli_options_refuse(
        &help_info,
        "expected one of settings, collectives, algorithms, selectors, places, mpi, or a program's file");
}

int cli_info(int argc, char **args)
{
    struct base_status st;
    int rest = argc;
    bool json = false;
    enum cli_read r = cli_options_read(&help_info, &json, argc, args, &rest, &st);
    if (r == CLI_READ_HELP) {
        cli_options_help(&help_info, stdout);
        return BASE_EXIT_OK;
    }
    if (r == CLI_READ_FAILED)
        return cli_options_refuse(&help_info, st.text);
    if (rest == argc && !json)
        return print_all();
    if (rest < argc && !json && !strcmp(args[rest], "selectors"))
        return cli_info_selectors(argc - rest - 1, args + rest + 1);
    if (rest + 1 == argc)
        return print_word(args[rest], json);
    return cli_options_refuse(
        &help_info,
        json ? "--json needs one program"
             : "expected one of settings, collectives, algorithms, selectors, places, mpi, or one program");
}
