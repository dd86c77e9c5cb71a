/* SPDX-License-Identifier: BSD-3-Clause */
/* heads: the heads of files and blocks. */
#include "trace/pgt/pgt.h"

#include <math.h>

const char pgt_magic[8] = {'p', 'g', 'a', 's', 'i', 'm', 'T', '\n'};
const char pgt_tail_magic[8] = {'p', 'g', 't', '-', 'e', 'n', 'd', '\n'};

/* FNV-1a, for heads; sections have zstd's checksum. */
uint32_t pgt_sum(const unsigned char *p, size_t n)
{
    uint32_t sum = UINT32_C(2166136261);
    for (size_t k = 0; k < n; k++)
        sum = (sum ^ p[k]) * UINT32_C(16777619);
    return sum;
}

void pgt_block_put(const struct pgt_block *b, unsigned char out[PGT_BLOCK_HEAD])
{
    const uint32_t words[] = {b->magic,       b->events,      b->more.raw,
                              b->more.packed, b->columns.raw, b->columns.packed};
    const double times[] = {b->first, b->last, b->floor};
    unsigned char *p = out;
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        p = trace_put_fixed(p, words[k], 4);
    for (size_t k = 0; k < BASE_LENGTH(times); k++)
        p = trace_put_fixed(p, trace_double_bits(times[k]), 8);
    trace_put_fixed(p, pgt_sum(out, (size_t)(p - out)), 4);
}

static bool is_sane(const struct pgt_block *b)
{
    if (b->magic != PGT_BLOCK && b->magic != PGT_END && b->magic != PGT_RECORDING)
        return false;
    if (b->magic == PGT_RECORDING && (b->events || b->more.raw || !b->columns.raw))
        return false;
    if (b->magic == PGT_BLOCK && (!b->events || b->events > PGT_EVENTS))
        return false;
    return b->more.raw <= PGT_SECTION && b->columns.raw <= PGT_SECTION && isfinite(b->first) &&
           isfinite(b->last) && isfinite(b->floor) && b->first <= b->last;
}

bool pgt_block_get(struct pgt_block *b, const unsigned char in[PGT_BLOCK_HEAD])
{
    struct trace_bytes from = {in, in + PGT_BLOCK_HEAD, false};
    uint32_t words[6];
    double times[3];
    for (size_t k = 0; k < BASE_LENGTH(words); k++)
        words[k] = (uint32_t)trace_get_fixed(&from, 4);
    for (size_t k = 0; k < BASE_LENGTH(times); k++)
        times[k] = trace_get_double(&from);
    if (trace_get_fixed(&from, 4) != pgt_sum(in, PGT_BLOCK_HEAD - 4))
        return false;
    *b = (struct pgt_block){words[0], words[1], {words[2], words[3]}, {words[4], words[5]}, times[0],
                            times[1], times[2]};
    return is_sane(b);
}
