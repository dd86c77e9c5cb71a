/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * layer: which module owns the code at an address. The build puts a marked object between the objects of two
 * modules (cmake/layers.cmake) and makes the table, so it works in stripped files, too. Programs other than
 * libpgasim, such as the tests of single modules, have no table.
 */
#include "base/layer.h"

#include "base/base.h"

extern const struct base_layer_range base_layer_ranges[] __attribute__((weak, visibility("hidden")));

const char *base_layer_of(const void *code)
{
    const char *at = code;
    for (const struct base_layer_range *r = base_layer_ranges; r && r->layer; r++)
        if (at >= r->from && at < r->to)
            return r->layer;
    return NULL;
}
