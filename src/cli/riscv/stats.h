/* SPDX-License-Identifier: BSD-3-Clause */
/* stats: what cores counted, as lines of a summary and as JSON (private to cli/riscv/). */
#ifndef PGASIM_CLI_RISCV_STATS_H
#define PGASIM_CLI_RISCV_STATS_H

#include "base/json.h"
#include "riscv/riscv.h"

/* All together, then each of n cores. */
void riscv_stats_print(FILE *out, const struct riscv_counts *all, const struct riscv_counts *core, size_t n);
/* As members of an open object. */
void riscv_stats_json(struct base_json *j, const struct riscv_counts *c);

#endif
