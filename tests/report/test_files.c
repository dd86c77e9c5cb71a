/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins facts of files from events told by hand: accesses and requests by file, remarks, who waited for which disk, steps
 * and aggregators; and the worlds of ranks. */
#include "report/file.h"
#include "report/stage.h"
#include "report/written.h"

static void ask(struct stage *s, double time, uint32_t rank, uint64_t op, const char *path, uint64_t at,
                uint64_t bytes)
{
    TELL(s, time, IO_ASKED, rank, .op = op, .detail = path, .bytes = bytes, .address = at,
         .kind = TRACE_KIND_WRITE, .call = "write");
}

static void answer(struct stage *s, double time, uint32_t rank, uint64_t op, const char *disk, uint32_t host,
                   uint64_t bytes, double least)
{
    TELL(s, time, IO_SERVED, rank, .op = op, .call = disk, .context = host, .bytes = bytes, .least = least,
         .kind = TRACE_KIND_WRITE);
    TELL(s, time, IO_ANSWERED, rank, .op = op);
}

/* Rank 0 waits from 1 to 6: for disk x until 3; for y until 4, though it was asked at 1, too; for nothing until 6. Rank 1
 * does not wait when it is answered. A sync of rank 0 waits from 7 to 9 for what y, its last disk, does meanwhile. */
static void play_waits(struct stage *s)
{
    for (uint32_t r = 0; r < 2; r++)
        TELL(s, 0, RANK_BEGIN, r, .op = 0);
    TELL(s, 1, IO_BEGIN, 0, .op = 1, .call = "w", .detail = "f", .bytes = 30, .context = 40,
         .kind = TRACE_KIND_WRITE, .tag = TRACE_IO_ALL);
    TELL(s, 1, WAIT_BEGIN, 0, .call = "w");
    ask(s, 1, 0, 2, "f", 0, 10);
    ask(s, 1, 0, 3, "f", 10, 20);
    ask(s, 1, 1, 4, "g", 0, 5);
    answer(s, 3, 0, 2, "x", 1, 10, 2);
    answer(s, 3, 1, 4, "x", 1, 5, 1);
    TELL(s, 3.5, IO_SERVED, 0, .op = 3, .call = "x", .context = 1, .bytes = 8, .least = 1,
         .kind = TRACE_KIND_WRITE);
    answer(s, 4, 0, 3, "y", 0, 12, 3);
    TELL(s, 6, WAIT_END, 0, .call = "w");
    TELL(s, 6, IO_END, 0, .op = 1, .call = "w", .detail = "f", .bytes = 30);
    TELL(s, 7, IO_ASKED, 0, .op = 5, .call = "sync", .detail = "f", .kind = TRACE_KIND_FILE);
    TELL(s, 7, WAIT_BEGIN, 0, .call = "fsync");
    TELL(s, 9, IO_ANSWERED, 0, .op = 5);
    TELL(s, 9, WAIT_END, 0, .call = "fsync");
}

static void who_waited(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    play_waits(&s);
    struct report_facts *f = stage_facts(&s, 10);
    const struct report_files *x = f->files;
    assert_int_equal(x->file.n, 2);
    const struct report_file_way *w = &x->file.at[0].way[REPORT_WRITES];
    assert_string_equal(x->file.at[0].path, "f");
    assert_true(w->accesses == 1 && w->together == 1 && w->gaps == 1 && w->bytes == 30 && w->requests == 2 &&
                w->asked == 30 && w->further == 0);
    assert_true(x->file.at[0].seconds == 5 && x->file.at[0].longest == 5 && x->file.at[0].longest_rank == 0);
    assert_int_equal(x->server.n, 2);
    assert_string_equal(x->server.at[0].name, "y"); /* waited for longest */
    assert_true(x->server.at[0].waited == 3 && x->server.at[1].waited == 2 && x->server.at[1].parts == 3);
    assert_true(x->server.at[1].seconds == 4 && x->server.at[1].bytes[REPORT_WRITES] == 23);
    assert_int_equal(x->wait.n, 2);
    assert_true(x->wait.at[0].rank == 0 && x->wait.at[0].server == 0 && x->wait.at[0].seconds == 3);
    assert_true(x->wait.at[1].rank == 0 && x->wait.at[1].server == 1 && x->wait.at[1].seconds == 2);
    char *text = written_text(report_files_print, f, 1);
    assert_non_null(strstr(text, "\nWho waited for which disk\n       3.000 s   60.0%  rank 0 for y of a\n"
                                 "  and 1 more\n"));
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

/* So many requests of a rank, `gap` bytes apart. */
static void play_requests(struct stage *s, const char *path, unsigned n, uint64_t bytes, uint64_t gap)
{
    for (unsigned k = 0; k < n; k++)
        ask(s, 1, 0, 100 + k, path, k * (bytes + gap), bytes);
}

static void remarks(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 1, 1);
    play_requests(&s, "strided", 16, 1024, 1);
    play_requests(&s, "small", 16, 1024, 0);
    play_requests(&s, "few", 15, 1024, 1);
    play_requests(&s, "large", 16, REPORT_SMALL_BYTES, 1);
    TELL(&s, 1, IO_BEGIN, 0, .op = 1, .detail = "sieved", .bytes = 16 << 20, .context = 48 << 20,
         .kind = TRACE_KIND_WRITE);
    play_requests(&s, "sieved", 16, (2 << 20) + 1, 0);
    TELL(&s, 1, IO_BEGIN, 0, .op = 2, .detail = "rounds", .bytes = 16, .kind = TRACE_KIND_WRITE);
    TELL(&s, 1, PHASE_BEGIN, 0, .op = 2, .call = "write", .kind = TRACE_KIND_WRITE, .bytes = 100);
    play_requests(&s, "rounds", 16, 100, 0);
    TELL(&s, 2, IO_ASKED, 0, .op = 3, .detail = "few", .bytes = 1, .address = 1 << 20, .tag = 1,
         .kind = TRACE_KIND_WRITE); /* written out of a cache: it was asked for before */
    static const struct {
        const char *path;
        enum report_remark remark;
    } wanted[] = {{"strided", REPORT_STRIDED},    {"small", REPORT_SMALL},   {"few", REPORT_UNREMARKABLE},
                  {"large", REPORT_UNREMARKABLE}, {"sieved", REPORT_SIEVED}, {"rounds", REPORT_ROUNDS}};
    struct report_facts *f = stage_facts(&s, 10);
    assert_int_equal(f->files->file.n, BASE_LENGTH(wanted));
    for (size_t k = 0; k < BASE_LENGTH(wanted); k++)
        for (size_t i = 0; i < f->files->file.n; i++) {
            const struct report_file *file = &f->files->file.at[i];
            if (!strcmp(file->path, wanted[k].path) && file->way[REPORT_WRITES].remark != wanted[k].remark)
                fail_msg("%s: \"%s\", expected \"%s\"", file->path,
                         report_remark_text(file->way[REPORT_WRITES].remark),
                         report_remark_text(wanted[k].remark));
        }
    report_facts_destroy(f);
    stage_release(&s);
}

