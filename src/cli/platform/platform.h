/* SPDX-License-Identifier: BSD-3-Clause */
/* platform: a platform by a file's path, or by a name (private to cli/). */
#ifndef PGASIM_CLI_PLATFORM_NAMED_H
#define PGASIM_CLI_PLATFORM_NAMED_H

#include "platform/platform.h"

/* As platform_load. If there is no file of that name, rae-mesh:8x8 is made, and a name without '/' and '.' is
 * that of a platform of share/pgasim/platforms. */
int cli_platform_load(struct platform **out, const char *name, struct base_settings *s,
                      struct base_status *st);

/* The built-in cluster, with file servers if the settings want them (built_in.c). -1 with st: a setting is wrong. */
int cli_platform_built_in(struct platform **out, uint64_t ranks, struct base_settings *s,
                          struct base_status *st);
char *cli_platform_built_in_xml(uint64_t ranks); /* with servers; to be freed */

#endif
