/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles as given in files: their text, where files are looked for, which trait of what they apply to; also
 * disks and deployment files. Each with its wrong forms. */
#include "platform/check.h"
#include "platform/model/model.h"

#include <sys/stat.h>
#include <unistd.h>

/* --- the text of a profile ---------------------------------------------------------------------- */

/* "at:value at:value / period", or "line: report". */
static const char *parsed_every(const char *text, double periodicity)
{
    static char buf[1024];
    struct platform_trace t;
    struct base_status st;
    uint32_t line;
    size_t used = 0;
    if (platform_trace_parse(&t, text, strlen(text), periodicity, &line, &st)) {
        snprintf(buf, sizeof buf, "%u: %s", line, st.text);
        return buf;
    }
    buf[0] = 0;
    for (uint32_t k = 0; k < t.n; k++)
        used +=
            (size_t)snprintf(buf + used, sizeof buf - used, "%g:%g ", t.changes[k].at, t.changes[k].value);
    snprintf(buf + used, sizeof buf - used, "/ %g", t.period);
    free(t.changes);
    return buf;
}

static const char *parsed(const char *text)
{
    return parsed_every(text, -1);
}

static void changes_in_their_order(void **state)
{
    (void)state;
    assert_string_equal(parsed(""), "/ -1");
    assert_string_equal(parsed("0 1\n10 0\n11 1"), "0:1 10:0 11:1 / -1");
    assert_string_equal(parsed("# a\n\n  % b\r\n 1.5\t2e6 # c\r\n"), "1.5:2e+06 / -1");
    assert_string_equal(parsed("1 DET 2\nDET 1 3\n"), "1:2 1:3 / -1");
    assert_string_equal(parsed("0 1\rDET 4 DET 5\r"), "0:1 4:5 / -1");
}

/* LOOPAFTER counts from the last change, PERIODICITY from the first instant. */
static void changes_that_come_again(void **state)
{
    (void)state;
    assert_string_equal(parsed("0 1\n11 0.5\n20 0.9\nLOOPAFTER 1\n"), "0:1 11:0.5 20:0.9 / 21");
    assert_string_equal(parsed("PERIODICITY 12\n1 0\n2 1\n"), "1:0 2:1 / 12");
    assert_string_equal(parsed_every("1 0\n2 1\n", 12), "1:0 2:1 / 12");
    assert_string_equal(parsed_every("1 0\n2 1\n", 2), "1:0 2:1 / 2");
    assert_string_equal(parsed("5 1\nLOOPAFTER 0\n"), "5:1 / 5");
    assert_string_equal(parsed("LOOPAFTER 3\n"), "/ -1");
}

/* Under STOCHASTIC the first number is the time since the line before. */
static void changes_after_each_other(void **state)
{
    (void)state;
    assert_string_equal(parsed("STOCHASTIC\nDET 2 DET 1\nDET 3 DET 0\n"), "2:1 5:0 / -1");
    assert_string_equal(parsed("STOCHASTIC LOOP\nDET 2 DET 1\nDET 3 DET 0\nLOOPAFTER 4\n"), "2:1 5:0 / 9");
    assert_string_equal(parsed("STOCHASTIC LOOP\nDET 2 DET 1\nDET 3 DET 0\n"), "2:1 5:0 / 5");
}

