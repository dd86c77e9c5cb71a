/* SPDX-License-Identifier: BSD-3-Clause */
/* C++: exceptions that are thrown through many frames and held across switches, containers in globals and
 * thread-local variables. And mistakes. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <shmem.h>
#include <stdexcept>
#include <string>
#include <vector>

#define APART __attribute__((noinline, noclone))

static std::map<std::string, int> names;
static thread_local std::string mine = "a text that is too long to be kept in the object";

APART static int deep(int n)
{
    volatile char frame[64];
    memset((void *)frame, n, sizeof frame);
    if (n == 0)
        throw std::runtime_error("a text that is too long to be kept in the object");
    return deep(n - 1) + frame[3];
}

APART static int past(const std::vector<int> &v, size_t k)
{
    return v.data()[k]; /* heap */
}

APART static void lost()
{
    std::string *volatile s = new std::string(100, 'x'); /* leak */
    s = nullptr;
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), caught = 0, answer = 0;
    bool wrong = argc > 2 && me == atoi(argv[2]);
    for (int i = 0; i < 8; i++)
        try {
            deep(10 + i % 3);
        } catch (const std::exception &e) {
            shmem_barrier_all();
            names[e.what()]++;
            mine += "x";
            caught++;
        }
    std::vector<int> v(10, me);
    if (wrong && !strcmp(argv[1], "heap"))
        answer = past(v, v.size());
    if (wrong && !strcmp(argv[1], "leak"))
        lost();
    shmem_barrier_all();
    if (me == 0)
        printf("caught %d%s\n", caught, answer == 12345 ? "!" : "");
    shmem_finalize();
    if (me == 1)
        exit(0);
    return 0;
}
