/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of DUMPI: what each becomes. */
#include "replay/dumpi_file.h"

/* --- calls --------------------------------------------------------------------------------------------------- */

static void test_messages(void **state)
{
    (void)state;
    begin();
    call(INIT, "4441111", 2, 0, 4, 'a', 'b', 'c', 'd');
    call(ISEND, "424424", 100, DOUBLE, 0, 7, WORLD, 2);
    call(IRECV, "424424", 50, INT, -1, -1, WORLD, 3);
    call(WAITALL, "4444", 2, 2, 2, 3);
    call(WAITALL, "4444", 2, 2, 2, 1); /* the first one is complete, the second one is none */
    call(SEND, "42442", 1, CHAR, -2, 7, SELF);
    fields("2142442444114", RECV, STATUSES, 1, INT, -1, 7, WORLD, 1, 0, -1, 0, 0, 7); /* from nobody */
    fields("2142442444114", RECV, STATUSES, 1, INT, -1, 7, WORLD, 1, 0, 0, 0, 0, 7);
    fields("21424424", RECV, STATUSES, 1, INT, -2, 7, WORLD, 0);
    call(FINALIZE, "");
    becomes("Init\n"
            "Isend - 100 MPI_DOUBLE 0 7 MPI_COMM_WORLD r0\n"
            "Irecv - 50 MPI_INT -1 -2 MPI_COMM_WORLD r1\n"
            "Waitall 2 [r0,r1]\n"
            "Waitall 2 [MPI_REQUEST_NULL,MPI_REQUEST_NULL]\n"
            "Send - 1 MPI_CHAR -3 7 MPI_COMM_SELF\n"
            "Recv - 1 MPI_INT -3 7 MPI_COMM_WORLD\n"
            "Recv - 1 MPI_INT -1 7 MPI_COMM_WORLD\n"
            "Recv - 1 MPI_INT -3 7 MPI_COMM_WORLD\n"
            "Finalize\n");
}

static void test_requests(void **state)
{
    (void)state;
    begin();
    call(IRECV, "424424", 1, INT, 0, 1, WORLD, 9);
    call(IRECV, "424424", 1, INT, 0, 1, WORLD, 5);
    call(WAITANY, "44444", 2, 2, 9, 5, 1);
    call(WAITANY, "44444", 2, 2, 9, 1, 0);
    call(WAITANY, "44444", 2, 2, 1, 1, -32766);
    call(ISEND, "424424", 1, INT, 0, 1, WORLD, 5); /* a number that is free */
    call(ISEND, "424424", 1, INT, 0, 1, WORLD, 5); /* and one that is not */
    call(TEST, "44", 5, 0);
    call(TEST, "44", 5, 1);
    call(WAIT, "4", 5);
    call(SEND_INIT, "424424", 1, INT, 0, 1, WORLD, 5);
    call(START, "4", 5);
    call(WAITSOME, "4444444", 2, 2, 5, 1, 1, 1, 0);
    call(START, "4", 5);
    call(WAIT, "4", 77);
    call(START, "4", 77);
    becomes("Irecv - 1 MPI_INT 0 1 MPI_COMM_WORLD r0\n"
            "Irecv - 1 MPI_INT 0 1 MPI_COMM_WORLD r1\n"
            "Waitany 2 [r0,r1] 1\n"
            "Waitany 2 [r0,MPI_REQUEST_NULL] 0\n"
            "Waitany 2 [MPI_REQUEST_NULL,MPI_REQUEST_NULL] -32766\n"
            "Isend - 1 MPI_INT 0 1 MPI_COMM_WORLD r1\n"
            "Request_free r1\n"
            "Isend - 1 MPI_INT 0 1 MPI_COMM_WORLD r1\n"
            "Test r1 0\n"
            "Test r1 1\n"
            "Wait MPI_REQUEST_NULL\n"
            "Send_init - 1 MPI_INT 0 1 MPI_COMM_WORLD r1\n"
            "Start r1\n"
            "Waitsome 2 [r1,MPI_REQUEST_NULL] 1 [0]\n"
            "Start r1\n"
            "SKIP: a request that no call in the trace made\n"
            "Wait MPI_REQUEST_NULL\n"
            "SKIP: a request that no call in the trace made\n"
            "skip: MPI_Start\n");
}