static void wrong_lines(void **state)
{
    (void)state;
    assert_string_equal(parsed("0 1\n2\n"), "2: value ''; expected a line TIME VALUE");
    assert_string_equal(parsed("a 1\n"), "1: time 'a'; expected a line TIME VALUE");
    assert_string_equal(parsed("0 1 2\n"), "1: '2' after the value; expected nothing");
    assert_string_equal(parsed("\n\n-1 1\n"), "3: time -1 is negative; expected 0 or more");
    assert_string_equal(parsed("1 nan\n"), "1: value 'nan'; expected a line TIME VALUE");
    assert_string_equal(parsed("1e31 1\n"), "1: time '1e31' is out of range; expected 0 to 1e12s");
    assert_string_equal(parsed("3 1\n2 1\n"), "2: time 2 after time 3; expected times in ascending order");
    assert_string_equal(
        parsed("0 UNIF 0 1\n"),
        "1: value UNIF is random, which is not modelled; expected a number, or DET and a number");
    assert_string_equal(parsed("STOCHASTIC\nEXP 1 DET 1\n"),
                        "2: time EXP is random, which is not "
                        "modelled; expected a number, or DET and a number");
    assert_string_equal(parsed("STOCHASTIC\n1 1\n"),
                        "2: time '1' under STOCHASTIC; expected DET and a number");
    assert_string_equal(parsed("0 1\nSTOCHASTIC\n"), "2: STOCHASTIC below the first time; expected it above");
    assert_string_equal(parsed("STOCHASTIC LOP\n"),
                        "1: STOCHASTIC 'LOP'; expected STOCHASTIC or STOCHASTIC LOOP");
    assert_string_equal(parsed("PERIODICITY\n"),
                        "1: PERIODICITY ''; expected PERIODICITY and a number of seconds, 0 to 1e12s");
    assert_string_equal(parsed("LOOPAFTER -1\n"),
                        "1: LOOPAFTER '-1'; expected LOOPAFTER and a number of seconds, 0 to 1e12s");
}

static void wrong_wholes(void **state)
{
    struct platform_trace t;
    struct base_status st;
    uint32_t line;
    (void)state;
    assert_string_equal(parsed("0 1\nLOOPAFTER 0\n"),
                        "3: it repeats after 0 seconds; expected at least 1e-9");
    assert_string_equal(parsed("0 1\n9 1\nPERIODICITY 8\n"),
                        "4: PERIODICITY 8 is shorter than the last time, 9");
    assert_string_equal(parsed("LOOPAFTER 8\nPERIODICITY 8\n1 1\n"),
                        "4: both PERIODICITY and LOOPAFTER; expected one");
    assert_string_equal(parsed("STOCHASTIC LOOP\nPERIODICITY 8\nDET 1 DET 1\n"),
                        "4: PERIODICITY of a STOCHASTIC profile; expected LOOPAFTER");
    assert_int_equal(platform_trace_parse(&t, "0\0 1", 4, -1, &line, &st), -1);
    assert_string_equal(st.text, "a zero byte; expected text");
}

/* --- in platform files --------------------------------------------------------------------------- */

/* A folder of its own with files in it. */
static char folder[] = "/tmp/pgasim-profiles-XXXXXX";

static void file(const char *name, const char *text)
{
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int make_folder(void **state)
{
    char sub[200];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(sub, sizeof sub, "%s/sub", folder);
    if (mkdir(sub, 0700))
        return -1;
    file("half", "0 0.5\n");
    file("zero", "1 5\n4 0\n");
    file("wrong", "0 1\n1 x\n");
    file("sub/only", "1 0\n2 1\nLOOPAFTER 3\n");
    return 0;
}

static int remove_folder(void **state)
{
    static const char *const names[] = {"half", "wrong", "zero", "sub/only", "sub", "."};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        char path[200];
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        if (k < 4)
            unlink(path);
        else
            rmdir(k == 4 ? path : folder);
    }
    return 0;
}

/* "trait id n period; ..." of the profiles of a platform
 * in the folder, or the report without the folder's name. */
static const char *profiles(const char *text, const char *path)
{
    static const struct base_setting none[] = {{"other", BASE_TEXT, "", "", "", ""}};
    static char buf[2048];
    char name[200];
    struct platform *p;
    struct base_status st;
    struct base_settings *s = base_settings_create();
    size_t used = 0;
    base_settings_declare(s, path ? platform_settings : none, 1);
    if (path)
        base_settings_set(s, "path", path, BASE_FROM_COMMAND, NULL);
    snprintf(name, sizeof name, "%s/p.xml", folder);
    int rc = platform_load_text(&p, text, strlen(text), name, s, &st);
    base_settings_destroy(s);
    buf[0] = 0;
    if (rc) {
        for (const char *at = st.text; *at;)
            if (!strncmp(at, folder, strlen(folder)))
                at += strlen(folder) + 1;
            else
                buf[used++] = *at++;
        buf[used] = 0;
        return buf;
    }
    platform_check(p);
    for (uint32_t k = 0; k < platform_profile_count(p); k++) {
        const struct platform_profile *a = platform_profile_at(p, k);
        used += (size_t)snprintf(buf + used, sizeof buf - used, "%d of %u: %u every %g; ", a->trait, a->id,
                                 a->n, a->period);
    }
    platform_destroy(p);
    return buf;
}

