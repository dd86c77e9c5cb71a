/* SPDX-License-Identifier: BSD-3-Clause */
/* Pins what a topology file says of each process (topology_xml.c), and the one message about each mistake:
 * with the file, the line, and the process. */
#include "sdsm/alone.h"

enum { PROCESSES = 5 };

static char path[] = "/tmp/topology-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

#define HEAD "<?xml version=\"1.0\"?>\n<!DOCTYPE SAT>\n<SAT><topologies>\n"
#define TAIL "</topologies></SAT>\n"

/* Elements stand in line 4 and behind. */
static void reads(const char *elements, int np, struct sat_process *all)
{
    char text[4096];
    assert_true((size_t)snprintf(text, sizeof text, HEAD "%s" TAIL, elements) < sizeof text);
    write_file(text);
    memset(all, 0, (size_t)np * sizeof *all);
    sat_topology_read_file(path, all, np);
}

static void expect(const struct sat_process *p, int role, int server, uint64_t capacity, uint64_t bytes)
{
    assert_true(p->named);
    assert_int_equal(p->role, role);
    assert_int_equal(p->server, server);
    assert_int_equal(p->capacity, capacity);
    assert_int_equal(p->capacity_bytes, bytes);
}

/* --- right files ---------------------------------------------------------------------------------- */

/* Figure 11. */
static void reads_the_papers_example(void **state)
{
    (void)state;
    struct sat_process all[3] = {0};
    write_file("<?xml version=\"1.0\"?>\n<!DOCTYPE SAT>\n"
               "<SAT xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n <topologies>\n"
               "  <topology id=\"0\" role=\"0\"> <memory capacity=\"0\" />\n"
               "   <clients><intlist>1 2</intlist></clients> </topology>\n"
               "  <topology id=\"1\" role=\"1\"> <memory capacity=\"0\" />\n"
               "   <servers><intlist>0</intlist></servers> </topology>\n"
               "  <topology id=\"2\" role=\"2\"> <memory capacity=\"0\" />\n"
               "   <servers><intlist>0</intlist></servers> </topology>\n </topologies>\n</SAT>\n");
    sat_topology_read_file(path, all, 3);
    expect(&all[0], 0, -1, 0, 0);
    expect(&all[1], 1, 0, 0, 0);
    expect(&all[2], 2, 0, 0, 0);
}

/* A client's server is named by either of them, or by both; order and blanks do not matter. */
static void reads_all_forms(void **state)
{
    (void)state;
    struct sat_process all[PROCESSES];
    reads("<topology role='7' id='4'><servers><intlist>\n\t2 </intlist></servers></topology>"
          "<topology id='2' role='0'><servers><intlist>0 2</intlist></servers>"
          "<clients><intlist>1<!-- and no other --></intlist></clients></topology>"
          "<topology id='0' role='0'><clients><intlist> 3 \n 3 </intlist></clients></topology>"
          "<topology id='1' role='1048576'><memory bytes='18446744073709551615' capacity='10'/></topology>"
          "<topology id='3' role='1'><servers><intlist>&#48;</intlist></servers><memory bytes=' 7 "
          "'/></topology>",
          PROCESSES, all);
    expect(&all[0], 0, -1, 0, 0);
    expect(&all[1], 1048576, 2, 10, UINT64_MAX);
    expect(&all[2], 0, -1, 0, 0);
    expect(&all[3], 1, 0, 0, 7);
    expect(&all[4], 7, 2, 0, 0);
}

/* Expat hands texts over in pieces, and the file comes in pieces of 8 KiB. */
static void reads_long_files(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static struct sat_process all[MANY];
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(HEAD "<topology id='0' role='0'><clients><intlist>\n", f);
    for (int k = 1; k < MANY; k++)
        fprintf(f, k % 7 ? "%d " : "%d\n", k);
    fputs("</intlist></clients></topology>\n", f);
    for (int k = 1; k < MANY; k++)
        fprintf(f, "<topology id='%d' role='%d'/>\n", k, 1 + k % 3);
    fputs(TAIL, f);
    assert_int_equal(fclose(f), 0);
    sat_topology_read_file(path, all, MANY);
    for (int k = 1; k < MANY; k++)
        expect(&all[k], 1 + k % 3, 0, 0, 0);
}

/* --- wrong files ---------------------------------------------------------------------------------- */

struct wrong_file {
    const char *path, *elements, *text;
    int np;
};

static void read_in_child(void *ctx)
{
    const struct wrong_file *w = ctx;
    struct sat_process all[PROCESSES] = {0};
    if (w->elements)
        reads(w->elements, w->np, all);
    else
        sat_topology_read_file(w->path, all, w->np);
}

/* `message`: behind the path. */
static void refuses_file(struct wrong_file w, const char *message)
{
    char line[1024];
    if (w.text)
        write_file(w.text);
    w.path = w.path ? w.path : path;
    snprintf(line, sizeof line, "%s%s", w.path, message);
    ends_with(read_in_child, &w, SAT_STATUS_INPUT, line);
}

static void refuses(const char *elements, const char *message)
{
    refuses_file((struct wrong_file){.elements = elements, .np = 3}, message);
}

#define SEED     "<topology id='0' role='0'/>\n"
#define CLIENT_1 "<topology id='1' role='1'><servers><intlist>0</intlist></servers></topology>\n"
#define CLIENT_2 "<topology id='2' role='1'><servers><intlist>0</intlist></servers></topology>\n"

