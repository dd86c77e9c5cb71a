/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of processes that meet at ports, published names, connections over sockets; what waits in vain. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 4 -- meet
// stdout: right
// run: -np 7 -- meet
// stdout: right
// run: -np 2 -- join
// stdout: right
// run: -np 2 -- alone
// status: 3
// stderr-match: since .*: nobody has called MPI_Comm_connect for port-1@node-0
// run: -np 1 -- late
// stdout: right
// run: -np 1 -- late fatal
// status: 5
// stderr-match: MPI_ERR_PORT: nobody has accepted a connection to port-1@node-0 for 180 s
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int me, size;

static void expect(int good, const char *what, int a, int b)
{
    if (good)
        return;
    printf("rank %d: %s: %d, %d\n", me, what, a, b);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

static void talk(MPI_Comm inter, int theirs)
{
    int n, rank, mine, sum = 0;
    MPI_Comm_remote_size(inter, &n);
    expect(n == theirs, "the other group", n, theirs);
    MPI_Comm_rank(inter, &rank);
    mine = rank + 1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, inter);
    expect(sum == n * (n + 1) / 2, "their sum", sum, n);
}

/* Even ranks serve, odd ones connect, one after the other: three meetings at the same port. */
static void meet(void)
{
    char port[MPI_MAX_PORT_NAME] = "", found[MPI_MAX_PORT_NAME];
    MPI_Comm half, inter;
    int mine;
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, me, &half);
    MPI_Comm_size(half, &mine);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int rc = MPI_Lookup_name("service", MPI_INFO_NULL, found);
    expect(class_of(rc) == MPI_ERR_NAME, "not published", rc, MPI_ERR_NAME);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        MPI_Open_port(MPI_INFO_NULL, port);
        MPI_Publish_name("service", MPI_INFO_NULL, port);
        rc = MPI_Publish_name("service", MPI_INFO_NULL, port);
        expect(class_of(rc) == MPI_ERR_SERVICE, "published twice", rc, MPI_ERR_SERVICE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Lookup_name("service", MPI_INFO_NULL, found);
    expect(me != 0 || !strcmp(port, found), "the port's name", 0, 0);
    for (int k = 0; k < 3; k++) {
        if (me % 2)
            MPI_Comm_connect(found, MPI_INFO_NULL, mine - 1, half, &inter);
        else
            MPI_Comm_accept(found, MPI_INFO_NULL, 0, half, &inter);
        talk(inter, size - mine);
        MPI_Comm_disconnect(&inter);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        MPI_Unpublish_name("service", MPI_INFO_NULL, port);
        rc = MPI_Unpublish_name("service", MPI_INFO_NULL, port);
        expect(class_of(rc) == MPI_ERR_SERVICE, "not published", rc, MPI_ERR_SERVICE);
        MPI_Close_port(port);
        rc = MPI_Close_port(port);
        expect(class_of(rc) == MPI_ERR_PORT, "closed twice", rc, MPI_ERR_PORT);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(half, MPI_ERRORS_RETURN);
    rc = MPI_Comm_connect(found, MPI_INFO_NULL, 0, half, &inter);
    expect(class_of(rc) == MPI_ERR_PORT, "a closed port", rc, MPI_ERR_PORT);
    MPI_Comm_free(&half);
}

static void join(void)
{
    MPI_Comm inter;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%s/socket", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    if (me == 0) {
        expect(!bind(fd, (struct sockaddr *)&at, sizeof at) && !listen(fd, 1), "bind and listen", 0, 0);
        MPI_Barrier(MPI_COMM_WORLD);
        int listens = fd;
        fd = accept(listens, NULL, NULL);
        close(listens);
        unlink(at.sun_path);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        expect(!connect(fd, (struct sockaddr *)&at, sizeof at), "connect", 0, 0);
    }
    MPI_Comm_join(fd, &inter);
    talk(inter, 1);
    MPI_Comm_disconnect(&inter);
    char byte = (char)me, other = 9; /* the socket is as it was */
    expect(write(fd, &byte, 1) == 1 && read(fd, &other, 1) == 1 && other == 1 - me, "a byte", other, 1 - me);
    close(fd);
}

static void alone(void)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm inter;
    if (me == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
}

static void late(int fatal)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm inter;
    MPI_Info info;
    MPI_Open_port(MPI_INFO_NULL, port);
    if (fatal)
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter);
    MPI_Info_create(&info);
    MPI_Info_set(info, "timeout", "3");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    double before = MPI_Wtime();
    int rc = MPI_Comm_connect(port, info, 0, MPI_COMM_WORLD, &inter);
    expect(class_of(rc) == MPI_ERR_PORT, "nobody accepts", rc, MPI_ERR_PORT);
    expect(MPI_Wtime() - before >= 3 && MPI_Wtime() - before < 3.1, "the time", (int)(MPI_Wtime() - before),
           3);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (!strcmp(argv[1], "meet"))
        meet();
    else if (!strcmp(argv[1], "join"))
        join();
    else if (!strcmp(argv[1], "alone"))
        alone();
    else
        late(argc > 2);
    MPI_Finalize();
    if (me == 0)
        puts("right");
    return 0;
}
