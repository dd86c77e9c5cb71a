/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can ask: its number, how many there are, versions, name, thread level. */
// run: -np 3
// stdout: version 1.6 of pgasim, by macros and by calls
// stdout: 0 wrong in 3 PEs
#include "check.h"

#include <string.h>

int main(void)
{
    int provided = -1, major = 0, minor = 0;
    char name[SHMEM_MAX_NAME_LEN];
    CHECK(shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) == 0 && provided == SHMEM_THREAD_SINGLE);
    int asked = -1;
    shmem_query_thread(&asked);
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    CHECK(asked == SHMEM_THREAD_SINGLE);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION &&
          strcmp(name, SHMEM_VENDOR_STRING) == 0);
    CHECK(shmem_my_pe() >= 0 && shmem_my_pe() < shmem_n_pes() && shmem_n_pes() == 3);
    if (shmem_my_pe() == 0)
        printf("version %d.%d of %s, by macros and by calls\n", major, minor, name);
    return check_end();
}
