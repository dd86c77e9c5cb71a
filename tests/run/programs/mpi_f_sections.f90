! SPDX-License-Identifier: BSD-3-Clause
! Sections of arrays as choice buffers of mpi_f08: sent, received, in collectives and reductions, wholly and in part.
! run: -np 2
! stdout: right
program sections
  use mpi_f08
  implicit none
  integer :: a(6, 5), b(6, 5), c(4, 3, 2), d(24), me, other, i, j, k, total
  real :: x(10), y(10)
  complex :: z(4)
  type(MPI_Request) :: r(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  other = 1 - me
  a = reshape([(i, i = 1, 30)], [6, 5]) + 100 * me

  b = 0 ! a matrix, both sides with gaps
  call MPI_Irecv(b(1:6:2, 2:5), 12, MPI_INTEGER, other, 0, MPI_COMM_WORLD, r(1))
  call MPI_Isend(a(6:1:-2, 5:2:-1), 12, MPI_INTEGER, other, 0, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  do j = 2, 5
    do i = 1, 3
      call expect(b(2 * i - 1, j), a(8 - 2 * i, 7 - j) + 100 * (other - me), 'reversed')
    end do
  end do
  call expect(sum(b), sum(b(1:6:2, 2:5)), 'gaps untouched')

  b = -1 ! a part of a column and the next
  call MPI_Sendrecv(a(2:4, 2:3), 4, MPI_INTEGER, other, 1, b(2:4, 2:3), 4, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE)
  call expect(b(2, 3), a(2, 3) + 100 * (other - me), 'part')
  call expect(b(3, 3), -1, 'behind the part')

  c = reshape([(k, k = 1, 24)], [4, 3, 2]) ! a row is contiguous in memory on one side only
  d = 0
  call MPI_Sendrecv(c(2, :, :), 6, MPI_INTEGER, other, 2, d(3:), 6, MPI_INTEGER, other, 2, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE)
  if (any(d(3:8) /= [2, 6, 10, 14, 18, 22])) call expect(d(4), 6, 'plane')

  z = cmplx([1., 2., 3., 4.], [5., 6., 7., 8.]) ! two items in an element
  x = 0
  call MPI_Sendrecv(z(1:4:3), 4, MPI_REAL, other, 3, x(1:10:3), 4, MPI_REAL, other, 3, MPI_COMM_WORLD, &
                    MPI_STATUS_IGNORE)
  if (any(x(1:10:3) /= [1., 5., 4., 8.])) call expect(int(x(4)), 5, 'complex')

  x = [(real(i), i = 1, 10)]
  y = -1
  call MPI_Allreduce(x(1:10:2), y(2:10:2), 5, MPI_REAL, MPI_SUM, MPI_COMM_WORLD)
  if (any(y(2:10:2) /= 2 * x(1:10:2)) .or. any(y(1:10:2) /= -1)) call expect(int(y(2)), 2, 'reduction')
  call MPI_Bcast(x(2:10:4), 3, MPI_REAL, 0, MPI_COMM_WORLD)
  total = me + 1
  d = 0
  call MPI_Allgather(total, 1, MPI_INTEGER, d(1:4:2), 1, MPI_INTEGER, MPI_COMM_WORLD)
  if (any(d(1:4) /= [1, 0, 2, 0])) call expect(d(3), 2, 'allgather')
  call assumed(a, 3)
  call MPI_Finalize()
  if (me == 0) print '(a)', 'right'
contains
  subroutine assumed(of, rows) ! of unknown size
    integer :: rows
    integer :: of(rows, *)
    integer :: got(4)
    call MPI_Sendrecv(of, 4, MPI_INTEGER, me, 0, got, 4, MPI_INTEGER, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call expect(got(4), of(1, 2), 'assumed size')
  end subroutine
  subroutine expect(is, should, what)
    integer :: is, should
    character(len=*) :: what
    if (is == should) return
    print *, 'rank', me, 'wrong: ', what, is, should
    stop 1
  end subroutine
end program
