/* SPDX-License-Identifier: BSD-3-Clause */
/* api_signal: the functions of signal.def, and those on a signal alone. The work is signal.c's. */
#include "shmem/forms.h"

#define PUT_SIGNAL(T, MODE)                                                                                  \
    static const struct shmem_form form = {.call = call, .size = sizeof(T), .kind = MODE};                   \
    const struct shmem_signal update = {sig_addr, signal, sig_op, __builtin_return_address(0)};              \
    shmem_core_put_signal(&form, ctx, dest, source, nelems, &update, pe);
#define SIGNAL(OP)                                                                                           \
    const struct shmem_signal update = {sig_addr, signal, OP, NULL};                                         \
    shmem_core_signal(call, ctx, &update, pe);

#include "shmem/signal.def"

FORM_CTX(void, signal_add, (uint64_t * sig_addr, uint64_t signal, int pe), SIGNAL(SHMEM_SIGNAL_ADD))
FORM_CTX(void, signal_set, (uint64_t * sig_addr, uint64_t signal, int pe), SIGNAL(SHMEM_SIGNAL_SET))
FORM(uint64_t, signal_fetch, (const uint64_t *sig_addr), return shmem_core_signal_fetch(call, sig_addr);)
FORM(uint64_t, signal_wait_until, (uint64_t * sig_addr, int cmp, uint64_t cmp_value),
     static const struct shmem_form form = {.call = call, .size = sizeof *sig_addr};
     return shmem_core_wait(&form, sig_addr, cmp, cmp_value);)
