/* SPDX-License-Identifier: BSD-3-Clause */
/* platform_draw: `pgasim platform draw`. platform/draw/ makes the picture. */
#include "cli/platform_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An unfinished picture is removed, where it is a file of its own. */
static void remove_regular(const char *path)
{
    struct stat file;
    if (!lstat(path, &file) && S_ISREG(file.st_mode))
        unlink(path);
}

static int draw_to(const struct platform *p, const char *path)
{
    FILE *out = path && strcmp(path, "-") != 0 ? fopen(path, "w") : stdout;
    if (!out) {
        base_error("--output %s: %s", path, strerror(errno));
        return BASE_EXIT_HOST;
    }
    platform_draw(p, out);
    if (out == stdout)
        return BASE_EXIT_OK;
    bool failed = ferror(out);
    if (!fclose(out) && !failed)
        return BASE_EXIT_OK;
    base_error("--output %s: cannot write it", path);
    remove_regular(path);
    return BASE_EXIT_HOST;
}

int platform_request_draw(const struct platform_request *q)
{
    struct base_settings *s = cli_settings_create();
    struct platform *p = platform_request_load(q, q->words ? q->word[0] : NULL, s);
    int status = p ? draw_to(p, q->output) : BASE_EXIT_INPUT;
    if (p)
        platform_destroy(p);
    base_settings_destroy(s);
    return status;
}
