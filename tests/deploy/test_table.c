/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins the table of results: rows come back as they were, whatever their numbers and messages; a file that
 * was cut at any byte loses at most the row that was cut; anything else in it is refused with file and line,
 * and left as it is; and summaries of runs.
 */
#include "random_space.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { JOB = 0x1234 };
static const char head[] =
    "job,status,time,energy,servers,clients,user,sdsm,sync,sleep,configuration,message\n";
static char path[] = "/tmp/pgasim-table-XXXXXX";

static void put(const char *text, size_t n)
{
    FILE *out = fopen(path, "w");
    assert_true(out && fwrite(text, 1, n, out) == n && !fclose(out));
}

static char *get(size_t *n)
{
    static char bytes[1 << 16];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    *n = fread(bytes, 1, sizeof bytes - 1, in);
    bytes[*n] = 0;
    fclose(in);
    return bytes;
}

static struct deploy_row row(const char *config, double time, double energy, const char *status,
                             const char *message)
{
    struct deploy_row r = {.config = base_strdup(config), .servers = 2, .clients = 3};
    strcpy(r.result.status, status);
    r.result.value = (struct deploy_value){time, energy};
    for (int k = 0; k < DEPLOY_PARTS; k++)
        r.result.part[k] = time / (k + 3);
    r.result.message = message ? base_strdup(message) : NULL;
    return r;
}

static struct deploy_table *open_table(void)
{
    struct deploy_table *t;
    struct base_status st;
    if (deploy_table_open(&t, path, JOB, &st))
        fail_msg("%s", st.text);
    return t;
}

static void add(struct deploy_table *t, struct deploy_row r)
{
    struct base_status st;
    assert_int_equal(deploy_table_add(t, &r, &st), 0);
}

static void fill(struct deploy_table *t)
{
    add(t, row("0@a 1/0@b", 1 / 3.0, 1e-300, "ok", NULL));
    add(t, row("0@a 1/0@c", INFINITY, INFINITY, "exit 3", "deadlock: \"a\", b\nand more, \xff"));
    add(t, row("0@a 1/0@d", 0, 12.5, "ok", "a notice, \"\""));
    add(t, row("0@b 1/0@a", INFINITY, INFINITY, "timeout", NULL));
    add(t, row("0@a 1/0@e", 0.25, 3, "ok", NULL));
}

static void check_row(const struct deploy_row *a, const struct deploy_row *b)
{
    assert_string_equal(a->config, b->config);
    assert_string_equal(a->result.status, b->result.status);
    assert_int_equal(a->servers, 2);
    assert_int_equal(a->clients, 3);
    assert_true(a->result.value.time == b->result.value.time &&
                a->result.value.energy == b->result.value.energy);
    for (int k = 0; deploy_result_ok(&a->result) && k < DEPLOY_PARTS; k++)
        assert_true(a->result.part[k] == b->result.part[k]);
}

static void rows_come_back(void **state)
{
    (void)state;
    unlink(path);
    struct deploy_table *t = open_table();
    assert_int_equal(deploy_table_rows(t), 0);
    fill(t);
    deploy_table_destroy(t);
    t = open_table();
    assert_int_equal(deploy_table_rows(t), 5);
    assert_false(deploy_table_mended(t));
    struct deploy_table *other;
    struct base_status st;
    assert_int_equal(deploy_table_open(&other, NULL, JOB, &st), 0);
    fill(other);
    for (uint32_t k = 0; k < 5; k++)
        check_row(deploy_table_row(t, k), deploy_table_row(other, k));
    assert_string_equal(deploy_table_row(t, 1)->result.message, "deadlock: \"a\", b and more, \xff");
    assert_string_equal(deploy_table_row(t, 2)->result.message, "a notice, \"\"");
    deploy_table_destroy(other);
    deploy_table_destroy(t);
}

