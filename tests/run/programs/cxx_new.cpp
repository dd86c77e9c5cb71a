// SPDX-License-Identifier: BSD-3-Clause
// A program with an operator new of its own: each rank's counts the rank's objects, and only these; memory
// passes between it and the C++ library.
// run: -np 4
// stdout: 0 wrong in 4 PEs
#include <shmem.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

static long made, gone;

void *operator new(std::size_t size)
{
    made++;
    void *p = std::malloc(size ? size : 1);
    if (!p)
        throw std::bad_alloc();
    return p;
}

void operator delete(void *p) noexcept
{
    gone += p != nullptr;
    std::free(p);
}

void operator delete(void *p, std::size_t) noexcept
{
    operator delete(p);
}

static long sum;

int main()
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    const long before = made;
    std::vector<int *> objects;
    objects.reserve(100);
    for (int i = 0; i <= me; i++)
        objects.push_back(new int(i));
    shmem_barrier_all();
    const long counted = made - before;
    std::string text(1000, 'x'); // made in the C++ library
    text += std::to_string(me);
    text.shrink_to_fit();
    for (int *p : objects)
        delete p;
    shmem_barrier_all();
    long wrong = counted != me + 2;
    wrong += gone < me + 1;
    if (wrong)
        std::printf("PE %d: %ld made, %ld gone\n", me, counted, gone);
    shmem_long_atomic_add(&sum, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        std::printf("%ld wrong in %d PEs\n", sum, n);
    shmem_finalize();
    return 0;
}
