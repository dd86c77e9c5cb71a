/* SPDX-License-Identifier: BSD-3-Clause */
/* figures: parts of a run's summary that modules do not count themselves (private to cli/). */
#ifndef PGASIM_CLI_FIGURES_H
#define PGASIM_CLI_FIGURES_H

#include "cli/figures/busy_links.h"
#include "cli/figures/cards.h"
#include "cli/figures/disks.h"
#include "cli/figures/joules.h"
#include "cli/figures/library.h"

#endif
