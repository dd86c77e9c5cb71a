/* SPDX-License-Identifier: BSD-3-Clause */
/* A random sequence of calls gives a rank the same numbers and errors as a process of its own, whatever other
 * ranks do meanwhile. The same file, compiled as a plain program, makes what is expected. */
// build: $OSHCC $SRC -o $EXE && $CC -DPLAIN -D_GNU_SOURCE $SRC -o plain && ./plain < /dev/null | cat > expected
// shell: $RUN --quiet -np 4 $EXE < /dev/null
// stdout-file: expected
// build: ./plain 10 < /dev/null | cat > expected10
// shell: $RUN --quiet -np 4 $EXE 10 < /dev/null
// stdout-file: expected10
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef PLAIN
static void meet(void)
{
}
#else
#include <shmem.h>
static void meet(void)
{
    shmem_barrier_all();
}
#endif

enum { RANKS = 4, STEPS = 3000, KEPT = 45, STREAMS = 6, FILES = 5 };

static char *text; /* what happened */
static size_t used;
static uint64_t state;
static FILE *stream[STREAMS];
static DIR *folder[STREAMS];

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % n;
}

/* Mostly small numbers, never the one through which the result is printed. */
static int any_number(void)
{
    static const int odd[] = {-1, -7, 39, 40, 50, 63, 64, 1000};
    int number = draw(12) ? (int)draw(20) : odd[draw(8)];
    return number == KEPT ? 0 : number;
}

static void tell(const char *call, int a, int b, long result)
{
    used += (size_t)sprintf(text + used, "%s(%d, %d) = %ld %s\n", call, a, b, result,
                            result == -1 ? strerrorname_np(errno) : "");
}

