/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes as the standard says of single cases: known bytes of external32, contents of both forms of constructors,
 * bounds, elements of statuses, Fortran's types, names, references, large counts, mistakes. */
// build: $PGASIM cc $SRC -o $EXE
// run: -np 2
// stdout: right
// run: -np 1 -- commit
// status: 5
// stderr-match: MPI_Send .*MPI_ERR_TYPE: the datatype is not committed: a vector of 3 x 2 MPI_DOUBLE made by MPI_Type_vector
// run: -np 1 -- null
// status: 5
// stderr-match: MPI_Send .*MPI_ERR_BUFFER: the buffer is NULL: expected the address of 2 x MPI_INT
// run: -np 1 -- place
// status: 5
// stderr-match: MPI_Send .*MPI_ERR_BUFFER: MPI_IN_PLACE is no buffer here
// run: -np 1 -- predefined
// status: 5
// stderr-match: MPI_Type_free .*MPI_ERR_TYPE: MPI_INT is predefined
// run: -np 1 -- freed
// status: 5
// stderr-match: MPI_Type_dup .*MPI_ERR_TYPE: 0x[0-9a-f]+ is no datatype
// run: -np 1 -- large
// status: 5
// stderr-match: MPI_Type_vector_c .*MPI_ERR_VALUE_TOO_LARGE
// run: -np 1 -- space
// status: 5
// stderr-match: MPI_Pack .*MPI_ERR_TRUNCATE: 8 bytes of data do not fit at position 1 of 8
// run: -np 1 -- negative
// status: 5
// stderr-match: MPI_Type_contiguous .*MPI_ERR_COUNT: the count is -1
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAME(is, expected) same(__LINE__, #is, (long long)(is), (long long)(expected))
static void same(int line, const char *what, long long is, long long expected)
{
    if (is != expected) {
        fprintf(stderr, "line %d: %s is %lld, expected %lld\n", line, what, is, expected);
        exit(1);
    }
}

/* Packs one item, compares, and unpacks it again. */
static void external(int line, MPI_Datatype t, const void *item, size_t bytes, const char *expected,
                     MPI_Aint n)
{
    char packed[64];
    unsigned char back[64] = {0};
    MPI_Aint size, at = 0;
    MPI_Pack_external_size("external32", 1, t, &size);
    same(line, "the size", size, n);
    MPI_Pack_external("external32", item, 1, t, packed, sizeof packed, &at);
    same(line, "the position", at, n);
    same(line, "the bytes", memcmp(packed, expected, (size_t)n), 0);
    at = 0;
    MPI_Unpack_external("external32", packed, n, &at, back, 1, t);
    same(line, "what comes back", memcmp(back, item, bytes), 0);
}

static void externals(void)
{
    external(__LINE__, MPI_INT, &(int){-2}, 4, "\xff\xff\xff\xfe", 4);
    external(__LINE__, MPI_LONG, &(long){-2}, sizeof(long), "\xff\xff\xff\xfe", 4);
    external(__LINE__, MPI_UNSIGNED_LONG, &(unsigned long){0xfffffffe}, sizeof(long), "\xff\xff\xff\xfe", 4);
    external(__LINE__, MPI_LONG_LONG, &(long long){1}, 8, "\0\0\0\0\0\0\0\1", 8);
    external(__LINE__, MPI_SHORT, &(short){0x1234}, 2, "\x12\x34", 2);
    external(__LINE__, MPI_DOUBLE, &(double){-2.0}, 8, "\xc0\0\0\0\0\0\0\0", 8);
    external(__LINE__, MPI_WCHAR, &(int){0x20ac}, 4, "\x20\xac", 2);
    external(__LINE__, MPI_C_FLOAT_COMPLEX, (float[]){1.0F, 2.0F}, 8, "\x3f\x80\0\0\x40\0\0\0", 8);
    external(__LINE__, MPI_AINT, &(MPI_Aint){258}, 8, "\0\0\0\0\0\0\1\2", 8);
    long double x = -1.5L, y = 0;
    char packed[16];
    MPI_Aint at = 0;
    MPI_Pack_external("external32", &x, 1, MPI_LONG_DOUBLE, packed, 16, &at);
    SAME(memcmp(packed, "\xbf\xff\x80\0\0\0\0\0\0\0\0\0\0\0\0\0", 16), 0);
    at = 0;
    MPI_Unpack_external("external32", packed, 16, &at, &y, 1, MPI_LONG_DOUBLE);
    SAME(x == y, 1);
    /* A pair, which has padding in memory, between other elements. */
    struct {
        short a;
        struct {
            double value;
            int place;
        } b;
    } s = {0};
    MPI_Datatype t;
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_SHORT, MPI_DOUBLE_INT},
                           &t);
    MPI_Type_commit(&t);
    s.a = 1;
    s.b.value = 1.0;
    s.b.place = 3;
    external(__LINE__, t, &s, sizeof s, "\0\1\x3f\xf0\0\0\0\0\0\0\0\0\0\3", 14);
    MPI_Type_free(&t);
}

