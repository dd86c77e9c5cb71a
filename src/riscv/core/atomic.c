/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * atomic: read-modify-write on a word: local ones (A, Zacas), and those of the remote atomic extension, which
 * are local if the object is 0. Reservations: lr sets one, sc and each atomic instruction of others to its
 * bytes end it.
 */
#include <string.h>

#include "riscv/core/state.h"

/* Sign-extends the low bytes of a word. */
static int64_t extend(uint64_t value, unsigned bytes)
{
    unsigned unused = 64 - 8 * bytes;
    return (int64_t)(value << unused) >> unused;
}

static uint64_t combine(enum riscv_remote_kind kind, unsigned bytes, uint64_t old, uint64_t operand,
                        uint64_t expected)
{
    switch (kind) {
    case RISCV_LOAD:
        return old;
    case RISCV_STORE:
        return operand;
    case RISCV_ADD:
        return old + operand;
    case RISCV_XOR:
        return old ^ operand;
    case RISCV_OR:
        return old | operand;
    case RISCV_AND:
        return old & operand;
    case RISCV_MIN:
        return extend(operand, bytes) < extend(old, bytes) ? operand : old;
    case RISCV_MAX:
        return extend(operand, bytes) > extend(old, bytes) ? operand : old;
    case RISCV_CAS:
        return extend(old, bytes) == extend(expected, bytes) ? operand : old;
    }
    return old;
}

uint64_t riscv_amo(enum riscv_remote_kind kind, unsigned bytes, void *word, uint64_t operand,
                   uint64_t expected)
{
    uint64_t old = 0;
    memcpy(&old, word, bytes);
    uint64_t now = combine(kind, bytes, old, operand, expected);
    memcpy(word, &now, bytes);
    return old;
}

/* The new value of a local atomic instruction. */
static uint64_t updated(unsigned which, uint64_t old, uint64_t value, uint64_t expected, unsigned bytes)
{
    switch (which) {
    case RV_amoswap_w:
    case RV_amoswap_d:
        return value;
    case RV_amoadd_w:
    case RV_amoadd_d:
    case RV_eamoadd_w:
    case RV_eamoadd_d:
        return combine(RISCV_ADD, bytes, old, value, 0);
    case RV_amoxor_w:
    case RV_amoxor_d:
    case RV_eamoxor_w:
    case RV_eamoxor_d:
        return combine(RISCV_XOR, bytes, old, value, 0);
    case RV_amoor_w:
    case RV_amoor_d:
    case RV_eamoor_w:
    case RV_eamoor_d:
        return combine(RISCV_OR, bytes, old, value, 0);
    case RV_amoand_w:
    case RV_amoand_d:
    case RV_eamoand_w:
    case RV_eamoand_d:
        return combine(RISCV_AND, bytes, old, value, 0);
    case RV_amomin_w:
    case RV_amomin_d:
    case RV_eamomin_w:
    case RV_eamomin_d:
        return combine(RISCV_MIN, bytes, old, value, 0);
    case RV_amomax_w:
    case RV_amomax_d:
    case RV_eamomax_w:
    case RV_eamomax_d:
        return combine(RISCV_MAX, bytes, old, value, 0);
    case RV_amominu_w:
        return (uint32_t)value < (uint32_t)old ? value : old;
    case RV_amominu_d:
        return value < old ? value : old;
    case RV_amomaxu_w:
        return (uint32_t)value > (uint32_t)old ? value : old;
    case RV_amomaxu_d:
        return value > old ? value : old;
    default: /* amocas, eamocas */
        return combine(RISCV_CAS, bytes, old, value, expected);
    }
}

/* Width of an atomic instruction: in funct3, 2 for a word. RAE adds 4. */
static unsigned width(unsigned which)
{
    return riscv_instructions[which].match >> 12 & 1 ? 8 : 4;
}

bool riscv_atomic(struct riscv_core *c, unsigned which, uint64_t address, uint64_t value, uint64_t expected,
                  uint64_t *old)
{
    unsigned bytes = width(which);
    if (address % bytes)
        return riscv_fails(c, RISCV_STORE_MISALIGNED, address);
    void *at = riscv_core_bytes(c, address, bytes, RISCV_READ | RISCV_WRITE);
    if (at) {
        uint64_t now = 0;
        *old = 0;
        memcpy(old, at, bytes);
        now = updated(which, *old, value, expected, bytes);
        memcpy(at, &now, bytes);
        return true;
    }
    if (!riscv_load(c, address, bytes, old)) /* an atomic's fault is a store's */
        return riscv_fails(c, RISCV_STORE_FAULT, address);
    return riscv_store(c, address, bytes, updated(which, *old, value, expected, bytes));
}

