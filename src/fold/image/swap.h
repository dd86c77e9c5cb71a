/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * swap: many ranks' versions of the same memory ranges, of which one is live at a time (private to fold/).
 *
 * The ranges are cut into chunks. A version that is not live is what differs from the pristine bytes (those
 * right after loading): one bit per chunk, and the changed chunks in order. So a rank that changed nothing
 * costs nothing, and making a version live writes only chunks that it or its predecessor changed.
 *
 * A version into which others hold pointers is shared: while not live, it is a whole copy of the ranges at a
 * fixed address (docs/decisions/0006-pointers-to-globals.md).
 *
 * The pages of large ranges are moved instead: each version has its own at a fixed address, its home, and
 * while it is live they are mapped in the range (docs/decisions/0015-moved-pages.md).
 *
 * Invariants
 *  S1  The bits set in a saved version are as many as its chunks.
 *  S2  The live version has no saved chunks: its bytes are in the ranges.
 *  S3  A shared version has no saved chunks: its bytes are in the ranges while it is live, else in its copy.
 *  S4  The live version's moved pages are in the ranges, another's are in its home. A version without a home
 *      has the pristine pages.
 */
#ifndef PGASIM_FOLD_SWAP_H
#define PGASIM_FOLD_SWAP_H

#include "base/base.h"

#define SWAP_CHUNK 128

struct swap_range {
    uintptr_t base;
    size_t size;
    bool movable; /* what else is in its pages does not matter to others */
};
struct swap;

/* One rank's version. Zeroed: pristine. */
struct swap_version {
    uint64_t *bits;  /* one per chunk; NULL while no chunk is saved */
    char *saved;     /* changed chunks, in order */
    uint32_t n, cap; /* chunks in saved */
    char *copy;      /* shared: its bytes while it is not live */
    char *home;      /* of its moved pages; NULL: none so far */
};

/* The bytes in the ranges now become the pristine ones, and `first` is live. The pages of ranges of at least
 * `move_from` bytes are moved (0: of none) if they are movable and the kernel can do it. */
struct swap *swap_create(const struct swap_range *ranges, uint32_t n, struct swap_version *first,
                         size_t move_from);
void swap_destroy(struct swap *s);
void swap_release(struct swap *s, struct swap_version *v); /* forgets what v saved; v is not live */
struct swap_version *swap_live(const struct swap *s);
/* Saves the live version and makes v live. */
void swap_to(struct swap *s, struct swap_version *v);
/* Does [address, address + size) touch a range? */
bool swap_touches(const struct swap *s, uintptr_t address, size_t size);
/* Bytes of a version. Bytes outside of the ranges are accessed where they are. */
void swap_read(const struct swap *s, const struct swap_version *v, uintptr_t address, void *out, size_t size);
void swap_write(struct swap *s, struct swap_version *v, uintptr_t address, const void *in, size_t size);
/* Where the bytes lie if they are contiguous, or NULL. */
void *swap_direct(struct swap *s, struct swap_version *v, uintptr_t address, size_t size);
/* Where other versions' code can load and store v's bytes, at any time when v is not live; NULL when they are
 * not in one range. */
void *swap_share(struct swap *s, struct swap_version *v, uintptr_t address, size_t size);
/* For an address in the live version's copy, where its bytes are now; NULL for any other address. */
void *swap_live_place(const struct swap *s, uintptr_t address);
uint64_t swap_count(const struct swap *s);                           /* exchanges so far */
size_t swap_moved_bytes(const struct swap *s);                       /* in moved pages */
void swap_check(const struct swap *s, const struct swap_version *v); /* S1 to S4 */

#endif
