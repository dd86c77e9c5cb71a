/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate: `pgasim calibrate`: the constants of a platform from files of measurements. */
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "calibrate/calibrate.h"
#include "cli/calibrate/predict.h"
#include "cli/command.h"
#include "cli/options/options.h"

struct request {
    struct calibrate_options options;
    const char *platform, *json, *page, *noise;
    bool quiet;
    BASE_ARRAY(const char *) local; /* files of measurements within a node */
    BASE_ARRAY(const char *) file;
};

static struct request *request(void *ctx)
{
    return ctx;
}

CLI_TEXT(apply_platform, struct request, platform)
CLI_TEXT(apply_json, struct request, json)
CLI_TEXT(apply_page, struct request, page)
CLI_TEXT(apply_noise, struct request, noise)
CLI_FLAG(apply_quiet, struct request, quiet)

static int apply_local(void *ctx, const char *value, struct base_status *st)
{
    (void)st;
    BASE_ARRAY_PUSH(&request(ctx)->local, value);
    return 0;
}

static int apply_nodes(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--nodes", value, 1000000, &request(ctx)->options.nodes, st);
}

static int apply_cores(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_count("--cores", value, 1000000, &request(ctx)->options.cores, st);
}

static int read_quantity(const char *option, const char *expected, enum base_kind kind, const char *range,
                         const char *value, double *out, struct base_status *st)
{
    struct base_status why;
    struct base_number x;
    if (base_parse_range(kind, range, value, &x, &why))
        return base_fail(st, "%s %.80s: expected %s", option, value, expected);
    *out = x.number;
    return 0;
}

static int apply_speed(void *ctx, const char *value, struct base_status *st)
{
    return read_quantity("--speed", "a speed, as in 2.5Gf", BASE_SPEED, BASE_SPEEDS, value,
                         &request(ctx)->options.speed, st);
}

static int apply_route_latency(void *ctx, const char *value, struct base_status *st)
{
    return read_quantity("--route-latency", "a time, as in 500us", BASE_TIME, BASE_TIMES, value,
                         &request(ctx)->options.route_latency, st);
}

static int apply_link_bandwidth(void *ctx, const char *value, struct base_status *st)
{
    return read_quantity("--link-bandwidth", "a bandwidth, as in 10Gbps", BASE_BANDWIDTH, BASE_BANDWIDTHS,
                         value, &request(ctx)->options.link_bandwidth, st);
}

static int apply_seed(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_number("--seed", value, 0, INT64_MAX, &request(ctx)->options.seed, st);
}

static const struct cli_option table[] = {
    {"--output -o", "FILE", "a platform file with the constants; SimGrid reads it, too", apply_platform},
    {"--json", "FILE", "constants with intervals, fits, what is not identified", apply_json},
    {"--report", "FILE", "a page: measurements, fits, residuals, constants", apply_page},
    {"--noise", "FILE", "settings noise/... as options of pgasim run: $(cat FILE)", apply_noise},
    {"--within-node", "FILE",
     "more measurements, of two ranks of one node, by IMB,\nOSU's or SimGrid's programs, which do not say so",
     apply_local},
    {"--nodes", "N", "of the platform (default: as many as were measured)", apply_nodes},
    {"--cores", "N", "of each node (default: as many as ranks were on one)", apply_cores},
    {"--speed", "SPEED", "of a core (default: as measured)", apply_speed},
    {"--route-latency", "TIME", "of the links between two nodes: the rest is the hosts'",
     apply_route_latency},
    {"--link-bandwidth", "BANDWIDTH", "of a node's link: what a message has less is a factor",
     apply_link_bandwidth},
    {"--seed", "N", "of the bootstrap (default: 1)", apply_seed},
    {"--quiet -q", NULL, "do not print the constants", apply_quiet},
};

static const struct cli_options options = {
    .usage = "pgasim calibrate [options] FILE...",
    .about =
        "Finds the constants of a platform, with intervals, in measurements: those that the programs of\n"
        "make calibrate have written (docs/calibrate.md), output of the Intel MPI Benchmarks or the OSU\n"
        "Micro-Benchmarks, CSV files of SimGrid's platform-calibration. Says what cannot be identified, and\n"
        "why.",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "exit status: 0; 2 bad input; 4 a file could not be written.",
};

