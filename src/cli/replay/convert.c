/* SPDX-License-Identifier: BSD-3-Clause */
/* convert: `pgasim convert`: a trace that `pgasim replay` plays, in another format. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options/options.h"
#include "replay/replay.h"

struct request {
    const char *to; /* NULL: by the name of what is written */
    struct replay_conversion conversion;
    struct base_settings *settings; /* NULL: none is given */
    uint64_t ranks;
    bool quiet, mean, share;
};

static const struct {
    const char *name, *end; /* of a file's name */
    enum replay_format format;
    bool whole; /* never compressed by its name */
} formats[] = {{"ti", "ti", REPLAY_TO_TI, false},
               {"calls", "calls", REPLAY_TO_CALLS, false},
               {"goal", "goal", REPLAY_TO_GOAL, false},
               {"dumpi", "meta", REPLAY_TO_DUMPI, false},
               {"allprof", "txt", REPLAY_TO_ALLPROF, false},
               {"pgt", "pgt", REPLAY_TO_PGT, true},
               {"otf2", "otf2", REPLAY_TO_OTF2, true}};

CLI_TEXT(apply_to, struct request, to)
CLI_FLAG(apply_quiet, struct request, quiet)
CLI_FLAG(apply_mean, struct request, mean)
CLI_FLAG(apply_blocks, struct request, conversion.blocks)
CLI_FLAG(apply_share, struct request, share)

static int apply_ranks(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_ranks(value, &((struct request *)ctx)->ranks, st);
}

static int apply_speed(void *ctx, const char *value, struct base_status *st)
{
    double *speed = &((struct request *)ctx)->conversion.speed;
    if (base_parse_speed(value, speed, st) || !(*speed > 0 && *speed <= 1e30))
        return base_fail(st, "--speed %.80s: expected a speed, such as 2.5Gf", value);
    return 0;
}

static int apply_set(void *ctx, const char *value, struct base_status *st)
{
    struct request *q = ctx;
    if (!q->settings)
        q->conversion.settings = q->settings = cli_settings_create();
    return cli_settings_assign(q->settings, value, st);
}

static const struct cli_option table[] = {
    {"--to", "FORMAT",
     "ti: lines that SMPI's replayer takes; calls: all that a trace can say;\n"
     "goal: a schedule; dumpi: files of DUMPI; allprof: of liballprof, OUT being\n"
     "rank 0's; pgt: calls as a recording; otf2: an archive\n"
     "(default: by the end of the name OUT: .ti, .calls, .goal, .meta, .txt,\n"
     "perhaps with .gz or .zst behind, .pgt, .otf2)",
     apply_to},
    {"--speed", "SPEED", "flop/s of a core, as 2.5Gf: where one format has flops, the other seconds",
     apply_speed},
    {"--compute-mean", NULL,
     "computations of a rank at the same place take their mean, but those that\n"
     "differ much: then lines repeat, and become loops of a trace of calls",
     apply_mean},
    {"--compute-blocks", NULL,
     "computations at the same place of all turns of a loop take their mean: then\n"
     "lines become loops if the calls repeat, whatever is computed between them",
     apply_blocks},
    {"--share-ranks", NULL,
     "write a list of files of calls, in OUT_files/, in which ranks that do the\n"
     "same share one; all computations of a rank at the same place take their mean",
     apply_share},
    {"--set --cfg", "KEY=VALUE", "a setting coll/..., for the algorithms of goal's collectives", apply_set},
    {"-np -n", "N", "the trace is to have N ranks (default: as many as it has)", apply_ranks},
    {"--quiet", NULL, "do not say what the format cannot say", apply_quiet},
};
static const struct cli_options options = {
    .usage = "pgasim convert [options] IN OUT",
    .about = "Writes a trace that pgasim replay plays in another format. What that cannot say is counted and "
             "named.",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "exit status: 0; 2 the trace cannot be read, or not be written like this.",
};

/* Whether a name ends in a format's, perhaps with that of a compressed file behind. */
static bool ends_in(const char *path, const char *format, bool whole)
{
    static const char *const behind[] = {"", ".gz", ".zst"};
    for (size_t k = 0; k < (whole ? 1 : BASE_LENGTH(behind)); k++) {
        char end[32];
        int n = snprintf(end, sizeof end, ".%s%s", format, behind[k]);
        size_t length = strlen(path);
        if (length > (size_t)n && !strcmp(path + length - (size_t)n, end))
            return true;
    }
    return false;
}