static void sorted_rows_stand_in_the_file(void **state)
{
    static const char *const wanted[] = {"0@a 1/0@d", "0@a 1/0@e", "0@a 1/0@b", "0@a 1/0@c", "0@b 1/0@a"};
    struct base_status st;
    size_t once, again;
    (void)state;
    unlink(path);
    struct deploy_table *t = open_table();
    fill(t);
    assert_int_equal(deploy_table_sort(t, &st), 0);
    deploy_table_destroy(t);
    char *first = strdup(get(&once));
    t = open_table();
    for (uint32_t k = 0; k < 5; k++)
        assert_string_equal(deploy_table_row(t, k)->config, wanted[k]);
    assert_int_equal(deploy_table_sort(t, &st), 0);
    deploy_table_destroy(t);
    assert_string_equal(get(&again), first);
    free(first);
}

/* Whoever writes it may be killed at any byte. */
static void a_cut_row_is_left_out(void **state)
{
    size_t n;
    (void)state;
    unlink(path);
    struct deploy_table *t = open_table();
    fill(t);
    deploy_table_destroy(t);
    char *all = strdup(get(&n));
    for (size_t cut = 0; cut <= n; cut++) {
        uint32_t lines = 0;
        for (size_t k = 0; k < cut; k++)
            lines += all[k] == '\n';
        put(all, cut);
        t = open_table();
        assert_int_equal(deploy_table_rows(t), lines ? lines - 1 : 0);
        assert_int_equal(deploy_table_mended(t), cut > 0 && all[cut - 1] != '\n');
        add(t, row("0@z", 7, 8, "ok", NULL));
        deploy_table_destroy(t);
        t = open_table();
        assert_int_equal(deploy_table_rows(t), (lines ? lines - 1 : 0) + 1);
        assert_string_equal(deploy_table_row(t, deploy_table_rows(t) - 1)->config, "0@z");
        deploy_table_destroy(t);
    }
    free(all);
}

/* --- what is no table ----------------------------------------------------------------------------------- */

static void refuses(const char *rows, bool with_head, const char *wanted)
{
    struct deploy_table *t;
    struct base_status st = {""};
    size_t n;
    char *text = base_strfmt("%s%s", with_head ? head : "", rows);
    put(text, strlen(text));
    if (!deploy_table_open(&t, path, JOB, &st))
        fail_msg("not refused: %s", text);
    if (strncmp(st.text, path, strlen(path)) != 0 || !strstr(st.text, wanted))
        fail_msg("'%s' is not in '%s'", wanted, st.text);
    assert_string_equal(get(&n), text);
    free(text);
}

#define ROW "0000000000001234,ok,1,2,1,1,0,0,0,0,0@a 1/0@b,"
static void other_files_are_refused(void **state)
{
    (void)state;
    refuses("hello", false, ":1: this is no table of pgasim explore");
    refuses("hello\nworld\n", false, ":1: this is no table");
    refuses("job,status,time\n", false, ":1: this is no table");
    refuses("job,statut", false, ":1: this is no table");
    refuses(ROW "\n\n", true, ":3: expected 12 fields");
    refuses(ROW "x,y\n", true, ":2: expected 12 fields");
    refuses("0000000000001234,ok,1,2,1,1,0,0,0,0,0@a\n", true, ":2: expected 12 fields");
    refuses(ROW "\r\n" ROW "\"x\n", true, ":3: field 12 is not quoted well");
    refuses(ROW "a\"b\n", true, ":2: field 12 is not quoted well");
    refuses("0000000000001235,ok,1,2,1,1,0,0,0,0,0@a,\n", true, ":2: this table is of another exploration");
    refuses("1234,ok,1,2,1,1,0,0,0,0,0@a,\n", true, ":2: job '1234': expected 16");
    refuses("0000000000001234,ok,x,2,1,1,0,0,0,0,0@a,\n", true, ":2: time 'x': expected a number");
    refuses("0000000000001234,ok,1,-2,1,1,0,0,0,0,0@a,\n", true, ":2: energy '-2': expected a number");
    refuses("0000000000001234,ok,1,nan,1,1,0,0,0,0,0@a,\n", true, ":2: energy 'nan'");
    refuses("0000000000001234,ok,1,1,0,1,0,0,0,0,0@a,\n", true, ":2: servers '0'");
    refuses("0000000000001234,ok,1,1,1,99999,0,0,0,0,0@a,\n", true, ":2: clients '99999'");
    refuses("0000000000001234,ok,1,1,1,1,0,0,0,,0@a,\n", true, ":2: sleep ''");
    refuses("0000000000001234,ok,1,1,1,1,0,0,0,0,,\n", true, ":2: an empty configuration");
    refuses("0000000000001234,OK,1,1,1,1,0,0,0,0,0@a,\n", true, ":2: status 'OK'");
    refuses("0000000000001234,exit 3,1,1,1,1,0,0,0,0,0@a,\n", true, ":2: status 'exit 3' with a time");
}

