/* SPDX-License-Identifier: BSD-3-Clause */
/* core: a core's life, and names of what it has. */
#include "riscv/core/state.h"

#include "base/base.h"

void riscv_core_init(struct riscv_core *c, struct riscv_code *code, uint64_t pc)
{
    struct riscv_core before = *c;
    *c = (struct riscv_core){
        .pc = pc,
        .port = before.port,
        .timing = before.timing,
        .flat = before.flat,
        .near = before.near,
        .owner = before.owner,
        .options = before.options,
        .hart = before.hart,
        .code = code,
        .reserved = UINT64_MAX,
        .line = UINT64_MAX,
        .mode = 3,
    };
    code->cores++;
}

void riscv_core_close(struct riscv_core *c)
{
    riscv_code_drop(c->code);
    c->code = NULL;
}
