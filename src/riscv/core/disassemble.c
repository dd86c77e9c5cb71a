/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include "riscv/core/table.h"
unsigned riscv_disassemble(uint32_t word, uint64_t pc, const struct riscv_options *o, char *text, size_t size)
{
    (void)pc;
    unsigned bytes = (word & 3) == 3 ? 4 : 2;
    uint32_t w = bytes == 4 ? word : riscv_expand((uint16_t)word);
    enum riscv_which i = riscv_find(w, o);
    if (i == RISCV_INSTRUCTIONS)
        snprintf(text, size, bytes == 4 ? ".4byte\t0x%x" : ".2byte\t0x%x", bytes == 4 ? word : word & 0xffff);
    else
        snprintf(text, size, "%s", riscv_instructions[i].name);
    return bytes;
}
