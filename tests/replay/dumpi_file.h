/* SPDX-License-Identifier: BSD-3-Clause */
/* dumpi_file: a file of DUMPI, written byte by byte, and what it becomes, for tests. */
#ifndef PGASIM_TESTS_DUMPI_FILE_H
#define PGASIM_TESTS_DUMPI_FILE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "record/record.h"
#include "replay/dumpi/dumpi.h"

/* clang-format off */
/* DUMPI's numbers of calls. */
enum {
    SEND = 0, RECV = 1, GET_COUNT = 2, BUFFER_DETACH = 7, ISEND = 8, IRECV = 12, WAIT = 13, TEST = 14,
    WAITANY = 16, WAITALL = 18, WAITSOME = 20, SEND_INIT = 26, START = 31, TYPE_VECTOR = 36,
    TYPE_STRUCT = 40, BARRIER = 52, BCAST = 53, GATHER = 54, GATHERV = 55, SCATTERV = 57, ALLGATHER = 58,
    OP_CREATE = 63, ALLREDUCE = 65, COMM_GROUP = 72, GROUP_RANGE_INCL = 78, GROUP_FREE = 80, COMM_SIZE = 81,
    COMM_RANK = 82, COMM_DUP = 84, COMM_CREATE = 85, COMM_SPLIT = 86, COMM_FREE = 87, INTERCOMM_CREATE = 91,
    CART_CREATE = 99, GET_PROCESSOR_NAME = 114, COMM_SET_NAME = 167, INFO_SET = 213, CART_GET = 105, CART_SUB = 111, INIT = 124, FINALIZE = 125, PCONTROL = 128,
    ACCUMULATE = 141, PUT = 143, WIN_CREATE = 145, WIN_FENCE = 146, WIN_FREE = 147, WIN_LOCK = 149,
    ALLTOALLW = 155, INIT_THREAD = 171, TYPE_CREATE_SUBARRAY = 223, FILE_OPEN = 230, IO_TESTSOME = 289,
    CALLS = 290, ENTER = 291, LEAVE = 292, END = 293
};
/* DUMPI's numbers of objects and types; what a record's mask says. */
enum { WORLD = 2, SELF = 3, CHAR = 2, INT = 9, DOUBLE = 14, FORTRAN = 28, MINE = 29, SUM = 3, BAND = 6, REPLACE = 13 };
enum { STATUSES = 3, CPU = 4, WALL = 8, THREAD = 64, COUNTERS = 128 };
/* clang-format on */

static unsigned char file[1 << 16];
static size_t n;
static unsigned version, left_out; /* 0xAABBCC; a call that the tracer left out three times; 0: none */
static int sizes[32];              /* of types */

static inline void put(unsigned bytes, uint64_t value)
{
    while (bytes--)
        file[n++] = (unsigned char)(value >> 8 * bytes);
}

/* Numbers of as many bytes as the digits say. */
static inline void put_fields(const char *widths, va_list values)
{
    for (; *widths; widths++)
        put((unsigned)(*widths - '0'), (uint64_t)va_arg(values, int));
}

static inline void fields(const char *widths, ...)
{
    va_list values;
    va_start(values, widths);
    put_fields(widths, values);
    va_end(values);
}

static inline void call(int number, const char *widths, ...)
{
    va_list values;
    fields("212", number, THREAD, 0);
    va_start(values, widths);
    put_fields(widths, values);
    va_end(values);
}

static inline void begin(void)
{
    n = 0;
    version = 0x010000;
    left_out = 0;
    memset(sizes, 0, sizeof sizes);
    fields("4444", (int)0xffaadd44, 0x554d5049, 50, 1000); /* and the biases of the clocks */
}

static inline void put_index(size_t header, size_t footer, size_t at_sizes)
{
    if (version >= 0x000606) {
        fields("44", (int)0xffaadd44, 0x554d5049);
        put(8, at_sizes);
        put(8, 0);
    } else { /* there is no list of sizes, nor of addresses */
        fields("44", (int)0xffaadd44, 0x554d5049);
    }
    put(8, 0);
    put(8, header);
    put(8, 8);
    put(8, footer);
    put(8, 0);
}

