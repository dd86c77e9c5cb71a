/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls as words and as text: what is printed is read as the same words, for every function; wrong text is refused. */
#include "record/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SEED = 1 };
static struct base_random source;
static uint64_t draw(uint64_t n)
{
    return base_random_below(&source, n);
}

static int64_t draw_handle(enum record_object o)
{
    if (draw(2))
        return RECORD_MADE + (int64_t)draw(100000);
    if (o >= RECORD_CTX)
        return (int64_t)draw(o - RECORD_CTX + 2);
    size_t from = draw(record_mpi_names_count);
    for (size_t k = 0; k < record_mpi_names_count; k++) {
        const struct record_name *name = &record_mpi_names[(from + k) % record_mpi_names_count];
        if (name->object == o)
            return name->value;
    }
    return RECORD_MADE;
}

static int64_t draw_place(void)
{
    uint64_t offset = draw(UINT32_MAX) << draw(20);
    return draw(2) ? (int64_t)draw(3) : record_place((uint32_t)draw(RECORD_FOLDED + 1), offset);
}

static int64_t draw_number(void)
{
    int64_t value = (int64_t)(draw(UINT32_MAX) << draw(32));
    return draw(2) ? value : -value;
}

static void draw_array(struct record_words *w, const struct record_param *p)
{
    int64_t n = (int64_t)draw(6) - 1;
    if (n < 0 && p->kind == RECORD_NUMBERS && draw(2))
        n = -2 - (int64_t)draw(2);
    record_push(w, n);
    for (int64_t k = 0; k < n; k++)
        record_push(w, p->kind == RECORD_HANDLES ? draw_handle((enum record_object)p->object)
                       : p->kind == RECORD_TEXT  ? (int64_t)draw(255) + 1
                                                 : draw_number());
}

static void draw_words(struct record_words *w, const struct record_function *f)
{
    w->n = 0;
    for (int last = 0; last < 2; last++)
        for (uint32_t k = 0; k < f->n; k++) {
            const struct record_param *p = &f->param[k];
            if (!record_has_words(p) || record_comes_last(p) != (last == 1))
                continue;
            if (p->kind == RECORD_NUMBERS || p->kind == RECORD_HANDLES || p->kind == RECORD_TEXT)
                draw_array(w, p);
            else
                record_push(w, p->kind == RECORD_HANDLE   ? draw_handle((enum record_object)p->object)
                               : p->kind == RECORD_BUFFER ? (int64_t)draw(3)
                               : p->kind == RECORD_PLACE  ? draw_place()
                                                          : draw_number());
        }
}

static void test_round_trips(void **unused)
{
    (void)unused;
    char text[8192];
    struct record_words words = {0}, read = {0};
    struct base_status st;
    for (uint32_t k = 0; k < 50 * RECORD_FUNCTIONS; k++) {
        const struct record_function *f = record_function_of(k % RECORD_FUNCTIONS);
        draw_words(&words, f);
        size_t n = record_print(f, words.at, words.n, text, sizeof text - 1);
        assert_true(n < sizeof text);
        text[n] = '\0';
        assert_true(record_parse(f, text, &read, &st) == 0);
        assert_true(read.n == words.n &&
                    (!words.n || !memcmp(read.at, words.at, words.n * sizeof *words.at)));
    }
    record_words_release(&words);
    record_words_release(&read);
}

static void test_names(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < record_mpi_count; k++)
        assert_true(record_mpi_find(record_mpi[k].name, strlen(record_mpi[k].name)) == k);
    assert_true(record_mpi_find("MPI_Sen", 7) == record_mpi_count);
    assert_true(record_mpi_find("MPI_Sendx", 9) == record_mpi_count);
    assert_true(!strcmp(record_mpi[RECORD_MPI_WAITALL].name, "MPI_Waitall"));
    for (uint32_t k = 0; k < RECORD_FUNCTIONS; k++)
        assert_true(record_find(record_function_of(k)->name, strlen(record_function_of(k)->name)) == k);
    assert_true(record_find("shmem_putmemx", 13) == RECORD_FUNCTIONS);
    assert_true(!strcmp(record_function_of(RECORD_SHMEM_PUT_SIGNAL)->name, "shmem_putmem_signal"));
}

static void refuses(const char *function, const char *text, const char *why)
{
    struct record_words w = {0};
    struct base_status st;
    uint32_t number = record_find(function, strlen(function));
    assert_true(record_parse(record_function_of(number), text, &w, &st) == -1 ||
                record_check(number, &w, &st) == -1);
    if (!strstr(st.text, why))
        fprintf(stderr, "%s%s: '%s', not '%s'\n", function, text, st.text, why);
    assert_true(strstr(st.text, why) != NULL);
    record_words_release(&w);
}

