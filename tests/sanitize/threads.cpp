/* SPDX-License-Identifier: BSD-3-Clause */
/* Instrumented C++ with a library of its own: constructors before there is a rank, threads, exceptions, virtual
 * functions and all widths of atomics must do the same as without instrumentation. */
#include <atomic>
#include <cstdio>
#include <shmem.h>
#include <stdexcept>
#include <thread>
#include <vector>

extern "C" long library_work(int n);

static std::vector<int> early(10, 3);
struct base {
    virtual int value()
    {
        return 1;
    }
    virtual ~base()
    {
    }
};
struct derived : base {
    int value() override
    {
        return early[2];
    }
};
static base *made = new derived;

static int &first()
{
    static int *value = new int(7);
    return *value;
}

/* clang asks a library for those of 16 bytes. */
#if defined(__clang__)
typedef unsigned long wide;
#else
__extension__ typedef unsigned __int128 wide;
#endif

template <typename T> static int atomics()
{
    static T a = 5;
    T expected = 6;
    const int order = __ATOMIC_ACQ_REL, failed = __ATOMIC_ACQUIRE;
    int right = !__atomic_compare_exchange_n(&a, &expected, T(9), false, order, failed) && expected == 5;
    right += __atomic_compare_exchange_n(&a, &expected, T(9), false, order, failed);
    right += __atomic_fetch_add(&a, 3, order) == 9 && __atomic_fetch_sub(&a, 2, order) == 12;
    right += __atomic_fetch_or(&a, 4, order) == 10 && __atomic_fetch_and(&a, 6, order) == 14;
    right += __atomic_fetch_xor(&a, 1, order) == 6 && __atomic_exchange_n(&a, T(2), order) == 7;
    right += __atomic_fetch_nand(&a, 3, order) == 2;
    __atomic_store_n(&a, T(40), __ATOMIC_RELEASE);
    return right + (__atomic_load_n(&a, __ATOMIC_ACQUIRE) == 40);
}

int main()
{
    std::atomic<long> count{0};
    shmem_init();
    std::thread other([&] {
        for (int k = 0; k < 100; k++)
            count++;
        first()++;
    });
    other.join();
    try {
        if (first() == 8)
            throw std::runtime_error("thrown");
    } catch (const std::exception &) {
        count++;
    }
    std::printf("%d %ld %ld, atomics %d %d %d %d %d\n", made->value(), count.load(), library_work(4),
                atomics<char>(), atomics<short>(), atomics<int>(), atomics<long>(), atomics<wide>());
    shmem_finalize();
}
