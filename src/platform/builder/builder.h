/* SPDX-License-Identifier: BSD-3-Clause */
/* builder: platforms built by C code (the second part of pgasim.h), accepted wherever a platform file is. */
#ifndef PGASIM_PLATFORM_BUILDER_H
#define PGASIM_PLATFORM_BUILDER_H

#include "platform/platform.h"

/* Whether a file is a shared object, judged by its name. */
bool builder_is_object(const char *path);
/* Loads it and builds the platform. -1 with st as platform_load. */
int builder_load(struct platform **out, const char *path, struct base_settings *settings,
                 struct base_status *st);

#endif
