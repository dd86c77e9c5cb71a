/* SPDX-License-Identifier: BSD-3-Clause */
/* float_run: the instructions of F and D that round, and all that depends on it, on a core's registers, with
 * exact flags. Arithmetic is float.c's and float_convert.c's; what needs no such care is in float.inc. */
#include "riscv/core/float.h"
#include "riscv/core/state.h"

#define BOTH(id)                                                                                             \
    case RV_##id##_s:                                                                                        \
    case RV_##id##_d

/* Operands and rounding mode of one instruction. */
struct operands {
    uint64_t a, b, c;
    enum float_round round;
    bool wide; /* D */
};

static uint64_t arith(const struct operands *o, enum float_op what, uint32_t *flags)
{
    return o->wide ? float_arith_d(what, o->round, o->a, o->b, o->c, flags)
                   : float_arith_s(what, o->round, o->a, o->b, o->c, flags);
}

/* a * b + c with the sign of the product or of c turned. */
static uint64_t fused(struct operands o, bool product, bool addend, uint32_t *flags)
{
    if (product)
        o.a = o.wide ? float_negate_d(o.a) : float_negate_s(o.a);
    if (addend)
        o.c = o.wide ? float_negate_d(o.c) : float_negate_s(o.c);
    return arith(&o, FLOAT_FMA, flags);
}

/* Instructions whose result goes to an f register; `x` is what the field rs1 means as an integer register. */
static uint64_t to_float(const struct riscv_op *op, const struct operands *o, uint64_t x, uint32_t *flags)
{
    switch (op->which) {
        BOTH(fadd) : return arith(o, FLOAT_ADD, flags);
        BOTH(fsub) : return arith(o, FLOAT_SUB, flags);
        BOTH(fmul) : return arith(o, FLOAT_MUL, flags);
        BOTH(fdiv) : return arith(o, FLOAT_DIV, flags);
        BOTH(fsqrt) : return arith(o, FLOAT_SQRT, flags);
        BOTH(fmadd) : return fused(*o, false, false, flags);
        BOTH(fmsub) : return fused(*o, false, true, flags);
        BOTH(fnmsub) : return fused(*o, true, false, flags);
        BOTH(fnmadd) : return fused(*o, true, true, flags);
    case RV_fcvt_s_d:
        return float_d_to_s(o->round, o->a, flags);
    case RV_fcvt_d_s:
        return float_s_to_d(o->a, flags);
    default:
        return o->wide ? float_from_integer_d(op->rs2 & 3, o->round, x, flags)
                       : float_from_integer_s(op->rs2 & 3, o->round, x, flags);
    }
}

bool riscv_float(struct riscv_core *c, const struct riscv_op *op)
{
    const struct riscv_instruction *t = &riscv_instructions[op->which];
    uint32_t word = (uint32_t)op->imm, flags = 0, field = word >> 12 & 7, round = field == 7 ? c->frm : field;
    if (round > FLOAT_RMM)
        return riscv_fails(c, RISCV_ILLEGAL, word);
    const struct operands o = {
        .a = c->f[op->rs1], .b = c->f[op->rs2], .c = c->f[op->rs3], .round = round, .wide = word >> 25 & 1};
    if (t->format == RISCV_FORMAT_F_TO_X) {
        uint64_t x = o.wide ? float_to_integer_d(op->rs2 & 3, o.round, o.a, &flags)
                            : float_to_integer_s(op->rs2 & 3, o.round, o.a, &flags);
        c->x[op->rd] = op->rd ? x : 0;
    } else {
        c->f[op->rd] = to_float(op, &o, c->x[op->rs1], &flags);
    }
    c->fflags |= flags;
    if (t->counted == RISCV_FDIV)
        c->count[RISCV_FDIV]++;
    return true;
}
