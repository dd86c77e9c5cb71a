// SPDX-License-Identifier: BSD-3-Clause
// An exception that no one catches ends the job with a report, as in a process of its own.
// run: -np 3
// status: 134
// stderr-match: rank 1 \(host \S+\) at \S+ \S+ was ended by signal 6
// stderr-match: terminate called after throwing an instance of 'int'
#include <shmem.h>

int main()
{
    shmem_init();
    shmem_barrier_all();
    if (shmem_my_pe() == 1)
        throw 42;
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
