/* SPDX-License-Identifier: BSD-3-Clause */
/* x86: instructions of x86-64 as the decoder library gives them (private to zydis.c, decode.c, emulate.c,
 * memory.c and step.c). */
#ifndef PGASIM_FOLD_POLL_X86_H
#define PGASIM_FOLD_POLL_X86_H

#include "fold/poll/parts.h"

#if defined(__x86_64__)
#include <Zydis/Zydis.h>

struct x86_instruction {
    ZydisDecodedInstruction is;
    ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
    bool known;
};

/* What the instruction at the program counter will read and write, into `s`. Its memory is entered into the
 * turn. false: there is no room. */
bool x86_decode(struct poll_turn *t, struct poll_step *s, struct x86_instruction *i, const ucontext_t *u);
/* Does the instruction, as the processor would, if it is one of the usual simple ones and stores nowhere but
 * within [low, high). false: nothing was changed. Needs x86_decode's result for the same state. */
bool x86_emulate(const struct x86_instruction *i, ucontext_t *u, uintptr_t low, uintptr_t high);
/* false: a form that compilers do not use for data. */
bool x86_address(const ZydisDecodedInstruction *is, const ZydisDecodedOperand *o, const ucontext_t *u,
                 uintptr_t *address);
/* 1, 2, 4 or 8 bytes of memory that is there. */
uint64_t x86_memory_get(uintptr_t at, unsigned bytes);
void x86_memory_put(uintptr_t at, uint64_t value, unsigned bytes);
/* The place of a general register in a handler's context; -1: it is none, or one of its upper bytes. */
int x86_general(ZydisRegister r);
ZydisRegisterClass x86_class(ZydisRegister r);
uint64_t x86_bits(ZydisRegister r); /* of a turn's registers; 0: it does not matter */
uint64_t x86_value(const ucontext_t *u, ZydisRegister r);
/* Decodes at most `most` bytes at `pc`. false: they are no instruction. */
bool x86_read(struct x86_instruction *i, uintptr_t pc, size_t most);
/* Whether a conditional jump with this number in its opcode is taken. */
bool x86_holds(unsigned condition, uint64_t flags);
#endif

#endif
