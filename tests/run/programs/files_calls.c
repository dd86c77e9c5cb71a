/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that make, name or inherit files, each with the rank's own numbers. */
// build: $OSHCC -g -pthread $SRC -o $EXE
// shell: $RUN --quiet -np 3 $EXE && cat daemon.1
// stdout-has: 0 by name
// stdout-has: 1 by name
// stdout-has: 2 by name
// stdout-has: 1 spawned
// stdout-has: 2 before
// stdout-has: 2 reopened
// stdout-has: 0 done
// stdout-has: 1 done
// stdout-has: 2 done
// stdout-has: a daemon
// stderr-not: .
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <shmem.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "errno_check.h"

static int me;

static void by_name(void)
{
    FILE *f = fopen("/dev/stdout", "w");
    CHECK(f && fileno(f) == 3);
    fprintf(f, "%d by ", me);
    shmem_barrier_all();
    fprintf(f, "name\n");
    CHECK(fclose(f) == 0 && fcntl(3, F_GETFD) == -1);
}

static void by_syscall(void)
{
    char text[4];
    CHECK(syscall(SYS_openat, AT_FDCWD, "/dev/zero", O_RDONLY) == 3);
    CHECK(syscall(SYS_read, 3, text, 4) == 4 && text[3] == 0);
    CHECK(syscall(SYS_dup, 3) == 4 && syscall(SYS_close, 4) == 0);
    CHECK(syscall(SYS_close_range, 3, 99, 0) == 0);
    CHECK(syscall(SYS_close, 3) == -1 && errno == EBADF);
}

static void temporary(void)
{
    char name[] = "tmpXXXXXX", text[8] = "";
    int fd = mkstemp(name);
    CHECK(fd == 3 && write(fd, "mapped", 7) == 7 && unlink(name) == 0);
    char *at = mmap(NULL, 7, PROT_READ, MAP_SHARED, fd, 0);
    CHECK(at != MAP_FAILED && !strcmp(at, "mapped") && munmap(at, 7) == 0);
    FILE *f = tmpfile();
    CHECK(f && fileno(f) == 4 && fputs("kept", f) >= 0);
    rewind(f);
    CHECK(fgets(text, 8, f) && !strcmp(text, "kept"));
    fclose(f);
    int out = memfd_create("copy", 0);
    off_t from = 0;
    CHECK(out == 4 && sendfile(out, fd, &from, 7) == 7 && pread(out, text, 8, 0) == 7 && text[0] == 'm');
    close(out);
    close(fd);
}

static void terminals(void)
{
    int master, slave;
    char text[8];
    CHECK(openpty(&master, &slave, NULL, NULL, NULL) == 0 && master == 3 && slave == 4);
    CHECK(isatty(slave) && write(slave, "x\n", 2) == 2);
    ssize_t n = 0; /* "x\r\n", which the terminal may hand over in pieces */
    for (ssize_t more = 1; more > 0 && n < 3; n += more)
        CHECK((more = read(master, text + n, 8 - (size_t)n)) > 0);
    CHECK(n == 3 && text[0] == 'x');
    close(slave);
    close(master);
}

/* File actions speak of the rank's numbers. */
static void spawned(void)
{
    posix_spawn_file_actions_t a;
    char *argv[] = {"sh", "-c", "echo 1 spawned; test ! -e /proc/self/fd/3", NULL}, text[16] = "";
    int fd = open("spawned", O_CREAT | O_TRUNC | O_RDWR, 0600), status;
    pid_t pid;
    CHECK(fd == 3 && posix_spawn_file_actions_init(&a) == 0);
    CHECK(posix_spawn_file_actions_adddup2(&a, fd, 1) == 0 && posix_spawn_file_actions_addclose(&a, fd) == 0);
    CHECK(posix_spawnp(&pid, "sh", &a, NULL, argv, environ) == 0 && waitpid(pid, &status, 0) == pid);
    CHECK(status == 0 && pread(fd, text, 16, 0) == 10);
    CHECK(posix_spawnp(&pid, "no-such-program", NULL, NULL, argv, environ) == ENOENT);
    fputs(text, stdout);
    close(fd);
}

/* A stream leads where its number leads. */
static void streams(void)
{
    char text[16] = "";
    FILE *f = fopen("first", "w");
    int other = open("second", O_CREAT | O_TRUNC | O_RDWR, 0600);
    CHECK(fileno(f) == 3 && other == 4);
    fputs("1", f);
    fflush(f);
    CHECK(dup2(other, 3) == 3);
    fputs("2", f);
    CHECK(fclose(f) == 0 && pread(other, text, 16, 0) == 1 && text[0] == '2');
    CHECK((f = freopen("first", "r", fdopen(other, "r"))) && fileno(f) == 4);
    CHECK(fgetc(f) == '1');
    close(4);
    CHECK(open("second", O_RDONLY) == 3 && open("second", O_RDONLY) == 4);
    fclose(f); /* its descriptor is gone; number 4 is another file's */
    close(3);
    close(4);
    puts("2 before");
    fflush(stdout);
    int saved = dup(1);
    CHECK(freopen("third", "w", stdout) == stdout && fileno(stdout) == 1);
    puts("2 reopened");
    fflush(stdout);
    CHECK(dup2(saved, 1) == 1);
    close(saved);
    f = fopen("third", "r");
    CHECK(fgets(text, 16, f));
    fclose(f);
    fputs(text, stdout);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    by_name();
    by_syscall();
    temporary();
    terminals();
    shmem_barrier_all();
    if (me == 1)
        spawned();
    if (me == 2)
        streams();
    printf("%d done\n", me);
    if (me == 1) {
        fflush(stdout);
        CHECK(daemon(1, 0) == 0);
        printf("to nobody\n");
        FILE *f = fopen("daemon.1", "w");
        fputs("a daemon\n", f);
    }
    shmem_finalize();
    return 0;
}
