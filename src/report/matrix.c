/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices of ranks by ranks, with neighbouring ranks in one cell when there are many, and their largest
 * cells.
 *
 * Invariants
 *  X1  n groups of `group` ranks hold all ranks.
 */
#include "report/internal.h"

void report_matrix_init(struct report_matrix *m, uint32_t ranks, uint32_t most)
{
    m->group = ranks > most ? (ranks - 1) / most + 1 : 1;
    m->n = ranks ? (ranks - 1) / m->group + 1 : 0;
    BASE_ASSERT("X1", (uint64_t)m->n * m->group >= ranks);
    m->cell = base_zalloc(sizeof *m->cell * ((size_t)m->n * m->n + 1), "a matrix of ranks");
}

/* Moves pairs down until the new one has its place. Equal ones stay in order of their cells. */
static size_t insert(struct report_pair *out, size_t n, size_t most, struct report_pair pair)
{
    size_t k = n < most ? n : most;
    if (k == most && (!most || out[most - 1].value >= pair.value))
        return n;
    if (k == most)
        k--;
    for (; k && out[k - 1].value < pair.value; k--)
        out[k] = out[k - 1];
    out[k] = pair;
    return n < most ? n + 1 : most;
}

size_t report_matrix_top(const struct report_matrix *m, struct report_pair *out, size_t most)
{
    size_t n = 0;
    for (uint32_t row = 0; row < m->n; row++)
        for (uint32_t column = 0; column < m->n; column++) {
            double value = m->cell[(size_t)row * m->n + column];
            if (value > 0)
                n = insert(out, n, most, (struct report_pair){row, column, value});
        }
    return n;
}
