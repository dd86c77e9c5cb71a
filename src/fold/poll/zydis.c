/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * zydis: the decoder library Zydis (docs/decisions/0016-polling.md), and registers by its numbers. The
 * library is loaded when a rank first has to be looked at; without it no loop is proven. It allocates
 * nothing, so it may be used in signal handlers.
 */
#include "fold/poll/x86.h"

#if defined(__x86_64__)
#include <dlfcn.h>
#include <stdio.h>
#include <sys/uio.h>

#define EACH_FUNCTION(X)                                                                                     \
    X(ZydisDecoderInit)                                                                                      \
    X(ZydisDecoderDecodeFull)                                                                                \
    X(ZydisRegisterGetClass)                                                                                 \
    X(ZydisRegisterGetId)                                                                                    \
    X(ZydisRegisterGetLargestEnclosing)

#define MEMBER(f) __typeof__(f) *f;
static struct {
    bool tried, good;
    ZydisDecoder decoder;
    EACH_FUNCTION(MEMBER)
} zy;

static bool load(void)
{
    char name[32]; /* the version is a part of the name: structures are those of the headers */
    snprintf(name, sizeof name, "libZydis.so.%d.%d", ZYDIS_VERSION_MAJOR(ZYDIS_VERSION),
             ZYDIS_VERSION_MINOR(ZYDIS_VERSION));
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return false;
#define FIND(f)                                                                                              \
    if (!(zy.f = (__typeof__(f) *)dlsym(library, #f)))                                                       \
        return false;
    EACH_FUNCTION(FIND)
    return ZYAN_SUCCESS(zy.ZydisDecoderInit(&zy.decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64));
}

bool poll_steps_possible(void)
{
    if (!zy.tried)
        zy.good = load();
    zy.tried = true;
    return zy.good;
}

bool poll_peek(uintptr_t address, void *out, size_t size)
{
    struct iovec to = {out, size}, from = {(void *)address, size};
    return process_vm_readv(poll_job.process, &to, 1, &from, 1, 0) == (ssize_t)size;
}

/* --- registers ---------------------------------------------------------------------------------- */

/* Zydis's order of the general registers. */
static const int greg_of[POLL_GENERAL] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                          REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                          REG_R12, REG_R13, REG_R14, REG_R15};

void poll_registers_read(struct poll_registers *out, const ucontext_t *u)
{
    for (unsigned k = 0; k < POLL_GENERAL; k++)
        out->general[k] = (uint64_t)u->uc_mcontext.gregs[greg_of[k]];
    out->flags = (uint64_t)u->uc_mcontext.gregs[REG_EFL];
    if (u->uc_mcontext.fpregs)
        memcpy(out->vector, u->uc_mcontext.fpregs->_xmm, sizeof out->vector);
}

ZydisRegisterClass x86_class(ZydisRegister r)
{
    return zy.ZydisRegisterGetClass(r);
}

static bool is_general(ZydisRegisterClass c)
{
    return c == ZYDIS_REGCLASS_GPR8 || c == ZYDIS_REGCLASS_GPR16 || c == ZYDIS_REGCLASS_GPR32 ||
           c == ZYDIS_REGCLASS_GPR64;
}

static bool is_vector(ZydisRegisterClass c)
{
    return c == ZYDIS_REGCLASS_XMM || c == ZYDIS_REGCLASS_YMM || c == ZYDIS_REGCLASS_ZMM;
}

static unsigned general_number(ZydisRegister r)
{
    return (unsigned)(zy.ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r) -
                      ZYDIS_REGISTER_RAX);
}

uint64_t x86_bits(ZydisRegister r)
{
    ZydisRegisterClass c = zy.ZydisRegisterGetClass(r);
    if (is_general(c))
        return POLL_BIT(general_number(r));
    if (is_vector(c)) {
        unsigned id = (unsigned)zy.ZydisRegisterGetId(r);
        if (id >= 16)
            return POLL_BIT(POLL_OTHERS);
        return POLL_BIT(POLL_VECTOR + id) | (c == ZYDIS_REGCLASS_XMM ? 0 : POLL_BIT(POLL_UPPER + id));
    }
    if (c == ZYDIS_REGCLASS_X87 || c == ZYDIS_REGCLASS_MMX)
        return POLL_BIT(POLL_X87);
    if (c == ZYDIS_REGCLASS_IP || c == ZYDIS_REGCLASS_FLAGS || c == ZYDIS_REGCLASS_SEGMENT ||
        r == ZYDIS_REGISTER_MXCSR || r == ZYDIS_REGISTER_NONE)
        return 0;
    return POLL_BIT(POLL_OTHERS);
}

int x86_general(ZydisRegister r)
{
    bool upper = r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH;
    return upper || !is_general(zy.ZydisRegisterGetClass(r)) ? -1 : greg_of[general_number(r)];
}

uint64_t x86_value(const ucontext_t *u, ZydisRegister r)
{
    return (uint64_t)u->uc_mcontext.gregs[greg_of[general_number(r)]];
}

bool x86_read(struct x86_instruction *i, uintptr_t pc, size_t most)
{
    return ZYAN_SUCCESS(zy.ZydisDecoderDecodeFull(&zy.decoder, (const void *)pc, most, &i->is, i->operand));
}
#endif