#define HOST "<host id=\"a\" speed=\"1f\""
#define LINK "<link id=\"l\" bandwidth=\"1Bps\" latency=\"1s\""

static void attributes_of_hosts_and_links(void **state)
{
    (void)state;
    assert_string_equal(profiles(ZONE(HOST " speed_file=\"half\" state_file=\"sub/only\"/>"), NULL),
                        "0 of 0: 1 every -1; 1 of 0: 2 every 5; ");
    assert_string_equal(profiles(ZONE(HOST " availability_file=\"half\"/>"), NULL), "0 of 0: 1 every -1; ");
    assert_string_equal(
        profiles(ZONE(HOST "/>" LINK " bandwidth_file=\"half\" latency_file=\"half\" state_file=\"half\"/>"),
                 NULL),
        "2 of 0: 1 every -1; 3 of 0: 1 every -1; 4 of 0: 1 every -1; ");
    assert_string_equal(
        profiles(ZONE(HOST "/>" LINK " sharing_policy=\"SPLITDUPLEX\" state_file=\"half\"/>"), NULL),
        "4 of 0: 1 every -1; 4 of 1: 1 every -1; ");
}

/* Through `path`, else the current folder, then beside the platform's file; a folder of `path` wins. */
static void files_are_looked_for(void **state)
{
    char path[200];
    (void)state;
    assert_string_equal(profiles(ZONE(HOST " speed_file=\"only\"/>"), NULL),
                        "p.xml:3: <host speed_file=\"only\">: only: cannot open: No such file or directory");
    snprintf(path, sizeof path, "/nonexistent:%s/sub", folder);
    assert_string_equal(profiles(ZONE(HOST " speed_file=\"only\"/>"), path), "0 of 0: 2 every 5; ");
    assert_string_equal(profiles(ZONE(HOST " speed_file=\"half\"/>"), path), "0 of 0: 1 every -1; ");
    assert_string_equal(profiles(ZONE(HOST " speed_file=\"/dev/null\"/>"), NULL),
                        "p.xml:3: <host speed_file=\"/dev/null\">: /dev/null: not a regular file");
    assert_string_equal(profiles(ZONE(HOST " speed_file=\"sub\"/>"), NULL),
                        "p.xml:3: <host speed_file=\"sub\">: sub: not a regular file");
    assert_string_equal(
        profiles(ZONE("\n" HOST " speed_file=\"wrong\"/>"), NULL),
        "p.xml:4: <host speed_file=\"wrong\">: wrong:2: value 'x'; expected a line TIME VALUE");
}

#define TRACE "<trace id=\"t\" periodicity=\"21\">\n0 1\n11 0.5\n</trace>\n"

static void traces_are_connected(void **state)
{
    (void)state;
    assert_string_equal(profiles(OPEN TRACE
                                 "<zone id=\"z\" routing=\"Full\">" HOST "/>" LINK "/></zone>"
                                 "<trace_connect trace=\"t\" element=\"a\" kind=\"SPEED\"/>"
                                 "<trace_connect trace=\"t\" element=\"a\"/>"
                                 "<trace_connect trace=\"t\" element=\"l\" kind=\"BANDWIDTH\"/>"
                                 "<trace_connect trace=\"t\" element=\"l\" kind=\"LATENCY\"/>"
                                 "<trace_connect trace=\"t\" element=\"l\" kind=\"LINK_AVAIL\"/>" CLOSE,
                                 NULL),
                        "0 of 0: 2 every 21; 1 of 0: 2 every 21; 2 of 0: 2 every 21; 3 of 0: 2 every 21; "
                        "4 of 0: 2 every 21; ");
    assert_string_equal(profiles(OPEN
                                 "<trace id=\"f\" file=\"sub/only\" periodicity=\"0\"/>"
                                 "<trace_connect trace=\"f\" element=\"c_link_0_UP\" kind=\"LINK_AVAIL\"/>"
                                 "<trace_connect trace=\"f\" element=\"n1\"/>"
                                 "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-1\" speed=\"1f\" "
                                 "bw=\"1Bps\" lat=\"0\"/>" CLOSE,
                                 NULL),
                        "4 of 0: 2 every 5; 1 of 1: 2 every 5; ");
}

