/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: what a layout is made of, and the kinds that operators compute with. Private to types/.
 *
 * A layout's data is a tree of nodes of three kinds:
 *
 *     run    size bytes; neither child nor pieces
 *     loop   n times `child`, each `stride` bytes after the one before
 *     list   n pieces at offsets of their own: runs (no child) or nodes; pieces[0].offset is 0
 *
 * Nodes never change, and layouts point into those that they were built from, to which they hold references.
 *
 * Invariants
 *  TN1 No node is empty; an empty layout has none.
 *  TN2 A loop has n > 1, and what it repeats does not adjoin: a run's stride is not its size, an inner loop
 *      does not end where its next repetition begins.
 *  TN3 In a list of runs no two neighbours adjoin; it has n > 1 and is not a loop (equal pieces at equal
 *      distances).
 *  TN4 pieces[k].before is the position of piece k in the node; pieces[n].before is the node's size.
 */
#ifndef PGASIM_TYPES_INTERNAL_H
#define PGASIM_TYPES_INTERNAL_H

#include "types/types.h"

#include <limits.h>
#include <wchar.h>

/* --- loops ----------------------------------------------------------------------------------------- */

/* Attributes of a type that reads data of any alignment and of any declared type. */
#define TYPES_ANYWHERE        __attribute__((aligned(1), may_alias))
#define TYPES_STRUCT_ANYWHERE __attribute__((aligned(1))) /* the struct itself aliases */
#if defined(__clang__)
#define TYPES_INDEPENDENT /* clang has a pragma, but warns of each loop that it cannot vectorize */
#else
#define TYPES_INDEPENDENT _Pragma("GCC ivdep") _Pragma("GCC unroll 4")
#endif

/* --- kinds ---------------------------------------------------------------------------------------- */

/* binary128: long double on aarch64, a compiler's type on x86-64. */
#if defined(__x86_64__)
typedef __float128 types_f128;
#else
typedef long double types_f128;
#endif
struct types_cf16 {
    uint16_t re, im;
} __attribute__((may_alias));
struct types_cf128 {
    types_f128 re, im;
} __attribute__((may_alias));

/* X(kind, T, U): U an unsigned type in which T's sums and products do not overflow. */
#define TYPES_SIGNED_KINDS(X)                                                                                \
    X(i8, int8_t, uint32_t)                                                                                  \
    X(i16, int16_t, uint32_t)                                                                                \
    X(i32, int32_t, uint32_t)                                                                                \
    X(i64, int64_t, uint64_t)                                                                                \
    X(i128, __int128, unsigned __int128)
#define TYPES_UNSIGNED_KINDS(X)                                                                              \
    X(u8, uint8_t, uint32_t)                                                                                 \
    X(u16, uint16_t, uint32_t)                                                                               \
    X(u32, uint32_t, uint32_t)                                                                               \
    X(u64, uint64_t, uint64_t)                                                                               \
    X(u128, unsigned __int128, unsigned __int128)
#define TYPES_INTEGER_KINDS(X) TYPES_SIGNED_KINDS(X) TYPES_UNSIGNED_KINDS(X)
/* X(kind, T, read, write): computes with read(x) and stores write(result). */
#define TYPES_FLOAT_KINDS(X)                                                                                 \
    X(f16, uint16_t, types_from_half, types_to_half)                                                         \
    X(bf16, uint16_t, types_from_bfloat, types_to_bfloat)                                                    \
    X(f32, float, , )                                                                                        \
    X(f64, double, , )                                                                                       \
    X(fld, long double, , )                                                                                  \
    X(f128, types_f128, , )
/* X(kind, T, part): a complex number of two parts of kind `part`. */
#define TYPES_COMPLEX_KINDS(X)                                                                               \
    X(cf16, struct types_cf16, f16)                                                                          \
    X(cf32, float _Complex, f32)                                                                             \
    X(cf64, double _Complex, f64)                                                                            \
    X(cfld, long double _Complex, fld)                                                                       \
    X(cf128, struct types_cf128, f128)

enum types_kind {
#define KIND(kind, ...) TYPES_KIND_##kind,
    TYPES_INTEGER_KINDS(KIND) TYPES_FLOAT_KINDS(KIND) TYPES_COMPLEX_KINDS(KIND)
#undef KIND
        TYPES_NUMBER_KINDS,
    /* One kind for each pair, in the order of elements.def. */
    TYPES_PAIR_KINDS_BEGIN = TYPES_NUMBER_KINDS - 1,
#define TYPES_ELEMENT(...)
#define TYPES_PAIR(NAME, ...) TYPES_KIND_##NAME,
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
    TYPES_KINDS,
};

