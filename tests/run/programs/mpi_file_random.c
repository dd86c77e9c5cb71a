/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random programs on a file, whose bytes every rank also computes naively: in each round the ranks own different slots
 * of a tile, write some of them by one of the calls, and read them back by another one; then the real file is compared
 * with the model.
 */
// build: $MPICC -g -O1 "$SRC" -o $EXE
// run: -np 1 -- $W/file 1 60
// stdout: done
// run: -np 2 -- $W/file 2 60
// stdout: done
// run: -np 5 -- $W/file 3 40
// stdout: done
// run: -np 5 --map-by host -- $W/file 4 40 cb_nodes=2 cb_buffer_size=64
// stdout: done
// run: -np 4 --map-by host -- $W/file 5 40 romio_cb_write=enable romio_cb_read=enable cb_buffer_size=32
// stdout: done
// run: -np 9 -- $W/file 6 30 romio_cb_write=disable romio_ds_write=enable
// stdout: done
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 1 << 16, MOST = 24, SLOTS = 32 };
static int me, n, unit, slots, owner[SLOTS], mine;
static unsigned long long state;
static unsigned char model[LONGEST];
static long long displacement, size;
static MPI_File file;
static MPI_Datatype etype, filetype, gapped;

/* The same numbers at all ranks. */
static int below(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned)limit);
}

static void check(int good, const char *what, long long got, long long expected)
{
    if (good)
        return;
    printf("rank %d: %s is %lld, expected %lld\n", me, what, got, expected);
    exit(1);
}

static void must(int rc, const char *what)
{
    check(rc == MPI_SUCCESS, what, rc, MPI_SUCCESS);
}

/* Where etype k of a rank's view lies. */
static long long place(int rank, int k)
{
    int own[SLOTS], count = 0;
    for (int s = 0; s < slots; s++)
        if (owner[s] == rank)
            own[count++] = s;
    return displacement + ((long long)(k / count) * slots + own[k % count]) * unit;
}

/* --- views --------------------------------------------------------------------------------------------- */

static void make_view(void)
{
    int at[SLOTS];
    MPI_Datatype part;
    unit = 1 + below(8);
    slots = n + below(SLOTS - n);
    displacement = below(100);
    for (int s = 0; s < slots; s++)
        owner[s] = s < n ? s : below(n + 1);
    for (int s = slots - 1; s > 0; s--) {
        int other = below(s + 1), t = owner[s];
        owner[s] = owner[other];
        owner[other] = t;
    }
    mine = 0;
    for (int s = 0; s < slots; s++)
        if (owner[s] == me)
            at[mine++] = s;
    MPI_Type_contiguous(unit, MPI_BYTE, &etype);
    MPI_Type_commit(&etype);
    MPI_Type_create_indexed_block(mine, 1, at, etype, &part);
    MPI_Type_create_resized(part, 0, (MPI_Aint)slots * unit, &filetype);
    MPI_Type_commit(&filetype);
    MPI_Type_create_resized(etype, 0, unit + 3, &gapped);
    MPI_Type_commit(&gapped);
    MPI_Type_free(&part);
    must(MPI_File_set_view(file, displacement, etype, filetype, "native", MPI_INFO_NULL), "set_view");
}

static void free_view(void)
{
    MPI_Type_free(&etype);
    MPI_Type_free(&filetype);
    MPI_Type_free(&gapped);
}

/* --- accesses ------------------------------------------------------------------------------------------ */

static MPI_Status status;
static MPI_Request request;

static int write_by(int how, long long at, const void *b, int k, MPI_Datatype t)
{
    if (how >= 4)
        MPI_File_seek(file, at, MPI_SEEK_SET);
    switch (how) {
    case 0:
        return MPI_File_write_at(file, at, b, k, t, &status);
    case 1:
        return MPI_File_write_at_all(file, at, b, k, t, &status);
    case 2:
        return MPI_File_iwrite_at(file, at, b, k, t, &request) || MPI_Wait(&request, &status);
    case 3:
        return MPI_File_iwrite_at_all(file, at, b, k, t, &request) || MPI_Wait(&request, &status);
    case 4:
        return MPI_File_write(file, b, k, t, &status);
    case 5:
        return MPI_File_write_all(file, b, k, t, &status);
    case 6:
        return MPI_File_iwrite(file, b, k, t, &request) || MPI_Wait(&request, &status);
    case 7:
        return MPI_File_iwrite_all(file, b, k, t, &request) || MPI_Wait(&request, &status);
    case 8:
        return MPI_File_write_all_begin(file, b, k, t) || MPI_File_write_all_end(file, b, &status);
    default:
        return MPI_File_write_at_all_begin(file, at, b, k, t) || MPI_File_write_at_all_end(file, b, &status);
    }
}

static int read_by(int how, long long at, void *b, int k, MPI_Datatype t)
{
    if (how >= 4)
        MPI_File_seek(file, at, MPI_SEEK_SET);
    switch (how) {
    case 0:
        return MPI_File_read_at(file, at, b, k, t, &status);
    case 1:
        return MPI_File_read_at_all(file, at, b, k, t, &status);
    case 2:
        return MPI_File_iread_at(file, at, b, k, t, &request) || MPI_Wait(&request, &status);
    case 3:
        return MPI_File_iread_at_all(file, at, b, k, t, &request) || MPI_Wait(&request, &status);
    case 4:
        return MPI_File_read(file, b, k, t, &status);
    case 5:
        return MPI_File_read_all(file, b, k, t, &status);
    case 6:
        return MPI_File_iread(file, b, k, t, &request) || MPI_Wait(&request, &status);
    case 7:
        return MPI_File_iread_all(file, b, k, t, &request) || MPI_Wait(&request, &status);
    case 8:
        return MPI_File_read_all_begin(file, b, k, t) || MPI_File_read_all_end(file, b, &status);
    default:
        return MPI_File_read_at_all_begin(file, at, b, k, t) || MPI_File_read_at_all_end(file, b, &status);
    }
}

