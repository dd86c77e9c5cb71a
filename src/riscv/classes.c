/* SPDX-License-Identifier: BSD-3-Clause */
/* classes: what classes of instructions and causes of waiting are called. */
#include "riscv/riscv.h"

const char *riscv_class_name(enum riscv_class c)
{
    static const char *const names[RISCV_CLASSES] = {[RISCV_ALU] = "integer",
                                                     [RISCV_JUMP] = "jumps and branches",
                                                     [RISCV_MEMORY] = "memory",
                                                     [RISCV_MUL] = "multiply",
                                                     [RISCV_DIV] = "divide",
                                                     [RISCV_FLOAT] = "floating point",
                                                     [RISCV_FDIV] = "floating divide",
                                                     [RISCV_AMO] = "local atomics",
                                                     [RISCV_SYSTEM] = "system",
                                                     [RISCV_REMOTE_MEMORY] = "remote memory",
                                                     [RISCV_REMOTE_AMO] = "remote atomics"};
    return names[c];
}

const char *riscv_stall_name(enum riscv_stall s)
{
    static const char *const names[RISCV_STALLS] = {[RISCV_STALL_FETCH] = "fetch",
                                                    [RISCV_STALL_L1] = "L1",
                                                    [RISCV_STALL_L2] = "L2",
                                                    [RISCV_STALL_OPEN] = "DRAM, row open",
                                                    [RISCV_STALL_CLOSED] = "DRAM, row closed",
                                                    [RISCV_STALL_CONFLICT] = "DRAM, row conflict",
                                                    [RISCV_STALL_DIRECTORY] = "directory",
                                                    [RISCV_STALL_REMOTE] = "remote",
                                                    [RISCV_STALL_BARRIER] = "barrier",
                                                    [RISCV_STALL_FENCE] = "fence",
                                                    [RISCV_STALL_TRAP] = "trap",
                                                    [RISCV_STALL_WFI] = "wfi"};
    return names[s];
}
