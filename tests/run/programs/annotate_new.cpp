// SPDX-License-Identifier: BSD-3-Clause
// memory/fold-threshold and C++: what new, new[], containers and strings get is folded from the threshold on,
// whoever of program and library makes and frees it; smaller blocks and those without the setting are each
// rank's own.
// build: $OSHCXX -g -O2 -std=c++17 -Wall -Wextra -Werror "$SRC" -o $EXE
// run: -np 3 --set memory/fold-threshold=1MiB -- folded
// stdout: new, new[], aligned new, vector, string, unique_ptr: as asked for
// stderr-not: .
// run: -np 3 -- private
// stdout: new, new[], aligned new, vector, string, unique_ptr: as asked for
// stderr-not: .
// run: -np 3 --set memory/fold-threshold=100 -- small
// stdout: everything is folded: strings and streams come and go
// build: $OSHCXX -g -O1 -std=c++20 -Wall -Wextra -Werror "$SRC" -o inlined
// shell: $RUN --quiet -np 3 --set memory/fold-threshold=1MiB ./inlined folded
// stdout: new, new[], aligned new, vector, string, unique_ptr: as asked for
#include <dlfcn.h>
#include <shmem.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <vector>

static int me;
static bool wanted;

static void check(const char *what, char *byte, bool folded)
{
    bool common = true;
    for (int writer = 0; writer < 2; writer++) {
        *byte = 1;
        shmem_barrier_all();
        if (me == writer)
            *byte = static_cast<char>(77 + writer);
        shmem_barrier_all();
        common &= *byte == 77 + writer;
        shmem_barrier_all();
    }
    if (common != folded)
        std::printf("PE %d: %s is %s\n", me, what, common ? "folded" : "private");
}

struct alignas(256) page {
    char bytes[1 << 20];
};
struct large {
    char bytes[(1 << 20) + 5];
};

static char *bytes_of(void *p)
{
    return static_cast<char *>(p);
}

static void kinds()
{
    const std::size_t size = 1 << 20;
    large *one = new large;
    char *array = new char[size], *small = new char[size / 2], *silent = new (std::nothrow) char[size];
    page *aligned = new page;
    std::vector<char> vector(size), growing;
    std::string text(size, 'x'), longer;
    auto unique = std::make_unique<double[]>(size / 8);
    while (growing.size() < 3 * size)
        growing.push_back('g');
    while (longer.size() < 3 * size)
        longer += "some more, by the library";
    check("new", one->bytes, wanted);
    check("new[]", array, wanted);
    check("a small one", small, false);
    check("new (nothrow)", silent, wanted);
    check("aligned new", aligned->bytes, wanted);
    check("vector", vector.data(), wanted);
    check("a vector that grew", growing.data(), wanted);
    check("string", &text[0], wanted);
    check("a string that grew", &longer[0], wanted);
    check("unique_ptr", bytes_of(unique.get()), wanted);
    text += longer; /* gives its block back in the library */
    text.shrink_to_fit();
    longer = "short";
    longer.shrink_to_fit();
    delete one;
    delete[] array;
    delete[] small;
    delete[] silent;
    delete aligned;
    shmem_barrier_all();
    if (me == 0)
        std::printf("new, new[], aligned new, vector, string, unique_ptr: as asked for\n");
}

/* Contents are any rank's; that each block goes back to where it came from is what counts. */
static void small()
{
    for (int k = 0; k < 200; k++) {
        std::string text(static_cast<std::size_t>(100 + k), 'a');
        text += std::string(300, 'b');
        std::vector<double> v(static_cast<std::size_t>(k));
        v.resize(500);
        std::ostringstream out;
        out << text << text << k;
        if (out.str().size() < 800)
            std::printf("PE %d: a stream lost something\n", me);
        shmem_barrier_all();
    }
    if (me == 0)
        std::printf("everything is folded: strings and streams come and go\n");
}

int main(int, char **argv)
{
    shmem_init();
    me = shmem_my_pe();
    /* AddressSanitizer's own new does not ask the C++ library. */
    wanted = std::strcmp(argv[1], "folded") == 0 && !dlsym(RTLD_DEFAULT, "__asan_init");
    if (std::strcmp(argv[1], "small") == 0)
        small();
    else
        kinds();
    shmem_finalize();
    return 0;
}
