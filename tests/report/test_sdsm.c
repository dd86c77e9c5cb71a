/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins what becomes of the S-DSM's events: scopes, chunks, false sharing, processes; the profile's text and JSON; the
 * tables; files of a real run. A small run is derived by hand: rank 0 is a server, 1 and 2 are its clients.
 */
#include "report/internal.h"
#include "report/stage.h"
#include "report/written.h"

#include <sys/stat.h>
#include <unistd.h>

static int64_t kept[64][TRACE_VALUES];
static size_t kept_n;

#define SAT(s, when, who, what, ...)                                                                         \
    sat(s, when, who, "sat." what, (const int64_t[]){__VA_ARGS__},                                           \
        sizeof(const int64_t[]){__VA_ARGS__} / sizeof(int64_t))
static void sat(struct stage *s, double when, uint32_t who, const char *name, const int64_t *values, size_t n)
{
    assert_true(kept_n < BASE_LENGTH(kept));
    memcpy(kept[kept_n], values, n * sizeof *values);
    TELL(s, when, USER, who, .call = name, .detail = "", .peer = (uint32_t)n, .values = kept[kept_n++]);
}

/* Chunk 10 is changed by 1 in bytes 0 to 7 and by 2 in 32 to 47; chunk -1 (2^64 - 1) is read, and waited for to the end. */
static void play(struct stage *s)
{
    kept_n = 0;
    stage_init(s, 4, 2);
    SAT(s, 0, 0, "process", 0, -1);
    SAT(s, 0, 1, "process", 1, 0);
    SAT(s, 0, 2, "process", 1, 0);
    SAT(s, 1, 1, "alloc", 10, 64, SDSM_MALLOC, 1, 0);
    SAT(s, 1, 1, "acquire", 10, SDSM_WRITE, 0);
    SAT(s, 2, 2, "acquire", 10, SDSM_READWRITE, 0);
    SAT(s, 3, 1, "granted", 10, SDSM_WRITE, 1, 0);
    SAT(s, 3, 1, "alloc", 10, 64, SDSM_FILLED, 1, 1);
    SAT(s, 4, 1, "release", 10, SDSM_WRITE, 0, 8, 6, 64);
    SAT(s, 5, 2, "granted", 10, SDSM_READWRITE, 0, 64);
    SAT(s, 7, 2, "release", 10, SDSM_READWRITE, 32, 48, 16, 64);
    SAT(s, 7, 1, "acquire", -1, SDSM_READ, 0);
    SAT(s, 7, 2, "wait", SDSM_BARRIER, 3);
    SAT(s, 9, 2, "woken", SDSM_BARRIER, 3);
    SAT(s, 9, 0, "wait", SDSM_LOCK, 1);                 /* to the end */
    SAT(s, 9, 2, "release", 10, SDSM_READ, 0, 0, 0, 0); /* of no scope */
    SAT(s, 9, 1, "nonsense", 1);
    SAT(s, 9, 1, "granted", 10); /* too few values */
    SAT(s, 10, 1, "sent", 0, 4, 3, 288);
    SAT(s, 10, 0, "sent", 2, 3, 1, 160);
    SAT(s, 10, 0, "sent", 2, 99, 1, 1);
    SAT(s, 10, 1, "time", 3000000000, 1000000000, 500000000, 250000000);
    SAT(s, 10, 1, "energy", 2500000);
    TELL(s, 10, USER, 3, .call = "mine", .detail = "");
}

