/* SPDX-License-Identifier: BSD-3-Clause */
/* flows: `pgasim flows` plays a list of activities on a platform and prints when each ended. */
#include "base/output.h"
#include "cli/command.h"
#include "cli/platform/platform.h"
#include "cli/flows/play.h"
#include "cli/options/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FLOWS_SOME_FAILED = 1 }; /* exit status */

struct request {
    const char *platform, *model;
    BASE_ARRAY(const char *) sets;
};

CLI_TEXT(apply_platform, struct request, platform)
CLI_TEXT(apply_model, struct request, model)

static int apply_set(void *ctx, const char *value, struct base_status *st)
{
    struct request *q = ctx;
    if (!strpbrk(value, "=:"))
        return base_fail(st, "--cfg %s: expected KEY:VALUE", value);
    BASE_ARRAY_PUSH(&q->sets, value);
    return 0;
}

static const struct cli_option table[] = {
    {"--platform", "FILE", "the platform, in SimGrid's XML", apply_platform},
    {"--model", "NAME", "the network model: LV08 (default), CM02, SMPI, IB,\nConstant or raw", apply_model},
    {"--cfg --set", "KEY:VALUE", "change a setting (pgasim info settings lists them)", apply_set},
};

static const struct cli_options help_flows = {
    .usage = "pgasim flows --platform FILE [options] LIST",
    .about = "Plays a list of transfers and computations, without any program, and prints when each ended:\n"
             "a line `ID END` each, in the order of the list. LIST is a file, or - for the standard input,\n"
             "with one activity per line:\n"
             "  ID send SRC DST BYTES AT   so many bytes from host SRC to host DST, started at time AT\n"
             "  ID exec HOST FLOPS AT      so many operations on one core of a host\n"
             "  ID read HOST DISK BYTES AT and ID write ...: so many bytes of a host's disk",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes =
        "An activity that a failing host or link ended has the line `ID failed TIME`; one that can never\n"
        "end, `ID never`. exit status: 0; 1 if such a line was printed; 2 bad input.",
};

/* --- settings ------------------------------------------------------------------------------------- */

static int set_all(const struct request *q, struct base_settings *s, struct base_status *st)
{
    if (base_settings_set(s, "network/model", "LV08", BASE_FROM_DEFAULT, st) ||
        base_settings_read_environment(s, environ, cli_not_settings, st))
        return -1;
    if (q->model && base_settings_set(s, "network/model", q->model, BASE_FROM_COMMAND, st))
        return -1;
    for (size_t k = 0; k < q->sets.n; k++)
        if (cli_settings_assign(s, q->sets.at[k], st))
            return -1;
    return 0;
}

/* --- the list ------------------------------------------------------------------------------------- */

static int read_list(struct flows_list *l, const struct platform *p, const char *path, struct base_status *st)
{
    bool standard = !strcmp(path, "-");
    struct stat file;
    int fd = standard ? -1 : base_input_open(path, &file);
    FILE *in = standard ? stdin : fd < 0 ? NULL : fdopen(fd, "r");
    if (!in)
        return base_fail(st, "%s: %s", path, strerror(errno));
    int rc = flows_list_read(l, p, in, standard ? "standard input" : path, st);
    if (!standard)
        fclose(in);
    return rc;
}

/* " END", " failed TIME" or " never". */
static void print_end(const struct flows_activity *a)
{
    static const char *const before[] = {[FLOWS_WAITING] = " never",
                                         [FLOWS_RUNNING] = " never",
                                         [FLOWS_DONE] = " ",
                                         [FLOWS_FAILED] = " failed "};
    char number[BASE_DECIMAL];
    fputs_unlocked(before[a->state], stdout);
    if (a->state == FLOWS_DONE || a->state == FLOWS_FAILED)
        fwrite_unlocked(number, 1, (size_t)(base_decimal_write(number, a->end) - number), stdout);
    putc_unlocked('\n', stdout);
}

static int print(const struct flows_list *l)
{
    int status = BASE_EXIT_OK;
    for (size_t k = 0; k < l->activity.n; k++) {
        const struct flows_activity *a = &l->activity.at[k];
        fputs_unlocked(flows_list_id(l, a), stdout);
        print_end(a);
        if (a->state != FLOWS_DONE)
            status = FLOWS_SOME_FAILED;
    }
    return status;
}

/* --- the command ---------------------------------------------------------------------------------- */

static int play(const struct request *q, const char *path, struct base_settings *s)
{
    struct base_status st;
    struct platform *p = NULL;
    struct flows_list l = {0};
    int status = BASE_EXIT_INPUT;
    if (set_all(q, s, &st) || cli_platform_load(&p, q->platform, s, &st) || read_list(&l, p, path, &st) ||
        flows_play(&l, p, s, &st))
        base_error("%s", st.text);
    else
        status = print(&l);
    flows_list_release(&l);
    if (p)
        platform_destroy(p);
    return status;
}

static int carry_out(struct request *q, int argc, char **args, int at)
{
    if (at + 1 != argc)
        return cli_options_refuse(&help_flows, at == argc ? "no list was named" : "one list was expected");
    if (!q->platform)
        return cli_options_refuse(&help_flows, "the platform is missing: --platform FILE");
    struct base_settings *s = cli_settings_create();
    int status = play(q, args[at], s);
    base_settings_destroy(s);
    return status;
}

int cli_flows(int argc, char **args)
{
    struct request q = {0};
    struct base_status st;
    int rest = argc, status = BASE_EXIT_OK;
    switch (cli_options_read(&help_flows, &q, argc, args, &rest, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&help_flows, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(&help_flows, st.text);
        break;
    case CLI_READ:
        status = carry_out(&q, argc, args, rest);
        break;
    }
    free(q.sets.at);
    return status;
}