static void make(void)
{
    char name[16];
    int two[2] = {-5, -5};
    long result;
    sprintf(name, "f%u", draw(FILES));
    switch (draw(12)) {
    case 0:
    case 1:
    case 2:
        tell("open", 0, 0, open(name, O_RDONLY | (draw(2) ? O_CLOEXEC : 0)));
        return;
    case 3:
        tell("open none", 0, 0, open("none", O_RDWR));
        return;
    case 4:
        result = pipe(two);
        tell("pipe", two[0], two[1], result);
        return;
    case 5:
        result = pipe2(two, O_CLOEXEC);
        tell("pipe2", two[0], two[1], result);
        return;
    case 6:
        result = socketpair(AF_UNIX, SOCK_STREAM, 0, two);
        tell("socketpair", two[0], two[1], result);
        return;
    case 7:
        tell("socket", 0, 0, socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        return;
    case 8:
        tell("eventfd", 0, 0, eventfd(0, 0));
        return;
    case 9:
        tell("epoll", 0, 0, epoll_create1(EPOLL_CLOEXEC));
        return;
    case 10:
        tell("memfd", 0, 0, memfd_create("test", 0));
        return;
    case 11:
        tell("openat", 0, 0, openat(any_number(), name, O_RDONLY));
        return;
    }
}

static void use_streams(void)
{
    unsigned k = draw(STREAMS);
    if (draw(2)) {
        if (stream[k]) {
            tell("fclose", (int)k, 0, fclose(stream[k]));
            stream[k] = NULL;
            return;
        }
        stream[k] = fopen("f1", "r");
        tell("fopen", (int)k, 0, stream[k] ? fileno(stream[k]) : -1);
        return;
    }
    if (folder[k]) {
        closedir(folder[k]);
        folder[k] = NULL;
        return;
    }
    folder[k] = opendir(".");
    tell("opendir", (int)k, 0, folder[k] ? dirfd(folder[k]) : -1);
}

static int is_stream(int number)
{
    for (int k = 0; k < STREAMS; k++)
        if ((stream[k] && fileno(stream[k]) == number) || (folder[k] && dirfd(folder[k]) == number))
            return 1;
    return 0;
}

static void look(void)
{
    int a = any_number();
    char c = '-';
    long result;
    switch (draw(4)) {
    case 0:
        tell("getfd", a, 0, fcntl(a, F_GETFD));
        return;
    case 1:
        result = a < 3 ? 0 : pread(a, &c, 1, 0);
        tell("pread", a, c, result);
        return;
    case 2:
        tell("setfd", a, 0, fcntl(a, F_SETFD, (int)draw(2)));
        return;
    case 3:
        result = a < 3 ? 0 : lseek(a, 0, SEEK_END);
        tell("lseek", a, 0, result);
        return;
    }
}

static void change(void)
{
    int a = any_number(), b = any_number();
    struct rlimit limit;
    if (is_stream(b)) /* what becomes of the stream is another test's */
        b = 1000;
    switch (draw(10)) {
    case 0:
    case 1:
        tell("dup", a, 0, dup(a));
        return;
    case 2:
        tell("dup2", a, b, dup2(a, b));
        return;
    case 3:
        tell("dup3", a, b, dup3(a, b, draw(3) ? O_CLOEXEC : draw(2) ? 0 : 77));
        return;
    case 4:
        tell("dupfd", a, b, fcntl(a, F_DUPFD, b));
        return;
    case 5:
        tell("dupfd_cloexec", a, b, fcntl(a, F_DUPFD_CLOEXEC, b));
        return;
    case 6:
        if (draw(10) == 0 && !is_stream(8) && !is_stream(9) && !is_stream(10))
            tell("close_range", 8, 10, close_range(8, 10, draw(2) ? 0 : CLOSE_RANGE_CLOEXEC));
        return;
    case 7:
        limit = (struct rlimit){48 + draw(16), 64};
        if (draw(4) == 0)
            tell("setrlimit", (int)limit.rlim_cur, 0, setrlimit(RLIMIT_NOFILE, &limit));
        getrlimit(RLIMIT_NOFILE, &limit);
        tell("limits", (int)limit.rlim_cur, (int)sysconf(_SC_OPEN_MAX), getdtablesize());
        return;
    default:
        tell("close", b, 0, close(b));
        return;
    }
}

static void run(int me, int seed)
{
    struct rlimit limit = {60, 64};
    state = (uint64_t)(seed * 100 + me + 1) * 0x9e3779b97f4a7c15ULL;
    text = malloc(STEPS * 100);
    setrlimit(RLIMIT_NOFILE, &limit);
    fflush(stdout);
    if (fcntl(1, F_DUPFD, KEPT) != KEPT)
        abort();
    for (int step = 0; step < STEPS; step++) {
        unsigned what = draw(10);
        if (what < 3)
            make();
        else if (what < 4)
            use_streams();
        else if (what < 6)
            look();
        else
            change();
        if (step % 10 == 0)
            meet();
    }
    dup2(KEPT, 1);
}

static void print(int me)
{
    int line = 0;
    for (char *at = strtok(text, "\n"); at; at = strtok(NULL, "\n"))
        printf("%d %d %s\n", me, ++line, at);
    fflush(stdout);
}

static void make_files(void)
{
    char name[16];
    for (int k = 0; k < FILES; k++) {
        sprintf(name, "f%d", k);
        FILE *f = fopen(name, "w");
        for (int n = 0; n <= k; n++)
            fputc('a' + k, f);
        fclose(f);
    }
}

#ifdef PLAIN
int main(int argc, char **argv)
{
    make_files();
    for (int me = 0; me < RANKS; me++) {
        int status;
        if (fork() == 0) {
            close_range(3, ~0U, 0);
            run(me, argc > 1 ? atoi(argv[1]) : 0);
            print(me);
            exit(0);
        }
        wait(&status);
    }
    return 0;
}
#else
int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe();
    if (me == 0)
        make_files();
    shmem_barrier_all();
    run(me, argc > 1 ? atoi(argv[1]) : 0);
    for (int k = 0; k < RANKS; k++) {
        if (k == me)
            print(me);
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
#endif
