! SPDX-License-Identifier: BSD-3-Clause
! use mpi: interfaces, attributes of both generations, LOGICAL arrays, sentinels by address, text.
! run: -np 4
! stdout: right
module functions
  use mpi
  implicit none
  integer :: copied = 0, deleted = 0
contains
  subroutine copy(comm, key, extra, in, out, flag, ierror)
    integer :: comm, key, ierror
    integer(MPI_ADDRESS_KIND) :: extra, in, out
    logical :: flag
    copied = copied + 1
    out = in + extra
    flag = .true.
    ierror = MPI_SUCCESS
  end subroutine
  subroutine remove(comm, key, value, extra, ierror)
    integer :: comm, key, ierror
    integer(MPI_ADDRESS_KIND) :: value, extra
    deleted = deleted + int(value)
    ierror = MPI_SUCCESS
  end subroutine
  subroutine add(in, inout, n, datatype)
    integer :: n, datatype
    integer :: in(n), inout(n)
    if (datatype /= MPI_INTEGER) stop 2
    inout = in ! associative, but not commutative
  end subroutine
end module

program hello
  use mpi
  use functions
  implicit none
  integer :: ierr, me, n, key, old, op, cart, comm, v, w, k, length, group
  integer(MPI_ADDRESS_KIND) :: value
  logical :: flag, periods(2), got(2)
  integer :: dims(2), coords(2), status(MPI_STATUS_SIZE)
  character(len=MPI_MAX_OBJECT_NAME) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)

  call MPI_Comm_create_keyval(copy, remove, key, 5_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_set_attr(MPI_COMM_WORLD, key, 100_MPI_ADDRESS_KIND, ierr)
  call MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, old, 0, ierr)
  call MPI_Attr_put(MPI_COMM_WORLD, old, 7, ierr)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_get_attr(comm, key, value, flag, ierr)
  if (.not. flag .or. value /= 105 .or. copied /= 1) call wrong('attribute', int(value))
  call MPI_Attr_get(comm, old, v, flag, ierr)
  if (.not. flag .or. v /= 7) call wrong('old attribute', v)
  call MPI_Comm_get_attr(comm, MPI_TAG_UB, value, flag, ierr)
  if (.not. flag .or. value < 32767) call wrong('MPI_TAG_UB', int(value))
  call MPI_Comm_free(comm, ierr)
  if (deleted /= 105 .or. comm /= MPI_COMM_NULL) call wrong('deleted', deleted)
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID + old, value, flag, ierr)
  if (.not. flag) call wrong('flag', 0)

  call MPI_Op_create(add, .false., op, ierr)
  v = me + 1
  call MPI_Allreduce(v, w, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
  if (w /= 1) call wrong('operator', w)
  call MPI_Op_commutative(op, flag, ierr)
  if (flag) call wrong('commutes', 0)
  call MPI_Op_free(op, ierr)

  dims = [2, 2]
  periods = [.true., .false.]
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, .false., cart, ierr)
  call MPI_Cart_get(cart, 2, dims, got, coords, ierr)
  if (any(got .neqv. periods) .or. any(coords /= [me / 2, mod(me, 2)])) call wrong('Cartesian', coords(1))
  call MPI_Cart_shift(cart, 1, 1, v, w, ierr)
  if (coords(2) == 1 .and. w /= MPI_PROC_NULL) call wrong('shift', w)

  call MPI_Comm_set_name(cart, 'a grid  ', ierr)
  name = repeat('x', len(name))
  call MPI_Comm_get_name(cart, name, length, ierr)
  if (length /= 6 .or. name /= 'a grid') call wrong('name "'//trim(name)//'"', length)
  name = '------'
  call MPI_Comm_get_name(cart, name(1:3), length, ierr)
  if (name /= 'a g---') call wrong('short name', length)

  call MPI_Sendrecv(MPI_BOTTOM, 0, MPI_INTEGER, me, 1, v, 0, MPI_INTEGER, me, 1, MPI_COMM_WORLD, status, ierr)
  if (status(MPI_SOURCE) /= me .or. status(MPI_TAG) /= 1) call wrong('status', status(MPI_TAG))
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [me], MPI_UNWEIGHTED, 1, [me], MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., comm, ierr)
  call MPI_Dist_graph_neighbors_count(comm, v, w, flag, ierr)
  if (v /= 1 .or. w /= 1 .or. flag) call wrong('neighbours', v)
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, [0], MPI_WEIGHTS_EMPTY, 0, [0], MPI_WEIGHTS_EMPTY, &
                                      MPI_INFO_NULL, .false., comm, ierr)
  call MPI_Dist_graph_neighbors_count(comm, v, w, flag, ierr)
  if (v /= 0 .or. w /= 0 .or. .not. flag) call wrong('no neighbours', v)
  call MPI_Comm_group(MPI_COMM_WORLD, group, ierr)
  call MPI_Group_translate_ranks(group, 1, [me], group, coords, ierr)
  if (coords(1) /= me) call wrong('group', coords(1))
  k = 0
  call MPI_Bcast(k, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
  call MPI_Finalize(ierr)
  if (me == 0) print '(a)', 'right'
contains
  subroutine wrong(where, what)
    character(len=*) :: where
    integer :: what
    print *, 'rank', me, 'wrong: ', where, what
    stop 1
  end subroutine
end program
