/* SPDX-License-Identifier: BSD-3-Clause */
/* paths: names of files, as libraries of MPI take them. */
#include "record/record.h"

#include <string.h>

const char *record_path(const char *name)
{
    static const char *const kinds[] = {
        "ufs:", "nfs:", "lustre:", "gpfs:", "pvfs2:", "testfs:", "panfs:", "daos:"};
    for (size_t k = 0; k < BASE_LENGTH(kinds); k++)
        if (!strncmp(name, kinds[k], strlen(kinds[k])))
            return name + strlen(kinds[k]);
    return name;
}
