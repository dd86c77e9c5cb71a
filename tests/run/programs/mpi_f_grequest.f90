! SPDX-License-Identifier: BSD-3-Clause
! Generalized requests: what the subroutines change in the extra state reaches the program's variable.
! run: -np 1
! stdout: grequest: right
module functions
    use mpi
    implicit none
contains
    subroutine query(extra, status, ierror)
        integer(MPI_ADDRESS_KIND) :: extra
        integer :: status(MPI_STATUS_SIZE), ierror
        call MPI_Status_set_cancelled(status, .false., ierror)
        call MPI_Status_set_elements(status, MPI_BYTE, 0, ierror)
    end subroutine
    subroutine release(extra, ierror)
        integer(MPI_ADDRESS_KIND) :: extra
        integer :: ierror
        extra = extra + 35
        ierror = MPI_SUCCESS
    end subroutine
    subroutine cancel(extra, complete, ierror)
        integer(MPI_ADDRESS_KIND) :: extra
        logical :: complete
        integer :: ierror
        ierror = MPI_SUCCESS
    end subroutine
end module

program grequest
    use mpi
    use functions
    implicit none
    integer(MPI_ADDRESS_KIND), save :: extra = 7
    integer :: request, ierror
    call MPI_Init(ierror)
    call MPI_Grequest_start(query, release, cancel, extra, request, ierror)
    call MPI_Grequest_complete(request, ierror)
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
    if (extra /= 42) error stop 'the extra state was not changed'
    call MPI_Finalize(ierror)
    print '(a)', 'grequest: right'
end program
