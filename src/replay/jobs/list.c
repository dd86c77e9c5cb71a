/* SPDX-License-Identifier: BSD-3-Clause */
/* list: reads a file of jobs of either form, compressed or not: archives of workloads are. */
#include "replay/input/input.h"
#include "replay/jobs/jobs.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

char *replay_list_file(const struct replay_list *l, const char *name)
{
    const char *slash = strrchr(l->path, '/');
    if (*name == '/' || !slash)
        return base_strdup(name);
    return base_strfmt("%.*s/%s", (int)(slash - l->path), l->path, name);
}

static bool is_json(const char *text, size_t bytes)
{
    size_t at = 0;
    while (at < bytes && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n'))
        at++;
    return at < bytes && (text[at] == '{' || text[at] == '[');
}

static int read_text(const char *path, struct base_text *text, struct base_status *st)
{
    char *line;
    int got = -1;
    struct replay_input *in = replay_input_open(path, st);
    while (in && (got = replay_input_line(in, &line, st)) > 0) {
        base_text_add(text, line);
        base_text_char(text, '\n');
    }
    replay_input_close(in);
    return got;
}

static int parse(struct replay_list *l, const struct base_text *text, const struct replay_job_traces *traces,
                 struct base_status *st)
{
    if (!is_json(text->at, text->n))
        return replay_swf_parse(l, text->at, text->n, traces, st);
    if (traces->n)
        return base_fail(st, "--job-trace is for workloads in SWF: %s names its traces", l->path);
    return replay_list_parse(l, text->at, text->n, st);
}

int replay_list_read(struct replay_list *l, const char *path, const struct replay_job_traces *traces,
                     struct base_status *st)
{
    struct base_text text;
    base_text_init(&text, "a list of jobs");
    *l = (struct replay_list){.path = path};
    int rc = read_text(path, &text, st) || parse(l, &text, traces, st) ? -1 : 0;
    base_text_release(&text);
    if (rc)
        replay_list_release(l);
    return rc;
}
