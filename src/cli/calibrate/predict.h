/* SPDX-License-Identifier: BSD-3-Clause */
/* predict: the collectives that were measured, simulated on the platform of the constants. Private to cli/calibrate/. */
#ifndef PGASIM_CLI_CALIBRATE_PREDICT_H
#define PGASIM_CLI_CALIBRATE_PREDICT_H

#include "calibrate/calibrate.h"

/* Fills in what can be predicted: of files that say where their ranks were, by the algorithms that their library
 * chooses. Settings of the environment count, coll/selector among them. */
void cli_calibrate_predict(struct calibrate_result *r, const struct calibrate_table *t);

#endif