static void refuses_topologies(void **state)
{
    (void)state;
    refuses("<topology id='0'/>", ":4: a topology element needs id and role");
    refuses("<topology role='0'/>", ":4: a topology element needs id and role");
    refuses(SEED SEED, ":5: process 0 has been described in line 4 already");
    refuses("<topology id='0' role='1'/>", ":4: process 0 is the seed, which is a server: expected role 0");
    refuses(SEED "<topology id='3' role='1'/>", ":5: process 3: the run has processes 0 to 2");
    refuses(SEED "<topology id='-1' role='1'/>", ":5: id=\"-1\": expected a number from 0 to 2147483647");
    refuses(SEED "<topology id='' role='1'/>", ":5: id=\"\": expected a number from 0 to 2147483647");
    refuses(SEED "<topology id='1a' role='1'/>", ":5: id=\"1a\": expected a number from 0 to 2147483647");
    refuses(SEED "<topology id='2147483648' role='1'/>",
            ":5: id=\"2147483648\": expected a number from 0 to 2147483647");
    refuses(SEED "<topology id='99999999999999999999' role='1'/>",
            ":5: id=\"99999999999999999999\": expected a number from 0 to 2147483647");
    refuses(SEED "<topology id='1' role='1048577'/>",
            ":5: role=\"1048577\": expected a number from 0 to 1048576");
    refuses(SEED CLIENT_1, ": process 2 of 3 has no topology element");
    refuses("", ": process 0 of 3 has no topology element");
}

static void refuses_members(void **state)
{
    (void)state;
    refuses(SEED CLIENT_1 "<topology id='2' role='1'/>", ":6: client 2 has no server");
    refuses(SEED CLIENT_1 "<topology id='2' role='1'><servers><intlist>1</intlist></servers></topology>",
            ":6: client 2 has server 1, which has role 1: expected 0");
    refuses("<topology id='0' role='0'><clients><intlist>1 2</intlist></clients></topology>\n"
            "<topology id='1' role='0'/>\n" CLIENT_2,
            ":5: process 1 is a server, and listed as a client of server 0");
    refuses(
        "<topology id='0' role='0'><clients><intlist>0</intlist></clients></topology>\n" CLIENT_1 CLIENT_2,
        ":4: process 0 is a server, and listed as a client of server 0");
    refuses("<topology id='0' role='0'><clients><intlist>2</intlist></clients></topology>\n"
            "<topology id='1' role='0'>\n<clients><intlist>2</intlist></clients></topology>\n",
            ":6: client 2 is listed by servers 0 and 1: expected one");
    refuses("<topology id='0' role='0'/><topology id='1' role='0'><clients><intlist>2</intlist></clients>"
            "</topology>\n" CLIENT_2,
            ":5: client 2 has server 0, and is listed by server 1");
    refuses(SEED "<topology id='1' role='0'/>\n"
                 "<topology id='2' role='1'><servers><intlist>0\n1</intlist></servers></topology>",
            ":7: client 2 has servers 0 and 1: expected one");
    refuses(SEED "<topology id='1' role='1'><clients><intlist>2</intlist></clients></topology>",
            ":5: process 1 has role 1: only servers, role 0, have clients");
    refuses("<topology id='0' role='0'><clients><intlist>1 3</intlist></clients></topology>",
            ":4: process 3: the run has processes 0 to 2");
    refuses("<topology id='0' role='0'><clients><intlist>1,2</intlist></clients></topology>",
            ":4: intlist=\"1,2\": expected a number from 0 to 2147483647");
    refuses(SEED "<topology id='1' role='1'><servers><intlist>zero</intlist></servers></topology>",
            ":5: intlist=\"zero\": expected a number from 0 to 2147483647");
    refuses(SEED "<topology id='1' role='1'><memory capacity='-5'/></topology>",
            ":5: capacity=\"-5\": expected a number from 0 to 18446744073709551615");
    refuses(SEED "<topology id='1' role='1'><memory bytes='4k'/></topology>",
            ":5: bytes=\"4k\": expected a number from 0 to 18446744073709551615");
}

static void refuses_structure(void **state)
{
    (void)state;
    refuses("<topologie/>", ":4: <topologie> is unknown here");
    refuses("<memory capacity='0'/>", ":4: <memory> does not belong into topologies");
    refuses("<intlist>0</intlist>", ":4: <intlist> does not belong into topologies");
    refuses("<topology id='0' role='0'><intlist/></topology>", ":4: <intlist> does not belong into topology");
    refuses("<topology id='0' role='0'><clients><intlist>\n<intlist/></intlist></clients></topology>",
            ":5: <intlist> does not belong into intlist");
    refuses("<SAT/>", ":4: <SAT> does not belong into topologies");
    refuses_file((struct wrong_file){.text = "<topologies/>", .np = 1},
                 ":1: <topologies> does not belong into the file's top");
    refuses_file((struct wrong_file){.text = "\n<platform/>", .np = 1}, ":2: <platform> is unknown here");
    refuses("</topology>", ":4: mismatched tag");
    refuses_file((struct wrong_file){.text = "", .np = 1}, ":1: no element found");
    refuses_file((struct wrong_file){.text = "<SAT>\n<topologies>\n", .np = 1}, ":3: no element found");
    refuses_file((struct wrong_file){.text = "<SAT/>\n<SAT/>", .np = 1}, ":2: junk after document element");
    refuses_file((struct wrong_file){.path = "/none/at/all", .np = 1},
                 ": cannot read the topology: No such file or directory");
    refuses_file((struct wrong_file){.path = "/tmp", .np = 1}, ": cannot read the topology: Is a directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_papers_example), cmocka_unit_test(reads_all_forms),
        cmocka_unit_test(reads_long_files),         cmocka_unit_test(refuses_topologies),
        cmocka_unit_test(refuses_members),          cmocka_unit_test(refuses_structure),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
