/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * element: the table of elements that elements.def expands to, and the static layout of each.
 */
#include "types/internal.h"

#define BY_SIZE(size, K1, K2, K4, K8, K16)                                                                   \
    ((size) == 1   ? TYPES_KIND_##K1                                                                         \
     : (size) == 2 ? TYPES_KIND_##K2                                                                         \
     : (size) == 4 ? TYPES_KIND_##K4                                                                         \
     : (size) == 8 ? TYPES_KIND_##K8                                                                         \
                   : TYPES_KIND_##K16)
#define SIGNED(size)   BY_SIZE(size, i8, i16, i32, i64, i128)
#define UNSIGNED(size) BY_SIZE(size, u8, u16, u32, u64, u128)
#define PLAIN_CHAR     (CHAR_MIN < 0 ? TYPES_KIND_i8 : TYPES_KIND_u8)
#define WIDE_CHAR      (WCHAR_MIN < 0 ? SIGNED(sizeof(wchar_t)) : UNSIGNED(sizeof(wchar_t)))

/* Integers of all languages are represented alike; logicals and text are not numbers. */
#define LIKE_NUMBERS 0
#define CODE(KIND, CLASS)                                                                                    \
    ((uint32_t)(KIND) + ((CLASS) == TYPES_CLASS_LOGICAL     ? 64                                             \
                         : (CLASS) == TYPES_CLASS_CHARACTER ? 128                                            \
                         : (CLASS) == TYPES_CLASS_BYTE      ? 192                                            \
                         : (CLASS) == TYPES_CLASS_OPAQUE    ? 256                                            \
                                                            : LIKE_NUMBERS))
#define IS_UNSIGNED(KIND) ((KIND) >= TYPES_KIND_u8 && (KIND) <= TYPES_KIND_u128)

const struct types_element_inside types_elements[TYPES_ELEMENTS] = {
#define TYPES_ELEMENT(NAME, text, T, KIND, CLASS)                                                            \
    [TYPES_##NAME] = {{text, sizeof(T), sizeof(T), _Alignof(T), TYPES_CLASS_##CLASS, IS_UNSIGNED(KIND),      \
                       TYPES_ELEMENTS, TYPES_ELEMENTS},                                                      \
                      KIND,                                                                                  \
                      CODE(KIND, TYPES_CLASS_##CLASS)},
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    [TYPES_##                                                                                                \
        NAME] = {{text, sizeof(A) + sizeof(B), sizeof(struct types_##NAME), _Alignof(struct types_##NAME),   \
                  TYPES_CLASS_PAIR, false, TYPES_##FIRST, TYPES_##SECOND},                                   \
                 TYPES_KIND_##NAME,                                                                          \
                 TYPES_KIND_##NAME},
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
};

const struct types_element_info *types_element_info(enum types_element e)
{
    return &types_elements[e].info;
}

/* --- their nodes ---------------------------------------------------------------------------------- */

/* A pair is one run, with or without room behind it, or, where there is room between, a list of two. */
#define PLACE_AT(NAME) offsetof(struct types_##NAME, place)

static const struct types_piece pair_pieces[TYPES_ELEMENTS][3] = {
#define TYPES_ELEMENT(...)
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    [TYPES_##NAME] = {{0, 0, NULL}, {PLACE_AT(NAME), sizeof(A), NULL}, {0, sizeof(A) + sizeof(B), NULL}},
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
};

static const struct types_node nodes[TYPES_ELEMENTS] = {
#define TYPES_ELEMENT(NAME, text, T, KIND, CLASS) [TYPES_##NAME] = {.size = sizeof(T), .n = 1},
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    [TYPES_##NAME] = {.size = sizeof(A) + sizeof(B),                                                         \
                      .n = PLACE_AT(NAME) == sizeof(A) ? 1 : 2,                                              \
                      .pieces = PLACE_AT(NAME) == sizeof(A) ? NULL : pair_pieces[TYPES_##NAME],              \
                      .depth = PLACE_AT(NAME) == sizeof(A) ? 0 : 1,                                          \
                      .plain = PLACE_AT(NAME) != sizeof(A)},
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
};

static const struct types_layout layouts[TYPES_ELEMENTS] = {
#define LAYOUT(NAME, T, bytes)                                                                               \
    [TYPES_##NAME] = {.data = {&nodes[TYPES_##NAME], 0},                                                     \
                      .size = (bytes),                                                                       \
                      .extent = sizeof(T),                                                                   \
                      .dense = (bytes) == sizeof(T),                                                         \
                      .align = _Alignof(T),                                                                  \
                      .element = TYPES_##NAME,                                                               \
                      .sequence = &types_element_sequences[TYPES_##NAME],
#define TYPES_ELEMENT(NAME, text, T, KIND, CLASS)                                                            \
    LAYOUT(NAME, T, sizeof(T)).edges = {0, sizeof(T), 0, sizeof(T)}                                          \
    }                                                                                                        \
    ,
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    LAYOUT(NAME, struct types_##NAME, sizeof(A) + sizeof(B)).edges = {0, sizeof(struct types_##NAME), 0,     \
                                                                      PLACE_AT(NAME) + sizeof(B)}            \
    }                                                                                                        \
    ,
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
};

const struct types_layout *types_layout_of(enum types_element e)
{
    return &layouts[e];
}
