/* SPDX-License-Identifier: BSD-3-Clause */
/* Folders are removed with all that is in them, and nothing else; signals that would end us are taken where we wait. */
#include "base/children.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void make(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_true(fd >= 0);
    close(fd);
}

static void test_remove(void **state)
{
    (void)state;
    char folder[] = "/tmp/pgasim-children-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(mkdir("kept", 0700) || mkdir("gone", 0700) || mkdir("gone/deep", 0700), 0);
    make("kept/file");
    make("gone/file");
    make("gone/deep/file");
    assert_int_equal(symlink("../kept", "gone/link"), 0);
    assert_int_equal(symlink("kept", "link"), 0);
    base_remove("gone");
    assert_int_not_equal(access("gone", F_OK), 0);
    base_remove("link"); /* the link, not what it leads to */
    base_remove("none");
    assert_int_equal(access("kept/file", F_OK), 0);
    base_folder_empty(-1);
    base_folder_empty(open("kept", O_RDONLY | O_DIRECTORY));
    assert_int_equal(rmdir("kept"), 0);
    assert_int_equal(chdir("/"), 0);
    base_remove(folder);
    assert_int_not_equal(access(folder, F_OK), 0);
}

static void test_signals(void **state)
{
    (void)state;
    struct base_signals s;
    sigset_t now;
    int interrupt = 0;
    (void)signal(SIGHUP, SIG_IGN); /* nohup */
    base_signals_block(&s);
    (void)raise(SIGHUP);
    base_signals_wait(&s, 0, &interrupt);
    assert_int_equal(interrupt, 0);
    (void)raise(SIGCHLD);
    base_signals_wait(&s, 0, &interrupt);
    assert_int_equal(interrupt, 0);
    (void)raise(SIGTERM);
    base_signals_wait(&s, 60, &interrupt);
    assert_int_equal(interrupt, SIGTERM);
    (void)raise(SIGINT);
    base_signals_wait(&s, 60, &interrupt);
    assert_int_equal(interrupt, SIGTERM); /* the first one stays */
    base_signals_restore(&s);
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &now), 0);
    assert_false(sigismember(&now, SIGTERM));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_remove), cmocka_unit_test(test_signals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
