/* SPDX-License-Identifier: BSD-3-Clause */
/* fortran: what a Fortran compiler is told besides: where its modules mpi and mpi_f08 are. Each compiler,
 * and each version of its files, has its own (lib/pgasim/fortran/make-modules.sh). */
#include "cli/cc/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cc_flags_fortran(struct cc_words *out, const struct cc_compiler *c, const struct cli_places *p)
{
    const char *name = c->words.at[c->words.n - 1], *slash = strrchr(name, '/');
    char *version = cc_compiler_version(c);
    name = slash ? slash + 1 : name;
    size_t n = strlen(name);
    while (n && strchr("0123456789.", name[n - 1]))
        n--;
    n = n && name[n - 1] == '-' ? n - 1 : strlen(name);
    char *folder =
        version ? base_strfmt("%.*s/pgasim/fortran/%.*s-%s", (int)(strrchr(p->library, '/') - p->library),
                              p->library, (int)n, name, version)
                : NULL;
    if (folder && access(folder, R_OK) == 0) {
        char *word = base_strfmt("-I%s", folder);
        BASE_ARRAY_PUSH(out, word);
    }
    /* Programs with mpif.h call one subroutine with buffers of many types. */
    if (n >= 8 && !strncmp(name + n - 8, "gfortran", 8) && version && atoi(version) >= 10)
        cc_words_push(out, "-fallow-argument-mismatch");
    free(folder);
    free(version);
}
