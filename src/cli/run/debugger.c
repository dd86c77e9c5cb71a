/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * debugger: the one thing by which a debugger finds its way through a job, without debug information of the
 * library and in core files as well: a table of the modules' tables.
 */
#include "cli/run/debugger.h"

#include "coll/coll.h"
#include "fold/fold.h"
#include "rma/rma.h"
#include "shmem/shmem_front.h"

BASE_PUBLIC extern const struct debugger_tables pgasim_debugger;

__attribute__((used)) const struct debugger_tables pgasim_debugger = {
    .version = 1,
    .n = DEBUGGER_TABLES,
    .table = {base_facts, engine_facts, platform_facts, fabric_facts, rank_facts, fold_facts, rma_facts,
              coll_facts, shmem_facts},
};
