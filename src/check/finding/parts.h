/* SPDX-License-Identifier: BSD-3-Clause */
/* parts: what the files of finding/ share. */
#ifndef PGASIM_CHECK_FINDING_PARTS_H
#define PGASIM_CHECK_FINDING_PARTS_H

#include "check/finding/finding.h"

enum { FINDING_FORMAT = 1 }; /* of the lines of JSON */

/* finding.c */
const char *finding_level_word(enum finding_level l); /* as SARIF has them: "error", "warning", "note" */

/* match.c */
const char *finding_call_of(const struct finding_access *a); /* as rules name it: "MPI_Put", "load" */

#endif
