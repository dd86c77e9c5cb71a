// SPDX-License-Identifier: BSD-3-Clause
// shmem.h and mpp/shmem.h from C++, with objects in the symmetric heap.
// run: -np 4
// stdout: 0 wrong in 4 PEs
#include "check.h"

#include <mpp/shmem.h>
#include <new>
#include <vector>

template <class T> class Symmetric
{
    T *at;

  public:
    explicit Symmetric(size_t n) : at(static_cast<T *>(shmem_malloc(n * sizeof(T))))
    {
    }
    ~Symmetric()
    {
        shmem_free(at);
    }
    T *data()
    {
        return at;
    }
};

struct Point {
    double x, y;
    long owner;
};

static void move()
{
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    Symmetric<Point> points(10);
    std::vector<Point> mine(10, Point{me + 0.5, me - 0.5, me});
    shmem_putmem(points.data(), mine.data(), mine.size() * sizeof(Point), next);
    shmem_barrier_all();
    CHECK(points.data()[9].owner == before && points.data()[3].x == before + 0.5);
    new (&points.data()[0]) Point{1, 2, -me};
    shmem_barrier_all();
    CHECK(shmem_long_g(&points.data()[0].owner, next) == -next);
    CHECK(shmem_int_atomic_fetch_add(reinterpret_cast<int *>(&points.data()[5].owner), 1, next) == me);
    shmem_double_put(&points.data()[1].x, &mine[0].y, 1, next);
    shmem_barrier_all();
    CHECK(points.data()[1].x == before - 0.5);
}

int main()
{
    shmem_init();
    move();
    return check_end();
}
