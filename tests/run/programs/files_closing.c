/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rank closes or redirects is its own: neither another rank's files, nor the job's output, trace or
 * figures. Its own files get the numbers that a process of its own would give them. */
// build: $OSHCC -g $SRC -o $EXE
// shell: rm -rf t.pgt f.json; $RUN --quiet --trace t.pgt --json f.json -np 3 $EXE && python3 -c 'import json; json.load(open("f.json"))' && $PGASIM profile t.pgt > /dev/null && cat out.0 out.1 out.2
// stdout-has: 0 done
// stdout-has: 1 done
// stdout-has: 2 done
// stdout-has: file of 0
// stdout-has: file of 1
// stdout-has: file of 2
// stdout-has: redirected 1
// stdout-has: child of 1 in 3
// stdout-has: child of 1 in 1
// stderr-not: .
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "errno_check.h"

static int me;
static FILE *mine;

static void close_all(void)
{
    for (int number = 3; number < 256; number++)
        close(number);
    for (int number = 0; number < 1024; number++)
        CHECK((fcntl(number, F_GETFD) >= 0) == (number < 3));
    CHECK(close_range(3, ~0U, 0) == 0);
    closefrom(3);
}

/* As daemons do it when there is a list. */
static void close_listed(void)
{
    int numbers[16], n = 0, found = 0;
    CHECK(open("/dev/null", O_RDONLY) == 3);
    int folder = open("/dev/fd", O_RDONLY | O_DIRECTORY);
    DIR *d = fdopendir(folder);
    CHECK(d && dirfd(d) == 4);
    closedir(d);
    d = opendir("/proc/self/fd");
    CHECK(d && dirfd(d) == 4);
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            numbers[n++] = atoi(e->d_name);
    closedir(d);
    CHECK(n == 5);
    for (int k = 0; k < n; k++)
        found |= 1 << numbers[k];
    CHECK(found == 0x1f);
    CHECK(open("/dev/fd/3", O_RDONLY) == 4);
    CHECK(open("/proc/self/fd/9", O_RDONLY) == -1 && errno == ENOENT);
    close(3);
    close(4);
}

static void sets(void)
{
    int two[2];
    fd_set in;
    struct pollfd p[2] = {{.fd = 3, .events = POLLIN}, {.fd = 9, .events = POLLIN}};
    CHECK(pipe(two) == 0 && two[0] == 3 && two[1] == 4);
    CHECK(write(4, "x", 1) == 1);
    CHECK(poll(p, 2, 0) == 2 && p[0].revents == POLLIN && p[1].revents == POLLNVAL);
    FD_ZERO(&in);
    FD_SET(3, &in);
    CHECK(select(4, &in, NULL, NULL, NULL) == 1 && FD_ISSET(3, &in));
    FD_SET(9, &in);
    CHECK(select(10, &in, NULL, NULL, NULL) == -1 && errno == EBADF);
    close(3);
    close(4);
}

/* Rank 1 sends its output into a file and gets it back; the others print meanwhile. */
static void redirect(void)
{
    int saved = -1;
    if (me == 1) {
        fflush(stdout);
        saved = dup(1);
        int file = open("redirected", O_CREAT | O_TRUNC | O_RDWR, 0666);
        CHECK(saved >= 3 && file >= 0 && dup2(file, 1) == 1);
        close(file);
    }
    shmem_barrier_all();
    printf("%s %d\n", me == 1 ? "redirected" : "printed", me);
    fflush(stdout);
    shmem_barrier_all();
    if (me == 1) {
        char text[20] = "";
        CHECK(pread(1, text, sizeof text, 0) == 13);
        CHECK(dup2(saved, 1) == 1);
        close(saved);
        fputs(text, stdout);
    }
}

/* A child's numbers are its rank's. */
static void children(void)
{
    int status, file = open("child", O_CREAT | O_TRUNC | O_RDWR, 0666);
    CHECK(file == 4 || file == 3);
    if (me != 1)
        return;
    CHECK(dup2(file, 3) == 3);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", "echo child of 1 in 3 >&3; echo child of 1 in 1; ls /proc/$$/fd > list",
              NULL);
        _exit(1);
    }
    CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    char text[40] = "";
    CHECK(pread(3, text, sizeof text - 1, 0) == 16);
    fputs(text, stdout);
}

static void number_standard(void)
{
    struct stat s;
    CHECK(close(0) == 0 && open("/dev/zero", O_RDONLY) == 0);
    CHECK(fstat(0, &s) == 0 && S_ISCHR(s.st_mode));
    char c = 1;
    CHECK(read(0, &c, 1) == 1 && c == 0);
    CHECK(fileno(stdout) == 1 && fileno(stderr) == 2);
    FILE *f = fopen("/dev/null", "r");
    CHECK(f && fileno(f) == 3 + (mine != NULL));
    fclose(f);
}

int main(void)
{
    char name[16];
    shmem_init();
    me = shmem_my_pe();
    close_all();
    close_listed();
    sets();
    sprintf(name, "out.%d", me);
    mine = fopen(name, "w");
    CHECK(mine && fileno(mine) == 3);
    shmem_barrier_all();
    if (me == 2)
        for (int number = 4; number < 70000; number++)
            CHECK(close(number) == -1 && errno == EBADF);
    number_standard();
    fprintf(mine, "file of %d\n", me);
    shmem_barrier_all();
    redirect();
    if (me == 1) {
        fclose(mine);
        mine = NULL;
    }
    children();
    if (me == 2) /* a daemon closes all, and still ends well */
        for (int number = 0; number < 3; number++)
            close(number);
    printf("%d done\n", me);
    shmem_finalize();
    return 0; /* `mine` is written when the rank ends */
}