static void wrong_traces(void **state)
{
    (void)state;
    assert_string_equal(profiles(ZONE(HOST "/>" TRACE TRACE), NULL),
                        "p.xml:7: <trace id=\"t\">: the trace declared at line 3 has this id");
    assert_string_equal(profiles(ZONE(HOST "/><trace id=\"t\" periodicity=\"-1\"/>"), NULL),
                        "p.xml:3: <trace>: empty; expected file=\"...\" or lines TIME VALUE in it");
    assert_string_equal(profiles(ZONE(HOST "/><trace id=\"t\" periodicity=\"x\"/>"), NULL),
                        "p.xml:3: <trace periodicity=\"x\">: 'x' is not a number");
    assert_string_equal(
        profiles(ZONE(HOST "/>\n<trace id=\"t\" periodicity=\"5\">0 1\n\n3 2 1</trace>"), NULL),
        "p.xml:6: <trace id=\"t\">: '1' after the value; expected nothing");
    assert_string_equal(
        profiles(ZONE(HOST "/><trace id=\"t\" periodicity=\"5\"><prop id=\"a\" value=\"b\"/></trace>"), NULL),
        "p.xml:3: <prop> is not allowed in <trace>");
    assert_string_equal(profiles(ZONE(HOST "/>\n<trace_connect trace=\"t\" element=\"a\"/>"), NULL),
                        "p.xml:4: <trace_connect trace=\"t\">: no <trace> above has this id");
    assert_string_equal(profiles(ZONE(HOST "/>" TRACE "<trace_connect trace=\"t\" element=\"b\"/>"), NULL),
                        "p.xml:7: <trace_connect element=\"b\">: no host has this name");
    assert_string_equal(
        profiles(ZONE(HOST "/>" TRACE "<trace_connect trace=\"t\" element=\"a\" kind=\"LATENCY\"/>"), NULL),
        "p.xml:7: <trace_connect element=\"a\">: no link has this name");
    assert_string_equal(
        profiles(ZONE(HOST "/>" TRACE "<trace_connect trace=\"t\" element=\"a\" kind=\"POWER\"/>"), NULL),
        "p.xml:7: <trace_connect kind=\"POWER\">: expected one of SPEED, HOST_AVAIL, BANDWIDTH, "
        "LATENCY, LINK_AVAIL");
    assert_string_equal(profiles(ZONE(HOST " speed_file=\"half\"\navailability_file=\"half\"/>"), NULL),
                        "p.xml:3: a second profile of the speed of host 'a'");
    assert_string_equal(profiles(ZONE(HOST "/>" LINK " state_file=\"half\"/>" TRACE
                                           "<trace_connect trace=\"t\" element=\"l\" kind=\"LINK_AVAIL\"/>"),
                                 NULL),
                        "p.xml:7: a second profile of the state of link 'l'");
    assert_string_equal(profiles(ZONE(HOST "/>" LINK " bandwidth_file=\"zero\"/>"), NULL),
                        "p.xml:3: the profile of the bandwidth of link 'l' at 4 s: '0' is out of range; "
                        "expected 1e-3Bps to 1e21Bps");
    assert_string_equal(profiles(ZONE(HOST "/><trace id=\"t\" periodicity=\"5\">0 -1</trace>"
                                           "<trace_connect trace=\"t\" element=\"a\" kind=\"SPEED\"/>"),
                                 NULL),
                        "p.xml:3: the profile of the speed of host 'a' at 0 s: '-1' is out of range; "
                        "expected 0 or 1e-9 to 1e9");
}

