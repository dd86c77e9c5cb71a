/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks wait for each other through the system: named pipes, sockets, locks, queues. */
// build: $OSHCC -g $SRC -o $EXE
// run: -np 4
// stdout-has: all answered
// stderr-not: .
// run: -np 4 -- outside
// stdout-has: all answered
// stderr-not: .
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "errno_check.h"

static int me, others;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void after(double begun, double least)
{
    double took = now() - begun;
    if (took < 0.99 * least || took > 3 * least) {
        fprintf(stderr, "PE %d: %g s, not %g\n", me, took, least);
        exit(4);
    }
}

static void named_pipe(void)
{
    char text[8] = "";
    if (me == 0) {
        unlink("fifo");
        CHECK(mkfifo("fifo", 0600) == 0);
    }
    shmem_barrier_all();
    double begun = now();
    if (me == 0) {
        int fd = open("fifo", O_RDONLY);
        after(begun, 1e-3);
        CHECK(read(fd, text, 8) == 3 && read(fd, text, 8) == 0);
        after(begun, 2e-3);
        close(fd);
    } else if (me == 1) {
        usleep(1000);
        int fd = open("fifo", O_WRONLY);
        usleep(1000);
        CHECK(write(fd, "abc", 3) == 3);
        close(fd);
    }
    shmem_barrier_all();
    if (me == 0) { /* the writer comes first */
        FILE *f = fopen("fifo", "w");
        fputs("line\n", f);
        fclose(f);
    } else if (me == 1) {
        usleep(1000);
        FILE *f = fopen("fifo", "r");
        CHECK(fgets(text, 8, f) && !strcmp(text, "line\n"));
        fclose(f);
    }
}

/* Rank 0 serves all others in turn. */
static void serve(int fd)
{
    for (int k = 0; k < others; k++) {
        int rank, peer = accept(fd, NULL, NULL);
        CHECK(peer >= 0 && recv(peer, &rank, sizeof rank, MSG_WAITALL) == sizeof rank);
        rank *= 10;
        CHECK(write(peer, &rank, sizeof rank) == sizeof rank);
        close(peer);
    }
    close(fd);
}

static void ask(int fd)
{
    int answer;
    CHECK(send(fd, &me, sizeof me, 0) == sizeof me);
    CHECK(read(fd, &answer, sizeof answer) == sizeof answer && answer == 10 * me);
    CHECK(read(fd, &answer, sizeof answer) == 0);
    close(fd);
}

static void sockets(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (me == 0) {
        unlink("socket");
        CHECK(bind(fd, (struct sockaddr *)&name, sizeof name) == 0 && listen(fd, 1) == 0);
    }
    shmem_barrier_all();
    if (me == 0) {
        serve(fd);
    } else {
        CHECK(connect(fd, (struct sockaddr *)&name, sizeof name) == 0);
        ask(fd);
    }
}

static int port;

static void internet(void)
{
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof name;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (me == 0) {
        CHECK(bind(fd, (struct sockaddr *)&name, size) == 0 && listen(fd, 9) == 0);
        CHECK(getsockname(fd, (struct sockaddr *)&name, &size) == 0);
        port = name.sin_port;
    }
    shmem_barrier_all();
    name.sin_port = (in_port_t)shmem_int_g(&port, 0);
    if (me == 0) {
        serve(fd);
    } else {
        CHECK(connect(fd, (struct sockaddr *)&name, size) == 0);
        ask(fd);
    }
}

/* Each holds the lock for a millisecond. */
static void locks(int way)
{
    struct flock all = {.l_type = F_WRLCK}, none = {.l_type = F_UNLCK};
    int fd = open("lock", O_RDWR | O_CREAT, 0600), value = 0;
    if (me == 0)
        CHECK(pwrite(fd, &value, sizeof value, 0) == sizeof value);
    shmem_barrier_all();
    double begun = now();
    CHECK(way == 0   ? flock(fd, LOCK_EX) == 0
          : way == 1 ? fcntl(fd, F_SETLKW, &all) == 0
                     : lockf(fd, F_LOCK, 0) == 0);
    CHECK(pread(fd, &value, sizeof value, 0) == sizeof value);
    usleep(1000);
    value++;
    CHECK(pwrite(fd, &value, sizeof value, 0) == sizeof value);
    CHECK(way == 0 ? flock(fd, LOCK_UN) == 0 : way == 1 ? fcntl(fd, F_SETLK, &none) == 0 : close(fd) == 0);
    after(begun, value * 1e-3);
    shmem_barrier_all();
    if (way < 2)
        CHECK(pread(fd, &value, sizeof value, 0) == sizeof value && value == others + 1);
    shmem_barrier_all();
    close(fd);
}