/* struct types_DOUBLE_INT { double value; int place; }, ... */
#define TYPES_ELEMENT(...)
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND)                                                          \
    struct types_##NAME {                                                                                    \
        A value;                                                                                             \
        B place;                                                                                             \
    } __attribute__((may_alias));
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR

struct types_element_inside {
    struct types_element_info info;
    enum types_kind kind;
    uint32_t code; /* for signatures: equal if elements are represented alike */
};
extern const struct types_element_inside types_elements[TYPES_ELEMENTS];

/* --- layouts -------------------------------------------------------------------------------------- */

struct types_piece {
    int64_t offset;
    uint64_t before;
    const struct types_node *child; /* NULL: a run that ends where the next piece begins, in positions */
};

struct types_node {
    uint64_t size, n;
    int64_t stride;
    const struct types_node *child;
    const struct types_piece *pieces;
    uint32_t depth;
    bool plain;              /* a list of runs only */
    struct types_node *next; /* of the nodes that the same layout owns */
};

static inline bool types_node_is_run(const struct types_node *node)
{
    return !node->child && !node->pieces;
}

/* A node and where it begins; node NULL: nothing. */
struct types_placed {
    const struct types_node *node;
    int64_t offset;
};

/* The sequence of elements: n parts, each `times` times; the leaves are elements, with no parts. */
struct types_sequence_part {
    const struct types_sequence *of;
    uint64_t times;
};
struct types_sequence {
    uint64_t elements, bytes;
    uint64_t hash[2]; /* by name, by kind */
    uint64_t n;
    const struct types_sequence_part *part;
};

struct types_edges {
    int64_t lower, upper, true_lower, true_upper;
};

struct types_layout {
    uint64_t references; /* 0: static */
    struct types_placed data;
    uint64_t size;
    int64_t extent;
    bool dense;  /* data.node is a run as long as the extent */
    bool marked; /* has explicit bounds, which override data's in layouts built from it (MPI-5.0 section
                  * 5.1.6) */
    uint32_t align;
    enum types_element element;
    struct types_edges edges;
    const struct types_sequence *sequence; /* NULL: no elements */
    /* What it owns. */
    struct types_node *nodes;
    struct types_sequence own_sequence;
    struct types_sequence_part own_part, *own_parts; /* room for one, and for more */
    const struct types_layout **held;
    uint64_t n_held;
    struct types_layout *next; /* of those to be freed */
};

extern const struct types_sequence types_element_sequences[TYPES_ELEMENTS];

/* --- node.c: building normalized nodes ------------------------------------------------------------ */

/* Makes nodes, which belong to `layout`; `overflow` is set, and stays set, when something does not fit. */
struct types_maker {
    struct types_layout *layout;
    bool overflow;
};
struct types_placed types_node_repeat(struct types_maker *m, struct types_placed of, uint64_t n,
                                      int64_t stride);

/* Gathers the pieces of a list in order. */
struct types_list {
    struct types_maker *maker;
    struct types_piece *pieces;
    uint64_t n, room, size;
};
void types_list_add(struct types_list *list, struct types_placed piece, int64_t offset);
void types_list_add_run(struct types_list *list, int64_t offset, uint64_t bytes);
struct types_placed types_list_end(struct types_list *list);

/* Sets *overflow where the result does not fit. */
int64_t types_plus(int64_t a, int64_t b, bool *overflow);
int64_t types_minus(int64_t a, int64_t b, bool *overflow);
int64_t types_times(int64_t a, int64_t b, bool *overflow);

/* --- cursor.c ------------------------------------------------------------------------------------- */

/* The lists of runs that come next in whole: the same pieces `times` times, `stride` apart. Offsets are
 * relative to `base`, and the first piece begins at position 0. */
struct types_batch {
    const struct types_piece *piece;
    uint64_t pieces, times;
    int64_t base, stride;
};
/* false: what comes next, if anything, is a strip. */
bool types_cursor_batch(struct types_cursor *c, struct types_batch *out);

/* --- signature.c ---------------------------------------------------------------------------------- */

/* Appends a part to a sequence that begins empty, with room for all that come; joins it with an equal
 * neighbour. */
void types_sequence_add(struct types_sequence *s, struct types_sequence_part *room,
                        const struct types_sequence *of, uint64_t count);

#endif
