! SPDX-License-Identifier: BSD-3-Clause
! Files from Fortran: a view, sections of arrays, and a data representation whose functions are subroutines, of sections,
! too.
! run: -np 3 -- $W/file
! stdout: done
module halves
  implicit none
contains
  ! Besides integers there is a datatype of two, with a gap between them, of which one item is passed.
  integer function integers(datatype, count)
    use mpi
    integer :: datatype, count
    integers = merge(count, 2, datatype == MPI_INTEGER)
  end function

  integer function place(datatype, k)
    use mpi
    integer :: datatype, k
    place = merge(k, 2 * k - 1, datatype == MPI_INTEGER)
  end function

  subroutine half_extent(datatype, extent, extra, ierror)
    use mpi
    integer :: datatype, ierror
    integer(MPI_ADDRESS_KIND) :: extent, extra
    extent = merge(2_MPI_ADDRESS_KIND, 0_MPI_ADDRESS_KIND, datatype == MPI_INTEGER)
    ierror = merge(MPI_SUCCESS, MPI_ERR_TYPE, datatype == MPI_INTEGER .and. extra == 77)
  end subroutine

  subroutine to_half(user, datatype, count, file, position, extra, ierror)
    use mpi
    integer :: datatype, count, ierror, k
    integer :: user(*)
    integer(2) :: file(*)
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra
    do k = 1, integers(datatype, count)
      file(k) = int(user(position + place(datatype, k)), 2)
    end do
    ierror = MPI_SUCCESS
  end subroutine

  subroutine from_half(user, datatype, count, file, position, extra, ierror)
    use mpi
    integer :: datatype, count, ierror, k
    integer :: user(*)
    integer(2) :: file(*)
    integer(MPI_OFFSET_KIND) :: position
    integer(MPI_ADDRESS_KIND) :: extra
    do k = 1, integers(datatype, count)
      user(position + place(datatype, k)) = file(k)
    end do
    ierror = MPI_SUCCESS
  end subroutine
end module

