/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds shared libraries as the dynamic linker would (ld.so(8): DT_RPATH, LD_LIBRARY_PATH, DT_RUNPATH), and
 * tells by path or name whether a library is the system's. One of the system's folders counts as a program's
 * own: the run-time library of gfortran, whose units, buffers and random numbers each rank has for itself.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/elf/elf.h"
#include "fold/fold.h"

/* --- whose --------------------------------------------------------------------------------------- */

bool objects_fortran_library(const char *name)
{
    const char *slash = strrchr(name, '/');
    return strncmp(slash ? slash + 1 : name, "libgfortran.so", 14) == 0;
}

bool objects_system_directory(const char *path)
{
    if (objects_fortran_library(path))
        return false;
    static const char *const roots[] = {"/lib/",     "/lib64/",     "/lib32/",
                                        "/usr/lib/", "/usr/lib64/", "/usr/libexec/"};
    for (size_t i = 0; i < BASE_LENGTH(roots); i++)
        if (strncmp(path, roots[i], strlen(roots[i])) == 0)
            return true;
    return false;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool objects_abi(const char *name)
{
    return strncmp(base_name(name), "libmpi_abi.so", 13) == 0;
}

bool objects_simulator(const char *name)
{
    return strncmp(base_name(name), "libpgasim.so", 12) == 0 || objects_abi(name);
}

static bool stem_in(const char *stem, size_t n, const char *const *names)
{
    for (; *names; names++)
        if (strlen(*names) == n && !memcmp(*names, stem, n))
            return true;
    return false;
}

enum fold_replaced fold_library_replaced(const char *stem, size_t n)
{
    /* Sandia's and Cray's OpenSHMEM, Open MPI's, OSHMPI; Open MPI, MPICH and its relatives; PMI */
    static const char *const certain[] = {"sma",        "pshmem",     "oshmem",
                                          "oshmpi",     "open-pal",   "open-rte",
                                          "prrte",      "mpi",        "mpi_cxx",
                                          "mpi++",      "mpi_mpifh",  "mpi_usempif08",
                                          "mpi_usempi", "mpi_f90",    "mpi_f77",
                                          "mpi_dbg",    "mpi_mt",     "mpich",
                                          "mpichcxx",   "mpichfort",  "mpichf90",
                                          "mpichf77",   "pmpich",     "mpicxx",
                                          "mpifort",    "mpif77",     "mpif90",
                                          "pmpi",       "pmpicxx",    "mpi_abi",
                                          "mpi_ilp64",  "mpi_java",   "mpi_usempi_ignore_tkr",
                                          "pmi",        "pmi2",       "pmix",
                                          "pmi_simple", "pmi-simple", "pmi_cray",
                                          NULL};
    static const char *const perhaps[] = {"shmem", "openshmem", "mpl", "opa", NULL};
    if (stem_in(stem, n, certain))
        return FOLD_REPLACED;
    return stem_in(stem, n, perhaps) ? FOLD_PERHAPS_REPLACED : FOLD_NOT_REPLACED;
}

static bool begins_with(const char *name, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (strncmp(name, *beginnings, strlen(*beginnings)) == 0)
            return true;
    return false;
}

/* "libmpi.so.40", "libmpich.so.12"; not "libmpiP.so", which is a tool. */
static bool is_mpi(const char *file)
{
    static const char *const beginnings[] = {"libmpi_gnu_",   "libmpi_cray", "libmpi_intel",
                                             "libmpi_nvidia", "libmpich_",   NULL};
    const char *so = strstr(file, ".so");
    if (strncmp(file, "libmpi", 6) || !so)
        return false;
    return fold_library_replaced(file + 3, (size_t)(so - file) - 3) == FOLD_REPLACED ||
           begins_with(file, beginnings);
}

bool objects_foreign(const char *library)
{
    static const char *const beginnings[] = {
        "libsma.", "libsma-",    "liboshmem.", "libpmi",  "libmpl.", "libopen-pal", "libucp.",     "libucs.",
        "libuct.", "libfabric.", "libgpi2",    "libGPI2", "libucx",  "libnvshmem",  "libopen-rte", NULL};
    const char *base = base_name(library);
    return !objects_abi(base) && (is_mpi(base) || begins_with(base, beginnings));
}

const char *objects_other_mpi(const struct object_file *program)
{
    const char *name;
    for (uint32_t k = 0; (name = elf_needed(&program->elf, k)); k++)
        if (is_mpi(base_name(name)))
            return name;
    return NULL;
}

/* --- the search ---------------------------------------------------------------------------------- */

/* Tries one directory of a search path; $ORIGIN is the folder of the object that names it. */
static char *try_directory(const char *dir, size_t length, const char *origin, const char *name)
{
    char full[PATH_MAX];
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
    const char *prefix = "";
    int prefix_length = 0;
    for (size_t i = 0; i < BASE_LENGTH(origins); i++) {
        size_t n = strlen(origins[i]);
        if (length >= n && strncmp(dir, origins[i], n) == 0) {
            prefix = origin;
            prefix_length = (int)strlen(origin);
            dir += n;
            length -= n;
            break;
        }
    }
    int n = snprintf(full, sizeof full, "%.*s%.*s/%s", prefix_length, prefix, (int)length, dir, name);
    if (n < 0 || (size_t)n >= sizeof full || access(full, R_OK) != 0)
        return NULL;
    return realpath(full, NULL);
}

static char *search_path(const char *path, const char *origin, const char *name)
{
    while (path && *path) {
        size_t n = strcspn(path, ":");
        char *found = n ? try_directory(path, n, origin, name) : NULL;
        if (found)
            return found;
        path += n + (path[n] == ':');
    }
    return NULL;
}

/* Where the dynamic linker finds a library of the system; the caller frees it. NULL: nowhere. */
static char *system_path(const char *name)
{
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    struct link_map *map = NULL;
    char *path = NULL;
    if (!handle)
        return NULL;
    setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 0); /* a rank's lines come when they are written */
    if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0)
        path = realpath(map->l_name, NULL);
    dlclose(handle);
    return path;
}

