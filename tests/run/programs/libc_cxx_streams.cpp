// SPDX-License-Identifier: BSD-3-Clause
// C++'s streams: whole lines, also when the program asks for buffers of their own; input for rank 0.
// shell: printf 'a b\nc\n' | $RUN --quiet -np 2 $EXE
// stdout-has: 0 reads a and b and c
// stdout-has: 1 reads nothing
// stdout-has: 0 cout put together
// stdout-has: 1 cout put together
// stdout-has: 1 printf after cout
// stderr-match: ^0 cerr put together$
// stderr-match: ^1 cerr put together$
#include <cstdio>
#include <iostream>
#include <shmem.h>
#include <string>
#include <unistd.h>

int main()
{
    std::ios::sync_with_stdio(false);
    shmem_init();
    int me = shmem_my_pe();
    std::string word, words;
    for (int k = 0; k < 4; k++) {
        if (std::cin >> word)
            words += (words.empty() ? "" : " and ") + word;
        shmem_barrier_all();
    }
    usleep(1000 * me);
    std::cout << me << " reads " << (words.empty() ? "nothing" : words) << std::endl;
    std::cout << me;
    std::cerr << me;
    shmem_barrier_all();
    std::cout << " cout" << std::flush;
    std::cerr << " cerr";
    shmem_barrier_all();
    std::cout << " put together\n";
    std::printf("%d printf after cout\n", me);
    std::cerr << " put together" << std::endl;
    shmem_finalize();
    return 0;
}
