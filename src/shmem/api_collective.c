/* SPDX-License-Identifier: BSD-3-Clause */
/* api_collective: the functions of collective.def. The work is collective.c's. */
#include "shmem/forms.h"

#define WHO_TEAM const struct shmem_who who = {.team = team, .caller = __builtin_return_address(0)};
#define WHO_ACTIVE_SET                                                                                       \
    const struct shmem_who who = {NULL,    true,  PE_start, logPE_stride,                                    \
                                  PE_size, pSync, false,    __builtin_return_address(0)};
#define END_TEAM return 0;
#define END_ACTIVE_SET

#define ALLTOALL(WHO, T)                                                                                     \
    static const struct shmem_form form = {.call = call, .size = sizeof(T)};                                 \
    WHO_##WHO shmem_core_alltoall(&form, &who, dest, source, nelems);                                        \
    END_##WHO
#define ALLTOALLS(WHO, T)                                                                                    \
    static const struct shmem_form form = {.call = call, .size = sizeof(T)};                                 \
    WHO_##WHO shmem_core_alltoalls(&form, &who, dest, source, dst, sst, nelems);                             \
    END_##WHO
#define BROADCAST(WHO, T)                                                                                    \
    static const struct shmem_form form = {.call = call, .size = sizeof(T)};                                 \
    WHO_##WHO shmem_core_broadcast(&form, &who, dest, source, nelems, PE_root);                              \
    END_##WHO
#define COLLECT(WHO, T, OP)                                                                                  \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = OP};                     \
    WHO_##WHO shmem_core_collect(&form, &who, dest, source, nelems);                                         \
    END_##WHO

#include "shmem/collective.def"
