/* SPDX-License-Identifier: BSD-3-Clause */
/* names: the functions of any shared object's file, for profiles. */
#include <stdlib.h>

#include "fold/elf/elf.h"
#include "fold/fold.h"

struct fold_names {
    struct elf_file file;
};

struct fold_names *fold_names_open(const char *path)
{
    struct fold_names *n = base_zalloc(sizeof *n, "names of functions");
    if (!elf_open(&n->file, path, NULL))
        return n;
    free(n);
    return NULL;
}

const char *fold_names_at(const struct fold_names *n, uint64_t offset)
{
    return elf_function_at(&n->file, offset);
}

void fold_names_close(struct fold_names *n)
{
    if (n)
        elf_close(&n->file);
    free(n);
}
