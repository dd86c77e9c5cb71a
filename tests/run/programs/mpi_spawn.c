/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that start processes: worlds, parents, arguments, slots, several generations, what is told of them. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 1 -- basics
// stdout: right
// run: -np 4 -- basics
// stdout: right
// run: -np 3 -- multiple
// stdout: right
// run: -np 2 -- generations
// stdout: right
// run: -np 1 -- many
// stdout: right
// run: -np 1 -host node-0:4 -- full
// stdout: right
// run: -np 1 --set spawn/most=3 -- room
// stdout: right
// run: -np 2 --check=races -- basics
// stdout: right
// shell: $RUN --trace $W/t.pgt -np 2 $EXE basics && $PGASIM profile $W/t.pgt | head -1 | sed 's/.*: //'
// stdout: right
// stdout: 5 ranks on 1 host of the built-in cluster
// shell: $RUN --trace $W/t.json --trace $W/t.paje -np 1 $EXE generations && grep -c '"rank 6"' $W/t.json && grep -c '"rank 6"' $W/t.paje
// stdout: right
// stdout: 1
// stdout: 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, size, touched;

static void expect(int good, const char *what, int a, int b)
{
    if (good)
        return;
    printf("rank %d: %s: %d, %d\n", me, what, a, b);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static int attribute(int key)
{
    int *value, there;
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &there);
    return there ? *value : -1;
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* The sum of what all members of both groups give. */
static int sum(MPI_Comm comm, int mine)
{
    int theirs = 0;
    MPI_Allreduce(&mine, &theirs, 1, MPI_INT, MPI_SUM, comm);
    return theirs;
}

/* --- children ------------------------------------------------------------------------------------------- */

static void child(MPI_Comm parent, int argc, char **argv)
{
    int theirs, tests, flag;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm all;
    expect(argc > 2 && !strcmp(argv[1], "child"), "arguments", argc, 0);
    MPI_Comm_get_name(parent, name, &tests);
    expect(!strcmp(name, "MPI_COMM_PARENT"), "the name of the parents", 0, 0);
    MPI_Comm_test_inter(parent, &flag);
    MPI_Comm_remote_size(parent, &theirs);
    expect(flag, "an inter-communicator", flag, 1);
    expect(sum(parent, me + 1) == theirs * (theirs + 1) / 2, "the parents' sum", theirs, 0);
    expect(touched++ == 0, "globals of its own", touched, 0);
    MPI_Intercomm_merge(parent, 1, &all);
    int merged;
    MPI_Comm_rank(all, &merged);
    expect(merged == theirs + me, "its place among all", merged, theirs + me);
    expect(attribute(MPI_APPNUM) == atoi(argv[2]), "the command's number", attribute(MPI_APPNUM),
           atoi(argv[2]));
    MPI_Comm_free(&all);
    if (argc > 3 && atoi(argv[3]) > 0) { /* a generation more */
        char left[16];
        char *words[] = {"child", "0", left, NULL};
        MPI_Comm next;
        snprintf(left, sizeof left, "%d", atoi(argv[3]) - 1);
        MPI_Comm_spawn(argv[0], words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &next, MPI_ERRCODES_IGNORE);
        expect(sum(next, me + 1) == 3, "the grandchildren's sum", 0, 3);
        MPI_Intercomm_merge(next, 0, &all);
        MPI_Comm_free(&all);
        MPI_Comm_disconnect(&next);
    }
    MPI_Comm_disconnect(&parent);
    MPI_Comm_get_parent(&parent);
    expect(parent == MPI_COMM_NULL, "no parent any more", 0, 0);
}

/* --- parents -------------------------------------------------------------------------------------------- */

static void with_children(MPI_Comm children, int n)
{
    int theirs, merged;
    MPI_Comm all;
    MPI_Comm_remote_size(children, &theirs);
    expect(theirs == n, "number of children", theirs, n);
    expect(sum(children, me + 1) == n * (n + 1) / 2, "the children's sum", 0, n);
    touched++;
    MPI_Intercomm_merge(children, 0, &all);
    MPI_Comm_rank(all, &merged);
    expect(merged == me, "its place among all", merged, me);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&children);
}

static void basics(char *self, int n, const char *generations)
{
    char left[16];
    char *words[] = {"child", "0", left, NULL};
    int *codes = malloc((size_t)n * sizeof *codes);
    MPI_Comm children;
    double before = MPI_Wtime();
    snprintf(left, sizeof left, "%s", generations);
    for (int k = 0; k < n; k++)
        codes[k] = -1;
    MPI_Comm_spawn(self, words, n, MPI_INFO_NULL, size - 1, MPI_COMM_WORLD, &children, codes);
    expect(MPI_Wtime() - before > 0.0099, "it takes time", 0, 0);
    for (int k = 0; k < n; k++)
        expect(codes[k] == MPI_SUCCESS, "the code", k, codes[k]);
    expect(attribute(MPI_UNIVERSE_SIZE) >= size + n, "the universe", attribute(MPI_UNIVERSE_SIZE), size + n);
    with_children(children, n);
    free(codes);
}

