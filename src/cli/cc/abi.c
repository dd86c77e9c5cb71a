/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * abi: programs that need libmpi_abi.so.1. Started by itself, a program is loaded by the dynamic linker,
 * which must find that library for the program's own libraries; so the program names it, too.
 */
#include "cli/cc/command.h"
#include "fold/fold.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_shared_library(const char *word)
{
    const char *so = strstr(word, ".so");
    return *word != '-' && so && (!so[3] || so[3] == '.');
}

/* -lNAME in the folders of -L. */
static bool named_needs_abi(const struct cc_args *a, const char *name)
{
    for (size_t k = 0; k < a->words.n; k++) {
        const char *folder = a->words.at[k];
        if (strncmp(folder, "-L", 2))
            continue;
        folder = folder[2] ? folder + 2 : k + 1 < a->words.n ? a->words.at[k + 1] : "";
        char *path = base_strfmt("%s/lib%s.so", folder, name);
        bool there = access(path, R_OK) == 0, needs = there && fold_library_needs_abi(path);
        free(path);
        if (there)
            return needs;
    }
    return false;
}

bool cc_wants_abi(const struct cc_args *a)
{
    for (size_t k = 0; k < a->dropped.n; k++)
        if (strstr(a->dropped.at[k], "mpi_abi"))
            return true;
    for (size_t k = 0; k < a->words.n; k++) {
        const char *word = a->words.at[k];
        if (is_shared_library(word) ? fold_library_needs_abi(word)
                                    : !strncmp(word, "-l", 2) && word[2] && named_needs_abi(a, word + 2))
            return true;
    }
    return false;
}
