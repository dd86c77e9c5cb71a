/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compares the specification's list of names (standard.list) with ours (api.list), both ways, and with the
 * headers. Every function has a declaration and a profiling twin of the same type; every constant, type and
 * type-generic name exists.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <pshmem.h>
#include <shmemx.h>

/* --- functions ---------------------------------------------------------------------------------- */

#define CONSTANT(name)
#define TYPE(name)
#define GENERIC(name)

/* A name that is a macro, too, is taken for the function where no parenthesis follows. */
#define FUNCTION(name)                                                                                       \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), __typeof__(p##name)),                      \
                   #name " and its twin differ");
#include "shmem/standard.list"
#undef FUNCTION

static const char *const standard[] = {
#define FUNCTION(name) #name,
#include "shmem/standard.list"
#undef FUNCTION
};
static const char *const ours[] = {
#define SYMBOL(name) #name,
#include "shmem/api.list"
#undef SYMBOL
};
/* Beyond the standard: the cache calls of OpenSHMEM 1.2. */
static const char *const more[] = {"shmem_set_cache_inv",      "shmem_clear_cache_inv",
                                   "shmem_set_cache_line_inv", "shmem_clear_cache_line_inv",
                                   "shmem_udcflush",           "shmem_udcflush_line"};

static bool listed(const char *name, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(name, list[i]))
            return true;
    return false;
}

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* wait_until and test on arrays of the two types that the standard has for single variables only. */
static bool array_of_short(const char *name)
{
    return (!strncmp(name, "shmem_short_", 12) || !strncmp(name, "shmem_ushort_", 13)) &&
           (strstr(name, "_wait_until_") || strstr(name, "_test_"));
}

/* The deprecated names of atomics, which the standard has for five types only. */
static bool old_atomic(const char *name)
{
    static const char *const verbs[] = {"fetch", "set", "swap", "cswap", "finc", "inc", "fadd", "add"};
    const char *last = strrchr(name, '_');
    return !strstr(name, "_atomic_") && listed(last + 1, verbs, LENGTH(verbs));
}

static void test_functions(void **state)
{
    unsigned missing = 0, other = 0;
    (void)state;
    assert_int_equal(LENGTH(standard), 1788);
    for (size_t i = 0; i < LENGTH(standard); i++)
        if (!listed(standard[i], ours, LENGTH(ours)) && missing++ < 10)
            print_error("%s is missing\n", standard[i]);
    for (size_t i = 0; i < LENGTH(ours); i++)
        if (!listed(ours[i], standard, LENGTH(standard)) && !listed(ours[i], more, LENGTH(more)) &&
            strncmp(ours[i], "shmemx_", 7) != 0 && !array_of_short(ours[i]) && !old_atomic(ours[i]) &&
            other++ < 10)
            print_error("%s is not of the standard\n", ours[i]);
    assert_int_equal(missing, 0);
    assert_int_equal(other, 0);
}

/* --- the rest ----------------------------------------------------------------------------------- */

#define FUNCTION(name)
#undef CONSTANT
#undef TYPE
#undef GENERIC

/* What is missing here would not compile. */
static void test_constants_and_types(void **state)
{
    size_t total = 0;
    (void)state;
#define CONSTANT(name) total += sizeof(name);
#define TYPE(name)     total += sizeof(name);
#define GENERIC(name)
#include "shmem/standard.list"
#undef CONSTANT
#undef TYPE
#undef GENERIC
    assert_true(total > 0);
    assert_true(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED &&
                SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED &&
                SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);
    assert_int_equal(_SHMEM_MAJOR_VERSION, 1);
    assert_int_equal(_SHMEM_MINOR_VERSION, 6);
    assert_in_range(strlen(SHMEM_VENDOR_STRING), 1, SHMEM_MAX_NAME_LEN - 1);
    assert_int_equal(SHMEM_CTX_SERIALIZED & SHMEM_CTX_PRIVATE, 0);
    assert_int_equal((SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE) & SHMEM_CTX_NOSTORE, 0);
    assert_int_not_equal(SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD);
}

/* Constants of the specification that preprocessors and array sizes may use. */
static long sync_array[SHMEM_SYNC_SIZE + SHMEM_REDUCE_MIN_WRKDATA_SIZE + _SHMEM_BCAST_SYNC_SIZE];
#if SHMEM_MAJOR_VERSION * 100 + SHMEM_MINOR_VERSION != 106
#error "the version is no constant of the preprocessor"
#endif

/* A generic name is a macro: what it expands to is not what was written. */
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...)    TEXT_OF(__VA_ARGS__)
static void test_generics(void **state)
{
    static const struct {
        const char *name, *text;
    } generic[] = {
#define CONSTANT(name)
#define TYPE(name)
#define GENERIC(name) {#name, TEXT(name(a, b))},
#include "shmem/standard.list"
    };
    unsigned missing = 0;
    char plain[64];
    (void)state;
    assert_int_equal(LENGTH(generic), 74);
    sync_array[0] = SHMEM_SYNC_VALUE;
    for (size_t i = 0; i < LENGTH(generic); i++) {
        snprintf(plain, sizeof plain, "%s(a, b)", generic[i].name);
        if (!strcmp(plain, generic[i].text) && strcmp(generic[i].name, "shmem_global_exit") && missing++ < 10)
            print_error("%s is no type-generic name\n", generic[i].name);
    }
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_constants_and_types),
        cmocka_unit_test(test_generics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
