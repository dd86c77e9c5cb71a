/* SPDX-License-Identifier: BSD-3-Clause */
/* spawn: processes that are started from Fortran: arrays of texts, whose last one is blank (MPI-5.0 section 11.8). */
#include "mpi/calls.h"
#include "mpi/comm/comm.h"
#include "mpi/fortran/special.h"

#include <stdlib.h>

static bool is_blank(const char *text, size_t n)
{
    while (n && *text == ' ')
        text++, n--;
    return !n;
}

/* Words of n characters, `step` words from one to the next, up to a blank one. Blanks at both ends are no part of them. */
static char **words_of(const char *from, size_t n, size_t step)
{
    size_t words = 0;
    while (!is_blank(from + words * step * n, n))
        words++;
    char **out = base_zalloc((words + 1) * sizeof *out, "arguments");
    for (size_t k = 0; k < words; k++)
        out[k] = mpi_fortran_text(from + k * step * n, n, true);
    return out;
}

static void release_words(char **words)
{
    for (char **w = words; w && *w; w++)
        free(*w);
    free(words);
}

int mpi_fortran_comm_spawn(struct mpi_call *c, const char *command, char *argv, const MPI_Fint *maxprocs,
                           const MPI_Fint *info, const MPI_Fint *root, const MPI_Fint *comm,
                           MPI_Fint *intercomm, MPI_Fint *array_of_errcodes, size_t command_length,
                           size_t argv_length)
{
    MPI_Comm made = MPI_COMM_NULL;
    char *text = mpi_fortran_text(command, command_length, true);
    char **words = argv == mpi_fortran_argv_null_ ? NULL : words_of(argv, argv_length, 1);
    int rc = mpi_comm_spawn(c, text, words, *maxprocs, MPI_HANDLE(MPI_Info, *info), *root,
                            MPI_HANDLE(MPI_Comm, *comm), &made, mpi_fortran_special(array_of_errcodes));
    *intercomm = mpi_fortran_number(made);
    release_words(words);
    free(text);
    return rc;
}

/* Only the root's arrays can be read. */
static bool is_root(struct mpi_call *c, const MPI_Fint *root, const MPI_Fint *comm)
{
    const struct mpi_comm *of = mpi_comm_find(c->self, MPI_HANDLE(MPI_Comm, *comm));
    return of && (int)of->me == *root;
}

int mpi_fortran_comm_spawn_multiple(struct mpi_call *c, const MPI_Fint *count, char *array_of_commands,
                                    char *array_of_argv, const MPI_Fint *array_of_maxprocs,
                                    const MPI_Fint *array_of_info, const MPI_Fint *root, const MPI_Fint *comm,
                                    MPI_Fint *intercomm, MPI_Fint *array_of_errcodes,
                                    size_t array_of_commands_length, size_t array_of_argv_length)
{
    MPI_Comm made = MPI_COMM_NULL;
    size_t n = is_root(c, root, comm) && *count > 0 ? (size_t)*count : 0;
    bool none = array_of_argv == mpi_fortran_argvs_null_;
    char **command = base_zalloc((n + 1) * sizeof *command, "commands");
    char ***argv = base_zalloc((n + 1) * sizeof *argv, "arguments");
    MPI_Info *info = mpi_fortran_handles(array_of_info, (int64_t)n);
    for (size_t k = 0; k < n; k++) {
        command[k] = mpi_fortran_text(array_of_commands + k * array_of_commands_length,
                                      array_of_commands_length, true);
        if (!none) /* the first index counts the commands */
            argv[k] = words_of(array_of_argv + k * array_of_argv_length, array_of_argv_length, n);
    }
    int rc = mpi_comm_spawn_multiple(c, *count, command, none ? MPI_ARGVS_NULL : argv, array_of_maxprocs,
                                     info, *root, MPI_HANDLE(MPI_Comm, *comm), &made,
                                     mpi_fortran_special(array_of_errcodes));
    *intercomm = mpi_fortran_number(made);
    for (size_t k = 0; k < n; k++) {
        free(command[k]);
        release_words(argv[k]);
    }
    free(command);
    free(argv);
    free(info);
    return rc;
}
