! SPDX-License-Identifier: BSD-3-Clause
! mpif.h in fixed form: statuses, sentinels, 1-based indices, LOGICAL.
! run: -np 3
! stdout: right
      program hello
      implicit none
      include 'mpif.h'
      integer ierr, me, n, i, k, m
      integer status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE,2)
      integer value(2), requests(2), indices(2)
      logical flag
      double precision start
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
      if (n .ne. 3) call wrong(1, n)
      start = MPI_WTIME()
      if (me .ne. 0) then
        call MPI_SEND(me, 1, MPI_INTEGER, 0, 10 + me, MPI_COMM_WORLD,
     &                ierr)
        call MPI_SEND(me, 1, MPI_INTEGER, 0, 20, MPI_COMM_WORLD, ierr)
        call MPI_SEND(me, 1, MPI_INTEGER, 0, 30, MPI_COMM_WORLD, ierr)
      else
        do i = 1, 2
          call MPI_IRECV(value(i), 1, MPI_INTEGER, i, 10 + i,
     &                   MPI_COMM_WORLD, requests(i), ierr)
        end do
        call MPI_WAITALL(2, requests, statuses, ierr)
        do i = 1, 2
          if (value(i) .ne. i) call wrong(2, value(i))
          if (statuses(MPI_SOURCE,i) .ne. i) call wrong(3, i)
          if (statuses(MPI_TAG,i) .ne. 10 + i) call wrong(4, i)
          if (requests(i) .ne. MPI_REQUEST_NULL) call wrong(5, i)
        end do
        requests(1) = MPI_REQUEST_NULL
        call MPI_IRECV(value, 1, MPI_INTEGER, 2, 20, MPI_COMM_WORLD,
     &                 requests(2), ierr)
        call MPI_WAITANY(2, requests, k, status, ierr)
        if (k .ne. 2) call wrong(6, k)
        if (status(MPI_SOURCE) .ne. 2) call wrong(7, status(MPI_SOURCE))
        call MPI_WAITANY(2, requests, k, MPI_STATUS_IGNORE, ierr)
        if (k .ne. MPI_UNDEFINED) call wrong(8, k)
        call MPI_IRECV(value, 1, MPI_INTEGER, 1, 20, MPI_COMM_WORLD,
     &                 requests(2), ierr)
        call MPI_WAITSOME(2, requests, m, indices, MPI_STATUSES_IGNORE,
     &                    ierr)
        if (m .ne. 1 .or. indices(1) .ne. 2) call wrong(9, indices(1))
        do i = 1, 2
          call MPI_IRECV(value(i), 1, MPI_INTEGER, i, 30,
     &                   MPI_COMM_WORLD, requests(i), ierr)
        end do
        flag = .false.
        do while (.not. flag)
          call MPI_TESTALL(2, requests, flag, MPI_STATUSES_IGNORE, ierr)
        end do
        if (value(2) .ne. 2) call wrong(10, value(2))
      end if
      value(1) = me
      call MPI_ALLREDUCE(MPI_IN_PLACE, value, 1, MPI_INTEGER, MPI_SUM,
     &                   MPI_COMM_WORLD, ierr)
      if (value(1) .ne. 3) call wrong(11, value(1))
      if (MPI_WTIME() .le. start) call wrong(12, 0)
      call MPI_FINALIZE(ierr)
      if (me .eq. 0) print '(a)', 'right'
      end

      subroutine wrong(where, what)
      integer where, what
      print *, 'wrong', where, what
      stop 1
      end
