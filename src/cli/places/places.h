/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * places: where the parts of this installation lie (private to cli/). They are found relative to the running
 * command and library, so that the build folder, an installation and a moved installation all work.
 */
#ifndef PGASIM_CLI_PLACES_H
#define PGASIM_CLI_PLACES_H

#include "base/base.h"

/* Absolute paths without symbolic links. */
struct cli_places {
    char *library;  /* libpgasim.so */
    char *crt;      /* pgasim_crt.o */
    char *include;  /* folder of shmem.h */
    char *wrappers; /* folder of oshcc */
    char *root;     /* folder with bin/, include/ and lib/ as those of a real OpenSHMEM */
    char *mpi;      /* the same as those of a real MPI */
    char *packages; /* folder of pgasim.pc */
    char *aliases;  /* folder of pkg-config files by the names of other OpenSHMEMs */
    char *riscv;    /* folder of xbgas.s */
    char *prefix;   /* folder of bin/ and lib/ */
};

/* -1 with st naming the part that is missing. */
int cli_places_find(struct cli_places *p, struct base_status *st);
void cli_places_release(struct cli_places *p);

uint32_t cli_cores(void); /* cores.c: of this machine, that this process may use; at least 1 */

#endif
