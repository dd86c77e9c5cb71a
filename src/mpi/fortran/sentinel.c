/* SPDX-License-Identifier: BSD-3-Clause */
/* sentinel: the variables whose addresses mean something (MPI-5.0 section 2.5.4), and what C knows of them. */
#include "mpi/fortran/fortran.h"

/* Not zero, so that they are no common symbols and are not in .bss: a linker takes a program's common block
 * for a reference to a definition in a shared library. */
MPI_Fint mpi_fortran_bottom_ = 1, mpi_fortran_in_place_ = 1, mpi_fortran_buffer_automatic_ = 1;
MPI_Fint mpi_fortran_status_ignore_[8] = {1}, mpi_fortran_statuses_ignore_[8] = {1};
MPI_F08_status mpi_f08_status_ignore_ = {1, 1, 1, {0}}, mpi_f08_statuses_ignore_[1] = {{1, 1, 1, {0}}};
MPI_Fint mpi_fortran_errcodes_ignore_[1] = {1}, mpi_fortran_unweighted_[1] = {1};
MPI_Fint mpi_fortran_weights_empty_[1] = {1};
char mpi_fortran_argv_null_[1] = {' '}, mpi_fortran_argvs_null_[1] = {' '};

/* The same as C knows them (section 19.3.5). */
BASE_PUBLIC MPI_Fint *MPI_F_STATUS_IGNORE = mpi_fortran_status_ignore_;
BASE_PUBLIC MPI_Fint *MPI_F_STATUSES_IGNORE = mpi_fortran_statuses_ignore_;
BASE_PUBLIC MPI_F08_status *MPI_F08_STATUS_IGNORE = &mpi_f08_status_ignore_;
BASE_PUBLIC MPI_F08_status *MPI_F08_STATUSES_IGNORE = mpi_f08_statuses_ignore_;
