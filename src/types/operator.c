/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * operator: which function computes an operator on an element, what MPI allows, and read-modify-write.
 */
#include "types/combine.h"

#include <string.h>

static const types_combine_fn functions[TYPES_OPS][TYPES_KINDS] = {
#define ENTRY(NAME, verb, kind) [TYPES_##NAME][TYPES_KIND_##kind] = types_##verb##_##kind,
#define INTEGER(kind, ...)                                                                                   \
    TYPES_ORDERED(ENTRY, kind) TYPES_ADDED(ENTRY, kind) TYPES_LOGIC(ENTRY, kind) TYPES_BITS(ENTRY, kind)
#define FLOATING(kind, ...) TYPES_ORDERED(ENTRY, kind) TYPES_ADDED(ENTRY, kind)
#define COMPLEX(kind, ...)  TYPES_ADDED(ENTRY, kind)
    TYPES_INTEGER_KINDS(INTEGER) TYPES_FLOAT_KINDS(FLOATING) TYPES_COMPLEX_KINDS(COMPLEX)
#undef INTEGER
#undef FLOATING
#undef COMPLEX
#define TYPES_ELEMENT(...)
#define TYPES_PAIR(NAME, ...) TYPES_PLACES(ENTRY, NAME)
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
};

static const struct {
    const char *name;
    unsigned classes;
} operators[TYPES_OPS] = {
#define C_INTEGER                           TYPES_CLASS_C_INTEGER
#define F_INTEGER                           TYPES_CLASS_F_INTEGER
#define FLOATING                            TYPES_CLASS_FLOATING
#define LOGICAL                             TYPES_CLASS_LOGICAL
#define COMPLEX                             TYPES_CLASS_COMPLEX
#define BYTE                                TYPES_CLASS_BYTE
#define MULTI_LANGUAGE                      TYPES_CLASS_MULTI_LANGUAGE
#define PAIR                                TYPES_CLASS_PAIR
#define EVERY                               TYPES_CLASS_EVERY
#define TYPES_OPERATOR(NAME, verb, CLASSES) [TYPES_##NAME] = {#verb, CLASSES},
#include "types/operators.def"
#undef TYPES_OPERATOR
};

/* --- replace and no_op, by extent ----------------------------------------------------------------- */

static void copy(void *out, const void *in, size_t bytes)
{
    if (out != in && bytes)
        memcpy(out, in, bytes);
}

#define BY_EXTENT(X) X(1) X(2) X(4) X(8) X(16) X(32)
#define KEEP(extent)                                                                                         \
    static void replace_##extent(void *out, const void *left, const void *right, size_t n)                   \
    {                                                                                                        \
        (void)left;                                                                                          \
        copy(out, right, n *extent);                                                                         \
    }                                                                                                        \
    static void no_op_##extent(void *out, const void *left, const void *right, size_t n)                     \
    {                                                                                                        \
        (void)right;                                                                                         \
        copy(out, left, n *extent);                                                                          \
    }
BY_EXTENT(KEEP)

static types_combine_fn keeping(enum types_op op, uint32_t extent)
{
    switch (extent) {
#define CHOOSE(extent)                                                                                       \
    case extent:                                                                                             \
        return op == TYPES_REPLACE ? replace_##extent : no_op_##extent;
        BY_EXTENT(CHOOSE)
    }
    BASE_ASSERT("T1", !"an element of another extent");
    return NULL;
}

/* --- asking --------------------------------------------------------------------------------------- */

bool types_operator_allowed(enum types_op op, enum types_element e)
{
    return operators[op].classes & types_elements[e].info.class;
}

types_combine_fn types_operator(enum types_op op, enum types_element e)
{
    const struct types_element_inside *x = &types_elements[e];
    if (op == TYPES_REPLACE || op == TYPES_NO_OP)
        return keeping(op, x->info.extent);
    return types_operator_allowed(op, e) || e == TYPES_CHAR ? functions[op][x->kind] : NULL;
}

const char *types_operator_name(enum types_op op)
{
    return operators[op].name;
}

/* --- read-modify-write ---------------------------------------------------------------------------- */

void types_update(enum types_op op, enum types_element e, void *target, const void *operand, void *old,
                  size_t n)
{
    types_combine_fn combine = types_operator(op, e);
    BASE_ASSERT("T1", combine);
    if (old)
        copy(old, target, n * types_elements[e].info.extent);
    combine(target, target, operand, n);
}

#define SWAP(size)                                                                                           \
    case size:                                                                                               \
        memcpy(there, target, size);                                                                         \
        equal = memcmp(there, compare, size) == 0;                                                           \
        if (equal)                                                                                           \
            memcpy(target, value, size);                                                                     \
        memcpy(old, there, size);                                                                            \
        return equal;

bool types_compare_swap(void *target, const void *compare, const void *value, void *old, size_t size)
{
    unsigned char there[16];
    bool equal;
    switch (size) {
        SWAP(1)
        SWAP(2)
        SWAP(4)
        SWAP(8)
        SWAP(16)
    }
    BASE_ASSERT("T1", !"compare and swap of another size");
    return false;
}