static void only_one_process_uses_it(void **state)
{
    struct deploy_table *other;
    struct base_status st;
    (void)state;
    unlink(path);
    struct deploy_table *t = open_table();
    assert_int_equal(deploy_table_open(&other, path, JOB, &st), -1);
    assert_non_null(strstr(st.text, "another pgasim explore uses this table"));
    deploy_table_destroy(t);
    deploy_table_destroy(open_table());
    assert_int_equal(deploy_table_open(&other, "/dev/null", JOB, &st), -1);
    assert_non_null(strstr(st.text, "no ordinary file"));
    assert_int_equal(deploy_table_open(&other, "/nowhere/table", JOB, &st), -1);
    assert_non_null(strstr(st.text, "/nowhere/table: No such file"));
}

/* --- summaries ------------------------------------------------------------------------------------------ */

static void summaries(void **state)
{
    static const char good[] =
        "{\"time\": 1.5, \"energy\": 20, \"processes\": [{\"rank\": 0, \"user\": 1, \"sdsm\": 2e-1, "
        "\"sync\": 0, \"sleep\": 4}, {\"user\": 1, \"sdsm\": 1, \"sync\": 1, \"sleep\": 1}]}";
    static const char *const bad[][2] = {
        {"", "not JSON"},
        {"{\"time\": 1.5, ", "not JSON"},
        {"[]", "time: expected"},
        {"{\"time\": \"1\", \"energy\": 1}", "time: expected"},
        {"{\"time\": 1}", "energy: expected"},
        {"{\"time\": 1, \"energy\": -1}", "energy: expected"},
        {"{\"time\": 1e999, \"energy\": 1}", ""},
        {"{\"time\": 1, \"energy\": 1, \"processes\": [{}]}", "process 0: user: expected"},
    };
    struct deploy_result r;
    struct base_status st;
    (void)state;
    assert_int_equal(deploy_result_read(good, strlen(good), &r, &st), 0);
    assert_true(deploy_result_ok(&r) && r.value.time == 1.5 && r.value.energy == 20);
    assert_true(r.part[0] == 2 && r.part[1] == 1.2 && r.part[2] == 1 && r.part[3] == 5);
    for (size_t k = 0; k < BASE_LENGTH(bad); k++) {
        assert_int_equal(deploy_result_read(bad[k][0], strlen(bad[k][0]), &r, &st), -1);
        if (!strstr(st.text, bad[k][1]))
            fail_msg("'%s' is not in '%s'", bad[k][1], st.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),           cmocka_unit_test(sorted_rows_stand_in_the_file),
        cmocka_unit_test(a_cut_row_is_left_out),    cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(only_one_process_uses_it), cmocka_unit_test(summaries),
    };
    int fd = mkstemp(path);
    if (fd < 0 || close(fd))
        return 1;
    int failed = cmocka_run_group_tests_name("table", tests, NULL, NULL);
    unlink(path);
    return failed;
}
