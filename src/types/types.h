/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types: what lies in a buffer. Element types, operators on arrays of them, layouts (how the elements lie in
 * memory), and moving data along layouts. Knows nothing of ranks, time or messages: memory is an address, or
 * an offset that a caller turns into an address.
 *
 * Positions count the bytes of data alone, in the order of the layout, as if packed: item k of a layout of s
 * bytes begins at position k s. Offsets count bytes of memory from the address of item 0; they may be
 * negative.
 *
 * Invariants
 *  T1  A layout never changes. Others refer to it by counted references; those of elements are static and not
 *      counted.
 *  T2  size, and every offset of a byte of one item, fits in 63 bits: constructors fail where it would not.
 *  T3  The packed order of data is the order of the type map: normalizing joins neighbours but never
 *      reorders.
 *  T4  Floating-point results depend only on the operands and their order, not on how a buffer is split or
 *      how long it is.
 *  T5  References are counted by the one thread that has the turn.
 */
#ifndef PGASIM_TYPES_H
#define PGASIM_TYPES_H

#include "base/base.h"

/* --- elements (element.c) ------------------------------------------------------------------------- */

enum types_element {
#define TYPES_ELEMENT(NAME, text, T, KIND, CLASS)   TYPES_##NAME,
#define TYPES_PAIR(NAME, text, A, B, FIRST, SECOND) TYPES_##NAME,
#include "types/elements.def"
#undef TYPES_ELEMENT
#undef TYPES_PAIR
    TYPES_ELEMENTS, /* as a result: none, or more than one */
};

/* MPI-5.0 section 6.9.2, as bits. C_INTEGER are signed and unsigned ones; OPAQUE: MPI_PACKED. */
enum types_class {
    TYPES_CLASS_C_INTEGER = 1 << 0,
    TYPES_CLASS_F_INTEGER = 1 << 1,
    TYPES_CLASS_FLOATING = 1 << 2,
    TYPES_CLASS_LOGICAL = 1 << 3,
    TYPES_CLASS_COMPLEX = 1 << 4,
    TYPES_CLASS_BYTE = 1 << 5,
    TYPES_CLASS_MULTI_LANGUAGE = 1 << 6,
    TYPES_CLASS_PAIR = 1 << 7,
    TYPES_CLASS_CHARACTER = 1 << 8,
    TYPES_CLASS_OPAQUE = 1 << 9,
    TYPES_CLASS_EVERY = (1 << 10) - 1,
};

struct types_element_info {
    const char *name; /* "long double" */
    uint32_t size;    /* bytes of data */
    uint32_t extent;  /* from one to the next in an array; larger than size for some pairs */
    uint32_t align;   /* bytes */
    enum types_class class;
    bool is_unsigned;                 /* an integer without a sign */
    enum types_element first, second; /* of a pair; else TYPES_ELEMENTS */
};
const struct types_element_info *types_element_info(enum types_element e);

/* --- operators (operator.c, combine_*.c) ---------------------------------------------------------- */

enum types_op {
#define TYPES_OPERATOR(NAME, verb, CLASSES) TYPES_##NAME,
#include "types/operators.def"
#undef TYPES_OPERATOR
    TYPES_OPS,
};

/* out[i] = left[i] op right[i] for n elements in arrays. out may be left, or right, or both, but may not
 * overlap them otherwise. No alignment is needed. Integers wrap around. max and min keep left where neither
 * is greater, which includes NaN operands. replace gives right, no_op left. land, lor, lxor give 0 or 1.
 * minloc and maxloc give the lower place where values are equal. Sums and products of 16-bit floats are
 * computed in float and rounded to even. */
typedef void (*types_combine_fn)(void *out, const void *left, const void *right, size_t n);
/* NULL: the operator makes no sense for the element. */
types_combine_fn types_operator(enum types_op op, enum types_element e);
/* Whether MPI-5.0 sections 6.9.2 and 12.3.4 allow it: everything allowed has a function; so have OpenSHMEM's
 * operators on char. */
bool types_operator_allowed(enum types_op op, enum types_element e);
const char *types_operator_name(enum types_op op); /* "sum" */

/* Read-modify-write: n elements at `target` are copied to `old` (unless NULL), then become target op
 * operand. */
void types_update(enum types_op op, enum types_element e, void *target, const void *operand, void *old,
                  size_t n);
/* Compares `size` (1, 2, 4, 8, 16) bytes at `target` with `compare`, writes `value` there if they are equal,
 * and the old bytes to `old` in any case. true: swapped. No alignment is needed. */