static void contents(void)
{
    MPI_Datatype t, large, of[3];
    int n[4], combiner, i[8];
    MPI_Count c[4], counts[8];
    MPI_Aint a[4];
    MPI_Type_create_hvector(3, 2, 40, MPI_INT, &t);
    MPI_Type_get_envelope(t, &n[0], &n[1], &n[2], &combiner);
    SAME(n[0] == 2 && n[1] == 1 && n[2] == 1 && combiner == MPI_COMBINER_HVECTOR, 1);
    MPI_Type_get_contents(t, 2, 1, 1, i, a, of);
    SAME(i[0] == 3 && i[1] == 2 && a[0] == 40 && of[0] == MPI_INT, 1);
    MPI_Type_create_hvector_c(3, 2, 40, t, &large);
    MPI_Type_free(&t);
    MPI_Type_get_envelope_c(large, &c[0], &c[1], &c[2], &c[3], &combiner);
    SAME(c[0] == 0 && c[1] == 0 && c[2] == 3 && c[3] == 1 && combiner == MPI_COMBINER_HVECTOR, 1);
    MPI_Type_get_contents_c(large, 0, 0, 3, 1, i, a, counts, of);
    SAME(counts[0] == 3 && counts[1] == 2 && counts[2] == 40 && of[0] != t, 1);
    MPI_Type_get_contents(of[0], 2, 1, 1, i, a, of + 1);
    SAME(i[0] == 3 && a[0] == 40 && of[1] == MPI_INT, 1);
    MPI_Type_free(&of[0]);
    MPI_Type_free(&large);
    MPI_Type_create_subarray_c(1, (MPI_Count[]){5}, (MPI_Count[]){2}, (MPI_Count[]){1}, MPI_ORDER_C, MPI_INT,
                               &t);
    MPI_Type_get_contents_c(t, 2, 0, 3, 1, i, a, counts, of);
    SAME(i[0] == 1 && i[1] == MPI_ORDER_C && counts[0] == 5 && counts[1] == 2 && counts[2] == 1, 1);
    MPI_Type_free(&t);
}

static void bounds(void)
{
    MPI_Datatype inner, t;
    MPI_Aint lb, extent;
    MPI_Count large;
    int size;
    /* MPI-1's marks, alone and with a member that has bounds. */
    MPI_Type_create_struct(3, (int[]){1, 1, 1}, (MPI_Aint[]){-8, 0, 24},
                           (MPI_Datatype[]){MPI_LB, MPI_INT, MPI_UB}, &inner);
    MPI_Type_get_extent(inner, &lb, &extent);
    SAME(lb == -8 && extent == 32, 1);
    MPI_Type_create_struct(2, (int[]){1, 1}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){inner, MPI_UB}, &t);
    MPI_Type_get_extent(t, &lb, &extent);
    SAME(lb == -8 && extent == 32, 1);
    MPI_Type_free(&inner);
    MPI_Type_free(&t);
    MPI_Type_contiguous_c((MPI_Count)1 << 61, MPI_INT16_T, &t);
    MPI_Type_size_c(t, &large);
    SAME(large, (MPI_Count)1 << 62);
    MPI_Type_size(t, &size);
    SAME(size, MPI_UNDEFINED);
    MPI_Type_free(&t);
    /* Deep nesting neither needs much stack to make nor to free. */
    t = MPI_INT;
    for (int k = 0; k < 20000; k++) {
        MPI_Datatype old = t;
        MPI_Type_create_struct(2, (int[]){1, k % 2}, (MPI_Aint[]){0, 4}, (MPI_Datatype[]){old, MPI_CHAR}, &t);
        if (old != MPI_INT)
            MPI_Type_free(&old);
        if (k % 100 == 0) {
            MPI_Type_free(&t);
            t = MPI_INT;
        }
    }
    MPI_Type_free(&t);
}

static void elements(void)
{
    MPI_Datatype t;
    MPI_Status s;
    int n;
    MPI_Type_create_struct(2, (int[]){1, 3}, (MPI_Aint[]){0, 8}, (MPI_Datatype[]){MPI_DOUBLE, MPI_INT}, &t);
    for (int k = 0; k < 20; k++) {
        MPI_Status_set_elements(&s, t, k);
        MPI_Get_elements(&s, t, &n);
        SAME(n, k);
        MPI_Get_count(&s, t, &n);
        SAME(n, k % 4 ? MPI_UNDEFINED : k / 4);
    }
    MPI_Status_set_elements(&s, MPI_BYTE, 7);
    MPI_Get_elements(&s, t, &n);
    SAME(n, MPI_UNDEFINED);
    MPI_Type_free(&t);
}

