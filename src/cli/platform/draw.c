/* SPDX-License-Identifier: BSD-3-Clause */
/* draw: `pgasim platform draw`. platform/draw/ makes the picture. */
#include "base/output.h"
#include "cli/platform/command.h"
#include "cli/options/options.h"

static int draw_to(const struct platform *p, const char *path)
{
    struct base_output o;
    struct base_status st;
    if (!base_output_open(&o, path, &st)) {
        platform_draw(p, o.out);
        if (!base_output_commit(&o, &st))
            return BASE_EXIT_OK;
    }
    base_error("--output %s", st.text);
    return BASE_EXIT_HOST;
}

int platform_request_draw(const struct platform_request *q)
{
    const char *input = q->words ? q->word[0] : NULL, *output = q->output ? q->output : "-";
    const struct base_file_use files[] = {{"the platform", input, false}, {"--output", output, true}};
    struct base_status st;
    if (base_files_distinct(files, BASE_LENGTH(files), &st)) {
        base_error("%s", st.text);
        return BASE_EXIT_INPUT;
    }
    struct base_settings *s = cli_settings_create();
    struct platform *p = platform_request_load(q, input, s);
    int status = p ? draw_to(p, output) : BASE_EXIT_INPUT;
    if (p)
        platform_destroy(p);
    base_settings_destroy(s);
    return status;
}