bool types_compare_swap(void *target, const void *compare, const void *value, void *old, size_t size);

/* --- layouts (layout.c, construct.c, array.c) ------------------------------------------------------ */

struct types_layout;

/* The static layout of an element; need not be released. */
const struct types_layout *types_layout_of(enum types_element e);

/* Constructors follow MPI-5.0 section 5.1. They return a new reference, or NULL and `st`: a negative count,
 * or something that does not fit in 63 bits (T2). They keep what they need of `of`, which remains the
 * caller's. "h" forms take displacements and strides in bytes, the others in extents of `of`. */
struct types_layout *types_layout_contiguous(int64_t count, const struct types_layout *of,
                                             struct base_status *st);
struct types_layout *types_layout_vector(int64_t count, int64_t block, int64_t stride,
                                         const struct types_layout *of, struct base_status *st);
struct types_layout *types_layout_hvector(int64_t count, int64_t block, int64_t stride,
                                          const struct types_layout *of, struct base_status *st);
struct types_layout *types_layout_indexed(int64_t n, const int64_t *blocks, const int64_t *places,
                                          const struct types_layout *of, struct base_status *st);
struct types_layout *types_layout_hindexed(int64_t n, const int64_t *blocks, const int64_t *offsets,
                                           const struct types_layout *of, struct base_status *st);
struct types_layout *types_layout_indexed_block(int64_t n, int64_t block, const int64_t *places,
                                                const struct types_layout *of, struct base_status *st);
struct types_layout *types_layout_hindexed_block(int64_t n, int64_t block, const int64_t *offsets,
                                                 const struct types_layout *of, struct base_status *st);
struct types_layout *types_layout_struct(int64_t n, const int64_t *blocks, const int64_t *offsets,
                                         const struct types_layout *const *of, struct base_status *st);
struct types_layout *types_layout_resized(const struct types_layout *of, int64_t lower, int64_t extent,
                                          struct base_status *st);
enum types_order { TYPES_ORDER_C, TYPES_ORDER_FORTRAN };
struct types_layout *types_layout_subarray(int dims, const int64_t *sizes, const int64_t *parts,
                                           const int64_t *starts, enum types_order order,
                                           const struct types_layout *of, struct base_status *st);
/* The part of a distributed array that process `me` of `processes` holds (MPI-5.0 section 5.1.4). */
enum types_spread { TYPES_SPREAD_NONE, TYPES_SPREAD_BLOCK, TYPES_SPREAD_CYCLIC };
struct types_grid_dim {
    int64_t size; /* of the whole array */
    enum types_spread how;
    int64_t block; /* BLOCK, CYCLIC: elements of a block; 0: the standard's default */
    int64_t processes;
};
struct types_layout *types_layout_darray(int64_t processes, int64_t me, int dims,
                                         const struct types_grid_dim *dim, enum types_order order,
                                         const struct types_layout *of, struct base_status *st);

/* Another reference, which is MPI's dup: layouts do not change. release: NULL is allowed. */
struct types_layout *types_layout_retain(const struct types_layout *l);
void types_layout_release(const struct types_layout *l);

struct types_bounds {
    int64_t lower, extent;           /* bytes; upper bound = lower + extent */
    int64_t true_lower, true_extent; /* of the data alone */
};
uint64_t types_layout_size(const struct types_layout *l); /* bytes of data of one item */
struct types_bounds types_layout_bounds(const struct types_layout *l);
uint32_t types_layout_align(const struct types_layout *l);
/* The one element type it consists of; TYPES_ELEMENTS: several, or none. */
enum types_element types_layout_element(const struct types_layout *l);
unsigned types_layout_depth(const struct types_layout *l); /* nested loops when normalized; 0: one run */
/* Whether any number of items are one run of memory; *offset: where it begins. One predictable branch. */
bool types_layout_is_dense(const struct types_layout *l, int64_t *offset);
/* Whether `count` items are one run of memory. */
bool types_layout_is_run(const struct types_layout *l, uint64_t count, int64_t *offset);
/* Whether count items' bytes and offsets fit in 63 bits; the functions below require it. */
bool types_layout_fits(const struct types_layout *l, uint64_t count);
/* The offsets [*low, *high) that hold all bytes of count items; 0, 0 when there are none. */
void types_layout_span(const struct types_layout *l, uint64_t count, int64_t *low, int64_t *high);

/* --- signatures (signature.c) --------------------------------------------------------------------- */

/* The sequence of elements, a pair counting as two, in 24 bytes: their number, and two polynomial hashes
 * modulo 2^61 - 1: of their names, and of their representations, which int and int32_t share. Different
 * sequences of equal length collide with a probability of about 2^-61 times the length. */
