// SPDX-License-Identifier: BSD-3-Clause
// Exceptions are thrown and caught in each rank for itself, also when ranks switch while one is being
// handled.
// run: -np 1
// stdout: 0 wrong in 1 PEs
// run: -np 7
// stdout: 0 wrong in 7 PEs
#include <cstdio>
#include <exception>
#include <shmem.h>
#include <stdexcept>
#include <string>

static long wrong_of_all;

struct Unwound {
    int *count;
    ~Unwound()
    {
        ++*count;
    }
};

struct Barrier { // a wait in the middle of unwinding
    ~Barrier()
    {
        shmem_barrier_all();
    }
};

static int fail(int me, int depth, int *unwound)
{
    Unwound here{unwound};
    if (depth > 0)
        return fail(me, depth - 1, unwound) + 1;
    Barrier wait;
    throw std::runtime_error(std::to_string(me));
}

static int uncaught_while_waiting(int me)
{
    int wrong = 0;
    try {
        struct Check {
            int *wrong;
            ~Check()
            {
                shmem_barrier_all();
                *wrong += std::uncaught_exceptions() != 1;
            }
        } check{&wrong};
        throw me;
    } catch (int value) {
        wrong += value != me || std::uncaught_exceptions() != 0;
    }
    return wrong;
}

int main()
{
    shmem_init();
    int me = shmem_my_pe(), wrong = 0, unwound = 0;
    try {
        fail(me, 10 + me, &unwound);
        wrong++;
    } catch (const std::exception &e) {
        shmem_barrier_all(); // the handler is active in all ranks at once
        wrong += e.what() != std::to_string(me);
        try {
            shmem_barrier_all();
            throw; // the innermost exception handled here, not another rank's
        } catch (const std::runtime_error &again) {
            shmem_barrier_all();
            wrong += again.what() != std::to_string(me);
        }
        wrong += std::current_exception() == nullptr;
    }
    wrong += unwound != 11 + me || std::current_exception() != nullptr;
    wrong += uncaught_while_waiting(me);
    shmem_long_atomic_add(&wrong_of_all, wrong, 0);
    shmem_barrier_all();
    if (me == 0)
        std::printf("%ld wrong in %d PEs\n", wrong_of_all, shmem_n_pes());
    shmem_finalize();
    return 0;
}
