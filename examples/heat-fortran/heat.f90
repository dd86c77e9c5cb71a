! SPDX-License-Identifier: BSD-3-Clause
!
! heat: the temperature of a square plate, by Jacobi iteration on a grid of SIZE x SIZE cells: examples/heat in
! Fortran, with the module mpi_f08.
!
!   heat [SIZE [ITERATIONS [EVERY]]]
!
! The ranks form a Cartesian grid, and each holds one block of the plate with a halo one cell wide. The edges are sent
! and received as array sections, without a copy or a derived type of the program's own. The first index is that of the
! row, so that the printed results equal those of the C programs, to the last bit.
program heat
    use mpi_f08
    use, intrinsic :: iso_fortran_env, only: int64, real64
    implicit none
    integer, parameter :: north = 1, south = 2, west = 3, east = 4
    type(MPI_Comm) :: grid
    integer :: size, iterations, every, rows, columns, first_row, first_column, neighbour(4), me, ranks, dims(2)

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    size = argument(1, 512)
    iterations = argument(2, 200)
    every = argument(3, 50)
    call arrange()
    if (size < ranks .or. iterations < 1 .or. every < 1) then
        if (me == 0) print '(a, i0, a)', 'usage: heat [SIZE [ITERATIONS [EVERY]]]; SIZE at least ', ranks, ' here'
    else
        call solve()
    end if
    call MPI_Comm_free(grid)
    call MPI_Finalize()

contains

    integer function argument(k, default)
        integer, intent(in) :: k, default
        character(len=16) :: text
        integer :: status
        argument = default
        if (command_argument_count() < k) return
        call get_command_argument(k, text)
        read (text, *, iostat=status) argument
        if (status /= 0) argument = -1
    end function argument

    integer function first_of(parts, part)
        integer, intent(in) :: parts, part
        first_of = int(int(size, int64) * part / parts)
    end function first_of

    subroutine arrange()
        integer :: at(2)
        dims = 0
        call MPI_Dims_create(ranks, 2, dims)
        call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, [.false., .false.], .true., grid)
        call MPI_Comm_rank(grid, me)
        call MPI_Cart_coords(grid, me, 2, at)
        call MPI_Cart_shift(grid, 0, 1, neighbour(north), neighbour(south))
        call MPI_Cart_shift(grid, 1, 1, neighbour(west), neighbour(east))
        first_row = first_of(dims(1), at(1))
        rows = first_of(dims(1), at(1) + 1) - first_row
        first_column = first_of(dims(2), at(2))
        columns = first_of(dims(2), at(2) + 1) - first_column
    end subroutine arrange

    subroutine exchange(plate)
        real(real64), intent(inout), asynchronous :: plate(0:, 0:)
        type(MPI_Request) :: request(8)
        call MPI_Irecv(plate(0, 1:columns), columns, MPI_REAL8, neighbour(north), south, grid, request(1))
        call MPI_Irecv(plate(rows + 1, 1:columns), columns, MPI_REAL8, neighbour(south), north, grid, request(2))
        call MPI_Irecv(plate(1:rows, 0), rows, MPI_REAL8, neighbour(west), east, grid, request(3))
        call MPI_Irecv(plate(1:rows, columns + 1), rows, MPI_REAL8, neighbour(east), west, grid, request(4))
        call MPI_Isend(plate(1, 1:columns), columns, MPI_REAL8, neighbour(north), north, grid, request(5))
        call MPI_Isend(plate(rows, 1:columns), columns, MPI_REAL8, neighbour(south), south, grid, request(6))
        call MPI_Isend(plate(1:rows, 1), rows, MPI_REAL8, neighbour(west), west, grid, request(7))
        call MPI_Isend(plate(1:rows, columns), rows, MPI_REAL8, neighbour(east), east, grid, request(8))
        call MPI_Waitall(8, request, MPI_STATUSES_IGNORE)
    end subroutine exchange

    subroutine solve()
        real(real64), allocatable, asynchronous :: plate(:, :, :)
        real(real64) :: change
        integer :: i, r, c, old, new
        allocate (plate(0:rows + 1, 0:columns + 1, 0:1))
        plate = 0
        if (neighbour(north) == MPI_PROC_NULL) plate(0, 1:columns, :) = 100
        do i = 1, iterations
            old = mod(i - 1, 2)
            new = mod(i, 2)
            call exchange(plate(:, :, old))
            change = 0
            do c = 1, columns
                do r = 1, rows
                    plate(r, c, new) = 0.25_real64 * (plate(r - 1, c, old) + plate(r + 1, c, old) + &
                                                      plate(r, c - 1, old) + plate(r, c + 1, old))
                    change = max(change, abs(plate(r, c, new) - plate(r, c, old)))
                end do
            end do
            if (mod(i, every) == 0 .or. i == iterations) then
                call MPI_Allreduce(MPI_IN_PLACE, change, 1, MPI_REAL8, MPI_MAX, grid)
                if (me == 0) print '(a, i0, a, es15.9e2)', 'iteration ', i, ': residual ', change
            end if
        end do
        call show_checksum(plate(:, :, mod(iterations, 2)))
    end subroutine solve

    ! Mixes every cell's bits with its place in the whole plate.
    subroutine show_checksum(plate)
        real(real64), intent(in) :: plate(0:, 0:)
        integer(int64), parameter :: odd1 = int(z'1e3779b97f4a7c15', int64) + ishft(1_int64, 63), &
                                     odd2 = int(z'3f58476d1ce4e5b9', int64) + ishft(1_int64, 63)
        integer(int64) :: bits, total, all
        integer :: r, c
        total = 0
        all = 0
        do c = 1, columns
            do r = 1, rows
                bits = transfer(plate(r, c), bits)
                bits = ieor(bits, int(first_row + r, int64) * size + first_column + c) * odd1
                total = ieor(total, ieor(bits, shiftr(bits, 29)) * odd2)
            end do
        end do
        call MPI_Reduce(total, all, 1, MPI_INTEGER8, MPI_BXOR, 0, grid)
        if (me == 0) print '(a, z16.16)', 'checksum ', all
    end subroutine show_checksum
end program heat