static int choose(struct request *q, const char *out, struct base_status *st)
{
    for (size_t k = 0; k < BASE_LENGTH(formats); k++)
        if (q->to ? !strcmp(q->to, formats[k].name) : ends_in(out, formats[k].end, formats[k].whole)) {
            q->conversion.to = formats[k].format;
            return 0;
        }
    return q->to ? base_fail(st, "--to %.80s: expected ti, calls, goal, dumpi, allprof, pgt or otf2", q->to)
                 : base_fail(st,
                             "%.200s: the name says no format: expected .ti, .calls, .goal, .meta, .txt, "
                             ".pgt or .otf2 at its end, or --to",
                             out);
}

static void print(const struct replay_conversion *c, const char *out)
{
    if (c->n)
        base_info("%s: what the format cannot say:", out);
    for (size_t k = 0; k < c->n; k++)
        base_info("%s: %" PRIu64 " times, %s", c->unsaid[k].what, c->unsaid[k].count, c->unsaid[k].became);
}

static int use_means(const struct request *q, struct replay_trace *trace, const char *in,
                     struct base_status *st)
{
    char *assumptions;
    if (replay_trace_typical(trace, in, REPLAY_MEAN, &assumptions, st))
        return -1;
    if (!q->quiet)
        base_info("%.*s", (int)strcspn(assumptions, "\n"), assumptions);
    free(assumptions);
    return 0;
}

static int share(struct request *q, struct replay_trace *trace, const char *in, const char *out,
                 struct base_status *st)
{
    char *assumptions;
    if (replay_trace_share(trace, in, out, &q->conversion, &assumptions, st))
        return -1;
    if (!q->quiet)
        base_info("%s", assumptions);
    free(assumptions);
    return 0;
}

static int check_means(const struct request *q, const char *out, struct base_status *st)
{
    if (q->conversion.blocks && (q->share || q->mean))
        return base_fail(
            st, "--compute-blocks: expected neither --share-ranks nor --compute-mean, which take means, too");
    if (q->conversion.blocks && q->conversion.to != REPLAY_TO_CALLS && q->conversion.to != REPLAY_TO_PGT)
        return base_fail(st, "--compute-blocks: expected a trace of calls or a recording as output");
    if (q->share && q->mean)
        return base_fail(st,
                         "--share-ranks and --compute-mean: expected one, as the former takes means, too");
    if (q->share && q->conversion.to != REPLAY_TO_CALLS)
        return base_fail(st, "--share-ranks: expected a trace of calls as output");
    if (q->share && !strcmp(out, "-"))
        return base_fail(st, "--share-ranks: expected the name of a file, beside which others can be");
    return 0;
}

static int write_trace(struct request *q, struct replay_trace *trace, const char *in, const char *out,
                       struct base_status *st)
{
    if (q->share)
        return share(q, trace, in, out, st);
    if (q->mean && use_means(q, trace, in, st))
        return -1;
    return replay_trace_convert(trace, out, &q->conversion, st);
}

static int convert(struct request *q, const char *in, const char *out)
{
    struct base_status st;
    struct replay_trace *trace = NULL;
    int rc = choose(q, out, &st) || check_means(q, out, &st) ? -1 : 0;
    if (!rc) {
        bool timed = q->conversion.to == REPLAY_TO_OTF2 && !q->mean; /* means are at no times */
        trace = (timed ? replay_trace_read_timed : replay_trace_read)(in, (uint32_t)q->ranks, &st);
        rc = trace ? write_trace(q, trace, in, out, &st) : -1;
    }
    if (rc)
        base_error("%s", st.text);
    else if (!q->quiet)
        print(&q->conversion, out);
    replay_trace_release(trace);
    return rc ? BASE_EXIT_INPUT : BASE_EXIT_OK;
}

/* Options may stand in front of the names or behind them. */
static enum cli_read read_words(struct request *q, int argc, char **args, const char **in, const char **out,
                                struct base_status *st)
{
    int rest, behind;
    enum cli_read done = cli_options_read(&options, q, argc, args, &rest, st);
    if (done == CLI_READ && rest + 2 < argc) {
        done = cli_options_read(&options, q, argc - rest - 1, args + rest + 1, &behind, st);
        argc = done == CLI_READ && behind == argc - rest - 1 ? rest + 2 : argc;
    }
    if (done == CLI_READ && rest + 2 != argc) {
        base_fail(st, "expected a trace, and the name of what is written");
        return CLI_READ_FAILED;
    }
    if (done == CLI_READ) {
        *in = args[rest];
        *out = args[rest + 1];
    }
    return done;
}

int cli_convert(int argc, char **args)
{
    struct base_status st;
    struct request q = {0};
    const char *in = NULL, *out = NULL;
    switch (read_words(&q, argc, args, &in, &out, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&options, stdout);
        return BASE_EXIT_OK;
    case CLI_READ_FAILED:
        return cli_options_refuse(&options, st.text);
    case CLI_READ:
        break;
    }
    int status = convert(&q, in, out);
    if (q.settings)
        base_settings_destroy(q.settings);
    return status;
}
