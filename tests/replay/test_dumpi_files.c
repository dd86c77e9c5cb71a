/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of DUMPI: times, names, and what is said of wrong files. */
#include "replay/dumpi_file.h"

/* --- times --------------------------------------------------------------------------------------------------- */

static void test_times(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        keep_times = k == 1;
        begin();
        fields("2124242424", BARRIER, CPU + WALL, 1, 0, 1, 10, 5, 100, 6, 50);
        put(2, WORLD);
        fields("212242418888", BARRIER, THREAD + WALL + COUNTERS, 1, 6, 1050, 8, 0, 2, 1, 2, 3, 4);
        put(2, WORLD);
        fields("212424", BARRIER, WALL, 7, 0, 8, 100); /* of another thread, meanwhile */
        put(2, WORLD);
        call(BARRIER, "2", WORLD); /* without times */
        fields("212424", COMM_RANK, WALL, 8, 200, 8, 300);
        fields("24", WORLD, 0);
        becomes(
            keep_times
                ? "times 5.0000001e+09 999999950\nBarrier MPI_COMM_WORLD\nseconds 1e-06\n"
                  "times 6.00000105e+09 1999998950\nBarrier MPI_COMM_WORLD\n"
                  "times 7e+09 1000000100\nBarrier MPI_COMM_WORLD\nBarrier MPI_COMM_WORLD\nseconds 1e-07\n"
                  "times 8.0000002e+09 100\nskip: MPI_Comm_rank\n"
                : "Barrier MPI_COMM_WORLD\nseconds 1e-06\nBarrier MPI_COMM_WORLD\nBarrier MPI_COMM_WORLD\n"
                  "Barrier MPI_COMM_WORLD\nseconds 1e-07\nskip: MPI_Comm_rank\n");
    }
    keep_times = false;
}

/* Seconds of 16 bits begin again; without the wall's time the CPU's counts. */
static void test_long(void **state)
{
    (void)state;
    begin();
    for (int k = 0; k < 4; k++) {
        fields("212424", BARRIER, CPU, k * 30000, 0, k * 30000 + 10, 0);
        put(2, WORLD);
    }
    becomes("Barrier MPI_COMM_WORLD\nseconds 29990\nBarrier MPI_COMM_WORLD\nseconds 29990\nBarrier "
            "MPI_COMM_WORLD\n"
            "seconds 29990\nBarrier MPI_COMM_WORLD\n");
}

/* --- files --------------------------------------------------------------------------------------------------- */

static void one_rank(const char *name, int members)
{
    begin();
    call(COMM_SIZE, "24", WORLD, members);
    call(BARRIER, "2", WORLD);
    finish();
    save(name, file, n);
}

static void assert_two(const char *name, uint32_t ranks)
{
    struct base_status st = {""};
    struct replay_tape *t = read_file(name, ranks, &st);
    if (!t)
        fail_msg("%s", st.text);
    assert_int_equal(replay_tape_ranks(t), 2);
    assert_actions(t, 1, "skip: MPI_Comm_size\nBarrier MPI_COMM_WORLD\n");
    replay_tape_destroy(t);
}

