/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the files of report/ share and nobody else sees: how facts are gathered from events.
 */
#ifndef PGASIM_REPORT_INSIDE_H
#define PGASIM_REPORT_INSIDE_H

#include "report/facts.h"

/* --- distributions (distribution.c) ------------------------------------------------------------------- */

void report_distribution_add(struct report_distribution *d, double value);
void report_distribution_release(struct report_distribution *d);

#endif
