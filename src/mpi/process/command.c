/* SPDX-License-Identifier: BSD-3-Clause */
/* command: finds the file of a program that is to be started, as a launcher does. */
#include "mpi/process/process.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *file_at(const char *folder, size_t n, const char *name)
{
    struct stat s;
    char *path = n ? base_strfmt("%.*s/%s", (int)n, folder, name) : base_strdup(name);
    char *real = !stat(path, &s) && S_ISREG(s.st_mode) && !access(path, X_OK) ? realpath(path, NULL) : NULL;
    free(path);
    return real;
}

/* `folders` are separated by colons or blanks. */
static char *file_in(const char *folders, const char *name)
{
    char *found = NULL;
    for (const char *at = folders; at && *at && !found;) {
        size_t n = strcspn(at, ": ");
        if (n)
            found = file_at(at, n, name);
        at += n;
        at += *at != 0;
    }
    return found;
}

char *mpi_command_find(const char *command, const char *folder, const char *path)
{
    char *found = NULL;
    if (strchr(command, '/')) {
        if (folder && *command != '/')
            found = file_at(folder, strlen(folder), command);
        return found ? found : file_at(NULL, 0, command);
    }
    found = file_in(path, command);
    if (!found && folder)
        found = file_at(folder, strlen(folder), command);
    if (!found)
        found = file_at(".", 1, command);
    return found ? found : file_in(getenv("PATH"), command);
}
