/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks' output: whole lines in simulated order, half lines held, tags. Each case runs in a child whose
 * standard output and error are files.
 */
#include "rank/stage.h"

#include <fcntl.h>
#include <time.h>

enum { LONGEST = 1 << 20 };

static void say(struct rank *r, int fd, const char *text)
{
    rank_output(r, fd, text, strlen(text));
}

/* Two ranks and a half line: rank 0 at 0 and 2 us, rank 1 at 1 us. */
static void halves_0(struct rank *r)
{
    say(r, 1, "a");
    engine_sleep(r->engine, 2 * US);
    say(r, 1, "c\nd");
}
static void halves_1(struct rank *r)
{
    engine_sleep(r->engine, 1 * US);
    say(r, 1, "b\n1\n");
    engine_sleep(r->engine, 9 * US);
    say(r, 1, "");
    say(r, 1, "e\n");
}

static uint32_t ranks;
static bool tags;
static ranks_body_fn body_0, body_1;
static void run_job(void)
{
    stage_prepare(ranks);
    stage.config.tag_output = tags;
    stage_begin();
    stage.body[0] = body_0;
    if (ranks > 1)
        stage.body[1] = body_1;
    rank_job_run(stage.job);
    rank_output_flush();
    for (uint32_t k = 0; k < ranks; k++) /* who has ended keeps nothing */
        assert_true(!rank_at(stage.job, k)->ended || !rank_at(stage.job, k)->lines);
    rank_job_destroy(stage.job);
}

/* Its status must be 0, its output these texts; NULL: whatever. */
static void expect_output(uint32_t n, bool tag, ranks_body_fn of_0, ranks_body_fn of_1, const char *out,
                          const char *err)
{
    char *text[2];
    ranks = n;
    tags = tag;
    body_0 = of_0;
    body_1 = of_1;
    assert_int_equal(stage_child(run_job, text), 0);
    if (out)
        assert_string_equal(text[0], out);
    if (err)
        assert_string_equal(text[1], err);
    free(text[0]);
    free(text[1]);
}

static void half_lines_are_held(void **state)
{
    (void)state;
    expect_output(2, false, halves_0, halves_1, "b\n1\nac\nd\ne\n", "");
    expect_output(2, true, halves_0, halves_1, "[1] b\n[1] 1\n[0] ac\n[0] d\n[1] e\n", "");
}

static void both_descriptors(struct rank *r)
{
    say(r, 1, "out");
    say(r, 2, "err");
    say(r, 1, "\n");
}
static void descriptors_have_lines_of_their_own(void **state)
{
    (void)state;
    expect_output(2, false, both_descriptors, NULL, "out\n", "err\n");
    expect_output(2, true, both_descriptors, NULL, "[0] out\n", "[0] err\n");
}

static void one_rank_is_as_it_is(void **state)
{
    (void)state;
    expect_output(1, false, both_descriptors, NULL, "out\n", "err");
    expect_output(1, false, halves_0, NULL, "ac\nd", "");
    expect_output(1, true, halves_0, NULL, "[0] ac\n[0] d", "");
}

/* --- long lines and much of it ------------------------------------------------------------------------ */

static void long_line(struct rank *r)
{
    static char much[LONGEST + 10];
    memset(much, 'x', sizeof much);
    rank_output(r, 1, much, sizeof much);
    engine_sleep(r->engine, 5 * US);
    say(r, 1, "y");
}
static void very_long_lines_go_out_in_pieces(void **state)
{
    char *text[2];
    (void)state;
    ranks = 2;
    tags = false;
    body_0 = long_line;
    body_1 = halves_1;
    assert_int_equal(stage_child(run_job, text), 0);
    assert_int_equal(strspn(text[0], "x"), LONGEST + 10);
    assert_string_equal(text[0] + LONGEST + 10, "b\n1\ny\ne\n");
    free(text[0]);
    free(text[1]);
}

enum { LINES = 3000 };
static void many_lines(struct rank *r)
{
    char line[100];
    for (int k = 0; k < LINES; k++) {
        int n = snprintf(line, sizeof line, "%u %d %*s\n", r->id, k, k % 60, "");
        rank_output(r, 1, line, (size_t)n / 2);
        rank_output(r, 1, line + n / 2, (size_t)(n - n / 2));
        engine_sleep(r->engine, 1 * US);
    }
}
static void all_lines_are_there_and_in_order(void **state)
{
    char *text[2], *at;
    (void)state;
    ranks = 2;
    tags = false;
    body_0 = body_1 = many_lines;
    assert_int_equal(stage_child(run_job, text), 0);
    at = text[0];
    for (int k = 0; k < 2 * LINES; k++) {
        char line[100];
        int n = snprintf(line, sizeof line, "%d %d %*s\n", k % 2, k / 2, k / 2 % 60, "");
        if (strncmp(at, line, (size_t)n) != 0)
            fail_msg("line %d: '%.20s', expected '%.20s'", k, at, line);
        at += n;
    }
    assert_int_equal(*at, 0);
    free(text[0]);
    free(text[1]);
}

