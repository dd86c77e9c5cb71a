/* SPDX-License-Identifier: BSD-3-Clause */
/* layer: the table that the build makes (private to base/). */
#ifndef PGASIM_BASE_LAYER_H
#define PGASIM_BASE_LAYER_H

/* One module's code in one section. The table ends with a NULL layer. */
struct base_layer_range {
    const char *layer, *from, *to;
};

#endif
