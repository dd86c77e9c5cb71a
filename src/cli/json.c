/* SPDX-License-Identifier: BSD-3-Clause */
/* json: the figures of a run for machines, as one JSON object. Keys and units are documented in
 * pgasim-run(1). */
#include "cli/json_put.h"
#include "cli/profile.h"
#include "cli/run.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int run_json_open(struct run_json *j, const char *path, struct base_status *st)
{
    if (!strcmp(path, "-")) {
        j->out = stdout;
        return 0;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    j->out = fd < 0 ? NULL : fdopen(fd, "w");
    return j->out ? 0 : base_fail(st, "--json %s: %s", path, strerror(errno));
}

void run_json_close(struct run_json *j)
{
    if (j->out && j->out != stdout)
        fclose(j->out);
    j->out = NULL;
}

static void put_operations(yajl_gen g, const struct run_figures *f)
{
    cli_json_text(g, "operations");
    yajl_gen_map_open(g);
    cli_json_key_count(g, "puts", f->rma.puts);
    cli_json_key_count(g, "put_bytes", f->rma.put_bytes);
    cli_json_key_count(g, "gets", f->rma.gets);
    cli_json_key_count(g, "get_bytes", f->rma.get_bytes);
    cli_json_key_count(g, "atomics", f->rma.atomics);
    cli_json_key_count(g, "collective_calls", f->coll.calls);
    cli_json_key_count(g, "collective_messages", f->coll.messages);
    cli_json_key_count(g, "collective_bytes", f->coll.bytes);
    yajl_gen_map_close(g);
}

static void put_engine(yajl_gen g, const struct run_figures *f)
{
    cli_json_text(g, "engine");
    yajl_gen_map_open(g);
    cli_json_key_count(g, "events", f->events);
    cli_json_key_count(g, "switches", f->switches);
    cli_json_key_count(g, "image_swaps", f->fold.swaps);
    yajl_gen_map_close(g);
}

static void put_warning(void *arg, const char *key, const char *text, uint64_t count)
{
    yajl_gen g = arg;
    yajl_gen_map_open(g);
    cli_json_key_text(g, "key", key);
    cli_json_key_text(g, "text", text);
    cli_json_key_count(g, "count", count);
    yajl_gen_map_close(g);
}

static void put_words(yajl_gen g, const char *key, char **words)
{
    cli_json_text(g, key);
    yajl_gen_array_open(g);
    for (; *words; words++)
        cli_json_text(g, *words);
    yajl_gen_array_close(g);
}

static void put_run(yajl_gen g, const struct run *r)
{
    const struct run_figures *f = &r->figures;
    yajl_gen_map_open(g);
    cli_json_key_text(g, "pgasim", pgasim_version);
    put_words(g, "command", r->options.program);
    cli_json_key_count(g, "status", (uint64_t)f->status);
    cli_json_key_number(g, "simulated_seconds", f->simulated);
    cli_json_key_number(g, "wall_seconds", f->wall);
    cli_json_key_number(g, "cpu_seconds", f->cpu);
    cli_json_key_number(g, "measured_seconds", f->ranks.measured);
    cli_json_key_count(g, "ranks", r->options.ranks);
    cli_json_key_count(g, "hosts", f->ranks.hosts_used);
    cli_json_key_text(g, "platform", r->options.platform ? r->options.platform : "");
    cli_json_key_text(g, "privatize", run_privatize_name(f->way));
    cli_json_key_count(g, "image_bytes", f->fold.image_bytes);
    cli_json_key_count(g, "kernels_run", f->fold.kernels_run);
    cli_json_key_count(g, "kernels_skipped", f->fold.kernels_skipped);
    cli_json_key_count(g, "folded_asked_bytes", f->fold.folded_asked);
    cli_json_key_count(g, "folded_peak_bytes", f->fold.folded_peak);
    cli_json_key_count(g, "stack_bytes", run_options_stack_size(&r->options));
    cli_json_key_count(g, "peak_memory_bytes", f->peak_memory);
    put_operations(g, f);
    put_engine(g, f);
    profile_write_json(g);
    cli_json_text(g, "warnings");
    yajl_gen_array_open(g);
    base_warnings_each(put_warning, g);
    yajl_gen_array_close(g);
    yajl_gen_map_close(g);
}

static int write_text(struct run_json *j, const unsigned char *text, size_t size)
{
    bool regular = j->out != stdout;
    if (regular && ftruncate(fileno(j->out), 0) && errno != EINVAL) /* EINVAL: a pipe or a device */
        return -1;
    if (fwrite(text, 1, size, j->out) != size || fflush(j->out))
        return -1;
    return 0;
}

int run_json_write(struct run_json *j, const struct run *r, struct base_status *st)
{
    const unsigned char *text;
    size_t size;
    yajl_gen g = yajl_gen_alloc(NULL);
    yajl_gen_config(g, yajl_gen_beautify, 1);
    yajl_gen_config(g, yajl_gen_indent_string, "  ");
    yajl_gen_config(g, yajl_gen_validate_utf8, 1);
    put_run(g, r);
    yajl_gen_get_buf(g, &text, &size);
    int rc = write_text(j, text, size);
    if (rc)
        base_fail(st, "--json %s: %s", r->options.json, strerror(errno));
    yajl_gen_free(g);
    run_json_close(j);
    return rc;
}
