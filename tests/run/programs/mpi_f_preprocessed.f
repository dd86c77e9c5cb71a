! SPDX-License-Identifier: BSD-3-Clause
! mpif.h where the C preprocessor includes it, which knows no comments of Fortran's.
! build: $MPIFORT -cpp -Wall -Werror "$SRC" -o $EXE
! run: -np 2
! stdout: right
      program hello
      implicit none
#include "mpif.h"
      integer ierr, me, other
      double precision start
      call MPI_INIT(ierr)
      start = MPI_WTIME()
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_SENDRECV(me, 1, MPI_INTEGER, 1 - me, 0, other, 1,
     &                  MPI_INTEGER, 1 - me, 0, MPI_COMM_WORLD,
     &                  MPI_STATUS_IGNORE, ierr)
      if (other .ne. 1 - me .or. MPI_WTIME() .lt. start) stop 1
      call MPI_FINALIZE(ierr)
      if (me .eq. 0) print '(a)', 'right'
      end
