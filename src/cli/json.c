/* SPDX-License-Identifier: BSD-3-Clause */
/* json: the figures of a run for machines, as one JSON object. Keys and units are documented in
 * pgasim-run(1). */
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

static void put_operations(struct base_json *j, const struct run_figures *f)
{
    base_json_open(j, "operations", '{');
    base_json_count(j, "puts", f->rma.puts);
    base_json_count(j, "put_bytes", f->rma.put_bytes);
    base_json_count(j, "gets", f->rma.gets);
    base_json_count(j, "get_bytes", f->rma.get_bytes);
    base_json_count(j, "atomics", f->rma.atomics);
    base_json_count(j, "collective_calls", f->coll.calls);
    base_json_count(j, "collective_messages", f->coll.messages);
    base_json_count(j, "collective_bytes", f->coll.bytes);
    base_json_close(j);
}

static void put_engine(struct base_json *j, const struct run_figures *f)
{
    base_json_open(j, "engine", '{');
    base_json_count(j, "events", f->events);
    base_json_count(j, "switches", f->switches);
    base_json_count(j, "image_swaps", f->fold.swaps);
    base_json_close(j);
}

static void put_warning(void *arg, const char *key, const char *text, uint64_t count)
{
    struct base_json *j = arg;
    base_json_open(j, NULL, '{');
    base_json_text(j, "key", key);
    base_json_text(j, "text", text);
    base_json_count(j, "count", count);
    base_json_close(j);
}

static void put_words(struct base_json *j, const char *key, char **words)
{
    base_json_open(j, key, '[');
    for (; *words; words++)
        base_json_text(j, NULL, *words);
    base_json_close(j);
}

static void put_run(struct base_json *j, const struct run *r)
{
    const struct run_figures *f = &r->figures;
    base_json_open(j, NULL, '{');
    base_json_text(j, "pgasim", pgasim_version);
    put_words(j, "command", r->options.program);
    base_json_count(j, "status", (uint64_t)f->status);
    base_json_number(j, "simulated_seconds", f->simulated);
    base_json_number(j, "wall_seconds", f->wall);
    base_json_number(j, "cpu_seconds", f->cpu);
    base_json_number(j, "measured_seconds", f->ranks.measured);
    base_json_count(j, "ranks", r->options.ranks);
    base_json_count(j, "hosts", f->ranks.hosts_used);
    base_json_text(j, "platform", r->options.platform ? r->options.platform : "");
    base_json_text(j, "privatize", run_privatize_name(f->way));
    base_json_count(j, "image_bytes", f->fold.image_bytes);
    base_json_count(j, "kernels_run", f->fold.kernels_run);
    base_json_count(j, "kernels_skipped", f->fold.kernels_skipped);
    base_json_count(j, "folded_asked_bytes", f->fold.folded_asked);
    base_json_count(j, "folded_peak_bytes", f->fold.folded_peak);
    base_json_count(j, "stack_bytes", run_options_stack_size(&r->options));
    base_json_count(j, "peak_memory_bytes", f->peak_memory);
    put_operations(j, f);
    put_engine(j, f);
    profile_write_json(j);
    base_json_open(j, "warnings", '[');
    base_warnings_each(put_warning, j);
    base_json_close(j);
    base_json_close(j);
}

static int write_text(struct run_json *j, const struct base_text *text)
{
    bool regular = j->out != stdout;
    if (regular && ftruncate(fileno(j->out), 0) && errno != EINVAL) /* EINVAL: a pipe or a device */
        return -1;
    if (fwrite(text->at, 1, text->n, j->out) != text->n || fflush(j->out))
        return -1;
    return 0;
}

int run_json_write(struct run_json *j, const struct run *r, struct base_status *st)
{
    struct base_json json;
    base_json_init(&json, NULL, &(struct base_json_form){.indent = "  ", .null_for_invalid = true});
    put_run(&json, r);
    int rc = write_text(j, &json.text);
    if (rc)
        base_fail(st, "--json %s: %s", r->options.json, strerror(errno));
    base_json_end(&json);
    run_json_close(j);
    return rc;
}
