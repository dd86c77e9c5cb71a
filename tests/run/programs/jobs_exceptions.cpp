// SPDX-License-Identifier: BSD-3-Clause
// Exceptions that ranks throw and catch while they are ahead of their turns, and calls from handlers.
// run: -np 6
// jobs: 1 2 4
#include <shmem.h>
#include <cmath>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

static double compute(int size)
{
    double x = size;
    for (int i = 0; i < size; i++)
        x = std::sin(x) + 1;
    return x;
}

static void refuse(int k, int depth)
{
    if (depth)
        refuse(k, depth - 1);
    else
        throw std::runtime_error("refused " + std::to_string(k));
}

int main()
{
    shmem_init();
    int me = shmem_my_pe();
    std::map<std::string, std::vector<int>> seen;
    for (int k = 0; k < 20; k++) {
        shmem_barrier_all();
        compute(300 * (1 + me % 3));
        try {
            refuse(k, 5);
        } catch (const std::runtime_error &e) {
            seen[e.what()].push_back(me);
            if (k % 4 == me % 4) {
                compute(100);
                std::printf("%d: %s\n", me, e.what());
                try {
                    refuse(100 + k, 2);
                } catch (const std::exception &inner) {
                    std::printf("%d: %s in %s\n", me, inner.what(), e.what());
                }
            }
        }
    }
    shmem_barrier_all();
    try {
        try {
            refuse(7, 3);
        } catch (...) {
            shmem_barrier_all(); // waits with an exception at hand
            compute(500 * (1 + me % 2));
            throw;
        }
    } catch (const std::exception &e) {
        std::printf("%d: %zu, at last %s\n", me, seen.size(), e.what());
    }
    shmem_finalize();
    return 0;
}
