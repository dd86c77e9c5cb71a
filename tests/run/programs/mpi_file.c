/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files of MPI: modes, errors and their handlers, representations, the shared pointer, what views and sizes are said to be.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 3 -- $W/file
// stdout: done
// run: -np 1 -- $W/file
// stdout: done
// run: -np 40 --map-by host -- $W/file
// stdout: done
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int me, n;
static char path[4096];
static MPI_Status status;

static void is(const char *what, long long got, long long wanted)
{
    if (got == wanted)
        return;
    printf("rank %d: %s is %lld, expected %lld\n", me, what, got, wanted);
    exit(1);
}

static void fails(const char *what, int rc, int wanted)
{
    int class = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &class);
    is(what, class, wanted);
}

static MPI_File open_as(int amode)
{
    MPI_File f;
    fails("open", MPI_File_open(MPI_COMM_WORLD, path, amode, MPI_INFO_NULL, &f), MPI_SUCCESS);
    return f;
}

/* --- modes ----------------------------------------------------------------------------------------------- */

static int try_open(const char *name, int amode)
{
    MPI_File f = MPI_FILE_NULL;
    int rc = MPI_File_open(MPI_COMM_WORLD, name, amode, MPI_INFO_NULL, &f);
    if (!rc)
        MPI_File_close(&f);
    return rc;
}

