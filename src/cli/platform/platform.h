/* SPDX-License-Identifier: BSD-3-Clause */
/* platform: a platform by a file's path, or by a name (private to cli/). */
#ifndef PGASIM_CLI_PLATFORM_NAMED_H
#define PGASIM_CLI_PLATFORM_NAMED_H

#include "platform/platform.h"

/* As platform_load. If there is no file of that name, rae-mesh:8x8 is made, and a name without '/' and '.' is
 * that of a platform of share/pgasim/platforms. */
int cli_platform_load(struct platform **out, const char *name, struct base_settings *s,
                      struct base_status *st);

#endif
