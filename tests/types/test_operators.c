/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Pins every operator on every element against a computation of one element at a time (naive_operators.h), in
 * each form that out may have, at any alignment.
 */
#include "types/naive_operators.h"
#include "types/operands.h"

enum { MOST = 150, ROOM = MOST * 32 + 64 };

/* form 0: out apart, 1: left, 2: right, 3: left and right. */
static void check_operator(struct base_random *r, enum types_op op, enum types_element e, int form, size_t n)
{
    static unsigned char out[ROOM], a[ROOM], b[ROOM], want[ROOM];
    uint32_t extent = types_element_info(e)->extent;
    size_t at = base_random_below(r, 32);
    memset(out, 7, sizeof out);
    memset(a, 7, sizeof a);
    memset(b, 7, sizeof b);
    for (size_t k = 0; k < n; k++) {
        put_random(r, e, a + at + k * extent);
        put_random(r, e, b + at + k * extent);
    }
    unsigned char *left = a, *right = form == 3 ? a : b, *to = form == 0 ? out : form == 2 ? b : a;
    memcpy(want, to, sizeof want);
    for (size_t k = at; k < at + n * extent; k += extent)
        one(op, e, left + k, right + k, want + k);
    types_operator(op, e)(to + at, left + at, right + at, n);
    for (size_t k = 0; k < n; k++)
        if (!same(e, to + at + k * extent, want + at + k * extent))
            fail_msg("%s of %s: element %zu of %zu, form %d, differs", types_operator_name(op),
                     types_element_info(e)->name, k, n, form);
    assert_memory_equal(to, want, at);
    assert_memory_equal(to + at + n * extent, want + at + n * extent, sizeof want - at - n * extent);
}

static void test_operators(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("operators"), 7);
    for (int op = 0; op < TYPES_REPLACE; op++) {
        for (int e = 0; e < TYPES_ELEMENTS; e++) {
            for (int k = 0; types_operator((enum types_op)op, (enum types_element)e) && k < 40; k++) {
                size_t n = k < 8 ? (size_t)k : base_random_below(&r, MOST);
                check_operator(&r, (enum types_op)op, (enum types_element)e, k % 4, n);
            }
        }
    }
}

/* MPI-5.0 section 6.9.2, a column for each class in the order of enum types_class. */
static void test_allowed(void **state)
{
    (void)state;
    static const char *const table[TYPES_OPS] = {
        [TYPES_MAX] = "xxx...x...",     [TYPES_MIN] = "xxx...x...",    [TYPES_SUM] = "xxx.x.x...",
        [TYPES_PROD] = "xxx.x.x...",    [TYPES_LAND] = "x..x......",   [TYPES_LOR] = "x..x......",
        [TYPES_LXOR] = "x..x......",    [TYPES_BAND] = "xx...xx...",   [TYPES_BOR] = "xx...xx...",
        [TYPES_BXOR] = "xx...xx...",    [TYPES_MINLOC] = ".......x..", [TYPES_MAXLOC] = ".......x..",
        [TYPES_REPLACE] = "xxxxxxxxxx", [TYPES_NO_OP] = "xxxxxxxxxx",
    };
    static const char shmem_char[] =
        "xxxx...xxx..xx"; /* by operator: OpenSHMEM's char, and what goes for all */
    for (int op = 0; op < TYPES_OPS; op++) {
        for (int e = 0; e < TYPES_ELEMENTS; e++) {
            unsigned column = (unsigned)__builtin_ctz(types_element_info((enum types_element)e)->class);
            bool allowed = table[op][column] == 'x';
            assert_int_equal(types_operator_allowed((enum types_op)op, (enum types_element)e), allowed);
            bool exists = types_operator((enum types_op)op, (enum types_element)e);
            if (e != TYPES_CHAR && exists != allowed)
                fail_msg("%s of %s", types_operator_name((enum types_op)op),
                         types_element_info((enum types_element)e)->name);
        }
        if (shmem_char[op] == 'x')
            assert_non_null(types_operator((enum types_op)op, TYPES_CHAR));
    }
}

static void test_update(void **state)
{
    (void)state;
    struct base_random r;
    base_random_seed(&r, naive_seed("update"), 9);
    for (int e = 0; e < TYPES_ELEMENTS; e++) {
        for (int op = 0; op < TYPES_OPS; op++) {
            enum { N = 5 };
            unsigned char target[N * 32], operand[N * 32], old[N * 32], before[N * 32], want[N * 32];
            size_t size = (size_t)N * types_element_info((enum types_element)e)->extent;
            types_combine_fn combine = types_operator((enum types_op)op, (enum types_element)e);
            if (!combine)
                continue;
            memset(target, 0, sizeof target);
            memset(operand, 0, sizeof operand);
            for (size_t k = 0; k < size; k += size / N) {
                put_random(&r, (enum types_element)e, target + k);
                put_random(&r, (enum types_element)e, operand + k);
            }
            memcpy(before, target, size);
            memcpy(want, target, size);
            combine(want, before, operand, N);
            if (op == TYPES_REPLACE)
                assert_memory_equal(want, operand, size);
            if (op == TYPES_NO_OP)
                assert_memory_equal(want, before, size);
            types_update((enum types_op)op, (enum types_element)e, target, operand, old, N);
            assert_memory_equal(old, before, size);
            assert_memory_equal(target, want, size);
            types_update((enum types_op)op, (enum types_element)e, before, operand, NULL, N);
            assert_memory_equal(before, want, size);
        }
    }
}

/* Arrays of no elements may be anywhere, as those of a caller that has none: at NULL, too. Of interest to
 * the sanitizers. */
static void test_nothing(void **state)
{
    unsigned char there[32] = {0}, as_before[32] = {0};
    (void)state;
    for (int e = 0; e < TYPES_ELEMENTS; e++)
        for (int op = 0; op < TYPES_OPS; op++) {
            types_combine_fn combine = types_operator((enum types_op)op, (enum types_element)e);
            if (!combine)
                continue;
            combine(NULL, NULL, there, 0);
            combine(NULL, there, NULL, 0);
            combine(there, NULL, NULL, 0);
            types_update((enum types_op)op, (enum types_element)e, NULL, NULL, there, 0);
        }
    assert_memory_equal(there, as_before, sizeof there);
}

static void test_compare_swap(void **state)
{
    (void)state;
    for (size_t size = 1; size <= 16; size *= 2) {
        for (size_t differs = 0; differs <= size; differs++) { /* in this byte; size: in none */
            unsigned char memory[20], compare[16], value[16], old[16], was[20];
            for (size_t k = 0; k < sizeof memory; k++)
                memory[k] = (unsigned char)(k + 1);
            memcpy(was, memory, sizeof was);
            memcpy(compare, memory + 1, size);
            memset(value, 200, size);
            if (differs < size)
                compare[differs] ^= 0x80;
            bool swapped = types_compare_swap(memory + 1, compare, value, old, size);
            assert_int_equal(swapped, differs == size);
            assert_memory_equal(old, was + 1, size);
            assert_memory_equal(memory + 1, swapped ? value : was + 1, size);
            assert_int_equal(memory[0], 1);
            assert_int_equal(memory[size + 1], size + 2);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),    cmocka_unit_test(test_allowed), cmocka_unit_test(test_update),
        cmocka_unit_test(test_compare_swap), cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
