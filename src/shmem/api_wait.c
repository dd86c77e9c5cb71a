/* SPDX-License-Identifier: BSD-3-Clause */
/* api_wait: the functions of wait.def, and the two without a type in their names. The work is wait.c's. */
#include "shmem/forms.h"

#define FORM_OF(T)                                                                                           \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .sign = (T)-1 < (T)1};
#define ONE_VALUE   (uint64_t) cmp_value, NULL
#define VALUES      0, cmp_values
#define SET_OF(...) const struct shmem_ivars set = {ivars, nelems, status, cmp, __VA_ARGS__};

#define WAIT(T, CMP)                                                                                         \
    FORM_OF(T)                                                                                               \
    shmem_core_wait(&form, ivar, CMP, (uint64_t)cmp_value);
#define WAIT_ALL(T, ...)                                                                                     \
    FORM_OF(T)                                                                                               \
    SET_OF(__VA_ARGS__)                                                                                      \
    shmem_core_wait_many(&form, &set, SHMEM_ALL, NULL);
#define WAIT_ANY(T, ...)                                                                                     \
    FORM_OF(T)                                                                                               \
    SET_OF(__VA_ARGS__)                                                                                      \
    return shmem_core_wait_many(&form, &set, SHMEM_ANY, NULL);
#define WAIT_SOME(T, ...)                                                                                    \
    FORM_OF(T)                                                                                               \
    SET_OF(__VA_ARGS__)                                                                                      \
    return shmem_core_wait_many(&form, &set, SHMEM_SOME, indices);
#define TEST(T)                                                                                              \
    FORM_OF(T)                                                                                               \
    return shmem_core_test(&form, ivar, cmp, (uint64_t)cmp_value);
#define TEST_ALL(T, ...)                                                                                     \
    FORM_OF(T)                                                                                               \
    SET_OF(__VA_ARGS__)                                                                                      \
    return (int)shmem_core_test_many(&form, &set, SHMEM_ALL, NULL);
#define TEST_ANY(T, ...)                                                                                     \
    FORM_OF(T)                                                                                               \
    SET_OF(__VA_ARGS__)                                                                                      \
    return shmem_core_test_many(&form, &set, SHMEM_ANY, NULL);
#define TEST_SOME(T, ...)                                                                                    \
    FORM_OF(T)                                                                                               \
    SET_OF(__VA_ARGS__)                                                                                      \
    return shmem_core_test_many(&form, &set, SHMEM_SOME, indices);

#include "shmem/wait.def"

FORM(void, wait_until, (long *ivar, int cmp, long cmp_value), WAIT(long, cmp))
FORM(void, wait, (long *ivar, long cmp_value), WAIT(long, SHMEM_CMP_NE))
