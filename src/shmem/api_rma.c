/* SPDX-License-Identifier: BSD-3-Clause */
/* api_rma: the functions of rma.def. The work is transfer.c's. */
#include "shmem/forms.h"

#define PUT(T, MODE)                                                                                         \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = MODE};                   \
    shmem_core_put(&form, ctx, dest, source, nelems, pe);
#define PUT_VALUE(T)                                                                                         \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = RMA_BLOCKING};           \
    shmem_core_put_value(&form, ctx, dest, &value, pe, __builtin_return_address(0));
#define GET(T, MODE)                                                                                         \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = MODE};                   \
    shmem_core_get(&form, ctx, dest, source, nelems, pe);
#define GET_VALUE(T)                                                                                         \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = RMA_BLOCKING};           \
    T value;                                                                                                 \
    shmem_core_get_value(&form, ctx, &value, source, pe, __builtin_return_address(0));                       \
    return value;
#define PUT_STRIDED(T, BLOCK, COUNT)                                                                         \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = RMA_BLOCKING};           \
    const struct shmem_strides strides = {dst, sst, BLOCK, COUNT, __builtin_return_address(0)};              \
    shmem_core_put_strided(&form, ctx, dest, source, &strides, pe);
#define GET_STRIDED(T, BLOCK, COUNT)                                                                         \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = RMA_BLOCKING};           \
    const struct shmem_strides strides = {dst, sst, BLOCK, COUNT, __builtin_return_address(0)};              \
    shmem_core_get_strided(&form, ctx, dest, source, &strides, pe);

#include "shmem/rma.def"
