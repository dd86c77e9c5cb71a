/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cells: what the programs of this folder have in common. Each case uses cells of its own: W writes one, R reads it,
 * by functions of libc, which the checker sees. A program lists its cells as CELL(name, races); at the end it prints
 * "expect K name" for those whose uses are not ordered.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CELL(name, races) name,
enum { CELLS };
#undef CELL
#ifndef STRIDE /* bytes of a cell */
#define STRIDE 1
#endif
static char cells[8192] __attribute__((aligned(64)));
static volatile size_t one = 1;

static inline void W(int k)
{
    memset(&cells[STRIDE * k], 1, one);
}
static inline void R(int k)
{
    if (memchr(&cells[STRIDE * k], 77, one))
        puts("?");
}

static void cells_begin(void)
{
    if (memrchr(cells, 77, one))
        puts("?");
}

static void cells_end(void)
{
#define CELL(name, races)                                                                                    \
    if (races)                                                                                               \
        printf("expect %d %s\n", STRIDE *name, #name);
    CELLS
#undef CELL
}
