/* SPDX-License-Identifier: BSD-3-Clause */
/* version: the version of this build, one exported string that wrappers and scripts can read. */
#include "base/base.h"

BASE_PUBLIC const char pgasim_version[] = PGASIM_VERSION;
