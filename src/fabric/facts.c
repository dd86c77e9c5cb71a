/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: what debuggers read of fabric/: the size of an operation. */
#include "fabric/parts.h"

const struct base_fact fabric_facts[] = {
    BASE_FACT_FIELD("fabric.platform", struct fabric, platform),
    BASE_FACT_FIELD("fabric_op.bytes", struct fabric_op, bytes),
    BASE_FACT_FIELD("fabric_op.owner_state", struct fabric_op, owner_state),
    {NULL, 0},
};
