/* SPDX-License-Identifier: BSD-3-Clause */
/* chart: pictures of fits as SVG (private to calibrate/). */
#ifndef PGASIM_CALIBRATE_CHART_H
#define PGASIM_CALIBRATE_CHART_H

#include "calibrate/internal.h"

/* Begins a picture with a title and a description, which a screen reader reads in its place: texts for HTML. */
void chart_open(FILE *out, unsigned number, const char *title, const char *description);
/* What is within, and the end: measured times and the fit; residuals. */
void chart_fit(FILE *out, const struct fit *f);
void chart_residuals(FILE *out, const struct fit *f);

#endif
