! SPDX-License-Identifier: BSD-3-Clause
! Windows from mpi_f08: memory of the program and of the window, by c_f_pointer, with arguments of every kind,
! and all that synchronizes.
! run: -np 4
! stdout: right
! run: -np 4 --map-by host --set mpi/win-model=separate
! stdout: right
program win
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: rows = 5, columns = 4
  integer, asynchronous :: table(rows, columns)
  double precision, pointer :: cells(:, :)
  integer :: me, n, left, right, k, kind, model
  integer :: one, old, next
  integer, asynchronous :: column(rows), got(rows)
  logical :: flag
  integer(MPI_ADDRESS_KIND) :: bytes, value, base
  type(MPI_Win) :: w, c, dynamic
  type(MPI_Group) :: world, before, after
  type(MPI_Request) :: r
  type(MPI_Datatype) :: row
  type(MPI_Info) :: info
  type(c_ptr) :: p
  character(len=MPI_MAX_OBJECT_NAME) :: name
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  left = mod(me + n - 1, n)
  right = mod(me + 1, n)
  call MPI_Comm_group(MPI_COMM_WORLD, world)
  call MPI_Group_incl(world, 1, [left], before)
  call MPI_Group_incl(world, 1, [right], after)

  ! an array of the program's, in columns and rows, by fences
  table = 0
  call MPI_Type_vector(columns, 1, rows, MPI_INTEGER, row)
  call MPI_Type_commit(row)
  call MPI_Win_create(table, int(4 * rows * columns, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, w)
  call MPI_Win_set_name(w, 'table')
  call MPI_Win_get_name(w, name, k)
  if (name(1:k) /= 'table') call wrong('name')
  call MPI_Win_fence(MPI_MODE_NOPRECEDE, w)
  column = [(100 * me + k, k = 1, rows)]
  call MPI_Put(column, rows, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, rows, MPI_INTEGER, w)
  call MPI_Put(column, columns, MPI_INTEGER, left, 4_MPI_ADDRESS_KIND, 1, row, w)
  call MPI_Win_fence(0, w)
  if (any(table(1:rows - 1, 1) /= [(100 * left + k, k = 1, rows - 1)])) call wrong('column')
  if (any(table(rows, :) /= [(100 * right + k, k = 1, columns)])) call wrong('row')
  call MPI_Get(got, rows, MPI_INTEGER, right, 0_MPI_ADDRESS_KIND, rows, MPI_INTEGER, w)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, w)
  if (any(got(1:rows - 1) /= [(100 * me + k, k = 1, rows - 1)])) call wrong('get')
  call MPI_Barrier(MPI_COMM_WORLD)

  ! by post and start
  call MPI_Win_post(before, 0, w)
  call MPI_Win_start(after, 0, w)
  one = me
  call MPI_Put(one, 1, MPI_INTEGER, right, 5_MPI_ADDRESS_KIND, 1, MPI_INTEGER, w)
  call MPI_Win_complete(w)
  call MPI_Win_wait(w)
  if (table(1, 2) /= left) call wrong('post and start')
  call MPI_Barrier(MPI_COMM_WORLD)

  ! by locks: sums, a swap, requests
  one = 1
  call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w)
  call MPI_Fetch_and_op(one, old, MPI_INTEGER, 0, 6_MPI_ADDRESS_KIND, MPI_SUM, w)
  call MPI_Accumulate(one, 1, MPI_INTEGER, 0, 7_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_SUM, w)
  call MPI_Win_unlock(0, w)
  if (old < 0 .or. old >= n) call wrong('fetch and op')
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_lock_all(0, w)
  call MPI_Rget(got, 2, MPI_INTEGER, 0, 6_MPI_ADDRESS_KIND, 2, MPI_INTEGER, w, r)
  call MPI_Wait(r, MPI_STATUS_IGNORE)
  if (any(got(1:2) /= n)) call wrong('sums')
  next = -1
  old = -5
  call MPI_Compare_and_swap(next, me, old, MPI_INTEGER, me, 5_MPI_ADDRESS_KIND, w)
  call MPI_Win_flush_local(me, w)
  if (old /= left) call wrong('compare and swap')
  got = 7
  call MPI_Get_accumulate(got, 3, MPI_INTEGER, column, 3, MPI_INTEGER, right, 9_MPI_ADDRESS_KIND, 3, &
                          MPI_INTEGER, MPI_REPLACE, w)
  call MPI_Win_flush_all(w)
  call MPI_Win_sync(w)
  call MPI_Win_unlock_all(w)
  call MPI_Win_get_attr(w, MPI_WIN_DISP_UNIT, value, flag)
  if (.not. flag .or. value /= 4) call wrong('attribute')
  call MPI_Win_get_attr(w, MPI_WIN_CREATE_FLAVOR, value, flag)
  kind = int(value)
  call MPI_Win_get_attr(w, MPI_WIN_MODEL, value, flag)
  model = int(value)
  if (kind /= MPI_WIN_FLAVOR_CREATE .or. (model /= MPI_WIN_UNIFIED .and. model /= MPI_WIN_SEPARATE)) &
    call wrong('flavour')
  call MPI_Win_free(w)

  ! memory of the window's
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'same_size', 'true')
  call MPI_Win_allocate(int(8 * 3 * 2, MPI_ADDRESS_KIND), 8, info, MPI_COMM_WORLD, p, c)
  call MPI_Info_free(info)
  call c_f_pointer(p, cells, [3, 2])
  cells = 0
  call MPI_Win_fence(0, c)
  call MPI_Accumulate(dble(me + 1), 1, MPI_DOUBLE_PRECISION, 0, 4_MPI_ADDRESS_KIND, 1, MPI_DOUBLE_PRECISION, &
                      MPI_SUM, c)
  call MPI_Win_fence(0, c)
  if (me == 0 .and. cells(2, 2) /= n * (n + 1) / 2) call wrong('allocate')
  call MPI_Win_free(c)

  ! attached memory
  call MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, dynamic)
  call MPI_Win_attach(dynamic, table, int(4 * rows * columns, MPI_ADDRESS_KIND))
  call MPI_Get_address(table, base)
  call MPI_Sendrecv(base, 1, MPI_AINT, left, 0, bytes, 1, MPI_AINT, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  call MPI_Win_fence(0, dynamic)
  call MPI_Put(right, 1, MPI_INTEGER, right, MPI_Aint_add(bytes, 8_MPI_ADDRESS_KIND), 1, MPI_INTEGER, dynamic)
  call MPI_Win_fence(0, dynamic)
  if (table(3, 1) /= me) call wrong('dynamic')
  call MPI_Win_detach(dynamic, table)
  call MPI_Win_free(dynamic)

  call MPI_Group_free(before)
  call MPI_Group_free(after)
  call MPI_Group_free(world)
  call MPI_Type_free(row)
  if (me == 0) print '(a)', 'right'
  call MPI_Finalize()
contains
  subroutine wrong(what)
    character(len=*), intent(in) :: what
    print '(a,i0,2a)', 'rank ', me, ': wrong: ', what
    call MPI_Abort(MPI_COMM_WORLD, 1)
  end subroutine wrong
end program win