static void test_files(void **state)
{
    static const char text[] =
        "hostname=a\nnumprocs=2\nusername=b\nfileprefix=/far/away/two-2011\nversion=1\n";
    struct base_status st = {""};
    (void)state;
    one_rank("two-2011-0000.bin", 2);
    one_rank("two-2011-0001.bin", 2);
    save("two-2011.meta", text, sizeof text - 1);
    save("other.meta", text, sizeof text - 1);
    assert_two("two-2011-0000.bin", 0);
    assert_two("two-2011.meta", 2);
    assert_two("other.meta", 0);
    assert_true(replay_dumpi_is(text, sizeof text - 1));
    assert_true(replay_dumpi_is((const char *)file, n));
    assert_false(replay_dumpi_is(text, 20));
    assert_false(replay_dumpi_is("0 init\n", 7));
    assert_null(read_file("two-2011.meta", 3, &st));
    assert_string_equal(st.text, "two-2011.meta: there are 2 ranks; expected 3, the number of ranks");
    assert_null(read_file("two-2011-0001.bin", 0, &st));
    unlink("two-2011-0001.bin");
    assert_null(read_file("two-2011.meta", 0, &st));
    assert_string_equal(st.text, "two-2011-0001.bin: No such file or directory");
    assert_null(read_file("two-2011-0000.bin", 0, &st));
    assert_string_equal(st.text,
                        "two-2011-0000.bin: call 1, MPI_Comm_size: a communicator of 2 members; expected 1");
    unlink("two-2011-0000.bin");
    assert_null(read_file("other.meta", 0, &st));
    assert_string_equal(st.text, "other.meta: expected the file of rank 0 beside it: two-2011-0000.bin");
    save("other.meta", "numprocs=x\nfileprefix=a\n", 24);
    assert_null(read_file("other.meta", 0, &st));
    assert_string_equal(st.text, "other.meta:1: numprocs=x; expected a number from 1 to 4194304");
    unlink("two-2011.meta");
    unlink("other.meta");
}

static void test_wrong_calls(void **state)
{
    (void)state;
    begin();
    call(PCONTROL, "");
    refuses("t-0.bin: byte 16: a record of call number 128, which there is not");
    begin();
    call(CALLS, "");
    refuses("t-0.bin: byte 16: a record of call number 290, which there is not");
    begin();
    call(BARRIER, "2", 4);
    refuses("t-0.bin: call 1, MPI_Barrier: communicator number 4: no call that is played has made it before");
    begin();
    call(COMM_DUP, "22", WORLD, 4);
    call(COMM_FREE, "2", 4);
    call(BARRIER, "2", 4);
    refuses("t-0.bin: call 3, MPI_Barrier: communicator number 4: it was freed before");
    begin();
    call(BCAST, "4242", 1, MINE, 0, WORLD);
    refuses("t-0.bin: call 1, MPI_Bcast: type number 29: neither a call that makes it nor the trace's list "
            "of sizes says "
            "how large it is");
    begin();
    call(WAITALL, "4444", 3, 2, 2, 3);
    refuses("t-0.bin: call 1, MPI_Waitall: array_of_requests: 2 numbers; expected 3");
    begin();
    call(GATHERV, "4442424444442", 0, 2, 3, INT, 0, WORLD, 2, 3, 3, 2, 0, 3, INT);
    refuses("t-0.bin: call 1, MPI_Gatherv: a communicator of 2 members; expected 1");
    begin();
    call(CART_SUB, "42442", 1, WORLD, 1, 1, 7);
    refuses("t-0.bin: call 1, MPI_Cart_sub: remain_dims: 1 numbers; expected 0");
}

static void test_wrong_bytes(void **state)
{
    (void)state;
    begin();
    call(WAITALL, "44", 1, -1);
    refuses("t-0.bin: byte 25, MPI_Waitall: an array of -1 elements; expected 0 or more");
    begin();
    fields("212424", FINALIZE, WALL, 5, 100, 5, 99);
    refuses("t-0.bin: byte 19: a call ends before it begins");
    begin();
    fields("2124", FINALIZE, WALL, 5, 1000000000);
    refuses("t-0.bin: byte 21: 1000000000 ns; expected less than a second");
    begin();
    finish();
    save("t-0.bin", file, n - 1);
    refused("t-0.bin: expected the index of a trace of DUMPI in its last 64 bytes; it may be cut off");
    file[n - 32 + 7]++;
    save("t-0.bin", file, n);
    refused("t-0.bin: its records end at byte 18; expected byte 19, where the header begins");
    file[n - 32]++;
    save("t-0.bin", file, n);
    refused("t-0.bin: its index names byte 72057594037927955; expected at most 2573, its size");
    begin();
    put(2, INIT);
    save("t-0.bin", file, n);
    refused("t-0.bin: expected the index of a trace of DUMPI in its last 64 bytes; it may be cut off");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),       cmocka_unit_test(test_long),        cmocka_unit_test(test_files),
        cmocka_unit_test(test_wrong_calls), cmocka_unit_test(test_wrong_bytes),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
