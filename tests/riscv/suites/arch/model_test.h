/* SPDX-License-Identifier: BSD-3-Clause */
/* What riscv-arch-test asks of a machine: its signature is written by semihosting, so that any machine with it
 * prints the same bytes when it computes the same. */
#ifndef MODEL_TEST_H
#define MODEL_TEST_H

#define RVMODEL_BOOT .option norelax;

#define SEMIHOST \
    .balign 16; \
    .option push; \
    .option norvc; \
    slli x0, x0, 31; \
    ebreak; \
    srai x0, x0, 7; \
    .option pop

/* open(":tt", "wb"), write, exit */
#define RVMODEL_HALT \
    la a1, semihost_open; \
    li a0, 1; \
    SEMIHOST; \
    la a1, semihost_write; \
    sd a0, 0(a1); \
    la t0, begin_signature; \
    sd t0, 8(a1); \
    la t1, end_signature; \
    sub t1, t1, t0; \
    sd t1, 16(a1); \
    li a0, 5; \
    SEMIHOST; \
    la a1, semihost_exit; \
    li a0, 32; \
    SEMIHOST; \
    semihost_end: j semihost_end; \
    .pushsection .data; \
    .balign 8; \
    semihost_name: .asciz ":tt"; \
    .balign 8; \
    semihost_open: .dword semihost_name, 5, 3; \
    semihost_write: .dword 0, 0, 0; \
    semihost_exit: .dword 0x20026, 0; \
    .popsection

#define RVMODEL_DATA_BEGIN \
    .balign 16; \
    .global begin_signature; \
    begin_signature:

#define RVMODEL_DATA_END \
    .balign 16; \
    .global end_signature; \
    end_signature:

#define RVMODEL_IO_INIT
#define RVMODEL_IO_WRITE_STR(register, text)
#define RVMODEL_IO_CHECK()
#define RVMODEL_IO_ASSERT_GPR_EQ(scratch, register, value)
#define RVMODEL_IO_ASSERT_SFPR_EQ(register, scratch, value)
#define RVMODEL_IO_ASSERT_DFPR_EQ(register, scratch, value)
#define RVMODEL_SET_MSW_INT
#define RVMODEL_CLEAR_MSW_INT
#define RVMODEL_CLEAR_MTIMER_INT
#define RVMODEL_CLEAR_MEXT_INT

#endif
