/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what traces are told of accesses to files of MPI: where they lie, whether the rank waits for them and who takes part. */
#include "mpi/file_stage.h"

struct seen {
    enum trace_type type;
    enum trace_kind kind;
    uint64_t op, bytes, offset, span;
    int32_t tag;
    double time;
    char call[40];
};
enum { MOST = 100 };
static struct seen seen[MOST];
static int n_seen;

static void keep(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (ev->type != TRACE_IO_BEGIN && ev->type != TRACE_IO_END)
        return;
    assert_true(n_seen < MOST);
    assert_true(ev->detail && strstr(ev->detail, "/file"));
    struct seen *s = &seen[n_seen++];
    *s =
        (struct seen){ev->type, ev->kind, ev->op, ev->bytes, ev->address, ev->context, ev->tag, ev->time, ""};
    snprintf(s->call, sizeof s->call, "%s", ev->call);
}

/* Of each third byte from 5 on, 1000 take 3000 bytes of the file. */
static void access_all(struct rank *r)
{
    static char data[1000];
    MPI_Request q;
    MPI_Datatype third;
    MPI_File f = files_open(MPI_COMM_SELF, MPI_MODE_CREATE | MPI_MODE_RDWR, NULL);
    (void)r;
    MPI_Type_create_resized(MPI_BYTE, 0, 3, &third);
    MPI_Type_commit(&third);
    MPI_File_set_view(f, 5, MPI_BYTE, third, "native", MPI_INFO_NULL);
    MPI_Type_free(&third);
    MPI_File_write_at(f, 0, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(f, 10, data, 1000, MPI_BYTE, &q);
    // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): it knows no calls on files
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_File_read_at_all(f, 20, data, 100, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(f, 30, data, 1000, MPI_BYTE);
    MPI_File_read_at(f, 1, data, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_end(f, data, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(f, 7, data, 0, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

static void is(int k, enum trace_type type, const char *call, uint64_t bytes, uint64_t offset, uint64_t span,
               int32_t tag)
{
    const struct seen *s = &seen[k];
    enum trace_kind kind = strstr(call, "write") ? TRACE_KIND_WRITE : TRACE_KIND_READ;
    if (s->type != type || strcmp(s->call, call) != 0 || s->bytes != bytes || s->offset != offset ||
        s->span != span || s->tag != tag || s->kind != kind)
        fail_msg(
            "event %d: %s of %s: %lu bytes in %lu at %lu, tag %d; expected %s of %s: %lu in %lu at %lu, %d",
            k, trace_types[s->type].text, s->call, s->bytes, s->span, s->offset, s->tag,
            trace_types[type].text, call, bytes, span, offset, tag);
}

static void accesses(void **state)
{
    (void)state;
    files_begin(1, "");
    stage.trace.wanted = 1u << TRACE_CATEGORY_IO;
    n_seen = 0;
    trace_attach(&stage.trace, &(struct trace_sink){.event = keep, .close = files_note_end});
    files_play(access_all);
    for (int k = 0; k < 2; k++) {
        enum trace_type type = k ? TRACE_IO_END : TRACE_IO_BEGIN;
        is(k, type, "MPI_File_write_at", 1000, 5, 2998, 0);
        is(2 + k, type, "MPI_File_iwrite_at", 1000, 35, 2998, TRACE_IO_STARTED);
        is(4 + k, type, "MPI_File_read_at_all", 100, 65, 298, TRACE_IO_ALL);
        is(10 + k, type, "MPI_File_write_at_all", 0, 0, 0, TRACE_IO_ALL);
        assert_true(seen[2 * k].op != seen[2 * k + 4].op && seen[2 * k].op == seen[2 * k + 1].op);
    }
    is(6, TRACE_IO_BEGIN, "MPI_File_read_at_all_begin", 1000, 95, 2998, TRACE_IO_STARTED | TRACE_IO_ALL);
    is(7, TRACE_IO_BEGIN, "MPI_File_read_at", 1, 8, 1, 0);
    assert_int_equal(n_seen, 12);
    for (int k = 1; k < n_seen; k++)
        assert_true(seen[k - 1].time <= seen[k].time);
    assert_true(seen[0].time < seen[1].time && seen[2].time < seen[3].time);
}

/* --- steps of two phases --------------------------------------------------------------------------------------- */

static char steps[400];

static void keep_step(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    size_t n = strlen(steps);
    if ((ev->type == TRACE_PHASE_BEGIN || ev->type == TRACE_PHASE_END) && ev->rank == 1)
        snprintf(steps + n, sizeof steps - n, "%s %s %lu\n", ev->type == TRACE_PHASE_BEGIN ? "begin" : "end",
                 ev->call, ev->context);
}

/* Blocks of 100 bytes alternate; an aggregator has 1000 bytes, in two rounds. */
static void access_in_rounds(struct rank *r)
{
    static char data[1000];
    static const char *const hints[] = {"cb_buffer_size", "500", NULL};
    MPI_Datatype blocks;
    MPI_File f = files_open(MPI_COMM_WORLD, MPI_MODE_CREATE | MPI_MODE_RDWR, hints);
    MPI_Type_vector(10, 100, 200, MPI_BYTE, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_set_view(f, 100 * r->id, MPI_BYTE, blocks, "native", MPI_INFO_NULL);
    MPI_Type_free(&blocks);
    MPI_File_write_all(f, data, 1000, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&f);
}

static void rounds(void **state)
{
    (void)state;
    files_begin(2, "");
    stage.trace.wanted = ~0u;
    *steps = 0;
    trace_attach(&stage.trace, &(struct trace_sink){.event = keep_step, .close = files_note_end});
    files_play(access_in_rounds);
    assert_string_equal(
        steps, "begin telling where 0\nend telling where 0\n"
               "begin exchange 0\nend exchange 0\nbegin aggregator writes 0\nend aggregator writes 0\n"
               "begin exchange 1\nend exchange 1\nbegin aggregator writes 1\nend aggregator writes 1\n"
               "begin agreeing 2\nend agreeing 2\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accesses), cmocka_unit_test(rounds)};
    return files_main(tests, BASE_LENGTH(tests));
}