static void modes(void)
{
    int x = 5, amode;
    fails("no file", try_open(path, MPI_MODE_RDWR), MPI_ERR_NO_SUCH_FILE);
    fails("no folder", try_open("/no/such/folder", MPI_MODE_CREATE | MPI_MODE_RDWR), MPI_ERR_NO_SUCH_FILE);
    fails("a folder", try_open("/", MPI_MODE_RDONLY), MPI_ERR_BAD_FILE);
    fails("two ways", try_open(path, MPI_MODE_RDONLY | MPI_MODE_RDWR), MPI_ERR_AMODE);
    fails("no way", try_open(path, MPI_MODE_CREATE), MPI_ERR_AMODE);
    fails("created to be read", try_open(path, MPI_MODE_CREATE | MPI_MODE_RDONLY), MPI_ERR_AMODE);
    fails("sequential", try_open(path, MPI_MODE_SEQUENTIAL | MPI_MODE_RDWR), MPI_ERR_AMODE);
    if (n > 1)
        fails("different modes", try_open(path, me ? MPI_MODE_RDONLY : MPI_MODE_RDWR), MPI_ERR_NOT_SAME);
    fails("a new file", try_open(path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR), MPI_SUCCESS);
    fails("the same", try_open(path, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR), MPI_ERR_FILE_EXISTS);
    MPI_File f = open_as(MPI_MODE_RDONLY);
    MPI_File_get_amode(f, &amode);
    is("the mode", amode, MPI_MODE_RDONLY);
    fails("a write", MPI_File_write(f, &x, 1, MPI_INT, &status), MPI_ERR_READ_ONLY);
    fails("a size", MPI_File_set_size(f, 10), MPI_ERR_READ_ONLY);
    fails("a read without data", MPI_File_read(f, &x, 1, MPI_INT, &status), MPI_SUCCESS);
    MPI_Get_count(&status, MPI_INT, &amode);
    is("items behind the end", amode, 0);
    MPI_File closed = f;
    MPI_File_close(&f);
    is("the closed file's handle", f == MPI_FILE_NULL, 1);
    fails("a closed file", MPI_File_read(closed, &x, 1, MPI_INT, &status), MPI_ERR_FILE);
    fails("MPI_FILE_NULL", MPI_File_read(MPI_FILE_NULL, &x, 1, MPI_INT, &status), MPI_ERR_FILE);
    f = open_as(MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE);
    fails("a read", MPI_File_read(f, &x, 1, MPI_INT, &status), MPI_ERR_ACCESS);
    MPI_File_close(&f);
    MPI_Barrier(MPI_COMM_WORLD);
    is("the file is gone", access(path, F_OK), -1);
    fails("deleting it again", MPI_File_delete(path, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
}

/* --- arguments and handlers ------------------------------------------------------------------------------- */

static int calls;
static void handler(MPI_File *f, int *code, ...)
{
    (void)f;
    (void)code;
    calls++;
}

static void arguments(void)
{
    int x[4] = {0};
    MPI_Errhandler h, was;
    MPI_Datatype open_type, backwards;
    MPI_Request r;
    MPI_File f = open_as(MPI_MODE_CREATE | MPI_MODE_RDWR);
    MPI_File_get_errhandler(f, &was);
    is("the handler is MPI_ERRORS_RETURN", was == MPI_ERRORS_RETURN, 1);
    MPI_File_create_errhandler(handler, &h);
    MPI_File_set_errhandler(f, h);
    fails("a count", MPI_File_write(f, x, -1, MPI_INT, &status), MPI_ERR_COUNT);
    fails("an offset", MPI_File_write_at(f, -1, x, 1, MPI_INT, &status), MPI_ERR_ARG);
    fails("no datatype", MPI_File_write(f, x, 1, MPI_DATATYPE_NULL, &status), MPI_ERR_TYPE);
    fails("no buffer", MPI_File_write(f, NULL, 1, MPI_INT, &status), MPI_ERR_BUFFER);
    fails("a seek", MPI_File_seek(f, -4, MPI_SEEK_SET), MPI_ERR_ARG);
    fails("an end without a beginning", MPI_File_read_all_end(f, x, &status), MPI_ERR_OTHER);
    is("calls of the handler", calls, 6);
    MPI_File_set_errhandler(f, MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&h);
    MPI_Type_contiguous(2, MPI_INT, &open_type);
    fails("a type that is not committed",
          MPI_File_set_view(f, 0, MPI_INT, open_type, "native", MPI_INFO_NULL), MPI_ERR_TYPE);
    MPI_Type_free(&open_type);
    MPI_Type_vector(2, 1, -2, MPI_INT, &backwards);
    MPI_Type_commit(&backwards);
    fails("a filetype", MPI_File_set_view(f, 0, MPI_INT, backwards, "native", MPI_INFO_NULL), MPI_ERR_IO);
    fails("a displacement", MPI_File_set_view(f, -1, MPI_INT, MPI_INT, "native", MPI_INFO_NULL), MPI_ERR_ARG);
    fails("a current one",
          MPI_File_set_view(f, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
          MPI_ERR_ARG);
    fails("a representation", MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "inverted", MPI_INFO_NULL),
          MPI_ERR_UNSUPPORTED_DATAREP);
    fails("part of an etype",
          (MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
           MPI_File_write(f, x, 3, MPI_BYTE, &status)),
          MPI_ERR_IO);
    MPI_Type_free(&backwards);
    fails("a split access", MPI_File_write_all_begin(f, x, 1, MPI_INT), MPI_SUCCESS);
    fails("another one", MPI_File_write_all_begin(f, x, 1, MPI_INT), MPI_ERR_OTHER);
    fails("another one's end", MPI_File_read_all_end(f, x, &status), MPI_ERR_OTHER);
    fails("an access of the rank alone", MPI_File_read_at(f, 9, x, 1, MPI_INT, &status), MPI_SUCCESS);
    fails("the end", MPI_File_write_all_end(f, x, &status), MPI_SUCCESS);
    fails("no place for a request", MPI_File_iread(f, x, 1, MPI_INT, NULL), MPI_ERR_ARG);
    fails("a request", MPI_File_iread_at(f, 0, x, 1, MPI_INT, &r), MPI_SUCCESS);
    MPI_Request_free(&r);
    MPI_File_close(&f);
}

/* --- representations -------------------------------------------------------------------------------------- */

static int extent(MPI_Datatype t, MPI_Aint *size, void *extra)
{
    int here;
    (void)extra;
    MPI_Type_size(t, &here);
    *size = 2 * here;
    return MPI_SUCCESS;
}

/* Each int is followed by its complement. */
static int to_file(void *user, MPI_Datatype t, int count, void *file, MPI_Offset at, void *extra)
{
    (void)extra;
    for (int k = 0; t == MPI_INT && k < count; k++) {
        int x = ((int *)user)[at + k], y = ~x;
        memcpy((char *)file + 8 * k, &x, 4);
        memcpy((char *)file + 8 * k + 4, &y, 4);
    }
    return t == MPI_INT ? MPI_SUCCESS : MPI_ERR_TYPE;
}

static int from_file(void *user, MPI_Datatype t, int count, void *file, MPI_Offset at, void *extra)
{
    ++*(int *)extra;
    for (int k = 0; k < count; k++)
        memcpy((int *)user + at + k, (char *)file + 8 * k, 4);
    return t == MPI_INT ? MPI_SUCCESS : MPI_ERR_TYPE;
}

static void registered(void)
{
    static int converted;
    int out[3] = {me, -7, 1 << 20}, in[3] = {0}, count;
    MPI_Aint size;
    fails("registering", MPI_Register_datarep("twice", from_file, to_file, extent, &converted), MPI_SUCCESS);
    fails("again", MPI_Register_datarep("twice", from_file, to_file, extent, &converted),
          MPI_ERR_DUP_DATAREP);
    fails("native", MPI_Register_datarep("native", from_file, to_file, extent, &converted),
          MPI_ERR_DUP_DATAREP);
    MPI_File f = open_as(MPI_MODE_RDWR);
    fails("the view", MPI_File_set_view(f, 24 * me, MPI_INT, MPI_INT, "twice", MPI_INFO_NULL), MPI_SUCCESS);
    MPI_File_get_type_extent(f, MPI_INT, &size);
    is("the extent in the file", size, 8);
    fails("a write", MPI_File_write_at_all(f, 0, out, 3, MPI_INT, &status), MPI_SUCCESS);
    fails("a conversion", MPI_File_write_at_all(f, 0, out, 3, MPI_FLOAT, &status), MPI_ERR_CONVERSION);
    fails("a read", MPI_File_read_at_all(f, 0, in, 3, MPI_INT, &status), MPI_SUCCESS);
    MPI_Get_count(&status, MPI_INT, &count);
    is("items", count, 3);
    is("what was read", memcmp(in, out, sizeof in), 0);
    is("conversions", converted, 1);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "internal", MPI_INFO_NULL);
    MPI_File_read_at(f, 6 * me + 3, in, 1, MPI_INT, &status);
    is("a complement", in[0], ~-7);
    MPI_File_close(&f);
}

/* Longs of four bytes, the first byte first; a vector of them counts in their extents. */
static void external(void)
{
    long out[4] = {1, -2, 0x01020304, me}, in[4] = {0};
    unsigned char bytes[4];
    MPI_Datatype vector;
    MPI_Aint size;
    int count;
    MPI_File f = open_as(MPI_MODE_RDWR);
    MPI_File_set_size(f, 0);
    MPI_Type_vector(2, 1, n, MPI_LONG, &vector);
    MPI_Type_create_resized(vector, 0, 8 * n, &vector);
    MPI_Type_commit(&vector);
    fails("the view", MPI_File_set_view(f, 4 * me, MPI_LONG, vector, "external32", MPI_INFO_NULL),
          MPI_SUCCESS);
    MPI_File_get_type_extent(f, MPI_LONG, &size);
    is("a long's extent", size, 4);
    fails("a write", MPI_File_write_all(f, out, 4, MPI_LONG, &status), MPI_SUCCESS);
    MPI_File_seek(f, 0, MPI_SEEK_SET);
    fails("a read", MPI_File_read_all(f, in, 4, MPI_LONG, &status), MPI_SUCCESS);
    is("what was read", memcmp(in, out, sizeof in), 0);
    fails("a read at the end", MPI_File_read_at(f, 3, in, 3, MPI_LONG, &status), MPI_SUCCESS);
    MPI_Get_count(&status, MPI_LONG, &count);
    is("items at the end", count, 1);
    MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_read_at(f, (2 * n + me) * 4, bytes, 4, MPI_BYTE, &status);
    is("a byte", bytes[0], 1);
    is("the last byte", bytes[3], 4);
    MPI_File_close(&f);
    MPI_Type_free(&vector);
}

/* --- pointers, views, sizes -------------------------------------------------------------------------------- */

static void shared(void)
{
    int sum = 0, x = me + 1;
    MPI_Offset at;
    MPI_Request r;
    MPI_File f = open_as(MPI_MODE_RDWR | MPI_MODE_APPEND);
    MPI_File_set_size(f, 0);
    MPI_File_set_view(f, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_shared(f, &x, 1, MPI_INT, &status);
    MPI_File_iwrite_shared(f, &x, 1, MPI_INT, &r);
    MPI_Wait(&r, &status);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_get_position_shared(f, &at);
    is("the shared position", at, 2 * n);
    for (int k = 0; k < 2 * n; k++) {
        MPI_File_read_at(f, k, &x, 1, MPI_INT, &status);
        sum += x;
    }
    is("the sum of what was written", sum, n * (n + 1));
    MPI_File_seek_shared(f, -1, MPI_SEEK_END);
    MPI_File_get_position_shared(f, &at);
    is("the last place", at, 2 * n - 1);
    MPI_File_close(&f);
    f = open_as(MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL);
    fails("a place of its own", MPI_File_read(f, &x, 1, MPI_INT, &status), MPI_ERR_UNSUPPORTED_OPERATION);
    fails("a seek", MPI_File_seek(f, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
    fails("a sequential read", MPI_File_read_ordered(f, &x, 1, MPI_INT, &status), MPI_SUCCESS);
    MPI_File_close(&f);
}

static void views(void)
{
    MPI_Offset at, size;
    MPI_Datatype pair, tile, e, t;
    MPI_Group g;
    char name[MPI_MAX_DATAREP_STRING];
    int members, ints, addresses, types, combiner;
    MPI_File f = open_as(MPI_MODE_RDWR);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_create_resized(pair, 0, 20, &tile);
    MPI_Type_commit(&tile);
    MPI_File_set_size(f, 100);
    MPI_File_set_view(f, 10, pair, tile, "native", MPI_INFO_NULL);
    MPI_Type_free(&tile);
    MPI_File_get_view(f, &at, &e, &t, name);
    is("the displacement", at, 10);
    is("the representation", strcmp(name, "native"), 0);
    MPI_Type_get_envelope(t, &ints, &addresses, &types, &combiner);
    is("how the filetype was made", combiner, MPI_COMBINER_RESIZED);
    MPI_Type_free(&e);
    MPI_Type_free(&t);
    MPI_File_get_byte_offset(f, 3, &at);
    is("a byte's offset", at, 70);
    MPI_File_seek(f, 0, MPI_SEEK_END);
    MPI_File_get_position(f, &at);
    is("etypes to the end", at, 5);
    MPI_File_seek(f, -2, MPI_SEEK_CUR);
    MPI_File_get_position(f, &at);
    is("two before", at, 3);
    MPI_File_preallocate(f, 50);
    MPI_File_get_size(f, &size);
    is("a size that was larger", size, 100);
    MPI_File_preallocate(f, 5000);
    MPI_File_get_size(f, &size);
    is("a larger size", size, 5000);
    MPI_File_get_group(f, &g);
    MPI_Group_size(g, &members);
    is("members", members, n);
    MPI_Group_free(&g);
    MPI_File_set_atomicity(f, 1);
    MPI_File_get_atomicity(f, &members);
    is("atomic", members, 1);
    MPI_Type_free(&pair);
    MPI_File_close(&f);
}

static void hints(void)
{
    char value[80];
    int flag;
    MPI_Info info, got;
    MPI_File f;
    MPI_Info_create(&info);
    MPI_Info_set(info, "cb_buffer_size", "4096");
    MPI_Info_set(info, "cb_nodes", "many");
    MPI_Info_set(info, "romio_cb_read", "perhaps");
    MPI_Info_set(info, "my_own", "kept");
    fails("open", MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, info, &f),
          MPI_SUCCESS);
    MPI_Info_free(&info);
    MPI_File_get_info(f, &got);
    MPI_Info_get(got, "cb_buffer_size", 79, value, &flag);
    is("cb_buffer_size", flag ? atoi(value) : -1, 4096);
    MPI_Info_get(got, "cb_nodes", 79, value, &flag);
    is("cb_nodes is one a host", flag && atoi(value) >= 1 && atoi(value) <= n, 1);
    MPI_Info_get(got, "romio_cb_read", 79, value, &flag);
    is("romio_cb_read is automatic", flag && !strcmp(value, "automatic"), 1);
    MPI_Info_get(got, "my_own", 79, value, &flag);
    is("one's own hint is kept", flag && !strcmp(value, "kept"), 1);
    MPI_Info_free(&got);
    MPI_File_close(&f);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    snprintf(path, sizeof path, "%s", argv[1]);
    modes();
    arguments();
    registered();
    external();
    shared();
    views();
    hints();
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
