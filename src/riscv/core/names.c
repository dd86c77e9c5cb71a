/* SPDX-License-Identifier: BSD-3-Clause */
/* names: registers and causes in text, as the ABI and the privileged specification call them. */
#include "riscv/core/core.h"

const char *riscv_register_name(unsigned x)
{
    static const char *const names[32] = {
        "zero", "ra", "sp", "gp", "tp", "t0", "t1", "t2", "s0", "s1", "a0",  "a1",  "a2", "a3", "a4", "a5",
        "a6",   "a7", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
    return x < 32 ? names[x] : "?";
}

const char *riscv_float_name(unsigned f)
{
    static const char *const names[32] = {"ft0", "ft1", "ft2",  "ft3",  "ft4", "ft5", "ft6",  "ft7",
                                          "fs0", "fs1", "fa0",  "fa1",  "fa2", "fa3", "fa4",  "fa5",
                                          "fa6", "fa7", "fs2",  "fs3",  "fs4", "fs5", "fs6",  "fs7",
                                          "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};
    return f < 32 ? names[f] : "?";
}

const char *riscv_cause_text(enum riscv_cause cause)
{
    switch (cause) {
    case RISCV_FETCH_MISALIGNED:
        return "jump to an odd address";
    case RISCV_FETCH_FAULT:
        return "instruction outside of the program's text";
    case RISCV_ILLEGAL:
        return "illegal instruction";
    case RISCV_BREAKPOINT:
        return "breakpoint";
    case RISCV_LOAD_MISALIGNED:
        return "misaligned load";
    case RISCV_LOAD_FAULT:
        return "load outside of memory";
    case RISCV_STORE_MISALIGNED:
        return "misaligned store or atomic";
    case RISCV_STORE_FAULT:
        return "store outside of writable memory";
    case RISCV_ECALL_U:
        return "environment call from user mode";
    case RISCV_ECALL_M:
        return "environment call from machine mode";
    }
    return "unknown exception";
}