struct types_signature {
    uint64_t elements;
    uint64_t names, kinds;
};
struct types_signature types_signature(const struct types_layout *l, uint64_t count);
/* Of the first `elements` of count items, all if there are fewer: what was sent must match the beginning of
 * what is received. */
struct types_signature types_signature_prefix(const struct types_layout *l, uint64_t count,
                                              uint64_t elements);
bool types_signature_equal(const struct types_signature *a, const struct types_signature *b, bool by_name);
/* The first place at which the elements of n items of a and of m items of b are not represented alike, and
 * what they are there; false: they are alike as far as both go. */
struct types_unlike {
    uint64_t at;
    enum types_element a, b;
};
bool types_first_unlike(const struct types_layout *a, uint64_t n, const struct types_layout *b, uint64_t m,
                        struct types_unlike *out);
/* How many elements begin in the first `bytes` of data of count items; *whole: whether the last is
 * complete. */
uint64_t types_elements_in(const struct types_layout *l, uint64_t count, uint64_t bytes, bool *whole);

/* --- elements in order (sequence.c) ---------------------------------------------------------------- */

/* Calls fn for the elements of count items in order, `times` equal ones at once. A pair comes as two. */
typedef void (*types_element_fn)(void *arg, enum types_element e, uint64_t times);
void types_each_element(const struct types_layout *l, uint64_t count, types_element_fn fn, void *arg);
/* Bytes of data of the first `elements` elements of any number of items: the inverse of types_elements_in. */
uint64_t types_bytes_of(const struct types_layout *l, uint64_t elements);

/* --- walking (cursor.c, pair.c) ------------------------------------------------------------------- */

/* n runs of `bytes` bytes, the first at `offset`, each `stride` after the one before. */
struct types_strip {
    int64_t offset, stride;
    uint64_t bytes, n;
};

/* Walks the positions [from, to) of count items, strip by strip. Opaque, but in the caller's memory: up to
 * 16 nested loops need no allocation. */
enum { TYPES_CURSOR_FRAMES = 16 };
struct types_cursor_frame {
    const struct types_piece *pieces;
    const struct types_node *child;
    int64_t base, stride;
    uint64_t i, n;
};
struct types_cursor {
    struct types_cursor_frame *frame;
    uint64_t left, first;
    int64_t first_offset;
    uint32_t depth;
    struct types_cursor_frame own[TYPES_CURSOR_FRAMES];
};
void types_cursor_init(struct types_cursor *c, const struct types_layout *l, uint64_t count, uint64_t from,
                       uint64_t to);
bool types_cursor_next(struct types_cursor *c, struct types_strip *out); /* false: the end */
void types_cursor_release(struct types_cursor *c);

/* Two layouts at once: n runs of `bytes` at both. Offsets are relative to item 0 of each. */
struct types_move {
    int64_t to, from, to_stride, from_stride;
    uint64_t bytes, n;
};
/* Data along a layout, from position `at` of `count` items. */
struct types_view {
    const struct types_layout *layout;
    uint64_t count, at;
};
typedef void (*types_move_fn)(void *arg, const struct types_move *m);
/* Calls fn for all moves that take the next `bytes` bytes of `from` to `to`, in order of position. */
void types_each_move(const struct types_view *to, const struct types_view *from, uint64_t bytes,
                     types_move_fn fn, void *arg);

/* --- moving (move.c, reduce.c) -------------------------------------------------------------------- */

/* Addresses are those of item 0. Buffers may not overlap. */
void types_pack(const struct types_layout *l, uint64_t count, const void *data, uint64_t from, uint64_t to,
                void *packed);
void types_unpack(const struct types_layout *l, uint64_t count, void *data, uint64_t from, uint64_t to,
                  const void *packed);
/* The next `bytes` bytes from one layout to another. */
void types_copy(const struct types_view *to, void *to_data, const struct types_view *from,
                const void *from_data, uint64_t bytes);
/* Copies n runs; either side may be dense. The kernel of the above, for callers with their own cursors. */
void types_copy_runs(void *to, int64_t to_stride, const void *from, int64_t from_stride, uint64_t bytes,
                     uint64_t n);

/* The elements at the positions [from, to), which must be whole elements, become (element op packed), or,
 * with `packed_first`, (packed op element). The layout is of one element, which has the operator. */
void types_reduce(enum types_op op, const struct types_layout *l, uint64_t count, void *data, uint64_t from,
                  uint64_t to, const void *packed, bool packed_first);

#endif
