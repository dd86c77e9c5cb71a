/* SPDX-License-Identifier: BSD-3-Clause */
/* job: a number for what is explored, so that results of something else are not taken for its own. */
#include "cli/study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

/* Raised when rows get another meaning. */
static const char version[] = "pgasim explore 1";

static uint64_t add_text(uint64_t job, const char *text)
{
    return base_fnv(job, text, strlen(text) + 1);
}

static int add_file(uint64_t *job, const char *what, const char *path, struct base_status *st)
{
    char bytes[65536];
    struct stat file;
    int fd = base_input_open(path, &file);
    if (fd < 0)
        return base_fail(st, "%s %.200s: %s", what, path, strerror(errno));
    ssize_t n;
    while ((n = read(fd, bytes, sizeof bytes)) > 0)
        *job = base_fnv(*job, bytes, (size_t)n);
    int failed = n < 0 ? errno : 0;
    close(fd);
    *job = add_text(*job, "");
    return failed ? base_fail(st, "%s %.200s: %s", what, path, strerror(failed)) : 0;
}

/* A program without a slash that is not in this folder is found in PATH by the run; its name must do. */
static int add_program(uint64_t *job, char *const *program, struct base_status *st)
{
    if ((strchr(program[0], '/') || !access(program[0], F_OK)) &&
        add_file(job, "the program", program[0], st))
        return -1;
    for (; *program; program++)
        *job = add_text(*job, *program);
    return 0;
}

int study_job(const struct study *x, uint64_t *job, struct base_status *st)
{
    uint64_t j = add_text(BASE_FNV, version);
    if (add_file(&j, "--platform", x->q->run.platform, st) || add_program(&j, x->q->run.program, st))
        return -1;
    for (const char *const *word = x->options; *word; word++)
        j = add_text(j, *word);
    *job = add_text(j, x->q->words.distinct ? "distinct" : "");
    return 0;
}
