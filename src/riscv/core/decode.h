/* SPDX-License-Identifier: BSD-3-Clause */
/* decode: makes a block out of the bytes at an address. */
#ifndef PGASIM_RISCV_CORE_DECODE_H
#define PGASIM_RISCV_CORE_DECODE_H

#include "riscv/core/code.h"

/* A new block, to be freed with free(); or NULL: see riscv_code_find. */
struct riscv_block *riscv_decode(const struct riscv_core *c, uint64_t pc, uint64_t *fault);

#endif
