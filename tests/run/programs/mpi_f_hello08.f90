! SPDX-License-Identifier: BSD-3-Clause
! use mpi_f08: types, operators, no ierror, large counts, callbacks, sentinels.
! run: -np 4
! stdout: right
module functions
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine largest(in, inout, n, datatype)
    type(c_ptr), value :: in, inout
    integer :: n
    type(MPI_Datatype) :: datatype
    real(8), pointer :: a(:), b(:)
    if (datatype /= MPI_DOUBLE_PRECISION) stop 2
    call c_f_pointer(in, a, [n])
    call c_f_pointer(inout, b, [n])
    b = max(a, b)
  end subroutine
  subroutine copy(oldcomm, comm_keyval, extra_state, attribute_val_in, attribute_val_out, flag, ierror)
    type(MPI_Comm) :: oldcomm
    integer :: comm_keyval, ierror
    integer(MPI_ADDRESS_KIND) :: extra_state, attribute_val_in, attribute_val_out
    logical :: flag
    if (oldcomm /= MPI_COMM_WORLD) stop 3
    attribute_val_out = attribute_val_in * extra_state
    flag = attribute_val_in > 0
    ierror = MPI_SUCCESS
  end subroutine
end module

program hello
  use mpi_f08
  use functions
  implicit none
  integer :: me, n, key, v, k, counted(4), places(4)
  integer(MPI_ADDRESS_KIND) :: value
  integer :: all(8)
  real(8) :: x(3), y(3)
  type(MPI_Comm) :: comm
  type(MPI_Op) :: op
  type(MPI_Request) :: requests(2)
  type(MPI_Status) :: status, statuses(2)
  logical :: flag
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  if (.not. MPI_SUBARRAYS_SUPPORTED) call wrong('sections', 0)

  v = -1
  call MPI_Irecv(v, 1, MPI_INTEGER, mod(me + n - 1, n), 5, MPI_COMM_WORLD, requests(1))
  call MPI_Isend(me, 1_MPI_COUNT_KIND, MPI_INTEGER, mod(me + 1, n), 5, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  if (v /= mod(me + n - 1, n) .or. statuses(1)%MPI_SOURCE /= v .or. statuses(1)%MPI_TAG /= 5) call wrong('ring', v)
  if (requests(1) /= MPI_REQUEST_NULL) call wrong('request', requests(1)%MPI_VAL)
  call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  call MPI_Sendrecv(me, 1, MPI_INTEGER, me, 0, v, 1, MPI_INTEGER, me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  if (v /= me) call wrong('self', v)
  call MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, flag, status)
  if (flag) call wrong('probe', 0)

  call MPI_Op_create(largest, .true., op)
  x = [real(8) :: me, -me, 2 * me]
  call MPI_Allreduce(x, y, 3, MPI_DOUBLE_PRECISION, op, MPI_COMM_WORLD)
  if (any(y /= [real(8) :: n - 1, 0, 2 * n - 2])) call wrong('operator', int(y(1)))
  call MPI_Op_free(op)
  if (op /= MPI_OP_NULL) call wrong('freed', op%MPI_VAL)

  call MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, key, 3_MPI_ADDRESS_KIND)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 14_MPI_ADDRESS_KIND)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm)
  call MPI_Comm_get_attr(comm, key, value, flag)
  if (.not. flag .or. value /= 42) call wrong('attribute', int(value))
  call MPI_Comm_compare(comm, MPI_COMM_WORLD, k)
  if (k /= MPI_CONGRUENT .or. comm == MPI_COMM_WORLD) call wrong('compare', k)
  call MPI_Comm_free(comm)

  all = 0
  all(me + 1) = me + 1
  call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 1, MPI_INTEGER, MPI_COMM_WORLD)
  if (any(all(1:4) /= [1, 2, 3, 4])) call wrong('allgather', all(2))
  counted = 1
  places = [3, 2, 1, 0]
  call MPI_Gatherv(me, 1, MPI_INTEGER, all, counted, places, MPI_INTEGER, 0, MPI_COMM_WORLD)
  if (me == 0 .and. any(all(1:4) /= [3, 2, 1, 0])) call wrong('gatherv', all(1))
  call MPI_Sizeof(x, k)
  if (k /= 8) call wrong('sizeof', k)
  call MPI_Finalize()
  if (me == 0) print '(a)', 'right'
contains
  subroutine wrong(where, what)
    character(len=*) :: where
    integer :: what
    print *, 'rank', me, 'wrong: ', where, what
    stop 1
  end subroutine
end program