static void chosen(void)
{
    MPI_Datatype a, b;
    int size, n[3], combiner, i[2];
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &a);
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &b);
    SAME(a == b, 1);
    MPI_Type_size(a, &size);
    SAME(size, 8);
    MPI_Type_get_envelope(a, &n[0], &n[1], &n[2], &combiner);
    SAME(n[0] == 2 && n[1] == 0 && n[2] == 0 && combiner == MPI_COMBINER_F90_REAL, 1);
    MPI_Type_get_contents(a, 2, 0, 0, i, NULL, NULL);
    SAME(i[0] == 15 && i[1] == MPI_UNDEFINED, 1);
    MPI_Type_create_f90_integer(9, &a);
    MPI_Type_size(a, &size);
    SAME(size, 4);
    MPI_Type_match_size(MPI_TYPECLASS_COMPLEX, 16, &a);
    SAME(a == MPI_COMPLEX16, 1);
    MPI_Type_get_value_index(MPI_DOUBLE, MPI_INT, &a);
    SAME(a == MPI_DOUBLE_INT, 1);
    MPI_Type_get_value_index(MPI_CHAR, MPI_INT, &a);
    SAME(a == MPI_DATATYPE_NULL, 1);
}

/* A name given to a predefined datatype is one rank's. */
static void names(int me)
{
    char name[MPI_MAX_OBJECT_NAME];
    int n;
    if (me == 0)
        MPI_Type_set_name(MPI_INT, "mine");
    MPI_Type_get_name(MPI_INT, name, &n);
    SAME(strcmp(name, me == 0 ? "mine" : "MPI_INT"), 0);
    SAME(n, strlen(name));
    MPI_Type_get_name(MPI_DATATYPE_NULL, name, &n);
    SAME(strcmp(name, "MPI_DATATYPE_NULL"), 0);
}

/* A datatype freed while a message waits for it, and absolute addresses. */
static void messages(int me)
{
    int data[6] = {1, 2, 3, 4, 5, 6}, got[6] = {0};
    MPI_Datatype t;
    MPI_Aint at;
    MPI_Get_address(me == 0 ? data : got, &at);
    MPI_Type_create_hindexed(1, (int[]){6}, &at, MPI_INT, &t);
    MPI_Type_commit(&t);
    if (me == 0) {
        MPI_Send(MPI_BOTTOM, 1, t, 1, 0, MPI_COMM_WORLD);
        MPI_Type_free(&t);
    } else {
        MPI_Request r;
        MPI_Irecv(MPI_BOTTOM, 1, t, 0, 0, MPI_COMM_WORLD, &r);
        MPI_Type_free(&t);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        SAME(got[0] == 1 && got[5] == 6, 1);
    }
    SAME(t == MPI_DATATYPE_NULL, 1);
}

static void mistake(const char *what)
{
    MPI_Datatype t = MPI_INT, copy;
    char buf[8];
    int position = 1;
    double d[2] = {0};
    if (!strcmp(what, "commit")) {
        MPI_Type_vector(3, 2, 4, MPI_DOUBLE, &t);
        MPI_Send(d, 1, t, 0, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "null")) {
        MPI_Send(NULL, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "place")) {
        MPI_Send(MPI_IN_PLACE, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else if (!strcmp(what, "predefined")) {
        MPI_Type_free(&t);
    } else if (!strcmp(what, "freed")) {
        MPI_Type_dup(MPI_INT, &t);
        copy = t;
        MPI_Type_free(&t);
        MPI_Type_dup(copy, &t);
    } else if (!strcmp(what, "large")) {
        MPI_Type_vector_c(INT64_MAX / 4, 1, 2, MPI_INT, &t);
    } else if (!strcmp(what, "space")) {
        MPI_Pack(d, 1, MPI_DOUBLE, buf, 8, &position, MPI_COMM_WORLD);
    } else if (!strcmp(what, "negative")) {
        MPI_Type_contiguous(-1, MPI_INT, &t);
    }
}

int main(int argc, char **argv)
{
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (argc > 1)
        mistake(argv[1]);
    externals();
    contents();
    bounds();
    elements();
    chosen();
    names(me);
    messages(me);
    if (me == 0)
        puts("right");
    MPI_Finalize();
    return 0;
}