static void scopes_and_chunks(void **state)
{
    (void)state;
    struct stage s;
    play(&s);
    struct report_facts *f = stage_facts(&s, 11);
    const struct report_sdsm *d = f->sdsm;
    assert_int_equal(d->seen, 3);
    assert_int_equal(d->servers, 1);
    assert_int_equal(d->ignored, 3);
    assert_int_equal(d->chunks.n, 2);
    const struct sdsm_chunk *c = sdsm_chunk_at(d, 0), *top = sdsm_chunk_at(d, 1);
    assert_true(c->id == 10 && c->size == 64 && c->hits == 1 && c->moved == 64 && c->written == 128);
    assert_true(c->changed == 22 && c->handovers == 1 && c->processes == 2 && c->apart);
    assert_true(c->scopes[SDSM_WRITE] == 1 && c->scopes[SDSM_READWRITE] == 1 && c->scopes[SDSM_READ] == 0);
    assert_true(c->waited == 5 && c->longest == 3 && c->longest_at == 2 && c->longest_rank == 2);
    assert_true(c->held == 3);
    assert_true(top->id == UINT64_MAX && top->waited == 4 && sdsm_chunk_scopes(top) == 0 && !top->apart);
    const struct sdsm_scope *open = &d->process[1].scopes.at[1];
    assert_true(!open->granted && !open->ended && open->begin == 7 && open->end == 11 && open->wait == 4);
    assert_true(d->process[2].wait[SDSM_BARRIER].count == 1 && d->process[2].wait[SDSM_BARRIER].seconds == 2);
    assert_true(d->process[1].time[SDSM_USER] == 3 && d->process[1].joules == 2.5 && !d->process[0].timed);
    assert_int_equal(d->process[0].sent.at[1].type, SDSM_TYPES - 1);
    assert_int_equal(d->process[1].allocations.at[1].footprint, 1);
    report_facts_destroy(f);
    stage_release(&s);
}

static void sharing(void **state)
{
    (void)state;
    static const struct {
        int64_t first[3], end[3];
        bool apart;
    } rows[] = {
        {{0, 8, 16}, {8, 16, 24}, true},  /* one behind the other */
        {{16, 0, 8}, {24, 8, 16}, true},  /* in any order */
        {{0, 7, 16}, {8, 16, 24}, false}, /* a byte of two */
        {{0, 0, 16}, {8, 0, 24}, false},  /* the second one's are not known */
        {{0, 0, 0}, {64, 64, 64}, false},
    };
    for (size_t row = 0; row < BASE_LENGTH(rows); row++) {
        struct report_sdsm *d = sdsm_create(3);
        for (uint32_t k = 0; k < 3; k++) {
            sdsm_add(d, k, k, "sat.granted", (const int64_t[]){5, SDSM_WRITE, 0, 64}, 4);
            sdsm_add(d, k, k, "sat.release",
                     (const int64_t[]){5, SDSM_WRITE, rows[row].first[k], rows[row].end[k], 1, 64}, 6);
        }
        sdsm_finish(d, 5);
        if (sdsm_chunk_at(d, 0)->apart != rows[row].apart)
            fail_msg("row %zu: false sharing %d, expected %d", row, sdsm_chunk_at(d, 0)->apart,
                     rows[row].apart);
        assert_int_equal(sdsm_chunk_at(d, 0)->handovers, 2);
        sdsm_destroy(d);
    }
}

/* With more writers than are kept it is not known. */
static void many_writers(void **state)
{
    (void)state;
    struct report_sdsm *d = sdsm_create(SDSM_WRITERS + 1);
    for (uint32_t k = 0; k <= SDSM_WRITERS; k++) {
        sdsm_add(d, k, k, "sat.granted", (const int64_t[]){5, SDSM_WRITE, 0, 64}, 4);
        sdsm_add(d, k, k, "sat.release", (const int64_t[]){5, SDSM_WRITE, 8 * k, 8 * k + 8, 1, 640}, 6);
    }
    sdsm_finish(d, 50);
    assert_true(sdsm_chunk_at(d, 0)->writers == SDSM_WRITERS + 1 && !sdsm_chunk_at(d, 0)->apart);
    sdsm_destroy(d);
}

/* Nested scopes, releases without a scope, times that go back. */
static void mistakes(void **state)
{
    (void)state;
    struct report_sdsm *d = sdsm_create(1);
    sdsm_add(d, 5, 0, "sat.acquire", (const int64_t[]){1, SDSM_READ, 0}, 3);
    sdsm_add(d, 4, 0, "sat.acquire", (const int64_t[]){1, SDSM_WRITE, 0}, 3);
    sdsm_add(d, 6, 0, "sat.granted", (const int64_t[]){1, SDSM_WRITE, 1, 0}, 4);
    sdsm_add(d, 6, 0, "sat.granted", (const int64_t[]){1, SDSM_WRITE, 1, 0}, 4);
    sdsm_add(d, 6, 0, "sat.acquire", (const int64_t[]){1, 3, 0}, 3);
    sdsm_add(d, 6, 1, "sat.acquire", (const int64_t[]){1, SDSM_READ, 0}, 3);
    sdsm_add(d, INFINITY, 0, "sat.acquire", (const int64_t[]){1, SDSM_READ, 0}, 3);
    sdsm_finish(d, 1);
    assert_int_equal(d->process[0].scopes.n, 2);
    assert_true(d->process[0].scopes.at[0].end == 5 && d->process[0].scopes.at[1].begin == 5);
    assert_true(d->process[0].scopes.at[1].end == 6 && d->ignored == 4);
    sdsm_destroy(d);
}

