/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stage: what the tests of rank have in common: test ranks on two hosts, notes of what happened in which
 * order, children for what ends the process.
 *
 * Platform: host a has two cores of 1 Gflop/s and the even ranks, b one core of 2 Gflop/s and the odd ones; a
 * -- b 1 us, 1 GB/s.
 */
#ifndef PGASIM_TESTS_RANK_STAGE_H
#define PGASIM_TESTS_RANK_STAGE_H

#include "rank/ranks.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

#define US 1e-6

static struct ranks stage;

static const char stage_platform[] =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM 'https://simgrid.org/simgrid.dtd'>\n"
    "<platform version='4.1'><zone id='z' routing='Full'>\n"
    "<host id='a' speed='1Gf' core='2'/><host id='b' speed='2Gf'/>\n"
    "<link id='ab' bandwidth='1GBps' latency='1us'/>\n"
    "<route src='a' dst='b'><link_ctn id='ab'/></route>\n</zone></platform>\n";

/* Settings and other things that a test gives come between the two. */
static inline void stage_prepare(uint32_t ranks)
{
    ranks_prepare(&stage, ranks, 4096);
}
static inline void stage_begin(void)
{
    ranks_begin(&stage, ranks_platform(&stage, stage_platform), NULL);
}
/* The same with nothing between. */
static inline void stage_open(uint32_t ranks)
{
    stage_prepare(ranks);
    stage_begin();
}
static inline void stage_close(void)
{
    ranks_end(&stage);
}

/* The job must end so. */
static inline void stage_run(int status)
{
    ranks_run(&stage);
    if (stage.status != status)
        fail_msg("status %d, expected %d; report: %s", stage.status, status, stage.report);
}

/* A job with this setting must be refused in these words. */
static inline void stage_refuses(const char *setting, const char *value, const char *text)
{
    static const uint32_t hosts[] = {0};
    static const struct rank_config config = {.ranks = 1, .rank_host = hosts};
    struct rank_job *other;
    struct base_status st;
    stage_open(1);
    ranks_setting(&stage, setting, value);
    assert_int_equal(rank_job_create(&other, &config, stage.fabric, &stage.trace, stage.settings, &st), -1);
    assert_string_equal(st.text, text);
    stage_close();
}

static inline double stage_now(void)
{
    return engine_now(stage.engine);
}
static inline void time_is(double got, double expected_us, int line)
{
    if (fabs(got - expected_us * US) > 1e-9 * US * (1 + fabs(expected_us)))
        fail_msg("line %d: %.12g us, expected %.12g us", line, got / US, expected_us);
}
#define CLOCK_IS(us)  time_is(stage_now(), us, __LINE__)
#define OWN_IS(r, us) time_is(rank_now(r), us, __LINE__)

static inline void expect_in(const char *text, const char *part, int line)
{
    if (!strstr(text, part))
        fail_msg("line %d: '%s' is not in: %s", line, part, text);
}
#define REPORT_HAS(part) expect_in(stage.report, part, __LINE__)

/* --- notes ---------------------------------------------------------------------------------------- */

static char noted[4096]; /* words with a blank before each */

static inline BASE_PRINTF(1, 2) void note(const char *fmt, ...)
{
    size_t n = strlen(noted);
    va_list args;
    noted[n++] = ' ';
    va_start(args, fmt);
    vsnprintf(noted + n, sizeof noted - n, fmt, args);
    va_end(args);
}
static inline void notes_are(const char *expected, int line)
{
    if (strcmp(noted, expected) != 0)
        fail_msg("line %d: noted%s\nexpected%s", line, noted, expected);
    noted[0] = 0;
}
#define NOTES_ARE(expected) notes_are(expected, __LINE__)

/* --- children ------------------------------------------------------------------------------------- */

/* Runs `fn` in a child; returns how it ended, as wait does. What it wrote to 1 and 2 is in text[0] and
 * text[1], which the caller frees. */
static inline int stage_child(void (*fn)(void), char *text[2])
{
    FILE *file[2];
    int status;
    for (int k = 0; k < 2; k++)
        file[k] = tmpfile();
    pid_t child = fork();
    if (child == 0) {
        for (int k = 0; k < 2; k++)
            dup2(fileno(file[k]), k + 1);
        fn();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    for (int k = 0; k < 2; k++) {
        off_t size = lseek(fileno(file[k]), 0, SEEK_END);
        text[k] = base_zalloc((size_t)size + 1, "test");
        assert_int_equal(pread(fileno(file[k]), text[k], (size_t)size, 0), size);
        fclose(file[k]);
    }
    return status;
}

/* The child must end with this status, after a report that has `part`. */
static inline void stage_expect_exit(void (*fn)(void), int code, const char *part)
{
    char *text[2];
    int status = stage_child(fn, text);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != code || !strstr(text[1], part))
        fail_msg("the child's status is %#x, its report: %s\nexpected: exit %d with %s", status, text[1],
                 code, part);
    free(text[0]);
    free(text[1]);
}

#endif
