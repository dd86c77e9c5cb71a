/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The longest messages: a step holds 2^40 - 1 bytes, whatever its kind; one byte more ends the program with a
 * report that names the function.
 */
#include "coll/algorithms.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static const struct coll_call call = {.name = "MPI_Bcast", .group = {.stride = 1, .size = 4}};

static void add(struct coll_schedule *s, enum coll_step_kind kind, uint64_t bytes)
{
    switch (kind) {
    case COLL_STEP_SEND:
        coll_add_send(s, 1, 0, coll_at(COLL_SOURCE, 0), bytes);
        return;
    case COLL_STEP_RECEIVE:
        coll_add_receive(s, 1, 0, coll_at(COLL_DEST, 0), bytes);
        return;
    case COLL_STEP_REDUCE:
        coll_add_reduce(s, 1, 0, coll_at(COLL_DEST, 0), bytes);
        return;
    case COLL_STEP_COPY:
        coll_add_copy(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_DEST, 0), bytes);
        return;
    default:
        coll_add_combine(s, coll_at(COLL_SOURCE, 0), coll_at(COLL_DEST, 0), bytes);
    }
}

static const enum coll_step_kind kinds[] = {COLL_STEP_SEND, COLL_STEP_RECEIVE, COLL_STEP_REDUCE,
                                            COLL_STEP_COPY, COLL_STEP_COMBINE};

static void prepare(struct coll_schedule *s, struct base_buffers *buffers)
{
    static const struct coll_tuning tuning = {.radix = 2, .segment = 1024};
    base_buffers_init(buffers, "steps of a test");
    coll_schedule_init(s, &call, &call, buffers, NULL, &tuning);
}

static void test_longest(void **state)
{
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++) {
        struct base_buffers buffers;
        struct coll_schedule s;
        prepare(&s, &buffers);
        add(&s, kinds[k], COLL_MOST_BYTES);
        assert_int_equal(s.n, 1);
        assert_int_equal(s.steps[0].kind, kinds[k]);
        assert_true(s.steps[0].bytes == (UINT64_C(1) << 40) - 1);
        coll_schedule_release(&s);
        base_buffers_release(&buffers);
    }
}

/* In a child, whose standard error is returned in `text`; returns its exit code. */
static int add_in_child(enum coll_step_kind kind, uint64_t bytes, char *text, size_t size)
{
    struct base_buffers buffers;
    struct coll_schedule s;
    int fd[2], status;
    assert_int_equal(pipe(fd), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(fd[1], STDERR_FILENO);
        prepare(&s, &buffers);
        add(&s, kind, bytes);
        _exit(0);
    }
    close(fd[1]);
    ssize_t n = read(fd[0], text, size - 1);
    text[n > 0 ? n : 0] = 0;
    close(fd[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void test_too_long(void **state)
{
    char text[512];
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++) {
        assert_int_equal(add_in_child(kinds[k], UINT64_C(1) << 40, text, sizeof text), BASE_EXIT_PROGRAM);
        assert_non_null(
            strstr(text, "MPI_Bcast: a message of 1099511627776 bytes: at most 1099511627775 fit"));
        /* no bit beyond the field's is dropped */
        assert_int_equal(add_in_child(kinds[k], (UINT64_C(1) << 40) + 8, text, sizeof text),
                         BASE_EXIT_PROGRAM);
        assert_non_null(strstr(text, "a message of 1099511627784 bytes"));
        assert_int_equal(add_in_child(kinds[k], COLL_MOST_BYTES, text, sizeof text), 0);
        assert_string_equal(text, "");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_longest),
        cmocka_unit_test(test_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