/* --- disks --------------------------------------------------------------------------------------- */

static void disks_are_listed(void **state)
{
    struct platform *p = loaded(
        ZONE(HOST "/><host id=\"b\" speed=\"1f\"><disk id=\"d\" read_bw=\"100MBps\" write_bw=\"40MBps\">"
                  "<prop id=\"size\" value=\"5GiB\"/></disk><disk read_bw=\"1Bps\" write_bw=\"2Bps\"/>"
                  "<prop id=\"size\" value=\"none\"/></host>"));
    (void)state;
    assert_int_equal(platform_disk_count(p), 2);
    assert_string_equal(platform_disk(p, 0)->name, "d");
    assert_int_equal(platform_disk(p, 0)->host, 1);
    assert_number(platform_disk(p, 0)->read_bandwidth, 100e6);
    assert_number(platform_disk(p, 0)->write_bandwidth, 40e6);
    assert_string_equal(platform_disk(p, 1)->name, "/");
    assert_string_equal(platform_disk_property(p, 0, "size"), "5GiB");
    assert_null(platform_disk_property(p, 1, "size"));
    assert_string_equal(platform_host_property(p, 1, "size"), "none");
    platform_destroy(p);
    assert_string_equal(profiles(ZONE(HOST "><disk id=\"d\" read_bw=\"0\" write_bw=\"1Bps\"/></host>"), NULL),
                        "p.xml:3: <disk read_bw=\"0\">: '0' is out of range; expected 1e-3Bps to 1e21Bps");
    assert_string_equal(profiles(ZONE("<disk id=\"d\" read_bw=\"1\" write_bw=\"1Bps\"/>"), NULL),
                        "p.xml:3: <disk> is not allowed in <zone>");
}

static void all_is_printed(void **state)
{
    struct platform *p =
        loaded(ZONE(HOST "><disk id=\"d\" read_bw=\"100MBps\" write_bw=\"40MBps\"/></host>" TRACE
                         "<trace_connect trace=\"t\" element=\"a\" kind=\"SPEED\"/>"));
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    (void)state;
    platform_print(p, f);
    fclose(f);
    assert_non_null(strstr(text, "\n  disk d of host a: reads 100.0 MB/s, writes 40.00 MB/s\n"));
    assert_non_null(strstr(text, "\n  profile of the speed of host a: 2 changes, again every 21 s\n"));
    free(text);
    platform_destroy(p);
}

/* --- deployment ---------------------------------------------------------------------------------- */

static const char *deployed(const char *text, uint32_t ranks)
{
    static char buf[1024];
    struct platform *p =
        loaded(ZONE(HOST " core=\"2\"/><host id=\"b\" speed=\"1f\"/><host id=\"c\" speed=\"1f\"/>"));
    struct platform_placement at;
    struct base_status st;
    uint32_t host[16];
    int rc = platform_place_text(p, ranks, text, strlen(text), "d.xml", PLATFORM_MAP_HOST, host, &at, &st);
    for (uint32_t k = 0; rc == 0 && k < ranks; k++)
        buf[k] = platform_host(p, host[k])->name[0];
    if (rc)
        snprintf(buf, sizeof buf, "%s", st.text);
    else
        snprintf(buf + ranks, sizeof buf - ranks, " %llu %u %u", (unsigned long long)at.slots, at.hosts,
                 at.crowded);
    platform_destroy(p);
    return buf;
}

#define ACTOR(host) "<actor host=\"" host "\" function=\"f\"/>\n"
#define RANK(host, which)                                                                                    \
    "<process host=\"" host "\" function=\"f\"><prop id=\"rank_id\" value=\"" which "\"/></process>\n"

