/* SPDX-License-Identifier: BSD-3-Clause */
/* layer: the table that the build makes (private to base/). */
#ifndef PGASIM_BASE_LAYER_H
#define PGASIM_BASE_LAYER_H

/* Code of a module in one section of the compiler's. Ended by a NULL layer. */
struct base_layer_range {
    const char *layer, *from, *to;
};

#endif
