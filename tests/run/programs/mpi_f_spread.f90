! SPDX-License-Identifier: BSD-3-Clause
! Derived datatypes on sections with gaps, in calls of mpi_f08 that go on after they have returned: the
! datatype counts in the section as if its elements were side by side. Each transfer is compared with one
! from a copy of the section.
! run: -np 2
! stdout: right
! run: -np 2 --set mpi/check-types=yes
! stdout: right
program spread
  use mpi_f08
  implicit none
  integer :: a(6, 5), b(6, 5), flat(15), want(15), halves(3), me, other, i, k, error, class
  double precision :: x(12), y(12)
  type(MPI_Datatype) :: vector, doubled, reversed, wide, pair, bytes
  type(MPI_Request) :: r(2)
  type(MPI_Status) :: status
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  other = 1 - me
  call MPI_Type_vector(3, 2, 4, MPI_INTEGER, vector)
  call MPI_Type_commit(vector)
  call MPI_Type_contiguous(2, MPI_INTEGER, doubled)
  call MPI_Type_commit(doubled)
  call MPI_Type_indexed(3, [2, 1, 2], [9, 4, 0], MPI_INTEGER, reversed)
  call MPI_Type_commit(reversed)
  call MPI_Type_create_resized(MPI_INTEGER, 0_MPI_ADDRESS_KIND, 12_MPI_ADDRESS_KIND, wide)
  call MPI_Type_commit(wide)
  call MPI_Type_create_struct(2, [1, 1], [0_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND], &
                              [MPI_DOUBLE_PRECISION, MPI_INTEGER], pair)
  call MPI_Type_commit(pair)
  call MPI_Type_create_hvector(2, 1, 12_MPI_ADDRESS_KIND, MPI_DOUBLE_PRECISION, bytes)
  call MPI_Type_commit(bytes)
  a = reshape([(i, i = 1, 30)], [6, 5]) + 100 * me

  call through(vector, 1, 'vector')
  call through(doubled, 7, 'pairs')
  call through(reversed, 1, 'indexed')
  call through(reversed, 0, 'nothing')
  call through(wide, 4, 'resized')

  x = [(dble(i) / 3, i = 1, 12)] ! of two elements, and then across the edges of integers
  y = -1
  call MPI_Irecv(y(2:12:3), 1, pair, other, 5, MPI_COMM_WORLD, r(1))
  call MPI_Isend(x(1:12:3), 1, pair, other, 5, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  halves = [transfer(x(7), halves, 1), transfer(-1d0, [0, 0])] ! the lower half of x(7), the upper one of -1
  if (y(2) /= x(1) .or. y(8) /= transfer(halves([1, 3]), y(8)) .or. &
      any(y([1, 3, 4, 5, 6, 7, 9, 10, 11, 12]) /= -1)) &
    call wrong('struct')
  flat = 0
  b = -1
  call MPI_Irecv(b(1:6:2, :), 1, bytes, other, 6, MPI_COMM_WORLD, r(1))
  call MPI_Isend(a(2:6:2, :), 1, bytes, other, 6, MPI_COMM_WORLD, r(2))
  call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  want = reshape(a(2:6:2, :), [15]) + 100 * (other - me)
  want(3) = -1
  want(6:) = -1
  flat = reshape(b(1:6:2, :), [15])
  if (any(flat /= want) .or. any(b(2:6:2, :) /= -1)) call wrong('doubles on integers')

  call MPI_Send_init(a(6:2:-2, :), 1, vector, other, 7, MPI_COMM_WORLD, r(1)) ! persistent
  do k = 1, 2
    a = a + 1
    call MPI_Start(r(1))
    call MPI_Recv(flat, 6, MPI_INTEGER, other, 7, MPI_COMM_WORLD, status)
    call MPI_Wait(r(1), status)
    want = reshape(a(6:2:-2, :), [15]) + 100 * (other - me)
    if (any(flat(1:6) /= want([1, 2, 5, 6, 9, 10]))) call wrong('persistent')
  end do
  call MPI_Request_free(r(1))

  call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
  call MPI_Isend(a(1:6:2, 1:2), 1, vector, MPI_PROC_NULL, 0, MPI_COMM_WORLD, r(1), error)
  call MPI_Error_class(error, class)
  if (class /= MPI_ERR_BUFFER) call wrong('behind the section')
  call MPI_Type_free(vector)
  call MPI_Finalize()
  if (me == 0) print '(a)', 'right'
contains
  subroutine through(type, count, what) ! the same items received in a copy are the truth
    type(MPI_Datatype) :: type
    integer :: count
    character(len=*) :: what
    b = -1
    want = -1
    call MPI_Irecv(want, count, type, me, 3, MPI_COMM_WORLD, r(1))
    flat = reshape(a(1:6:2, 5:1:-1), [15])
    call MPI_Send(flat, count, type, me, 3, MPI_COMM_WORLD)
    call MPI_Wait(r(1), status)
    where (want /= -1) want = want + 100 * (other - me)
    call MPI_Irecv(b(5:1:-2, :), count, type, other, 4, MPI_COMM_WORLD, r(1))
    call MPI_Isend(a(1:6:2, 5:1:-1), count, type, other, 4, MPI_COMM_WORLD, r(2))
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
    flat = reshape(b(5:1:-2, :), [15])
    if (any(flat /= want)) call wrong(what)
    if (any(b(2:6:2, :) /= -1)) call wrong('gaps of ' // what)
  end subroutine
  subroutine wrong(what)
    character(len=*) :: what
    print *, 'rank', me, 'wrong: ', what
    stop 1
  end subroutine
end program