program files
  use mpi_f08, only: MPI_File, MPI_Status, MPI_Request, MPI_Datatype, MPI_File_read_at_f08 => MPI_File_read_at, &
                     MPI_INTEGER_f08 => MPI_INTEGER, MPI_Get_count_f08 => MPI_Get_count, &
                     MPI_File_iread_at_f08 => MPI_File_iread_at, MPI_File_write_at_f08 => MPI_File_write_at, &
                     MPI_Wait_f08 => MPI_Wait, MPI_Type_vector_f08 => MPI_Type_vector, &
                     MPI_Type_commit_f08 => MPI_Type_commit
  use mpi, only: MPI_COMM_WORLD, MPI_INTEGER, MPI_INFO_NULL, MPI_MODE_CREATE, MPI_MODE_RDWR, MPI_MODE_DELETE_ON_CLOSE, &
                 MPI_STATUS_SIZE, MPI_SUCCESS, MPI_OFFSET_KIND, MPI_ADDRESS_KIND
  use halves
  implicit none
  integer :: me, n, fh, ierror, k, got, status(MPI_STATUS_SIZE), out(4), in(8)
  integer(MPI_ADDRESS_KIND) :: extra = 77
  integer(MPI_OFFSET_KIND) :: size
  character(len=4096) :: path
  type(MPI_File) :: file
  type(MPI_Status) :: status08
  type(MPI_Request) :: request
  type(MPI_Datatype) :: two
  integer :: table(3, 4)
  external :: MPI_Init, MPI_Comm_rank, MPI_Comm_size, MPI_File_open, MPI_Register_datarep, MPI_File_set_view, &
              MPI_File_write_at_all, MPI_File_read_at, MPI_File_get_size, MPI_File_close, MPI_Barrier, MPI_Finalize
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
  call get_command_argument(1, path)
  call MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &
                     fh, ierror)
  if (ierror /= MPI_SUCCESS) print *, 'open', ierror
  call MPI_Register_datarep('half', from_half, to_half, half_extent, extra, ierror)
  if (ierror /= MPI_SUCCESS) print *, 'register', ierror
  call MPI_File_set_view(fh, 8_MPI_OFFSET_KIND * me, MPI_INTEGER, MPI_INTEGER, 'half', MPI_INFO_NULL, ierror)
  if (ierror /= MPI_SUCCESS) print *, 'view', ierror
  out = [(10 * me + k, k = 1, 4)]
  call MPI_File_write_at_all(fh, 0_MPI_OFFSET_KIND, out, 4, MPI_INTEGER, status, ierror)
  call MPI_File_get_size(fh, size, ierror)
  if (ierror /= MPI_SUCCESS .or. (n == 1 .and. size /= 8)) print *, 'size', size
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  in = -1
  call MPI_File_read_at(fh, 0_MPI_OFFSET_KIND, in, 4, MPI_INTEGER, status, ierror)
  if (any(in(1:4) /= out)) print *, 'read', in
  ! Every second element, in the standard's representation, through mpi_f08.
  call MPI_File_set_view(fh, 100_MPI_OFFSET_KIND + 16 * me, MPI_INTEGER, MPI_INTEGER, 'external32', MPI_INFO_NULL, ierror)
  call MPI_File_write_at_all(fh, 0_MPI_OFFSET_KIND, out, 4, MPI_INTEGER, status, ierror)
  file%MPI_VAL = fh
  in = -1
  call MPI_File_read_at_f08(file, 0_MPI_OFFSET_KIND, in(1:8:2), 4, MPI_INTEGER_f08, status08, ierror)
  call MPI_Get_count_f08(status08, MPI_INTEGER_f08, got)
  if (got /= 4 .or. any(in(1:8:2) /= out) .or. any(in(2:8:2) /= -1)) print *, 'read', got, in
  ! Sections with gaps in the program's own representation: its functions see the items side by side.
  call MPI_File_set_view(fh, 200_MPI_OFFSET_KIND + 16 * me, MPI_INTEGER, MPI_INTEGER, 'half', MPI_INFO_NULL, ierror)
  table = reshape([(100 * me + k, k = 1, 12)], [3, 4])
  call MPI_File_write_at_f08(file, 0_MPI_OFFSET_KIND, table(2, :), 4, MPI_INTEGER_f08, status08, ierror)
  if (ierror /= MPI_SUCCESS) print *, 'a section is written', ierror
  in = -1
  call MPI_File_read_at(fh, 0_MPI_OFFSET_KIND, in, 4, MPI_INTEGER, status, ierror)
  if (any(in(1:4) /= table(2, :)) .or. any(in(5:8) /= -1)) print *, 'read', in
  in = -1
  call MPI_File_iread_at_f08(file, 1_MPI_OFFSET_KIND, in(2:8:2), 3, MPI_INTEGER_f08, request, ierror)
  call MPI_Wait_f08(request, status08, ierror)
  call MPI_Get_count_f08(status08, MPI_INTEGER_f08, got)
  if (got /= 3 .or. any(in(2:6:2) /= table(2, 2:4)) .or. any(in(1:8:2) /= -1) .or. in(8) /= -1) print *, 'read', got, in
  ! A datatype with a gap on a section: its first integer and its third are those of the section.
  call MPI_Type_vector_f08(2, 1, 2, MPI_INTEGER_f08, two, ierror)
  call MPI_Type_commit_f08(two, ierror)
  call MPI_File_write_at_f08(file, 4_MPI_OFFSET_KIND, table(3, 2:4), 1, two, status08, ierror)
  if (ierror /= MPI_SUCCESS) print *, 'a datatype with a gap is written', ierror
  in = -1
  call MPI_File_read_at_f08(file, 4_MPI_OFFSET_KIND, in(2:8:3), 1, two, status08, ierror)
  if (any(in(2:8:6) /= table(3, 2:4:2)) .or. in(5) /= -1 .or. count(in == -1) /= 6) print *, 'read', in
  call MPI_File_close(fh, ierror)
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (me == 0) print '(a)', 'done'
  call MPI_Finalize(ierror)
end program
