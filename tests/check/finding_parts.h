/* SPDX-License-Identifier: BSD-3-Clause */
/* finding_parts: parts of findings, for tests. */
#ifndef PGASIM_TESTS_CHECK_FINDING_PARTS_H
#define PGASIM_TESTS_CHECK_FINDING_PARTS_H

#include "check/finding/finding.h"

static inline void set_place(struct finding_place *p, const char *function, const char *file, uint32_t line)
{
    finding_set(&p->function, function);
    finding_set(&p->file, file);
    p->line = line;
}

#endif