static void test_types(void **state)
{
    (void)state;
    begin();
    sizes[FORTRAN] = 16;
    sizes[11] = 4; /* MPI_LONG is not as here */
    call(TYPE_VECTOR, "44422", 3, 2, 4, INT, MINE);
    call(TYPE_STRUCT, "44444444222", 2, 2, 2, 1, 2, 0, 64, 2, INT, MINE, MINE + 1);
    call(TYPE_CREATE_SUBARRAY, "4444444444122", 2, 2, 4, 4, 2, 2, 3, 2, 1, 1, 1, DOUBLE, MINE + 2);
    call(BCAST, "4242", 1, MINE, 0, WORLD);
    call(BCAST, "4242", 2, MINE + 1, 0, WORLD);
    call(BCAST, "4242", 3, MINE + 2, 0, WORLD);
    call(BCAST, "4242", 4, MINE + 1, 0, WORLD); /* made once */
    call(BCAST, "4242", 5, FORTRAN, 0, WORLD);
    call(BCAST, "4242", 6, 11, 0, WORLD);
    becomes("skip: MPI_Type_vector\n"
            "skip: MPI_Type_struct\n"
            "skip: MPI_Type_create_subarray\n"
            "Type_contiguous 24 MPI_BYTE t0\n"
            "Type_commit t0\n"
            "Bcast - 1 t0 0 MPI_COMM_WORLD\n"
            "Type_contiguous 32 MPI_BYTE t1\n"
            "Type_commit t1\n"
            "Bcast - 2 t1 0 MPI_COMM_WORLD\n"
            "Type_contiguous 48 MPI_BYTE t2\n"
            "Type_commit t2\n"
            "Bcast - 3 t2 0 MPI_COMM_WORLD\n"
            "Bcast - 4 t1 0 MPI_COMM_WORLD\n"
            "Bcast - 5 MPI_C_DOUBLE_COMPLEX 0 MPI_COMM_WORLD\n"
            "Bcast - 6 MPI_INT32_T 0 MPI_COMM_WORLD\n");
}

static void test_operators(void **state)
{
    (void)state;
    begin();
    sizes[FORTRAN] = 24;
    call(ALLREDUCE, "4212", 1, DOUBLE, SUM, WORLD);
    call(ALLREDUCE, "4212", 2, DOUBLE, BAND, WORLD); /* not of MPI */
    call(ALLREDUCE, "4212", 3, CHAR, SUM, WORLD);    /* nor this one, but libraries take it */
    call(ALLREDUCE, "4212", 4, FORTRAN, SUM, WORLD);
    call(ALLREDUCE, "4212", 5, FORTRAN, SUM, WORLD);
    call(OP_CREATE, "41", 0, 15);
    call(ALLREDUCE, "4212", 6, FORTRAN, 15, WORLD);
    becomes("Allreduce - - 1 MPI_DOUBLE MPI_SUM MPI_COMM_WORLD\n"
            "Allreduce - - 2 MPI_INT64_T MPI_SUM MPI_COMM_WORLD\n"
            "Allreduce - - 3 MPI_INT8_T MPI_SUM MPI_COMM_WORLD\n"
            "Type_contiguous 24 MPI_BYTE t0\n"
            "Type_commit t0\n"
            "Op_create 1 o0\n"
            "Allreduce - - 4 t0 o0 MPI_COMM_WORLD\n"
            "Allreduce - - 5 t0 o0 MPI_COMM_WORLD\n"
            "Op_create 0 o1\n"
            "Allreduce - - 6 t0 o1 MPI_COMM_WORLD\n");
}