/* Rank 1 is an aggregator of rank 0's access, too; steps of an access that the trace does not have are left out. */
static void two_phases(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    for (uint32_t r = 0; r < 2; r++) {
        TELL(&s, 1, IO_BEGIN, r, .op = 10 + r, .call = "all", .detail = "f", .bytes = 8,
             .kind = TRACE_KIND_READ);
        TELL(&s, 1, PHASE_BEGIN, r, .op = 10 + r, .call = "tell", .kind = TRACE_KIND_ALLGATHER);
    }
    TELL(&s, 2, PHASE_END, 0, .op = 10, .call = "tell", .kind = TRACE_KIND_ALLGATHER);
    TELL(&s, 3, PHASE_END, 1, .op = 11, .call = "tell", .kind = TRACE_KIND_ALLGATHER);
    TELL(&s, 3, PHASE_BEGIN, 1, .op = 11, .call = "read", .kind = TRACE_KIND_READ, .bytes = 16);
    TELL(&s, 7, PHASE_END, 1, .op = 11, .call = "read", .kind = TRACE_KIND_READ);
    for (uint32_t r = 0; r < 2; r++)
        TELL(&s, 7, PHASE_BEGIN, r, .op = 10 + r, .call = "exchange", .kind = TRACE_KIND_EXCHANGE,
             .bytes = 8);
    TELL(&s, 7, PHASE_BEGIN, 0, .op = 99, .call = "exchange", .kind = TRACE_KIND_EXCHANGE, .bytes = 8);
    for (uint32_t r = 0; r < 2; r++)
        TELL(&s, 8.5, PHASE_END, r, .op = 10 + r, .call = "exchange", .kind = TRACE_KIND_EXCHANGE);
    struct report_facts *f = stage_facts(&s, 10);
    const struct report_files *x = f->files;
    assert_int_equal(x->step.n, 3);
    assert_true(x->step.at[0].count == 2 && x->step.at[0].seconds == 3 && x->step.at[0].longest == 2);
    assert_true(x->step.at[1].count == 1 && x->step.at[1].seconds == 4 && x->step.at[1].bytes == 16);
    assert_true(x->step.at[2].count == 2 && x->step.at[2].seconds == 3 && x->step.at[2].bytes == 16);
    assert_int_equal(x->aggregator.n, 1);
    const struct report_aggregator *g = &x->aggregator.at[0];
    assert_true(g->rank == 1 && g->rounds == 1 && g->bytes[REPORT_READS] == 16 &&
                g->seconds[REPORT_READS] == 4 && g->exchanging == 1.5);
    assert_true(x->file.at[0].way[REPORT_READS].rounds == 1);
    report_facts_destroy(f);
    stage_release(&s);
}

static void worlds(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 5, 2);
    for (uint32_t r = 0; r < 2; r++)
        TELL(&s, 0, RANK_BEGIN, r, .op = 0);
    for (uint32_t r = 2; r < 5; r++)
        TELL(&s, 2 + r, RANK_BEGIN, r, .context = r < 4 ? 1 : 2);
    for (uint32_t r = 0; r < 4; r++)
        TELL(&s, 8, RANK_END, r, .op = 0);
    struct report_facts *f = stage_facts(&s, 10);
    assert_int_equal(f->worlds.n, 3);
    assert_true(f->worlds.at[0].first == 0 && f->worlds.at[0].ranks == 2 && f->worlds.at[0].begin == 0);
    assert_true(f->worlds.at[1].first == 2 && f->worlds.at[1].ranks == 2 && f->worlds.at[1].begin == 4 &&
                f->worlds.at[1].end == 8);
    assert_true(f->worlds.at[2].first == 4 && f->worlds.at[2].ranks == 1);
    char *text = written_text(report_worlds_print, f, 2);
    assert_string_equal(text,
                        "\nWorlds (ranks that were started together)\n"
                        "     0: 2 ranks from rank 0 on, 0 s to 8.000 s, computing 0 s, waiting 0 s\n"
                        "     1: 2 ranks from rank 2 on, 4.000 s to 8.000 s, computing 0 s, waiting 0 s\n"
                        "  and 1 more\n");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_waited), cmocka_unit_test(remarks),
                                       cmocka_unit_test(two_phases), cmocka_unit_test(worlds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
