// SPDX-License-Identifier: BSD-3-Clause
// C++: new and delete in all their forms, containers, strings, streams, exceptions and shared pointers; blocks
// that the program makes and the library frees, and the other way round.
// build: $OSHCXX -g -O1 -std=c++17 -Wall -Wextra -Werror "$SRC" -o $EXE
// run: -np 3
// stdout: new, containers, strings, streams, locales, pointers, too much
// stderr-not: error
// jobs: 2
// run: -np 3 --set heap/ranks=0
// stdout: new, containers, strings, streams, locales, pointers, too much
// run: -np 3 --set heap/ranks=2
// stdout: new, containers, strings, streams, locales, pointers, too much
// run: -np 3 --heap-guard -- traced
// stdout: new, containers, strings, streams, locales, pointers, too much
// run: -np 3 --leaks -- leak
// stdout: new, containers, strings, streams, locales, pointers, too much
// stderr-match: ^pgasim:   leak: ranks 0-2: 120 bytes in 1 block each; allocated in \S*make_leak\S*, heap_cxx.cpp:\d+$
// run: -np 3 -- twice
// status: 134
// stderr-match: ^pgasim: error: rank 1 \(host \S+\) at \S+ \S+: delete: the block was freed before: rank 1's freed block
// stderr-match: ^pgasim:   called in .*, heap_cxx.cpp:\d+$
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

struct alignas(256) Wide {
    char bytes[300];
};

struct Facet : std::numpunct<char> {
    char do_decimal_point() const override
    {
        return ';';
    }
};

static int me;

static void expect(bool ok, const char *what)
{
    if (ok)
        return;
    std::printf("PE %d: %s\n", me, what);
    std::exit(1);
}

static void forms()
{
    int *one = new int(me), *many = new int[1000]();
    expect(*one == me && many[999] == 0, "new");
    delete one;
    delete[] many;
    Wide *w = new Wide, *ws = new Wide[3];
    expect((uintptr_t)w % 256 == 0 && (uintptr_t)ws % 256 == 0, "aligned new");
    delete w;
    delete[] ws;
    char *c = new (std::nothrow) char[10];
    operator delete[](c, std::nothrow);
    operator delete(operator new(100));
    Wide *n = new (std::nothrow) Wide;
    delete n;
}

static void containers()
{
    std::map<std::string, std::vector<long>> all;
    for (int k = 0; k < 500; k++)
        all["a key that is not short: " + std::to_string(k % 50)].push_back(k);
    long sum = 0;
    for (auto &[key, list] : all)
        for (long x : list)
            sum += x;
    expect(sum == 499 * 500 / 2, "containers");
    std::string s;
    for (int k = 0; k < 2000; k++)
        s += std::to_string(k);
    std::string t = std::move(s);
    t.reserve(100000);
    t.shrink_to_fit();
    expect(t.size() == 6890, "strings");
    std::ostringstream out;
    for (int k = 0; k < 1000; k++)
        out << k << ' ' << k * 0.5 << '\n';
    std::istringstream in(out.str());
    std::string line;
    int lines = 0;
    while (std::getline(in, line))
        lines++;
    expect(lines == 1000, "streams");
}

static void locales()
{
    std::ostringstream out;
    out.imbue(std::locale(std::locale::classic(), new Facet)); // the library deletes it
    out << 1.5;
    expect(out.str() == "1;5", "locales");
}

static void pointers()
{
    auto p = std::make_shared<std::vector<int>>(100, 7);
    std::weak_ptr<std::vector<int>> w = p;
    auto q = std::unique_ptr<int[]>(new int[50]);
    p.reset();
    expect(w.expired(), "shared pointers");
    try {
        throw std::runtime_error("a message that is long enough to be allocated, not kept in place");
    } catch (const std::exception &e) {
        expect(std::strlen(e.what()) == 64, e.what());
    }
}

static void too_much()
{
    volatile std::size_t huge = SIZE_MAX / 2;
    try {
        char *p = new char[huge];
        expect(p == nullptr, "too much");
    } catch (const std::bad_alloc &) {
    }
    expect(new (std::nothrow) char[huge] == nullptr, "too much, nothrow");
}

static __attribute__((noinline)) char *make_leak()
{
    return new char[120];
}

int main(int argc, char **argv)
{
    std::string how = argc > 1 ? argv[1] : "";
    shmem_init();
    me = shmem_my_pe();
    for (int k = 0; k < 3; k++) {
        forms();
        containers();
        locales();
        pointers();
        too_much();
    }
    if (how == "leak")
        *make_leak() = 1;
    if (how == "twice" && me == 1) {
        char *volatile p = new char[100];
        delete[] p;
        delete[] p;
    }
    shmem_barrier_all();
    if (me == 0)
        std::cout << "new, containers, strings, streams, locales, pointers, too much" << std::endl;
    shmem_finalize();
    return 0;
}
