/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * preload: tools in LD_PRELOAD. The dynamic linker has put them into the process, where all ranks would share
 * what they keep. A library that defines functions of MPI or OpenSHMEM, as profiling tools do, becomes an
 * object of the program as well: searched right behind the program, as ld.so(8) does. Others stay the
 * process's.
 */
#include <stdlib.h>
#include <string.h>

#include "fold/elf/elf.h"

/* Whether it defines functions of an API of ours, by their prefixes; Fortran's names are in lower case. */
static bool is_tool(const char *path)
{
    static const char *const beginnings[] = {"MPI_", "mpi_", "shmem_"};
    struct elf_file e;
    struct base_status ignored;
    bool found = false;
    if (elf_open_any(&e, path, &ignored))
        return false;
    for (uint32_t i = 1; i < e.n_symbols && !found; i++) {
        const Elf64_Sym *s = &e.symbol[i];
        const char *name = elf_string(&e, s->st_name);
        bool defined = s->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s->st_info) == STT_FUNC;
        for (size_t k = 0; k < BASE_LENGTH(beginnings) && defined && !found; k++)
            found = strncmp(name, beginnings[k], strlen(beginnings[k])) == 0;
    }
    elf_close(&e);
    return found;
}

char *preload_next_tool(const char **list, const struct object_file *program, const char *library_path)
{
    static const char separators[] = ": \t\n";
    while (*list && **list) {
        size_t n = strcspn(*list, separators);
        char *name = base_strfmt("%.*s", (int)n, *list);
        *list += n + ((*list)[n] != 0);
        char *path = n && !objects_simulator(name) ? objects_find_library(program, name, library_path) : NULL;
        free(name);
        if (path && !objects_system_directory(path) && is_tool(path))
            return path;
        free(path);
    }
    return NULL;
}
