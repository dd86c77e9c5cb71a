/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map: the remote operation map (paper 002, Figure 4(c)): which instruction of the RISC-V core in the card
 * does what a request asks for. The words are those of the A extension, of Zacas and of plain loads and
 * stores.
 */
#include "node/node.h"

enum { A0 = 10, A1 = 11, A2 = 12, LOAD = 0x03, STORE = 0x23, AMO = 0x2f };
enum how { BY_LOAD, BY_STORE, BY_AMO, BY_MORE };

static const struct {
    const char *name;
    uint8_t how, funct5;
} ops[NODE_OPS] = {
    [NODE_LOAD] = {"load", BY_LOAD, 0},
    [NODE_STORE] = {"store", BY_STORE, 0},
    [NODE_ADD] = {"add", BY_AMO, 0x00},
    [NODE_XOR] = {"xor", BY_AMO, 0x04},
    [NODE_OR] = {"or", BY_AMO, 0x08},
    [NODE_AND] = {"and", BY_AMO, 0x0c},
    [NODE_MIN] = {"min", BY_AMO, 0x10},
    [NODE_MAX] = {"max", BY_AMO, 0x14},
    [NODE_CAS] = {"cas", BY_AMO, 0x05},
    [NODE_SWAP] = {"swap", BY_AMO, 0x01},
    [NODE_MIN_UNSIGNED] = {"minu", BY_AMO, 0x18},
    [NODE_MAX_UNSIGNED] = {"maxu", BY_AMO, 0x1c},
    [NODE_FETCH] = {"fetch", BY_LOAD, 0},
    [NODE_SET] = {"set", BY_STORE, 0},
    [NODE_OTHER] = {"other", BY_MORE, 0},
};

const char *node_op_name(enum node_op op)
{
    return ops[op].name;
}

/* The funct3 of an access of so many bytes; -1: there is none. */
static int width_of(uint64_t bytes)
{
    switch (bytes) {
    case 1:
        return 0;
    case 2:
        return 1;
    case 4:
        return 2;
    case 8:
        return 3;
    default:
        return -1;
    }
}

uint32_t node_map(enum node_op op, uint64_t bytes)
{
    int width = width_of(bytes);
    if (width < 0 || (ops[op].how == BY_AMO && width < 2))
        return 0;
    uint32_t base = A1 << 15 | (uint32_t)width << 12;
    switch (ops[op].how) {
    case BY_LOAD:
        return base | A0 << 7 | LOAD;
    case BY_STORE:
        return base | A2 << 20 | STORE;
    case BY_AMO:
        return base | (uint32_t)ops[op].funct5 << 27 | A2 << 20 | A0 << 7 | AMO;
    default:
        return 0;
    }
}
