! SPDX-License-Identifier: BSD-3-Clause
! What the compiler's run-time library keeps is each rank's own: units, their records, random numbers, arguments, SAVEd
! and common data.
! run: -np 4 -- one two
! stdout: rank 0: 2 one two
! stdout: rank 1: 2 one two
! stdout: rank 2: 2 one two
! stdout: rank 3: 2 one two
program library
  use mpi_f08
  implicit none
  integer :: me, n, k, i, seed(64), length
  integer, save :: calls = 0
  common /shared/ k
  character(len=80) :: file, line, first, second
  real :: x(4), everyone(4, 4)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  k = me
  calls = calls + 1
  call get_environment_variable('TMPDIR', file)
  write (file, '(a,a,i0)') trim(file), '/library.', me
  open (unit=10, file=file, status='replace', action='readwrite')
  do i = 1, 3
    write (10, '(a,i0,a,i0)') 'rank ', me, ' line ', i
    call MPI_Barrier(MPI_COMM_WORLD)
  end do
  rewind (10)
  do i = 1, 3
    read (10, '(a)') line
    call MPI_Barrier(MPI_COMM_WORLD)
    write (first, '(a,i0,a,i0)') 'rank ', me, ' line ', i
    if (line /= first) stop 2
  end do
  close (10, status='delete')
  call random_number(x)
  call MPI_Allgather(x, 4, MPI_REAL, everyone, 4, MPI_REAL, MPI_COMM_WORLD)
  do i = 1, n
    if (i /= me + 1 .and. all(everyone(:, i) == x)) stop 3
  end do
  seed = 17 + me
  call random_seed(put=seed)
  call MPI_Barrier(MPI_COMM_WORLD)
  call random_number(x(1))
  call random_seed(put=seed)
  call MPI_Barrier(MPI_COMM_WORLD)
  call random_number(x(2))
  if (x(1) /= x(2)) stop 4
  if (k /= me .or. calls /= 1) stop 5
  call get_command_argument(1, first, length)
  call get_command_argument(2, second)
  if (length /= 3) stop 6
  do i = 0, n - 1
    call MPI_Barrier(MPI_COMM_WORLD)
    if (i == me) print '(a,i0,a,i0,4a)', 'rank ', me, ': ', command_argument_count(), ' ', trim(first), ' ', trim(second)
  end do
  call MPI_Finalize()
end program
