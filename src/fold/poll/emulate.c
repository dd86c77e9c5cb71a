/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * emulate: does simple instructions in the handler that follows a rank, because a trap for each takes ten
 * times as long, and more in a virtual machine. Whatever is not known here is left to the processor.
 */
#include "fold/poll/x86.h"

#if defined(__x86_64__)
enum { CARRY = 1, PARITY = 4, ADJUST = 0x10, ZERO = 0x40, SIGN = 0x80, OVERFLOWS = 0x800 };
enum { STATUS = CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOWS };

struct state {
    const struct x86_instruction *i;
    ucontext_t *u;
    uintptr_t low, high; /* where it may store */
};

bool x86_holds(unsigned condition, uint64_t flags)
{
    bool sign = !(flags & SIGN) != !(flags & OVERFLOWS);
    const bool is[8] = {flags & OVERFLOWS, flags & CARRY,  flags & ZERO, flags & (CARRY | ZERO),
                        flags & SIGN,      flags & PARITY, sign,         sign || flags & ZERO};
    return is[condition >> 1] != (condition & 1);
}

static uint64_t mask_of(unsigned bits)
{
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t extend(uint64_t value, unsigned bits)
{
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return ((value & mask_of(bits)) ^ sign) - sign;
}

/* --- operands ----------------------------------------------------------------------------------- */

static bool read_operand(const struct state *s, unsigned k, uint64_t *value)
{
    const ZydisDecodedOperand *o = &s->i->operand[k];
    uintptr_t at;
    *value = 0;
    switch (o->type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
        if (x86_general(o->reg.value) < 0)
            return false;
        *value = (uint64_t)s->u->uc_mcontext.gregs[x86_general(o->reg.value)] & mask_of(o->size);
        return true;
    case ZYDIS_OPERAND_TYPE_IMMEDIATE:
        *value = o->imm.value.u;
        return true;
    case ZYDIS_OPERAND_TYPE_MEMORY: /* it was read when the instruction was decoded, so it is there */
        if (o->size > 64 || !x86_address(&s->i->is, o, s->u, &at))
            return false;
        *value = x86_memory_get(at, o->size / 8);
        return true;
    default:
        return false;
    }
}

static bool store(const struct state *s, uintptr_t at, uint64_t value, unsigned bytes)
{
    if (at < s->low || at + bytes > s->high)
        return false;
    x86_memory_put(at, value, bytes);
    return true;
}

static bool write_operand(const struct state *s, unsigned k, uint64_t value)
{
    const ZydisDecodedOperand *o = &s->i->operand[k];
    uintptr_t at;
    if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
        return o->size <= 64 && x86_address(&s->i->is, o, s->u, &at) && store(s, at, value, o->size / 8);
    int general = o->type == ZYDIS_OPERAND_TYPE_REGISTER ? x86_general(o->reg.value) : -1;
    if (general < 0)
        return false;
    greg_t *r = &s->u->uc_mcontext.gregs[general];
    uint64_t rest = o->size >= 32 ? 0 : (uint64_t)*r & ~mask_of(o->size);
    *r = (greg_t)(rest | (value & mask_of(o->size)));
    return true;
}

/* --- arithmetic --------------------------------------------------------------------------------- */

static void set_flags(const struct state *s, uint64_t which, uint64_t flags)
{
    greg_t *f = &s->u->uc_mcontext.gregs[REG_EFL];
    *f = (greg_t)(((uint64_t)*f & ~which) | (flags & which));
}

static uint64_t flags_of(uint64_t result, unsigned bits)
{
    return (result ? 0 : ZERO) | (result >> (bits - 1) & 1 ? SIGN : 0) |
           (__builtin_parity((unsigned)(result & 0xff)) ? 0 : PARITY);
}

enum sort { SUM, DIFFERENCE, LOGIC };
/* a with b, as operands of `bits`; the result goes to the first operand if `keep`. */
static bool compute(const struct state *s, enum sort sort, uint64_t a, uint64_t b, uint64_t result, bool keep,
                    uint64_t which)
{
    unsigned bits = s->i->operand[0].size;
    uint64_t m = mask_of(bits), flags;
    a &= m;
    b &= m;
    result &= m;
    flags = flags_of(result, bits);
    if (sort != LOGIC) {
        uint64_t over = sort == SUM ? (a ^ result) & (b ^ result) : (a ^ b) & (a ^ result);
        bool carry = sort == SUM ? result < a : a < b;
        flags |= (over >> (bits - 1) & 1 ? OVERFLOWS : 0) | (carry ? CARRY : 0) | ((a ^ b ^ result) & ADJUST);
    }
    if (keep && !write_operand(s, 0, result))
        return false;
    set_flags(s, which, flags);
    return true;
}

static bool arithmetic(const struct state *s)
{
    uint64_t a, b = 1;
    bool one = s->i->is.mnemonic == ZYDIS_MNEMONIC_INC || s->i->is.mnemonic == ZYDIS_MNEMONIC_DEC;
    if (s->i->is.attributes & ZYDIS_ATTRIB_HAS_LOCK || !read_operand(s, 0, &a) ||
        (!one && !read_operand(s, 1, &b)))
        return false;
    switch (s->i->is.mnemonic) {
    case ZYDIS_MNEMONIC_ADD:
        return compute(s, SUM, a, b, a + b, true, STATUS);
    case ZYDIS_MNEMONIC_SUB:
        return compute(s, DIFFERENCE, a, b, a - b, true, STATUS);
    case ZYDIS_MNEMONIC_CMP:
        return compute(s, DIFFERENCE, a, b, a - b, false, STATUS);
    case ZYDIS_MNEMONIC_INC:
        return compute(s, SUM, a, b, a + b, true, STATUS & ~CARRY);
    case ZYDIS_MNEMONIC_DEC:
        return compute(s, DIFFERENCE, a, b, a - b, true, STATUS & ~CARRY);
    case ZYDIS_MNEMONIC_AND:
        return compute(s, LOGIC, a, b, a & b, true, STATUS);
    case ZYDIS_MNEMONIC_TEST:
        return compute(s, LOGIC, a, b, a & b, false, STATUS);
    case ZYDIS_MNEMONIC_OR:
        return compute(s, LOGIC, a, b, a | b, true, STATUS);
    default:
        return compute(s, LOGIC, a, b, a ^ b, true, STATUS);
    }
}

/* --- the stack and jumps ------------------------------------------------------------------------ */

static bool push(const struct state *s, uint64_t value)
{
    greg_t *sp = &s->u->uc_mcontext.gregs[REG_RSP];
    if (!store(s, (uintptr_t)*sp - 8, value, 8))
        return false;
    *sp -= 8;
    return true;
}

static bool pop(const struct state *s, uint64_t *value)
{
    greg_t *sp = &s->u->uc_mcontext.gregs[REG_RSP];
    if ((uintptr_t)*sp < s->low || (uintptr_t)*sp + 8 > s->high)
        return false;
    *value = x86_memory_get((uintptr_t)*sp, 8);
    *sp += 8;
    return true;
}

/* Where a jump or call goes. */
static bool target(const struct state *s, uint64_t next, uint64_t *to)
{
    const ZydisDecodedOperand *o = &s->i->operand[0];
    if (o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !o->imm.is_relative)
        return false;
    if (!read_operand(s, 0, to))
        return false;
    *to += o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE ? next : 0;
    return true;
}

static bool leave(const struct state *s)
{
    greg_t *g = s->u->uc_mcontext.gregs, sp = g[REG_RSP];
    uint64_t value;
    g[REG_RSP] = g[REG_RBP];
    if (!pop(s, &value)) {
        g[REG_RSP] = sp;
        return false;
    }
    g[REG_RBP] = (greg_t)value;
    return true;
}

/* `*next`: the instruction after this one; changed by a jump. */
static bool control(const struct state *s, uint64_t *next)
{
    const ZydisDecodedInstruction *is = &s->i->is;
    uint64_t to;
    switch (is->mnemonic) {
    case ZYDIS_MNEMONIC_JMP:
        return target(s, *next, next);
    case ZYDIS_MNEMONIC_CALL:
        if (!target(s, *next, &to) || !push(s, *next))
            return false;
        *next = to;
        return true;
    case ZYDIS_MNEMONIC_RET:
        return is->operand_count_visible == 0 && pop(s, next);
    case ZYDIS_MNEMONIC_LEAVE:
        return leave(s);
    case ZYDIS_MNEMONIC_PUSH:
        return s->i->operand[0].size == 64 && read_operand(s, 0, &to) && push(s, to);
    case ZYDIS_MNEMONIC_POP:
        return s->i->operand[0].size == 64 && x86_general(s->i->operand[0].reg.value) >= 0 &&
               s->i->operand[0].type == ZYDIS_OPERAND_TYPE_REGISTER && pop(s, &to) && write_operand(s, 0, to);
    default:
        break;
    }
    if (is->meta.category != ZYDIS_CATEGORY_COND_BR ||
        is->opcode >> 4 != (is->opcode_map == ZYDIS_OPCODE_MAP_0F ? 8 : 7))
        return false;
    return !x86_holds(is->opcode & 15, (uint64_t)s->u->uc_mcontext.gregs[REG_EFL]) || target(s, *next, next);
}

/* --- all ---------------------------------------------------------------------------------------- */

static bool move(const struct state *s)
{
    uint64_t value;
    uintptr_t at;
    switch (s->i->is.mnemonic) {
    case ZYDIS_MNEMONIC_LEA:
        return x86_address(&s->i->is, &s->i->operand[1], s->u, &at) && write_operand(s, 0, at);
    case ZYDIS_MNEMONIC_CDQE:
        s->u->uc_mcontext.gregs[REG_RAX] = (greg_t)extend((uint64_t)s->u->uc_mcontext.gregs[REG_RAX], 32);
        return true;
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
        return read_operand(s, 1, &value) && write_operand(s, 0, extend(value, s->i->operand[1].size));
    default:
        return read_operand(s, 1, &value) && write_operand(s, 0, value);
    }
}

static bool does(const struct state *s, uint64_t *next)
{
    switch (s->i->is.mnemonic) {
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_PAUSE:
    case ZYDIS_MNEMONIC_ENDBR64:
        return true;
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVZX:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_LEA:
    case ZYDIS_MNEMONIC_CDQE:
        return move(s);
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_CMP:
    case ZYDIS_MNEMONIC_INC:
    case ZYDIS_MNEMONIC_DEC:
    case ZYDIS_MNEMONIC_AND:
    case ZYDIS_MNEMONIC_TEST:
    case ZYDIS_MNEMONIC_OR:
    case ZYDIS_MNEMONIC_XOR:
        return arithmetic(s);
    default:
        return control(s, next);
    }
}

bool x86_emulate(const struct x86_instruction *i, ucontext_t *u, uintptr_t low, uintptr_t high)
{
    const struct state s = {i, u, low, high};
    uint64_t next = (uint64_t)u->uc_mcontext.gregs[REG_RIP] + i->is.length;
    if (!i->known || !does(&s, &next))
        return false;
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)next;
    return true;
}
#endif
