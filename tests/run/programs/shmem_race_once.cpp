/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * std::call_once in two threads of each PE. The C++ library keeps what it calls in thread-local variables, which all
 * PEs' threads have at one address: that is no race. What the threads do to a variable without it is one.
 */
// build: $OSHCXX --check -g -O0 -pthread "$SRC" -o $EXE
// run: --check=races -np 4 -- once
// stderr-not: pgasim: race:
// stdout-has: 8
// run: --check=races -np 4 -- bare
// status: 7
// stderr-match: ^    written by a store of rank
#include <shmem.h>

#include <cstdio>
#include <cstring>
#include <mutex>
#include <thread>

static int made, bare;
static std::once_flag both;

int main(int argc, char **argv)
{
    static long mine, all;
    bool once = argc < 2 || !std::strcmp(argv[1], "once");
    int provided;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    auto make = [&] {
        if (once)
            std::call_once(both, [] { made++; });
        else
            bare++;
    };
    std::once_flag own;
    std::thread other(make);
    make();
    std::call_once(own, [&] { mine++; });
    other.join();
    mine += made;
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
    if (shmem_my_pe() == 0)
        std::printf("%ld\n", all);
    shmem_finalize();
}