static void stops_with_a_half_line(struct rank *r)
{
    say(r, 1, "never whole");
    rank_job_exit(r->job, 0);
}
static void half_lines_of_stopped_jobs_are_forgotten(void **state)
{
    (void)state;
    expect_output(2, false, stops_with_a_half_line, NULL, "", "");
    stage_open(2); /* here, where a leak would be noticed */
    stage.body[0] = stops_with_a_half_line;
    stage_run(0);
    stage_close();
}

/* --- when it is written
 * ---------------------------------------------------------------------------------- */

static size_t written(int fd)
{
    return (size_t)lseek(fd, 0, SEEK_END);
}
static unsigned before;
static void count_before(void)
{
    before++;
}
static void watches_descriptors(struct rank *r)
{
    static const struct timespec patience = {0, 300 * 1000 * 1000};
    rank_before_output(count_before);
    say(r, 1, "one\n");
    assert_int_equal(written(1), 0);
    rank_output_if_due(); /* a moment ago */
    assert_int_equal(written(1), 0);
    assert_int_equal(before, 0);
    nanosleep(&patience, NULL);
    rank_output_if_due();
    assert_int_equal(written(1), 4);
    assert_int_equal(before, 1);
    say(r, 1, "two\n");
    say(r, 2, "err\n"); /* at once */
    assert_int_equal(written(2), 4);
    assert_int_equal(written(1), 4);
    rank_output_direct(2, "!\n", 2); /* after what there is */
    assert_int_equal(written(1), 8);
    assert_int_equal(written(2), 6);
    say(r, 1, "three");
    rank_output_prompt(r); /* no terminal: nobody waits for a half line */
    assert_int_equal(written(1), 8);
    rank_output_end_line(r);
    rank_output_flush();
    assert_int_equal(written(1), 14);
    rank_before_output(NULL);
}
static void output_is_written_when_due(void **state)
{
    (void)state;
    expect_output(2, false, watches_descriptors, NULL, "one\ntwo\nthree\n", "err\n!\n");
}

static void job_into_one_file(void)
{
    dup2(1, 2);
    run_job();
}
static void in_turn(struct rank *r)
{
    say(r, 1, "out 1\n");
    say(r, 2, "err 1\n");
    say(r, 1, "out 2\n");
    say(r, 2, "err 2\n");
}
static void one_file_keeps_the_order(void **state)
{
    char *text[2];
    (void)state;
    ranks = 2;
    tags = false;
    body_0 = in_turn;
    body_1 = NULL;
    assert_int_equal(stage_child(job_into_one_file, text), 0);
    assert_string_equal(text[0], "out 1\nerr 1\nout 2\nerr 2\n");
    free(text[0]);
    free(text[1]);
}

/* On a terminal a line is shown at once, and a half one before input. */
static int terminal;
static size_t shown(char *buf, size_t size)
{
    ssize_t n = read(terminal, buf, size - 1);
    buf[n > 0 ? n : 0] = 0;
    return strlen(buf);
}
static void prompts(struct rank *r)
{
    char got[64];
    say(r, 1, "whole\n");
    shown(got, sizeof got);
    assert_string_equal(got, "whole\r\n");
    say(r, 1, "name? ");
    assert_int_equal(shown(got, sizeof got), 0);
    rank_output_prompt(r);
    shown(got, sizeof got);
    assert_string_equal(got, "name? ");
}
static void job_on_a_terminal(void)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    assert_true(slave >= 0);
    terminal = master;
    dup2(slave, 1);
    run_job();
}
static void a_terminal_sees_prompts(void **state)
{
    char *text[2];
    (void)state;
    ranks = 2;
    tags = false;
    body_0 = prompts;
    body_1 = NULL;
    int status = stage_child(job_on_a_terminal, text);
    if (status)
        fail_msg("status %d: %s", status, text[1]);
    free(text[0]);
    free(text[1]);
}

static void job_into_a_full_disk(void)
{
    dup2(open("/dev/full", O_WRONLY), 1);
    run_job();
}
static void a_full_disk_is_reported_once(void **state)
{
    (void)state;
    ranks = 2;
    tags = false;
    body_0 = body_1 = many_lines;
    stage_expect_exit(job_into_a_full_disk, BASE_EXIT_HOST,
                      "cannot write standard output: No space left on device\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_lines_are_held),
        cmocka_unit_test(descriptors_have_lines_of_their_own),
        cmocka_unit_test(one_rank_is_as_it_is),
        cmocka_unit_test(very_long_lines_go_out_in_pieces),
        cmocka_unit_test(all_lines_are_there_and_in_order),
        cmocka_unit_test(half_lines_of_stopped_jobs_are_forgotten),
        cmocka_unit_test(output_is_written_when_due),
        cmocka_unit_test(one_file_keeps_the_order),
        cmocka_unit_test(a_terminal_sees_prompts),
        cmocka_unit_test(a_full_disk_is_reported_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