static void in_order(void **state)
{
    (void)state;
    struct report_sdsm *d = sdsm_create(5);
    static const int64_t ids[] = {7, -1, 3};
    uint32_t n, *order;
    for (uint32_t k = 1; k < 5; k++)
        sdsm_add(d, 0, k, "sat.process", (const int64_t[]){k % 2, -1}, 2);
    for (size_t k = 0; k < BASE_LENGTH(ids); k++)
        for (size_t again = 0; again < 2 - (k == 1); again++) {
            sdsm_add(d, 1, 1, "sat.granted", (const int64_t[]){ids[k], SDSM_READ, 1, 0}, 4);
            sdsm_add(d, 1, 1, "sat.release", (const int64_t[]){ids[k], SDSM_READ, 0, 0, 0, 0}, 6);
        }
    sdsm_finish(d, 2);
    order = sdsm_in_order(d, &n);
    assert_int_equal(n, 4);
    assert_true(order[0] == 2 && order[1] == 4 && order[2] == 1 && order[3] == 3);
    free(order);
    assert_int_equal(sdsm_order(d, sdsm_key_hot, 2, &order), 2); /* 3 and 7 have two scopes each */
    assert_true(sdsm_chunk_at(d, order[0])->id == 3 && sdsm_chunk_at(d, order[1])->id == 7);
    free(order);
    order = sdsm_by_id(d);
    assert_true(sdsm_chunk_at(d, order[2])->id == UINT64_MAX);
    free(order);
    sdsm_destroy(d);
}

static void as_text(void **state)
{
    (void)state;
    struct stage s;
    play(&s);
    struct report_facts *f = stage_facts(&s, 11);
    char *text = written_text(report_sdsm_print, f, 0);
    assert_string_equal(
        text, "\nS-DSM\n"
              "  3 processes, 1 of them a server; 2 chunks\n"
              "  scopes: 2 (0 read, 1 write, 1 readwrite), 50.0% hits; 64 B moved for them\n"
              "  changed: 22 B of 128 B (17.2%) of the chunks' bytes in writing scopes; 2.91 bytes moved for "
              "each byte "
              "changed\n"
              "  time of all processes: user code 63.2%, S-DSM code 21.1%, sync MP 10.5%, sleep 5.3%\n"
              "  energy: 2.5 J\n"
              "  waits, barriers: 1 of 2.000 s in all, the longest 2.000 s\n"
              "  waits, locks: 1 of 2.000 s in all, the longest 2.000 s\n"
              "  messages sent:\n"
              "    data_ctrl                 1        160 B\n"
              "    consistency               3        288 B\n"
              "    other                     1          1 B\n"
              "  events that could not be understood: 3\n"
              "\nHot chunks\n"
              "                 chunk   scopes  writing     hits      moved    changed  processes\n"
              "                    10        2        2    50.0%       64 B       22 B          2\n"
              "\nContended chunks: waits for the grant of a scope\n"
              "                 chunk      waiting                 mean      longest  that of\n"
              "                    10      5.000 s   55.6%      2.500 s      3.000 s  process 2 at 2.000 s\n"
              "  18446744073709551615      4.000 s   44.4%      4.000 s      4.000 s  process 1 at 7.000 s\n"
              "\nFalse sharing: chunks of which each writer changes other bytes\n"
              "  chunk 10 of 64 B: 1 handover between writers; 64 B moved, 22 B changed\n"
              "    process 1: within bytes 0 to 7, 1 scope\n"
              "    process 2: within bytes 32 to 47, 1 scope\n");
    free(text);
    text = written_text(report_users_print, f, 0);
    assert_string_equal(text, "\nEvents of the program's own types\n             1  mine\n");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("%s is not in %s", part, text);
}

