/* SPDX-License-Identifier: BSD-3-Clause */
/* What coll_in_place makes of a call: where the caller's operand or part then lies. */
#include "coll/coll.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

enum { ME = 3, PART = 24 };
static char memory[16 * PART], elsewhere[PART];

static struct coll_call in_place(enum coll_op op, struct coll_local *l)
{
    struct coll_call c = {.op = op, .me = ME, .bytes = PART, .dest = memory, .source = elsewhere};
    coll_in_place(&c, l);
    return c;
}

static void the_own_part_is_in_dest(void **state)
{
    static const enum coll_op ops[] = {COLL_FCOLLECT, COLL_GATHER};
    struct coll_local bytes = {0};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(ops); k++)
        for (int local = 0; local < 2; local++) {
            struct coll_call c = in_place(ops[k], local ? &bytes : NULL);
            assert_ptr_equal(c.source, memory + ME * PART);
            assert_ptr_equal(c.dest, memory);
            assert_false(c.in_place);
        }
}

/* With elements of 4 bytes, of which one comes every 12. */
static void the_own_part_is_found_by_its_layout(void **state)
{
    struct base_status st;
    struct types_layout *l = types_layout_resized(types_layout_of(TYPES_INT), 0, 12, &st);
    struct coll_local local = {.dest.layout = l};
    (void)state;
    struct coll_call c = in_place(COLL_FCOLLECT, &local);
    assert_ptr_equal(c.source, memory + ME * PART / 4 * 12);
    assert_ptr_equal(local.source.layout, l);
    types_layout_release(l);
}

static void a_scatter_leaves_the_roots_part(void **state)
{
    (void)state;
    struct coll_call c = in_place(COLL_SCATTER, NULL);
    assert_null(c.dest);
    assert_ptr_equal(c.source, elsewhere);
}

static void others_begin_with_dest(void **state)
{
    static const struct {
        enum coll_op op;
        bool same;
    } of[] = {{COLL_ALLTOALL, true},
              {COLL_REDUCE_SCATTER, true},
              {COLL_REDUCE_SCATTER_BLOCK, true},
              {COLL_REDUCE, false},
              {COLL_INSCAN, false}};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(of); k++) {
        struct coll_call c = in_place(of[k].op, NULL);
        assert_ptr_equal(c.source, memory);
        assert_ptr_equal(c.dest, memory);
        assert_int_equal(c.in_place, of[k].same);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_own_part_is_in_dest),
        cmocka_unit_test(the_own_part_is_found_by_its_layout),
        cmocka_unit_test(a_scatter_leaves_the_roots_part),
        cmocka_unit_test(others_begin_with_dest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