/* Writes a file by `put`. */
static int write_file(const struct calibrate_result *r, const char *path,
                      void (*put)(const struct calibrate_result *r, FILE *out))
{
    struct base_output o;
    struct base_status st;
    if (!path)
        return 0;
    if (base_output_open(&o, path, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    put(r, o.out);
    if (base_output_commit(&o, &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_HOST;
    }
    return 0;
}

static int read_files(const struct request *q, struct calibrate_table *t, struct base_status *st)
{
    for (size_t k = 0; k < q->file.n; k++)
        if (calibrate_read(t, q->file.at[k], CALIBRATE_NETWORK, st))
            return -1;
    for (size_t k = 0; k < q->local.n; k++)
        if (calibrate_read(t, q->local.at[k], CALIBRATE_NODE, st))
            return -1;
    return 0;
}

static int check_names(const struct request *q, struct base_status *st)
{
    size_t n = 0;
    struct base_file_use *use = base_alloc((q->file.n + q->local.n + 4) * sizeof *use, "files");
    use[n++] = (struct base_file_use){"--output", q->platform, true};
    use[n++] = (struct base_file_use){"--json", q->json, true};
    use[n++] = (struct base_file_use){"--report", q->page, true};
    use[n++] = (struct base_file_use){"--noise", q->noise, true};
    for (size_t k = 0; k < q->file.n; k++)
        use[n++] = (struct base_file_use){"measurements", q->file.at[k], false};
    for (size_t k = 0; k < q->local.n; k++)
        use[n++] = (struct base_file_use){"--within-node", q->local.at[k], false};
    int rc = base_files_distinct(use, n, st);
    free(use);
    return rc;
}

static int write_all(const struct request *q, const struct calibrate_result *r)
{
    int status = write_file(r, q->platform, calibrate_platform);
    status = status ? status : write_file(r, q->json, calibrate_json);
    status = status ? status : write_file(r, q->page, calibrate_page);
    status = status ? status : write_file(r, q->noise, calibrate_noise);
    if (!status && !q->quiet)
        status = write_file(r, "-", calibrate_show);
    return status;
}

static int predict_and_write(const struct request *q, struct calibrate_result *r,
                             const struct calibrate_table *t)
{
    cli_calibrate_predict(r, t);
    return write_all(q, r);
}

static int carry_out(const struct request *q)
{
    struct base_status st;
    struct calibrate_table t = {0};
    struct calibrate_result *r = NULL;
    int status = BASE_EXIT_INPUT;
    if (check_names(q, &st) || read_files(q, &t, &st)) {
        base_error("%s", st.text);
    } else {
        r = calibrate_fit(&t, &q->options);
        if (q->platform && calibrate_platform_check(r, &st))
            base_error("%s", st.text);
        else
            status = predict_and_write(q, r, &t);
    }
    calibrate_result_destroy(r);
    calibrate_table_release(&t);
    return status;
}

/* Options may stand before and behind files. */
static enum cli_read read_words(struct request *q, int argc, char **args, struct base_status *st)
{
    int at = 0;
    while (at < argc - 1) {
        int rest;
        enum cli_read got = cli_options_read(&options, q, argc - at, args + at, &rest, st);
        if (got != CLI_READ)
            return got;
        at += rest;
        if (at < argc)
            BASE_ARRAY_PUSH(&q->file, args[at]);
    }
    if (q->file.n || q->local.n)
        return CLI_READ;
    (void)base_fail(st, "a file of measurements is missing");
    return CLI_READ_FAILED;
}

int cli_calibrate(int argc, char **args)
{
    struct request q = {.options.seed = 1};
    struct base_status st;
    int status = BASE_EXIT_OK;
    switch (read_words(&q, argc, args, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&options, stdout);
        break;
    case CLI_READ_FAILED:
        status = cli_options_refuse(&options, st.text);
        break;
    default:
        status = carry_out(&q);
    }
    free(q.file.at);
    free(q.local.at);
    return status;
}
