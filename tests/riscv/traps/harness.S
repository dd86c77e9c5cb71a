# SPDX-License-Identifier: BSD-3-Clause
# Executes words one at a time, and writes what became of each by semihosting: mcause, mtval, mepc. The file
# TABLE has the cases: a word, and how it is executed: bits 0 to 2 are frm, 3 and 4 mstatus.FS, 5 is U mode,
# and from bit 8 on is what is added to the address that all registers hold. A word behind which execution
# goes on ends at a c.ebreak.
.option norvc
.section .text.init, "ax"
.globl rvtest_entry_point
rvtest_entry_point:
    la t0, trapped
    csrw mtvec, t0
    li t0, -1
    csrw mcounteren, t0
    la t0, state
    sd zero, 0(t0)

next_case:
    la gp, state
    ld s0, 0(gp)
    li t0, CASES
    beq s0, t0, finish
    la t1, cases
    slli t2, s0, 3
    add t1, t1, t2
    lw t2, 0(t1)
    la t3, slot
    sh t2, 0(t3)
    srli t4, t2, 16
    sh t4, 2(t3)
    fence.i
    lw t2, 4(t1)
    li t4, 0x7800           # FS, MPP
    csrc mstatus, t4
    li t4, 0x2000
    csrs mstatus, t4
    andi t4, t2, 7
    fsrm t4
    li t4, 0x6000
    csrc mstatus, t4
    andi t4, t2, 0x18
    slli t4, t4, 10
    csrs mstatus, t4
    andi t4, t2, 0x20
    bnez t4, 1f
    li t4, 0x1800
    csrs mstatus, t4
1:  csrw mepc, t3
    srli t2, t2, 8
    la x31, memory
    add x31, x31, t2
    .irp n, 1, 2, 3, 4, 5, 6, 7, 8, 9
    mv x\n, x31
    .endr
    .irp tens, 1, 2
    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9
    mv x\tens\n, x31
    .endr
    .endr
    mv x30, x31
    mret

.balign 4
trapped:
    la gp, state
    ld s0, 0(gp)
    la t0, results
    slli t1, s0, 3
    slli t2, s0, 4
    add t0, t0, t1
    add t0, t0, t2
    csrr t1, mcause
    sd t1, 0(t0)
    csrr t1, mtval
    sd t1, 8(t0)
    csrr t1, mepc
    sd t1, 16(t0)
    addi s0, s0, 1
    sd s0, 0(gp)
    j next_case

.macro semihost number, block
    li a0, \number
    la a1, \block
    .balign 16
    slli x0, x0, 31
    ebreak
    srai x0, x0, 7
.endm

finish:
    semihost 1, open_block
    la t0, write_block
    sd a0, 0(t0)
0:  semihost 5, write_block    # what is left, as long as somebody reads
    la t0, write_block
    ld t1, 16(t0)
    sub t1, t1, a0
    ld t2, 8(t0)
    add t2, t2, t1
    sd t2, 8(t0)
    sd a0, 16(t0)
    bnez a0, 0b
    semihost 32, exit_block
1:  j 1b

.section .data
.balign 64
.globl slot
slot: .fill 16, 2, 0x9002
.balign 8
state: .dword 0
open_name: .asciz ":tt"
.balign 8
open_block: .dword open_name, 5, 3
write_block: .dword 0, results, CASES * 24
exit_block: .dword 0x20026, 0
.balign 4096
    .zero 4096
memory: .zero 8192
cases: .incbin TABLE
.balign 8
results: .zero CASES * 24