static void actors_place_ranks(void **state)
{
    (void)state;
    assert_string_equal(deployed("<?xml version='1.0'?>\n" OPEN ACTOR("c") ACTOR("a") ACTOR("c") CLOSE, 3),
                        "cac 3 2 1");
    assert_string_equal(deployed(OPEN ACTOR("c") ACTOR("a") ACTOR("b") CLOSE, 2), "ca 3 2 0");
    assert_string_equal(deployed(OPEN RANK("c", "2") RANK("a", "0") RANK("b", "1") CLOSE, 3), "abc 3 3 0");
    assert_string_equal(
        deployed(OPEN "<actor host=\"b\" function=\"f\" start_time=\"0\" on_failure=\"DIE\">"
                      "<argument value=\"7\"/><prop id=\"instance_id\" value=\"x\"/></actor>" CLOSE,
                 1),
        "b 1 1 0");
}

static void wrong_deployments(void **state)
{
    (void)state;
    assert_string_equal(deployed(OPEN ACTOR("c") CLOSE, 2),
                        "d.xml: 1 <actor>s for 2 ranks; expected at least one per rank");
    assert_string_equal(deployed(OPEN CLOSE, 1), "d.xml:1: no <actor>; expected one per rank");
    assert_string_equal(deployed(OPEN ACTOR("c") ACTOR("x") CLOSE, 1),
                        "d.xml:3: <actor host=\"x\">: no such host; expected a host of platform test.xml");
    assert_string_equal(deployed(ZONE(HOST "/>"), 1),
                        "d.xml:2: <zone> in a deployment file; expected <actor>s only");
    assert_string_equal(deployed(OPEN "<actor host=\"a\" function=\"f\" start_time=\"3\"/>" CLOSE, 1),
                        "d.xml:2: <actor start_time=\"3\">: not modelled; ranks start at 0");
    assert_string_equal(deployed(OPEN "<actor host=\"a\" function=\"f\" kill_time=\"0\"/>" CLOSE, 1),
                        "d.xml:2: <actor kill_time=\"0\">: not modelled; ranks end by themselves");
    assert_string_equal(
        deployed(OPEN "<actor host=\"a\" function=\"f\" on_failure=\"RESTART\"/>" CLOSE, 1),
        "d.xml:2: <actor on_failure=\"RESTART\">: not modelled; a rank whose host failed does not "
        "start again");
    assert_string_equal(deployed(OPEN RANK("a", "0") ACTOR("b") CLOSE, 1),
                        "d.xml:3: <actor>: expected the property rank_id in all actors or in none");
    assert_string_equal(deployed(OPEN RANK("a", "0") RANK("b", "0") CLOSE, 1),
                        "d.xml:3: <actor>: a second one of rank 0");
    assert_string_equal(deployed(OPEN RANK("a", "1") CLOSE, 1),
                        "d.xml:2: <actor> of rank 1; expected ranks 0 to 0, for there are 1 actors");
    assert_string_equal(deployed(OPEN RANK("a", "one") CLOSE, 1),
                        "d.xml:2: <prop value=\"one\">: expected the number of a rank");
}

/* In a platform file, actors are ignored if they would only place ranks. */
static void actors_in_a_platform(void **state)
{
    (void)state;
    assert_string_equal(
        profiles(OPEN "<zone id=\"z\" routing=\"Full\">" HOST "/></zone>" ACTOR("a") CLOSE, NULL), "");
    assert_string_equal(
        profiles(OPEN "<zone id=\"z\" routing=\"Full\">" HOST "/></zone>\n" ACTOR("b") CLOSE, NULL),
        "p.xml:3: <actor host=\"b\">: no such host; expected a host of platform p.xml");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_in_their_order),
        cmocka_unit_test(changes_that_come_again),
        cmocka_unit_test(changes_after_each_other),
        cmocka_unit_test(wrong_lines),
        cmocka_unit_test(wrong_wholes),
        cmocka_unit_test(attributes_of_hosts_and_links),
        cmocka_unit_test(files_are_looked_for),
        cmocka_unit_test(traces_are_connected),
        cmocka_unit_test(wrong_traces),
        cmocka_unit_test(disks_are_listed),
        cmocka_unit_test(all_is_printed),
        cmocka_unit_test(actors_place_ranks),
        cmocka_unit_test(wrong_deployments),
        cmocka_unit_test(actors_in_a_platform),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