static void multiple(char *self)
{
    char *one[] = {"child", "0", NULL}, *two[] = {"child", "1", NULL};
    char *commands[] = {self, self}, **words[] = {one, two};
    int n[] = {2, 3}, codes[5];
    MPI_Info info[2] = {MPI_INFO_NULL};
    MPI_Comm children;
    MPI_Info_create(&info[1]);
    MPI_Info_set(info[1], "host", "node-7");
    MPI_Info_set(info[1], "soft", "1:9:2");
    MPI_Comm_spawn_multiple(2, commands, words, n, info, 0, MPI_COMM_WORLD, &children, codes);
    for (int k = 0; k < 5; k++)
        expect(codes[k] == MPI_SUCCESS, "the code", k, codes[k]);
    MPI_Info_free(&info[1]);
    with_children(children, 5);
}

/* Four slots, of which this one takes one. */
static void full(char *self)
{
    char *words[] = {"child", "0", NULL};
    int codes[4];
    MPI_Comm children = MPI_COMM_WORLD;
    MPI_Info info;
    expect(attribute(MPI_UNIVERSE_SIZE) == 4, "the universe", attribute(MPI_UNIVERSE_SIZE), 4);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rc = MPI_Comm_spawn(self, words, 4, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    expect(class_of(rc) == MPI_ERR_SPAWN, "too many", rc, MPI_ERR_SPAWN);
    expect(class_of(codes[3]) == MPI_ERR_SPAWN, "its code", codes[3], MPI_ERR_SPAWN);
    expect(children == MPI_COMM_NULL, "no communicator", 0, 0);
    rc = MPI_Comm_spawn("./nowhere", words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    expect(class_of(rc) == MPI_ERR_SPAWN, "no program", rc, MPI_ERR_SPAWN);
    rc = MPI_Comm_spawn("/bin/true", words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, codes);
    expect(class_of(rc) == MPI_ERR_SPAWN, "another's program", rc, MPI_ERR_SPAWN);
    rc = MPI_Comm_spawn(self, words, 1, MPI_INFO_NULL, 1, MPI_COMM_WORLD, &children, codes);
    expect(class_of(rc) == MPI_ERR_ROOT, "no such root", rc, MPI_ERR_ROOT);
    MPI_Info_create(&info);
    MPI_Info_set(info, "soft", "2,9");
    MPI_Comm_spawn(self, words, 4, info, 0, MPI_COMM_WORLD, &children, codes);
    expect(codes[1] == MPI_SUCCESS && class_of(codes[2]) == MPI_ERR_SPAWN, "two of four", codes[1], codes[2]);
    with_children(children, 2);
    MPI_Info_set(info, "soft", "2;9");
    rc = MPI_Comm_spawn(self, words, 2, info, 0, MPI_COMM_WORLD, &children, codes);
    expect(class_of(rc) == MPI_ERR_INFO_VALUE, "no list", rc, MPI_ERR_INFO_VALUE);
    MPI_Info_set(info, "soft", "0:3");
    MPI_Info_set(info, "host", "node-3:2");
    MPI_Comm_spawn(self, words, 4, info, 0, MPI_COMM_WORLD, &children, codes);
    with_children(children, 2);
    MPI_Info_free(&info);
}

/* Slots become free again, numbers of processes do not. */
static void room(char *self)
{
    char *words[] = {"child", "0", NULL};
    MPI_Comm children;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int k = 0; k < 3; k++) {
        MPI_Comm_spawn(self, words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
        with_children(children, 1);
    }
    int rc = MPI_Comm_spawn(self, words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
    expect(class_of(rc) == MPI_ERR_SPAWN, "no room", rc, MPI_ERR_SPAWN);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL)
        child(parent, argc, argv);
    else if (!strcmp(argv[1], "basics"))
        basics(argv[0], 3, "0");
    else if (!strcmp(argv[1], "generations"))
        basics(argv[0], 2, "3");
    else if (!strcmp(argv[1], "many"))
        basics(argv[0], 300, "0");
    else if (!strcmp(argv[1], "multiple"))
        multiple(argv[0]);
    else if (!strcmp(argv[1], "full"))
        full(argv[0]);
    else
        room(argv[0]);
    MPI_Finalize();
    if (parent == MPI_COMM_NULL && me == 0)
        puts("right");
    return 0;
}