/* Byte b of etype k that a rank writes in this round. */
static unsigned char byte_of(int rank, int k, int b)
{
    return (unsigned char)(state >> 20 ^ (unsigned)(rank * 77 + k * 13 + b * 5 + 1));
}

static void write_round(void)
{
    unsigned char buffer[MOST * 16];
    int how = below(10), apart = below(2), first[64], count[64], got;
    for (int r = 0; r < n; r++) {
        first[r] = below(MOST);
        count[r] = below(MOST);
    }
    int stride = apart ? unit + 3 : unit;
    for (int k = 0; k < count[me]; k++)
        for (int b = 0; b < unit; b++)
            buffer[k * stride + b] = byte_of(me, k, b);
    must(write_by(how, first[me], buffer, count[me], apart ? gapped : etype), "a write");
    MPI_Get_count(&status, etype, &got);
    check(got == count[me], "the count written", got, count[me]);
    for (int r = 0; r < n; r++)
        for (int k = 0; k < count[r]; k++)
            for (int b = 0; b < unit; b++) {
                long long at = place(r, first[r] + k) + b;
                model[at] = byte_of(r, k, b);
                size = at + 1 > size ? at + 1 : size;
            }
}

/* Whole etypes, and bytes of the last one, up to the end of the file. */
static long long there(int first, int count)
{
    long long bytes = 0;
    for (int k = 0; k < count; k++)
        for (int b = 0; b < unit; b++)
            if (place(me, first + k) + b < size && bytes == (long long)k * unit + b)
                bytes++;
    return bytes;
}

static void read_round(void)
{
    unsigned char buffer[MOST * 16];
    int how = below(10), apart = below(2), first = 0, count = 0, got;
    for (int r = 0; r < n; r++) {
        int a = below(MOST), b = below(MOST);
        if (r == me)
            first = a, count = b;
    }
    int stride = apart ? unit + 3 : unit;
    memset(buffer, 0xee, sizeof buffer);
    must(read_by(how, first, buffer, count, apart ? gapped : etype), "a read");
    MPI_Get_elements(&status, MPI_BYTE, &got);
    check(got == there(first, count), "the bytes read", got, there(first, count));
    for (int k = 0; k < got; k++) {
        long long at = place(me, first + k / unit) + k % unit;
        unsigned char is = buffer[k / unit * stride + k % unit];
        check(is == model[at], "a byte read", is, model[at]);
    }
    if (how >= 4 && how <= 8) {
        MPI_Offset position;
        MPI_File_get_position(file, &position);
        check(position == first + count, "the position", position, first + count);
    }
}

/* --- the shared pointer ---------------------------------------------------------------------------------- */

static void ordered_round(void)
{
    unsigned char buffer[MOST];
    long long at = displacement + below(200), next = at;
    int split = below(2);
    must(MPI_File_set_view(file, at, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), "set_view");
    for (int r = 0; r < n; r++) {
        int count = below(MOST);
        for (int k = 0; k < count; k++)
            model[next + k] = byte_of(r, k, 0);
        if (count && next + count > size)
            size = next + count;
        next += count;
        if (r == me)
            for (int k = 0; k < count; k++)
                buffer[k] = byte_of(me, k, 0);
        if (r == me)
            mine = count;
    }
    if (split) {
        must(MPI_File_write_ordered_begin(file, buffer, mine, MPI_BYTE), "write_ordered_begin");
        must(MPI_File_write_ordered_end(file, buffer, &status), "write_ordered_end");
    } else {
        must(MPI_File_write_ordered(file, buffer, mine, MPI_BYTE, &status), "write_ordered");
    }
    MPI_Offset position;
    must(MPI_File_get_position_shared(file, &position), "get_position_shared");
    check(position == next - at, "the shared position", position, next - at);
}

/* --- the whole file ------------------------------------------------------------------------------------- */

static void compare(const char *path)
{
    static unsigned char bytes[LONGEST];
    MPI_Offset is;
    must(MPI_File_sync(file), "sync");
    MPI_Barrier(MPI_COMM_WORLD);
    must(MPI_File_get_size(file, &is), "get_size");
    check(is == size, "the file's size", is, size);
    FILE *f = fopen(path, "rb");
    size_t got = f ? fread(bytes, 1, sizeof bytes, f) : 0;
    fclose(f);
    check((long long)got == size, "the size of the real file", (long long)got, size);
    for (long long k = 0; k < size; k++)
        check(bytes[k] == model[k], "a byte of the file", bytes[k], model[k]);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Info info;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    state = (unsigned long long)atoi(argv[2]);
    MPI_Info_create(&info);
    for (int k = 4; k < argc; k++) {
        char *value = strchr(argv[k], '=');
        *value = 0;
        MPI_Info_set(info, argv[k], value + 1);
    }
    must(MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                       info, &file),
         "open");
    MPI_Info_free(&info);
    for (int round = 0; round < atoi(argv[3]); round++) {
        make_view();
        write_round();
        compare(argv[1]);
        read_round();
        read_round();
        if (below(3) == 0)
            ordered_round();
        compare(argv[1]);
        free_view();
    }
    must(MPI_File_close(&file), "close");
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0 && fopen(argv[1], "rb"))
        printf("the file is still there\n");
    if (me == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
