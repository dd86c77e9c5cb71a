// SPDX-License-Identifier: BSD-3-Clause
// C++ objects of static duration are made once in each rank before main, and destroyed at its end, last made
// first; function-local ones at their first use there; inline, template and thread_local ones likewise.
// run: -np 1
// stdout: 0: first second third local | main 3 | ~local ~third ~second ~first
// run: -np 3
// stdout: 0: first second third local | main 3 | ~local ~third ~second ~first
// stdout: 1: first second third local | main 3 | ~local ~third ~second ~first
// stdout: 2: first second third local | main 3 | ~local ~third ~second ~first
#include <cstdio>
#include <shmem.h>
#include <string>
#include <unistd.h>

static int pe = -1;

// The trace of constructors and destructors lives in an object that is made first and destroyed last.
struct Log {
    std::string text;
    ~Log()
    {
        std::printf("%d:%s\n", pe, text.c_str());
    }
    void add(const std::string &word)
    {
        text += " " + word;
    }
};
static Log log_of_rank;

struct Object {
    std::string name;
    explicit Object(const char *n) : name(n)
    {
        log_of_rank.add(name);
    }
    ~Object()
    {
        log_of_rank.add("~" + name);
    }
};
static Object first("first");
static Object second("second");
inline int inline_count = 1;
template <class T> struct Counted {
    static int count;
};
template <class T> int Counted<T>::count = 1;
static Object third("third");

static thread_local std::string per_thread = "t" + std::to_string(inline_count);

static int &local_count()
{
    static Object local("local");
    static int count = 1;
    return count;
}

int main()
{
    local_count();
    log_of_rank.add("|");
    shmem_init();
    pe = shmem_my_pe();
    inline_count++;
    Counted<int>::count++;
    local_count()++;
    shmem_sync_all();
    if (inline_count != 2 || Counted<int>::count != 2 || Counted<long>::count != 1 || per_thread != "t2")
        log_of_rank.add("shared!");
    log_of_rank.add("main " + std::to_string(local_count() + Counted<long>::count));
    log_of_rank.add("|");
    shmem_finalize();
    usleep(1000 * pe); // so that the ranks end one after the other
    return 0;
}