/* What follows the records. */
static inline void finish(void)
{
    put(2, END);
    size_t header = n;
    fields("1114422", version >> 16, version >> 8 & 255, version & 255, 0, 1000, 0, 0);
    fields("44", 0, 0);
    size_t footer = n;
    put(8, 0xf007fee7);
    for (int k = 0; k < 2 * (CALLS + 1); k++)
        put(4, left_out && k == CALLS + 1 + (int)left_out ? 3 : 0);
    size_t at_sizes = n;
    put(4, BASE_LENGTH(sizes));
    for (size_t k = 0; k < BASE_LENGTH(sizes); k++)
        put(4, (uint64_t)sizes[k]);
    put_index(header, footer, at_sizes);
}

static inline void save(const char *name, const void *bytes, size_t length)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, length, f), length);
    assert_int_equal(fclose(f), 0);
}

static char folder[] = "/tmp/pgasim-dumpi-XXXXXX";

/* --- reading ------------------------------------------------------------------------------------------------- */

static bool keep_times;

static inline struct replay_tape *read_file(const char *name, uint32_t ranks, struct base_status *st)
{
    struct replay_input *in = replay_input_open(name, st);
    assert_non_null(in);
    struct replay_tape *t = replay_tape_create();
    if (keep_times)
        replay_tape_keep_times(t);
    int rc = replay_dumpi_read(t, in, ranks, st);
    replay_input_close(in);
    if (!rc) {
        replay_tape_seal(t);
        return t;
    }
    replay_tape_destroy(t);
    return NULL;
}

static inline size_t describe(const struct replay_action *a, char *to, size_t room)
{
    switch (a->kind) {
    case REPLAY_CALL: {
        char words[512];
        words[record_print(&record_mpi[a->number], a->counts, a->n, words, sizeof words - 1)] = '\0';
        return (size_t)snprintf(to, room, "%s%s\n", record_mpi[a->number].name + 4, words);
    }
    case REPLAY_SECONDS:
        return (size_t)snprintf(to, room, "seconds %.9g\n", a->amount);
    case REPLAY_TIMES:
        return (size_t)snprintf(to, room, "times %.9g %llu\n", a->amount, (unsigned long long)a->bytes);
    case REPLAY_SKIP:
        return (size_t)snprintf(to, room, "%s: %s\n", a->number ? "SKIP" : "skip", a->text);
    default:
        return (size_t)snprintf(to, room, "action %d\n", a->kind);
    }
}

static inline void assert_actions(struct replay_tape *t, uint32_t rank, const char *expected)
{
    static char got[1 << 16];
    size_t at = 0;
    struct replay_cursor c;
    struct replay_action a;
    got[0] = '\0';
    replay_cursor_begin(t, rank, &c);
    while (replay_cursor_next(t, &c, &a))
        at += describe(&a, got + at, sizeof got - at);
    replay_cursor_end(&c);
    assert_string_equal(got, expected);
}

/* The records so far are those of the only rank. */
static inline void becomes(const char *expected)
{
    struct base_status st = {""};
    finish();
    save("t-0.bin", file, n);
    struct replay_tape *t = read_file("t-0.bin", 0, &st);
    if (!t)
        fail_msg("%s", st.text);
    assert_int_equal(replay_tape_ranks(t), 1);
    assert_actions(t, 0, expected);
    replay_tape_destroy(t);
}

static inline void refused(const char *why)
{
    struct base_status st = {""};
    assert_null(read_file("t-0.bin", 0, &st));
    assert_string_equal(st.text, why);
}

static inline void refuses(const char *why)
{
    finish();
    save("t-0.bin", file, n);
    refused(why);
}

/* --- a folder of the test's own ------------------------------------------------------------------------------ */

static inline int enter(void **state)
{
    (void)state;
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

static inline int leave(void **state)
{
    (void)state;
    return unlink("t-0.bin") || chdir("/") || rmdir(folder);
}

#endif