char *objects_find_library(const struct object_file *user, const char *name, const char *library_path)
{
    if (strchr(name, '/'))
        return realpath(name, NULL);
    char *folder = base_strdup(user->path), *found = NULL;
    *strrchr(folder, '/') = 0;
    uint64_t rpath, runpath;
    bool has_runpath = elf_dynamic_find(&user->elf, DT_RUNPATH, &runpath);
    if (!has_runpath && elf_dynamic_find(&user->elf, DT_RPATH, &rpath))
        found = search_path(elf_string(&user->elf, rpath), folder, name);
    if (!found)
        found = search_path(library_path, folder, name);
    if (!found && has_runpath)
        found = search_path(elf_string(&user->elf, runpath), folder, name);
    free(folder);
    return !found && objects_fortran_library(name) ? system_path(name) : found;
}

/* --- the standard's ABI of MPI ------------------------------------------------------------------- */

static bool needs_abi(const struct objects *o)
{
    const char *name;
    for (size_t i = 0; i < o->list.n; i++)
        for (uint32_t k = 0; (name = elf_needed(&o->list.at[i]->elf, k)); k++)
            if (objects_abi(name))
                return true;
    return false;
}

bool fold_library_needs_abi(const char *path)
{
    struct objects o;
    struct base_status ignored;
    if (objects_look(&o, path, getenv("LD_LIBRARY_PATH"), &ignored))
        return false;
    bool needs = needs_abi(&o);
    objects_close(&o);
    return needs;
}

/* It lies beside libpgasim. Once it is in the process, the dynamic linker takes it for the name. */
void objects_provide_abi(const struct objects *o)
{
    static bool there;
    Dl_info here;
    char *path;
    if (there || !needs_abi(o) || !dladdr((void *)(uintptr_t)objects_provide_abi, &here) ||
        !(path = realpath(here.dli_fname, NULL)))
        return;
    *strrchr(path, '/') = 0;
    char *library = base_strfmt("%s/libmpi_abi.so.1", path);
    there = dlopen(library, RTLD_LAZY | RTLD_LOCAL) != NULL;
    free(library);
    free(path);
}