static void test_communicators(void **state)
{
    (void)state;
    begin();
    call(COMM_SPLIT, "2442", WORLD, 1, -5, 4);
    call(COMM_SPLIT, "2442", WORLD, -32766, 0, 1);
    call(CART_CREATE, "2444444442", 4, 2, 2, 1, 1, 2, 0, 1, 0, 6);
    call(COMM_DUP, "22", 6, 5);
    call(CART_SUB, "424442", 2, 5, 2, 1, 0, 7);
    call(COMM_GROUP, "22", WORLD, 3);
    call(COMM_GROUP, "22", WORLD, 3); /* handed out again */
    call(GROUP_FREE, "2", 3);
    call(GROUP_RANGE_INCL, "24444442", 3, 1, 1, 3, 0, 0, 1, 4);
    call(COMM_CREATE, "222", WORLD, 4, 8);
    call(GROUP_FREE, "2", 3);
    call(GROUP_FREE, "2", 2);
    call(COMM_FREE, "2", 4);
    call(COMM_SPLIT, "2442", WORLD, 0, 0, 4);
    call(INTERCOMM_CREATE, "242442", 4, 0, WORLD, 0, 9, 9);
    call(BARRIER, "2", 9);
    call(GATHER, "44242", 0, 1, INT, -4, 9); /* of the root nothing is known */
    becomes("Comm_split MPI_COMM_WORLD 1 -5 c0\n"
            "Comm_split MPI_COMM_WORLD -32766 0 MPI_COMM_NULL\n"
            "Cart_create c0 2 [1,1] [0,1] 0 c1\n"
            "Comm_dup c1 c2\n"
            "Cart_sub c2 [1,0] c3\n"
            "Comm_group MPI_COMM_WORLD g0\n"
            "Comm_group MPI_COMM_WORLD g0\n"
            "skip: MPI_Group_free\n"
            "Group_range_incl g0 1 [0,0,1] g1\n"
            "Comm_create MPI_COMM_WORLD g1 c4\n"
            "Group_free g0\n"
            "skip: MPI_Group_free\n"
            "Comm_free c0\n"
            "Comm_split MPI_COMM_WORLD 0 0 c0\n"
            "Intercomm_create c0 0 MPI_COMM_WORLD 0 9 c5\n"
            "Barrier c5\n"
            "SKIP: MPI_Gather\n");
}

static void test_collectives(void **state)
{
    (void)state;
    begin();
    call(GATHER, "4424242", 0, 3, INT, 0, WORLD, 3, INT);
    call(GATHER, "4424242", 0, 0, INT, 0, WORLD, 3, INT); /* in place */
    call(GATHER, "44242", 0, 3, INT, 5, WORLD);           /* of another rank than the root */
    call(GATHERV, "44424244442", 0, 1, 3, INT, 0, WORLD, 1, 3, 1, 0, INT);
    call(GATHERV, "4442422", 0, 1, 3, INT, 1, WORLD, INT);
    call(SCATTERV, "44242424444", 0, 1, INT, 0, INT, 0, WORLD, 1, 3, 1, 0);
    call(ALLGATHER, "42422", 0, 1, 2, INT, WORLD);
    call(ALLTOALLW, "44444424444422", 1, 1, 2, 1, 0, 1, INT, 1, 1, 1, 4, 1, DOUBLE, WORLD);
    becomes("Gather - 3 MPI_INT - 3 MPI_INT 0 MPI_COMM_WORLD\n"
            "Gather in_place 0 MPI_INT - 3 MPI_INT 0 MPI_COMM_WORLD\n"
            "Gather - 3 MPI_INT - 0 MPI_BYTE 5 MPI_COMM_WORLD\n"
            "Gatherv - 3 MPI_INT - [3] [0] MPI_INT 0 MPI_COMM_WORLD\n"
            "Gatherv - 3 MPI_INT - null null MPI_INT 1 MPI_COMM_WORLD\n"
            "Scatterv - [3] [0] MPI_INT in_place 0 MPI_INT 0 MPI_COMM_WORLD\n"
            "Allgather in_place 0 MPI_BYTE - 2 MPI_INT MPI_COMM_WORLD\n"
            "Alltoallw - [2] [0] [MPI_INT] - [1] [4] [MPI_DOUBLE] MPI_COMM_WORLD\n");
}