/* Pairs of registers hold 128 bits, the even one the low half; x0 as a pair is 0. */
bool riscv_atomic_quad(struct riscv_core *c, const struct riscv_op *op)
{
    uint64_t address = c->x[op->rs1], low, high;
    if (address % 16)
        return riscv_fails(c, RISCV_STORE_MISALIGNED, address);
    unsigned char *at = riscv_core_bytes(c, address, 16, RISCV_READ | RISCV_WRITE);
    if (!at)
        return riscv_fails(c, RISCV_STORE_FAULT, address);
    memcpy(&low, at, 8);
    memcpy(&high, at + 8, 8);
    uint64_t expected_high = op->rd ? c->x[op->rd + 1] : 0, new_high = op->rs2 ? c->x[op->rs2 + 1] : 0;
    if (low == c->x[op->rd] && high == expected_high) {
        memcpy(at, &c->x[op->rs2], 8);
        memcpy(at + 8, &new_high, 8);
    }
    if (op->rd) {
        c->x[op->rd] = low;
        c->x[op->rd + 1] = high;
    }
    return true;
}

static bool access_one(struct riscv_core *c, struct riscv_remote *a)
{
    if (a->object == 0 && a->kind == RISCV_LOAD) /* the local side of a block */
        return riscv_load(c, a->address, a->bytes, &a->result);
    if (a->object == 0 && a->kind == RISCV_STORE)
        return riscv_store(c, a->address, a->bytes, a->operand);
    if (c->port && c->port->remote && c->port->remote(c, a))
        return true;
    return riscv_fails_there(c, a->kind == RISCV_LOAD ? RISCV_LOAD_FAULT : RISCV_STORE_FAULT, a->address,
                             a->object);
}

/* Behind eag: elements of the object and of the core's memory, both one after another. The register of a load
 * gets the first; the register of a store is not used. Each element is an access of its own. */
static bool access_all(struct riscv_core *c, struct riscv_remote *a)
{
    uint64_t n = c->aggregate.count, here = c->aggregate.address, first = 0;
    struct riscv_remote one = *a;
    c->aggregate.count = 0;
    for (uint64_t k = 0; k < n && !c->ended; k++, here += a->bytes, one.address += a->bytes) {
        if (a->kind == RISCV_STORE && !riscv_load(c, here, a->bytes, &one.operand))
            return false;
        if (!access_one(c, &one))
            return false;
        if (a->kind == RISCV_LOAD && !riscv_store(c, here, a->bytes, one.result))
            return false;
        if (k == 0)
            first = one.result;
    }
    a->result = first;
    return true;
}

bool riscv_remote_access(struct riscv_core *c, uint64_t object, uint64_t address, unsigned kind,
                         unsigned bytes, uint64_t *value, uint64_t expected)
{
    struct riscv_remote access = {.object = object,
                                  .address = address,
                                  .operand = *value,
                                  .expected = expected,
                                  .kind = (uint8_t)kind,
                                  .bytes = (uint8_t)bytes};
    bool aggregate = c->aggregate.count && (kind == RISCV_LOAD || kind == RISCV_STORE);
    if (!(aggregate ? access_all(c, &access) : access_one(c, &access)))
        return false;
    *value = access.result;
    return true;
}

static enum riscv_remote_kind kind_of(unsigned which)
{
    switch (which) {
    case RV_eamoadd_w:
    case RV_eamoadd_d:
        return RISCV_ADD;
    case RV_eamoxor_w:
    case RV_eamoxor_d:
        return RISCV_XOR;
    case RV_eamoor_w:
    case RV_eamoor_d:
        return RISCV_OR;
    case RV_eamoand_w:
    case RV_eamoand_d:
        return RISCV_AND;
    case RV_eamomin_w:
    case RV_eamomin_d:
        return RISCV_MIN;
    case RV_eamomax_w:
    case RV_eamomax_d:
        return RISCV_MAX;
    default:
        return RISCV_CAS;
    }
}

/* Compare-and-swap has its expected value in rd, as amocas; or, symmetric, in rs2, and the new value in the
 * local word at the same address. */
static bool cas_operands(struct riscv_core *c, const struct riscv_op *op, unsigned bytes, uint64_t *value,
                         uint64_t *expected)
{
    *expected = c->x[op->rd];
    if (!c->options.cas_symmetric)
        return true;
    *expected = *value;
    return riscv_load(c, c->x[op->rs1], bytes, value);
}

bool riscv_remote_atomic(struct riscv_core *c, const struct riscv_op *op)
{
    uint64_t object = c->e[op->rs1], address = c->x[op->rs1], value = c->x[op->rs2], expected = 0, old = 0;
    unsigned bytes = width(op->which);
    enum riscv_remote_kind kind = kind_of(op->which);
    if (address % bytes)
        return riscv_fails_there(c, RISCV_STORE_MISALIGNED, address, object);
    if (kind == RISCV_CAS && !cas_operands(c, op, bytes, &value, &expected))
        return false;
    if (object == 0) {
        if (!riscv_atomic(c, op->which, address, value, expected, &old))
            return false;
    } else {
        old = value;
        if (!riscv_remote_access(c, object, address, kind, bytes, &old, expected))
            return false;
    }
    if (op->rd)
        c->x[op->rd] = (uint64_t)extend(old, bytes);
    return true;
}