static void test_wrong_text(void **unused)
{
    (void)unused;
    refuses("MPI_Send", " - 1 MPI_INT 2", "the line ends before tag");
    refuses("MPI_Send", " x 1 MPI_INT 2 3 c0", "buf: expected a buffer");
    refuses("MPI_Send", " - 1 MPI_WORD 2 3 c0", "datatype: expected a handle");
    refuses("MPI_Send", " - 1 MPI_INT 2 3 r0", "comm: expected a handle");
    refuses("MPI_Send", " - 1 MPI_INT 2 3 c0 4", "more arguments");
    refuses("MPI_Waitall", " 2 [r0,r1", "expected a comma");
    refuses("MPI_Waitall", " 2 r0", "expected an array");
    refuses("shmem_putmem", " SHMEM_CTX_DEFAULT heap:x - 8 1", "dest: expected a place");
    refuses("shmem_putmem", " SHMEM_CTX_DEFAULT static99:1 - 8 1", "dest: expected a place");
    refuses("shmem_putmem", " SHMEM_CTX_DEFAULT heap:4503599627370496 - 8 1", "dest: expected a place");
    refuses("shmem_putmem", " p1 heap:0 - 8 1", "ctx: expected a handle (SHMEM_..., or x and a number)");
    refuses("shmem_team_sync", " MPI_COMM_WORLD", "team: expected a handle (SHMEM_..., or p and a number)");
    refuses("shmem_wait_until", " heap:0 8 [1,2,3]", "causes: expected pairs");
    refuses("shmem_atomic_add", " SHMEM_CTX_DEFAULT heap:0 3 1", "size: expected 1, 2, 4 or 8 bytes, not 3");
    refuses("shmem_alltoall", " SHMEM_TEAM_WORLD heap:0 heap:64 1 0",
            "size: expected bytes of an element, not 0");
    refuses("shmem_init", " -1 []", "heap: expected a number of bytes, not -1");
    refuses("shmem_init", " 1 [8]", "statics: expected pairs");
    refuses("MPI_Info_set", " i0 \"a\" \"%4\"", "hexadecimal");
}

/* A library whose handles are their own words. */
static int64_t own_number(void *ctx, enum record_object o, uint64_t handle)
{
    (void)ctx, (void)o;
    return (int64_t)handle;
}

static int64_t own_measure(void *ctx, enum record_length rule, uint64_t comm, int64_t root)
{
    (void)ctx, (void)comm, (void)root;
    return rule == RECORD_LENGTH_MEMBERS ? 3 : 0;
}

static void test_arguments(void **unused)
{
    (void)unused;
    struct record_library l = {.number = own_number, .measure = own_measure};
    for (int k = 0; k < RECORD_OBJECTS; k++)
        l.handle[k] = 8;
    char text[256];
    struct record_words w = {0};
    uint64_t requests[2] = {RECORD_MADE + 4, RECORD_MADE + 7};
    int outcount = 0, indices[2] = {0}, counts[3] = {1, 2, 3};
    const struct record_value some[] = {
        {.i = 2}, {.p = requests}, {.p = &outcount}, {.p = indices, .width = 4}, {.p = NULL}};
    const struct record_function *f = &record_mpi[RECORD_MPI_WAITSOME];
    record_before(&w, f, some, &l, NULL);
    requests[1] = 0x180;
    outcount = 1;
    indices[0] = 1;
    record_after(&w, f, some, &l, NULL);
    text[record_print(f, w.at, w.n, text, sizeof text)] = '\0';
    assert_true(!strcmp(text, " 2 [r4,r7] 1 [1]"));

    const struct record_value v[] = {{.p = text},
                                     {.i = 1},
                                     {.i = 0x209},
                                     {.p = text},
                                     {.p = counts, .width = 4},
                                     {.p = NULL, .width = 4},
                                     {.i = 0x209},
                                     {.i = 0x101}};
    f = &record_mpi[RECORD_MPI_ALLGATHERV];
    record_before(&w, f, v, &l, NULL);
    record_after(&w, f, v, &l, NULL);
    text[record_print(f, w.at, w.n, text, sizeof text)] = '\0';
    assert_true(!strcmp(text, " - 1 MPI_INT - [1,2,3] null MPI_INT MPI_COMM_WORLD"));
    record_words_release(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trips), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_wrong_text), cmocka_unit_test(test_arguments)};
    print_message("seed %d\n", SEED);
    base_random_seed(&source, SEED, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