static void system_v(void)
{
    static int ids[2];
    int got[2];
    struct {
        long type;
        char text[4];
    } m;
    if (me == 0) {
        ids[0] = msgget(IPC_PRIVATE, 0600);
        ids[1] = semget(IPC_PRIVATE, 1, 0600);
    }
    shmem_barrier_all();
    shmem_getmem(got, ids, sizeof ids, 0);
    shmem_barrier_all();
    memcpy(ids, got, sizeof ids);
    double begun = now();
    struct sembuf up = {0, 1, 0}, down = {0, -1, 0};
    if (me == 0) {
        for (int k = 0; k < others; k++) {
            CHECK(msgrcv(ids[0], &m, sizeof m.text, 0, 0) == 4);
            after(begun, 1e-3 * (k + 1));
        }
        CHECK(semop(ids[1], &down, 1) == 0);
        after(begun, 5e-3);
        msgctl(ids[0], IPC_RMID, NULL);
        semctl(ids[1], 0, IPC_RMID);
    } else {
        usleep((useconds_t)(1000 * me));
        m.type = me;
        CHECK(msgsnd(ids[0], &m, sizeof m.text, 0) == 0);
        usleep(5000);
        if (me == 1)
            CHECK(semop(ids[1], &up, 1) == 0);
    }
}

static void queues(void)
{
    char name[64], text[16];
    struct mq_attr attr = {.mq_maxmsg = 2, .mq_msgsize = 16};
    snprintf(name, sizeof name, "/pgasim-test-%d", (int)getpid());
    mqd_t q = mq_open(name, O_RDWR | O_CREAT, 0600, &attr);
    if (q == -1) /* not everywhere */
        return;
    shmem_barrier_all();
    if (me == 0)
        for (int k = 0; k < 5 * others; k++)
            CHECK(mq_receive(q, text, sizeof text, NULL) == 3);
    else
        for (int k = 0; k < 5; k++)
            CHECK(mq_send(q, "abc", 3, 0) == 0);
    shmem_barrier_all();
    CHECK(mq_close(q) == 0);
    if (me == 0)
        mq_unlink(name);
}

/* A descriptor goes to another rank. */
static void passed(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "passing"};
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0), file;
    char space[CMSG_SPACE(sizeof file)] = "", c = 'x', text[8] = "";
    struct iovec v = {&c, 1};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
    if (me == 0) {
        unlink("passing");
        CHECK(bind(fd, (struct sockaddr *)&name, sizeof name) == 0);
    }
    shmem_barrier_all();
    if (me == 0) {
        CHECK(recvmsg(fd, &m, 0) == 1);
        memcpy(&file, CMSG_DATA(CMSG_FIRSTHDR(&m)), sizeof file);
        CHECK(file == fd + 1 && pread(file, text, 8, 0) == 6 && !strcmp(text, "passed"));
        close(file);
    } else if (me == 1) {
        usleep(1000);
        file = open("passed", O_RDWR | O_CREAT | O_TRUNC, 0600);
        CHECK(write(file, "passed", 6) == 6);
        m.msg_name = &name;
        m.msg_namelen = sizeof name;
        CMSG_FIRSTHDR(&m)->cmsg_level = SOL_SOCKET;
        CMSG_FIRSTHDR(&m)->cmsg_type = SCM_RIGHTS;
        CMSG_FIRSTHDR(&m)->cmsg_len = CMSG_LEN(sizeof file);
        memcpy(CMSG_DATA(CMSG_FIRSTHDR(&m)), &file, sizeof file);
        CHECK(sendmsg(fd, &m, 0) == 1);
        close(file);
    }
    close(fd);
}

/* What processes outside answer takes no simulated time. */
static void outside(void)
{
    char line[40];
    double begun = now();
    int status, ends[2];
    CHECK(system("sleep 0.05; exit 7") == 7 << 8);
    FILE *f = popen("sleep 0.05; echo from a child", "r");
    CHECK(f && fgets(line, sizeof line, f) && !strcmp(line, "from a child\n") && !fgets(line, 40, f));
    CHECK(pclose(f) == 0);
    f = popen("read x; test \"$x\" = word", "w");
    CHECK(f && fputs("word\n", f) >= 0 && pclose(f) == 0);
    CHECK(pipe(ends) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        usleep(50000);
        (void)!write(ends[1], "x", 1);
        usleep(50000);
        _exit(9);
    }
    close(ends[1]);
    struct pollfd p = {.fd = ends[0], .events = POLLIN};
    CHECK(poll(&p, 1, 4000) == 1 && read(ends[0], line, 5) == 1 && read(ends[0], line, 5) == 0);
    CHECK(waitpid(-1, &status, 0) == pid && WEXITSTATUS(status) == 9);
    CHECK(waitpid(-1, &status, 0) == -1 && errno == ECHILD);
    double took = now() - begun;
    CHECK(took < 1e-4);
}

int main(int argc, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    others = shmem_n_pes() - 1;
    (void)argv;
    if (argc > 1) {
        outside();
    } else {
        named_pipe();
        sockets();
        internet();
        for (int way = 0; way < 3; way++)
            locks(way);
        system_v();
        queues();
        passed();
    }
    shmem_barrier_all();
    if (me == 0)
        printf("all answered\n");
    shmem_finalize();
    return 0;
}
