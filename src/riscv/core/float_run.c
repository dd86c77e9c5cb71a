/* SPDX-License-Identifier: BSD-3-Clause */
/* float_run: the instructions of F and D on a core's registers. Arithmetic is float.c's and
 * float_convert.c's. */
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

/* Instructions whose result goes to an f register. false: it is another one. */
static bool to_float(const struct riscv_core *c, const struct riscv_op *op, const struct operands *o,
                     uint64_t *result, uint32_t *flags)
{
    switch (op->which) {
        BOTH(fadd) : *result = arith(o, FLOAT_ADD, flags);
        return true;
        BOTH(fsub) : *result = arith(o, FLOAT_SUB, flags);
        return true;
        BOTH(fmul) : *result = arith(o, FLOAT_MUL, flags);
        return true;
        BOTH(fdiv) : *result = arith(o, FLOAT_DIV, flags);
        return true;
        BOTH(fsqrt) : *result = arith(o, FLOAT_SQRT, flags);
        return true;
        BOTH(fmadd) : *result = fused(*o, false, false, flags);
        return true;
        BOTH(fmsub) : *result = fused(*o, false, true, flags);
        return true;
        BOTH(fnmsub) : *result = fused(*o, true, false, flags);
        return true;
        BOTH(fnmadd) : *result = fused(*o, true, true, flags);
        return true;
        BOTH(fsgnj)
            : BOTH(fsgnjn)
            : BOTH(fsgnjx)
            : *result = o->wide ? float_sign_d(op->rm, o->a, o->b) : float_sign_s(op->rm, o->a, o->b);
        return true;
        BOTH(fmin)
            : BOTH(fmax)
            : *result = o->wide ? float_least_d(op->rm & 1, o->a, o->b, flags)
                                : float_least_s(op->rm & 1, o->a, o->b, flags);
        return true;
    case RV_fcvt_s_d:
        *result = float_d_to_s(o->round, o->a, flags);
        return true;
    case RV_fcvt_d_s:
        *result = float_s_to_d(o->a, flags);
        return true;
    case RV_fcvt_s_w:
    case RV_fcvt_s_wu:
    case RV_fcvt_s_l:
    case RV_fcvt_s_lu:
    case RV_fcvt_d_w:
    case RV_fcvt_d_wu:
    case RV_fcvt_d_l:
    case RV_fcvt_d_lu:
        *result = o->wide ? float_from_integer_d(op->rs2 & 3, o->round, c->x[op->rs1], flags)
                          : float_from_integer_s(op->rs2 & 3, o->round, c->x[op->rs1], flags);
        return true;
    case RV_fmv_w_x:
        *result = FLOAT_BOX | (uint32_t)c->x[op->rs1];
        return true;
    case RV_fmv_d_x:
        *result = c->x[op->rs1];
        return true;
    default:
        return false;
    }
}

/* Those whose result goes to an x register. */
static uint64_t to_integer(const struct riscv_op *op, const struct operands *o, uint32_t *flags)
{
    switch (op->which) {
        BOTH(fle)
            : BOTH(flt)
            : BOTH(feq)
            : return o->wide
            ? float_compare_d(op->rm, o->a, o->b, flags)
            : float_compare_s(op->rm, o->a, o->b, flags);
        BOTH(fclass) : return o->wide ? float_class_d(o->a) : float_class_s(o->a);
    case RV_fmv_x_w:
        return (uint64_t)(int64_t)(int32_t)o->a;
    case RV_fmv_x_d:
        return o->a;
    default:
        return o->wide ? float_to_integer_d(op->rs2 & 3, o->round, o->a, flags)
                       : float_to_integer_s(op->rs2 & 3, o->round, o->a, flags);
    }
}

/* Whether the instruction's funct3 is a rounding mode. */
static bool rounds(unsigned format)
{
    return format == RISCV_FORMAT_FR || format == RISCV_FORMAT_FR4 || format == RISCV_FORMAT_FS ||
           format == RISCV_FORMAT_F_TO_X || format == RISCV_FORMAT_X_TO_F;
}

bool riscv_float(struct riscv_core *c, const struct riscv_op *op)
{
    const struct riscv_instruction *t = &riscv_instructions[op->which];
    struct operands o = {
        .a = c->f[op->rs1], .b = c->f[op->rs2], .c = c->f[op->rs3], .wide = op->imm >> 25 & 1};
    uint32_t flags = 0;
    uint64_t result;
    if (rounds(t->format)) {
        unsigned round = op->rm == 7 ? c->frm : op->rm;
        if (round > FLOAT_RMM)
            return riscv_fails(c, RISCV_ILLEGAL, (uint32_t)op->imm);
        o.round = round;
    }
    uint32_t state = float_host_begin();
    if (to_float(c, op, &o, &result, &flags)) {
        c->f[op->rd] = result;
    } else {
        result = to_integer(op, &o, &flags);
        if (op->rd)
            c->x[op->rd] = result;
    }
    c->fflags |= flags | float_host_end(state);
    if (t->counted == RISCV_FDIV)
        c->count[RISCV_FDIV]++;
    return true;
}
