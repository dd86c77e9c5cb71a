/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_info: `pgasim trace-info`: what is in a trace that `pgasim replay` plays. */
#include "replay/replay.h"

#include <inttypes.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/options/options.h"
#include "cli/replay/worlds.h"

struct request {
    bool json;
    uint64_t ranks;
};

CLI_FLAG(apply_json, struct request, json)

static int apply_ranks(void *ctx, const char *value, struct base_status *st)
{
    return cli_option_ranks(value, &((struct request *)ctx)->ranks, st);
}

static const struct cli_option table[] = {
    {"-np -n", "N", "the trace is to have N ranks (default: as many as it has)", apply_ranks},
    {"--json", NULL, "print it for machines", apply_json},
};
static const struct cli_options options = {
    .usage = "pgasim trace-info [options] trace",
    .about =
        "Reads a trace whole and says what is in it: ranks, calls, volumes, and messages that are sent and\n"
        "received a different number of times. What can be read can be played (pgasim replay).",
    .option = table,
    .n = BASE_LENGTH(table),
    .notes = "exit status: 0; 2 the trace cannot be read.",
};

static void put_communicators(struct base_json *j, const struct replay_facts *f)
{
    base_json_open(j, "communicators", '[');
    for (size_t k = 0; k < f->comms; k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "made_by", f->comm[k].maker);
        base_json_count(j, "ranks", f->comm[k].ranks);
        base_json_count(j, "count", f->comm[k].count);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_pairs(struct base_json *j, const struct replay_facts *f)
{
    base_json_count(j, "pairs", f->pairs);
    base_json_open(j, "pairs_with_most_bytes", '[');
    for (size_t k = 0; k < BASE_LENGTH(f->largest) && k < f->pairs; k++) {
        base_json_open(j, NULL, '{');
        base_json_count(j, "from", f->largest[k].from);
        base_json_count(j, "to", f->largest[k].to);
        base_json_count(j, "messages", f->largest[k].messages);
        base_json_count(j, "bytes", f->largest[k].bytes);
        base_json_close(j);
    }
    base_json_close(j);
}

static void print_json(const struct replay_facts *f, const struct cli_worlds *worlds)
{
    struct base_json j;
    base_json_init(&j, stdout, &(struct base_json_form){.indent = "  "});
    base_json_open(&j, NULL, '{');
    base_json_count(&j, "ranks", f->ranks);
    base_json_count(&j, "ranks_without_actions", f->idle);
    base_json_count(&j, "started_ranks", f->started);
    base_json_count(&j, "further_threads", f->threads);
    base_json_count(&j, "actions", f->actions);
    base_json_count(&j, "fewest_of_a_rank", f->least);
    base_json_count(&j, "most_of_a_rank", f->most);
    base_json_number(&j, "flops", f->flops);
    base_json_number(&j, "computed_seconds", f->seconds);
    if (f->counted > 0)
        base_json_number(&j, "computed_instructions", f->counted);
    base_json_number(&j, "slept_seconds", f->slept);
    if (f->cpus) {
        base_json_count(&j, "dependencies", f->dependencies);
        base_json_count(&j, "cpus", f->cpus);
        base_json_count(&j, "nics", f->nics);
    }
    base_json_open(&j, "calls", '[');
    for (size_t k = 0; k < f->n; k++) {
        base_json_open(&j, NULL, '{');
        base_json_text(&j, "name", f->call[k].name);
        base_json_count(&j, "count", f->call[k].count);
        base_json_count(&j, "bytes", f->call[k].bytes);
        base_json_flag(&j, "played", f->call[k].played);
        base_json_close(&j);
    }
    base_json_close(&j);
    put_communicators(&j, f);
    put_pairs(&j, f);
    base_json_count(&j, "unmatched", f->unmatched);
    base_json_count(&j, "not_made", f->missing);
    cli_worlds_json(worlds, &j);
    base_json_close(&j);
    base_json_end(&j);
}

static void print_unmatched(const struct replay_facts *f)
{
    if (!f->unmatched)
        return;
    printf("\nMessages that are not sent as often as they are received: %" PRIu64
           " of sender, receiver and tag\n",
           f->unmatched);
    for (size_t k = 0; k < BASE_LENGTH(f->first) && k < f->unmatched; k++)
        printf("  rank %" PRIu32 " to rank %" PRIu32 ", tag %" PRId32 ": %" PRIu64 " sent, %" PRIu64
               " received\n",
               f->first[k].from, f->first[k].to, f->first[k].tag, f->first[k].sent, f->first[k].received);
}

static void print_communicators(const struct replay_facts *f)
{
    if (f->comms)
        printf("\n  %-30s %12s %14s\n", "communicators made by", "count", "ranks of each");
    for (size_t k = 0; k < f->comms; k++) {
        char ranks[16] = "not known";
        if (f->comm[k].ranks)
            snprintf(ranks, sizeof ranks, "%" PRIu32, f->comm[k].ranks);
        printf("  %-30s %12" PRIu64 " %14s\n", f->comm[k].maker, f->comm[k].count, ranks);
    }
}

static void print_pairs(const struct replay_facts *f)
{
    char bytes[32], text[32];
    if (!f->pairs)
        return;
    printf("\nMessages between %" PRIu64 " pairs of ranks; those with most bytes:\n", f->pairs);
    for (size_t k = 0; k < BASE_LENGTH(f->largest) && k < f->pairs; k++) {
        snprintf(text, sizeof text, "%" PRIu32 " to %" PRIu32, f->largest[k].from, f->largest[k].to);
        printf("  %-30s %12" PRIu64 " %14s\n", text, f->largest[k].messages,
               base_show_size(bytes, (double)f->largest[k].bytes));
    }
}

static void print_missing(const struct replay_facts *f)
{
    if (f->missing)
        printf("\nCalls that name objects which were not made before, and cannot be played: %" PRIu64
               "; the first is of rank %" PRIu32 ", line %" PRIu32 ": %s\n",
               f->missing, f->missing_rank, f->missing_line, f->missing_call);
}

static void print(const struct replay_facts *f, const struct cli_worlds *worlds)
{
    char count[32], least[32], most[32], bytes[32];
    printf("%" PRIu32 " ranks, %s actions: %s to %s a rank\n", f->ranks,
           base_show_count(count, (double)f->actions), base_show_count(least, (double)f->least),
           base_show_count(most, (double)f->most));
    if (f->idle)
        printf("%" PRIu32 " of the ranks do nothing\n", f->idle);
    if (f->started)
        printf("%" PRIu32 " of the ranks are started by others\n", f->started);
    if (f->threads)
        printf("ranks have %" PRIu32 " further threads in all\n", f->threads);
    if (f->cpus)
        printf("%s dependencies; %" PRIu32 " CPUs and %" PRIu32
               " NICs a rank at most; %.6g seconds of computation",
               base_show_count(count, (double)f->dependencies), f->cpus, f->nics, f->seconds);
    else
        printf("%.6g flops are computed", f->flops);
    if (f->seconds > 0 && !f->cpus)
        printf(", and %.6g seconds of the recorded machine", f->seconds);
    if (f->counted > 0)
        printf(" with %.6g instructions", f->counted);
    if (f->slept > 0)
        printf(", %.6g seconds slept", f->slept);
    printf("\n\n  %-30s %12s %14s\n", "call", "count", "bytes");
    for (size_t k = 0; k < f->n; k++)
        printf("  %-30s %12" PRIu64 " %14s\n", f->call[k].name, f->call[k].count,
               !f->call[k].played ? "not played"
               : f->call[k].bytes ? base_show_size(bytes, (double)f->call[k].bytes)
                                  : "");
    print_communicators(f);
    print_pairs(f);
    print_unmatched(f);
    print_missing(f);
    if (worlds->world.n > 1)
        putchar('\n');
    cli_worlds_print(worlds);
}

/* All that is known of a trace that cannot be played. */
static void print_worlds(const struct cli_worlds *worlds, bool json)
{
    struct base_json j;
    if (!json) {
        cli_worlds_print(worlds);
        return;
    }
    base_json_init(&j, stdout, &(struct base_json_form){.indent = "  "});
    base_json_open(&j, NULL, '{');
    cli_worlds_json(worlds, &j);
    base_json_close(&j);
    base_json_end(&j);
}

int cli_trace_info(int argc, char **args)
{
    struct base_status st;
    struct request q = {0};
    struct replay_facts facts;
    struct cli_worlds worlds;
    int rest;
    switch (cli_options_read(&options, &q, argc, args, &rest, &st)) {
    case CLI_READ_HELP:
        cli_options_help(&options, stdout);
        return BASE_EXIT_OK;
    case CLI_READ_FAILED:
        return cli_options_refuse(&options, st.text);
    case CLI_READ:
        break;
    }
    if (rest + 1 != argc)
        return cli_options_refuse(&options, rest == argc ? "no trace was named" : "expected one trace");
    struct replay_trace *trace = replay_trace_read(args[rest], (uint32_t)q.ranks, &st);
    int status = trace ? BASE_EXIT_OK : BASE_EXIT_INPUT;
    cli_worlds_read(&worlds, args[rest]);
    if (trace) {
        replay_trace_facts(trace, &facts);
        (q.json ? print_json : print)(&facts, &worlds);
    } else {
        if (worlds.world.n > 1)
            print_worlds(&worlds, q.json);
        base_error("%s", st.text);
    }
    cli_worlds_release(&worlds);
    replay_trace_release(trace);
    return status;
}