static void test_windows(void **state)
{
    (void)state;
    begin();
    call(INIT_THREAD, "411", 0, 2, 4);
    call(WIN_CREATE, "44222", (int)0xc0000000, 8, 0, WORLD, 1);
    call(WIN_FENCE, "12", 2 + 16, 1);
    call(WIN_FENCE, "12", 0xff, 1); /* unknown to the tracer */
    call(PUT, "4244422", 1, DOUBLE, 0, 5, 1, DOUBLE, 1);
    call(WIN_LOCK, "1412", 1, 0, 1, 1);
    call(ACCUMULATE, "42444212", 1, DOUBLE, 0, 5, 1, DOUBLE, REPLACE, 1);
    call(WIN_FREE, "2", 1);
    becomes("Init_thread 1024\n"
            "Win_create - 3221225472 8 MPI_INFO_NULL MPI_COMM_WORLD w0\n"
            "Win_fence 24576 w0\n"
            "Win_fence 0 w0\n"
            "Put - 1 MPI_DOUBLE 0 5 1 MPI_DOUBLE w0\n"
            "Win_lock 302 0 1024 w0\n"
            "Accumulate - 1 MPI_DOUBLE 0 5 1 MPI_DOUBLE MPI_REPLACE w0\n"
            "Win_free w0\n");
}

static void test_others(void **state)
{
    (void)state;
    begin();
    left_out = ISEND;
    call(COMM_SIZE, "24", WORLD, 1);
    call(FILE_OPEN, "2411122", WORLD, 2, 'a', 'b', 1, 0, 1);
    call(IO_TESTSOME, "444444", 1, 1, 7, 1, 1, 0);
    call(ENTER, "8", 4096);
    call(LEAVE, "8", 4096);
    call(BUFFER_DETACH, "4", 100);
    becomes("skip: MPI_Comm_size\n"
            "SKIP: MPI_File_open\n"
            "SKIP: MPIO_Testsome\n"
            "Buffer_detach\n"
            "SKIP: 3 calls of MPI_Isend that are not in the trace\n");
    begin();
    left_out = COMM_RANK;
    becomes("");
}

/* Texts of records have lengths of 4 bytes, as sst-dumpi writes them (putchararr), those of the header 2 (put_string). */
static void test_texts(void **state)
{
    (void)state;
    begin();
    call(GET_PROCESSOR_NAME, "41114", 3, 'c', 'p', 'u', 3);
    call(COMM_SET_NAME, "2411", WORLD, 2, 'w', 'o');
    call(INFO_SET, "24141", 0, 1, 'k', 1, 'v');
    call(COMM_SET_NAME, "24", WORLD, 0);
    call(BARRIER, "2", WORLD);
    becomes("skip: MPI_Get_processor_name\n"
            "skip: MPI_Comm_set_name\n"
            "skip: MPI_Info_set\n"
            "skip: MPI_Comm_set_name\n"
            "Barrier MPI_COMM_WORLD\n");
}

/* Versions of DUMPI before 0.6.9, and before 0.6.2. */
static void test_earlier(void **state)
{
    (void)state;
    begin();
    version = 0x000608;
    call(TYPE_STRUCT, "444444222", 2, 2, 2, 3, 0, 2, INT, INT, MINE);
    call(CART_GET, "424444444444", 2, WORLD, 2, 2, 1, 1, 2, 0, 0, 2, 0, 0);
    call(BCAST, "4242", 1, MINE, 0, WORLD);
    becomes("skip: MPI_Type_struct\n"
            "skip: MPI_Cart_get\n"
            "Type_contiguous 20 MPI_BYTE t0\n"
            "Type_commit t0\n"
            "Bcast - 1 t0 0 MPI_COMM_WORLD\n");
    begin();
    version = 0x000601;
    call(INIT, "4441", 1, 1, 1, 'a');
    call(CART_GET, "42444444", 1, WORLD, 1, 1, 1, 1, 0, 0);
    fields("214244244411", RECV, STATUSES, 1, INT, 0, 7, WORLD, 1, 0, 0, 0, 0); /* no tag */
    becomes("Init\n"
            "skip: MPI_Cart_get\n"
            "Recv - 1 MPI_INT 0 7 MPI_COMM_WORLD\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),      cmocka_unit_test(test_requests),
        cmocka_unit_test(test_types),         cmocka_unit_test(test_operators),
        cmocka_unit_test(test_communicators), cmocka_unit_test(test_collectives),
        cmocka_unit_test(test_windows),       cmocka_unit_test(test_others),
        cmocka_unit_test(test_texts),         cmocka_unit_test(test_earlier),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