static void as_json(void **state)
{
    (void)state;
    struct stage s;
    play(&s);
    struct report_facts *f = stage_facts(&s, 11);
    char *text = written_json(report_sdsm_json, f, 1);
    has(text,
        "\"sdsm\":{\"processes\":3,\"servers\":1,\"chunk_count\":2,\"hits\":1,\"moved\":64,\"written\":128,"
        "\"changed\":22,\"waited\":9,\"ignored_events\":3,");
    has(text, "{\"process\":1,\"role\":1,\"server\":0,\"scopes\":2,\"notices\":0,\"seconds\":{\"user\":3,"
              "\"sdsm\":1,"
              "\"sync\":0.5,\"sleep\":0.25},\"joules\":2.5,\"waits\":{},\"sent\":[{\"to\":0,\"type\":"
              "\"consistency\","
              "\"messages\":3,\"bytes\":288}]}");
    has(text, "{\"chunk\":\"10\",\"size\":64,\"reads\":0,\"writes\":1,\"readwrites\":1,\"hits\":1,");
    has(text,
        "\"false_sharing\":true,\"writer_count\":2,\"writers\":[{\"process\":1,\"scopes\":1,\"changed\":6,"
        "\"first\":0,\"end\":8},");
    free(text);
    text = written_json(report_users_json, f, 2);
    has(text, "\"user_events\":[{\"type\":\"sat.");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

static void none(void **state)
{
    (void)state;
    struct stage s;
    stage_init(&s, 2, 2);
    TELL(&s, 1, MARK, 0, .call = "sat.acquire");
    struct report_facts *f = stage_facts(&s, -1);
    assert_null(f->sdsm);
    char *text = written_text(report_sdsm_print, f, 0);
    assert_string_equal(text, "");
    free(text);
    report_facts_destroy(f);
    stage_release(&s);
}

/* --- tables and files ---------------------------------------------------------------------------------- */

static char folder[] = "/tmp/pgasim-test-XXXXXX";

static void file_is(const char *name, const char *expected)
{
    char path[80], text[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    unlink(path);
    assert_string_equal(text, expected);
}

static void picture_has(const char *name, const char *text)
{
    char path[80], all[16384];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    all[fread(all, 1, sizeof all - 1, in)] = 0;
    fclose(in);
    unlink(path);
    has(all, "<svg xmlns=");
    has(all, "</svg>\n");
    has(all, text);
}

static void as_tables(void **state)
{
    (void)state;
    struct stage s;
    struct base_status st;
    play(&s);
    struct report_facts *f = stage_facts(&s, 11);
    const struct report r = {.facts = f};
    assert_int_equal(report_sdsm_files(&r, folder, &st), 0);
    file_is("volume.csv", "sender,receiver,type,messages,bytes\n0,2,data_ctrl,1,160\n0,2,other,1,1\n"
                          "1,0,consistency,3,288\n");
    file_is("time.csv", "process,role,server,user,sdsm,sync,sleep,joules\n"
                        "0,0,-1,0.000000000,0.000000000,0.000000000,0.000000000,0.000000\n"
                        "1,1,0,3.000000000,1.000000000,0.500000000,0.250000000,2.500000\n"
                        "2,1,0,0.000000000,0.000000000,0.000000000,0.000000000,0.000000\n");
    file_is("allocation.csv", "process,time,chunk,event,chunks,footprint\n1,1.000000000,10,malloc,1,0\n"
                              "1,3.000000000,10,filled,1,1\n");
    file_is("accesses.csv", "process,chunk,mode,outcome,begin,granted,end,bytes\n"
                            "1,10,write,hit,1.000000000,3.000000000,4.000000000,0\n"
                            "1,18446744073709551615,read,waits,7.000000000,,,0\n"
                            "2,10,readwrite,miss,2.000000000,5.000000000,7.000000000,64\n");
    picture_has("volume.svg", "servers first</text>");
    picture_has("time.svg", ">user code</text>");
    picture_has("allocation-1.svg", ">Allocation of process 1</text>");
    picture_has("accesses-1.svg", ">18446744073709551615</text>");
    picture_has("accesses-2.svg", ">Accesses of process 2</text>"); /* to scale: it knows one chunk */
    assert_int_equal(report_sdsm_files(&r, "/nonexistent/folder", &st), -1);
    has(st.text, "/nonexistent/folder: No such file or directory");
    report_facts_destroy(f);
    stage_release(&s);
}

static void put(const char *name, const char *text)
{
    char path[80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static void take_away(const char *name)
{
    char path[80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void of_a_real_run(void **state)
{
    (void)state;
    struct report r;
    struct base_status st;
    assert_int_equal(report_open(&r, folder, NULL, &st), -1);
    has(st.text, "no file in this folder begins with \"# sat-stats 1 rank R of N\"");
    put("notes.txt", "something else\n");
    put("a", "# sat-stats 1 rank 1 of 2\n0 sat.process 1 0\n0.25 sat.acquire 18446744073709551615 1 0\n"
             "1.5 sat.granted -1 1 0 64\n");
    assert_int_equal(report_open(&r, folder, NULL, &st), 0);
    assert_string_equal(r.damage, "files of only 1 of 2 processes");
    report_close(&r);
    put("b", "# sat-stats 1 rank 0 of 2\n0 sat.process 0 -1\n0.5 sat.sent 1 3 2 128\n");
    assert_int_equal(report_open(&r, folder, NULL, &st), 0);
    assert_null(r.damage);
    assert_true(r.facts->end == 1.5 && r.facts->about->ranks == 2 && r.facts->events == 5);
    assert_true(sdsm_chunk_at(r.facts->sdsm, 0)->longest == 1.25 && r.facts->sdsm->servers == 1);
    report_close(&r);
    put("c", "# sat-stats 1 rank 1 of 2\n");
    assert_int_equal(report_open(&r, folder, NULL, &st), -1);
    has(st.text, "another file of the folder is of rank 1, too");
    put("c", "# sat-stats 1 rank 1 of 3\n");
    assert_int_equal(report_open(&r, folder, NULL, &st), -1);
    has(st.text, "other files of the folder are of");
    for (const char *name = "abc"; *name; name++)
        take_away((const char[]){*name, 0});
    take_away("notes.txt");
}

static void lines_that_are_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *line, *why;
    } rows[] = {
        {"x sat.wait 1 2\n", "2: expected a time in seconds"},
        {"-1 sat.wait 1 2\n", "2: expected a time in seconds"},
        {"1sat.wait 1 2\n", "2: expected a time in seconds"},
        {"1 sat.sleep 1 2\n", "2: there is no event of this name"},
        {"1 sat.wait 1 2x\n", "2: values are whole numbers"},
        {"1 sat.wait 1  2\n", "2: values are whole numbers"},
        {"1 sat.wait 18446744073709551616\n", "2: values are whole numbers"},
        {"1 sat.wait 1 2 3 4 5 6 7 8 9\n", "2: an event has at most 8 values"},
        {"1 sat.wait 1 2", "2: the line has no end"},
    };
    for (size_t k = 0; k < BASE_LENGTH(rows); k++) {
        struct sdsm_stats s = {0};
        struct base_status st;
        uint32_t rank;
        char text[200];
        snprintf(text, sizeof text, "# sat-stats 1 rank 0 of 1\n%s", rows[k].line);
        assert_true(sdsm_stats_parse(&s, text, &rank, &st));
        assert_int_equal(s.events.n, 0);
        has(st.text, rows[k].why);
        sdsm_stats_release(&s);
    }
    static const char *const heads[] = {"", "# sat-stats 2 rank 0 of 1\n", "# sat-stats 1 rank 1 of 1\n",
                                        "# sat-stats 1 rank 0 of 1", "# sat-stats 1 rank 0 of 1 x\n"};
    for (size_t k = 0; k < BASE_LENGTH(heads); k++) {
        struct sdsm_stats s = {0};
        struct base_status st;
        uint32_t rank;
        if (sdsm_stats_parse(&s, heads[k], &rank, &st))
            fail_msg("taken: %s", heads[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_and_chunks),
        cmocka_unit_test(sharing),
        cmocka_unit_test(many_writers),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(in_order),
        cmocka_unit_test(as_text),
        cmocka_unit_test(as_json),
        cmocka_unit_test(none),
        cmocka_unit_test(as_tables),
        cmocka_unit_test(of_a_real_run),
        cmocka_unit_test(lines_that_are_wrong),
    };
    if (!mkdtemp(folder))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    return failed + (rmdir(folder) != 0); /* not empty: a file that no test knows */
}
