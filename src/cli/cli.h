/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cli: `pgasim`, its commands, and the compiler and launcher wrappers. One binary: what it does is decided by
 * the name it was called by (oshcc, oshrun, ...) or else by its first argument.
 */
#ifndef PGASIM_CLI_H
#define PGASIM_CLI_H

#include "base/base.h"

/* The whole command. Returns the exit status (enum base_exit, or what `pgasim run` passes on). */
BASE_PUBLIC int pgasim_main(int argc, char **argv);

#endif
