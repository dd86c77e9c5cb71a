/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drop: what of a command line must not reach the linker (private to cli/cc/):
 *   - options that make a program position-dependent, when a program is linked;
 *   - libraries of a real OpenSHMEM or MPI (fold_library_replaced), when a program or a shared library is
 *     linked: -lNAME, by path, and as linker options. Not if the build seems to have made them itself: a
 *     relative path, or found in a -L folder that is relative, or in any if its name is not certain;
 *   - -l:Scrt1.o, an entry point, which the wrappers name themselves (command.c): scripts of autoconf find it among
 *     the libraries of Fortran that `mpifort -v` links with, and then link C programs with these;
 *   - with such a library, run paths (-rpath, -rpath-link) to a folder that holds it and none of the
 *     libraries that are kept.
 */
#ifndef PGASIM_CLI_CC_DROP_H
#define PGASIM_CLI_CC_DROP_H

#include "cli/cc/args.h"

/* Appends to `kept`, for each word of `all`, what is left of it (NULL: nothing), and to `libraries` the
 * libraries left out, as they were given. */
void cc_drop(struct cc_words *kept, struct cc_words *libraries, const struct cc_words *all,
             enum cc_goal goal);

#endif
