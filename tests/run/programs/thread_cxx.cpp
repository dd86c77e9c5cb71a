/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of C++: std::thread and what it has to wait with; exceptions in several threads. */
// build: $OSHCXX -std=c++20 -g "$SRC" -o $EXE
// run: -np 2 --
// stdout-has: 1: threads 8, sum 2800, ids 9
// stdout-has: 1: thread_local 8 made, 8 gone
// stdout-has: 1: exceptions 8, nested 8
// stdout-has: 1: queue 4950
// stdout-has: 1: future 42, thrown bad, async 10
// stdout-has: 1: call_once 1, failed 1
// stdout-has: 1: shared 3, timed 1, cancelled 1
// stdout-has: 1: latch 4, barrier 8, semaphore 3, atomic 7
// stdout-has: 1: static 1
#include <shmem.h>

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <queue>
#include <semaphore>
#include <set>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

static int me;

static void threads()
{
    std::vector<std::thread> all;
    std::set<std::thread::id> ids{std::this_thread::get_id()};
    std::mutex m;
    long sum = 0;
    for (int k = 0; k < 8; k++)
        all.emplace_back([&, k] {
            for (int i = 0; i < 100; i++) {
                std::lock_guard<std::mutex> lock(m);
                long seen = sum;
                if (i % 20 == 0)
                    std::this_thread::sleep_for(1us);
                sum = seen + k;
            }
            std::lock_guard<std::mutex> lock(m);
            ids.insert(std::this_thread::get_id());
        });
    for (auto &t : all)
        t.join();
    std::printf("%d: threads %zu, sum %ld, ids %zu\n", me, all.size(), sum, ids.size());
}

static std::atomic<int> made, gone;

struct counted {
    counted()
    {
        made++;
    }
    ~counted()
    {
        gone++;
    }
    int value = 3;
};
static thread_local counted local;

static void locals()
{
    std::vector<std::thread> all;
    for (int k = 0; k < 8; k++)
        all.emplace_back([] {
            std::this_thread::yield();
            local.value++;
        });
    for (auto &t : all)
        t.join();
    std::printf("%d: thread_local %d made, %d gone\n", me, made.load(), gone.load());
}

static void exceptions()
{
    std::vector<std::thread> all;
    std::atomic<int> caught{0}, nested{0};
    for (int k = 0; k < 8; k++)
        all.emplace_back([&, k] {
            try {
                std::this_thread::sleep_for(k * 1us);
                throw std::runtime_error(std::to_string(k));
            } catch (const std::exception &outer) {
                std::this_thread::sleep_for(10us);
                try {
                    throw k;
                } catch (int inner) {
                    std::this_thread::sleep_for(7us);
                    nested += inner == k;
                }
                std::this_thread::sleep_for(3us);
                caught += outer.what() == std::to_string(k);
            }
        });
    for (auto &t : all)
        t.join();
    std::printf("%d: exceptions %d, nested %d\n", me, caught.load(), nested.load());
}

static void queues()
{
    std::queue<int> queue;
    std::mutex m;
    std::condition_variable more;
    long sum = 0;
    bool closed = false;
    std::thread consumer([&] {
        std::unique_lock<std::mutex> lock(m);
        for (;;) {
            more.wait(lock, [&] { return closed || !queue.empty(); });
            if (queue.empty())
                return;
            sum += queue.front();
            queue.pop();
        }
    });
    for (int k = 0; k < 100; k++) {
        std::lock_guard<std::mutex> lock(m);
        queue.push(k);
        more.notify_one();
    }
    {
        std::lock_guard<std::mutex> lock(m);
        closed = true;
    }
    more.notify_all();
    consumer.join();
    std::printf("%d: queue %ld\n", me, sum);
}

static void futures()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread t([&] {
        std::this_thread::sleep_for(5us);
        promise.set_value(42);
    });
    std::string what;
    auto bad = std::async(std::launch::async, []() -> int { throw std::runtime_error("bad"); });
    int got = future.get();
    try {
        bad.get();
    } catch (const std::exception &e) {
        what = e.what();
    }
    auto add = std::async(
        std::launch::async, [](int a, int b) { return a + b; }, 4, 6);
    t.join();
    std::printf("%d: future %d, thrown %s, async %d\n", me, got, what.c_str(), add.get());
}

static void onces()
{
    std::once_flag flag, failing;
    std::atomic<int> calls{0}, failed{0};
    std::vector<std::thread> all;
    for (int k = 0; k < 4; k++)
        all.emplace_back([&, k] {
            std::call_once(flag, [&] {
                std::this_thread::sleep_for(20us);
                calls++;
            });
            try {
                std::call_once(failing, [&] {
                    if (failed++ == 0)
                        throw 1;
                    failed = 100;
                });
            } catch (int) {
            }
        });
    for (auto &t : all)
        t.join();
    std::printf("%d: call_once %d, failed %d\n", me, calls.load(), failed == 100);
}

static void *waits_cancelled(void *gone_too)
{
    struct guard {
        int *flag;
        ~guard()
        {
            *flag = 1;
        }
    } g{static_cast<int *>(gone_too)};
    std::mutex m;
    std::condition_variable never;
    std::unique_lock<std::mutex> lock(m);
    never.wait(lock);
    return nullptr;
}

static void timed()
{
    std::shared_mutex shared;
    std::timed_mutex slow;
    std::atomic<int> readers{0}, most{0};
    std::vector<std::thread> all;
    for (int k = 0; k < 3; k++)
        all.emplace_back([&] {
            std::shared_lock<std::shared_mutex> lock(shared);
            most = ++readers > most ? readers.load() : most.load();
            std::this_thread::sleep_for(200us);
            readers--;
        });
    for (auto &t : all)
        t.join();
    slow.lock();
    bool late = false;
    std::thread t([&] {
        auto before = std::chrono::steady_clock::now();
        late = !slow.try_lock_for(50us) && std::chrono::steady_clock::now() - before >= 50us;
    });
    t.join();
    slow.unlock();
    pthread_t id;
    int destroyed = 0;
    void *result;
    pthread_create(&id, nullptr, waits_cancelled, &destroyed);
    usleep(100);
    pthread_cancel(id);
    pthread_join(id, &result);
    std::printf("%d: shared %d, timed %d, cancelled %d\n", me, most.load(), late,
                destroyed == 1 && result == PTHREAD_CANCELED);
}

static void counts()
{
    std::latch latch(4);
    std::barrier barrier(4);
    std::counting_semaphore<8> semaphore(0);
    std::atomic<int> rounds{0}, word{0};
    std::vector<std::thread> all;
    for (int k = 0; k < 4; k++)
        all.emplace_back([&, k] {
            std::this_thread::sleep_for(k * 3us);
            latch.arrive_and_wait();
            for (int i = 0; i < 2; i++) {
                rounds++;
                barrier.arrive_and_wait();
            }
            if (k < 3)
                semaphore.release();
        });
    int got = 0;
    for (; got < 3; got++)
        semaphore.acquire();
    std::thread setter([&] {
        std::this_thread::sleep_for(30us);
        word = 7;
        word.notify_all();
    });
    word.wait(0);
    for (auto &t : all)
        t.join();
    setter.join();
    std::printf("%d: latch 4, barrier %d, semaphore %d, atomic %d\n", me, rounds.load(), got, word.load());
}

static int slow_value()
{
    static int calls = 0;
    std::this_thread::sleep_for(10us);
    return ++calls;
}

static int once_made()
{
    static int value = slow_value(); /* __cxa_guard_acquire: the others wait */
    return value;
}

static void statics()
{
    std::vector<std::thread> all;
    std::atomic<int> good{1};
    for (int k = 0; k < 4; k++)
        all.emplace_back([&] {
            if (once_made() != 1)
                good = 0;
        });
    for (auto &t : all)
        t.join();
    std::printf("%d: static %d\n", me, good.load());
}

int main()
{
    shmem_init();
    me = shmem_my_pe();
    threads();
    locals();
    exceptions();
    queues();
    futures();
    onces();
    timed();
    counts();
    statics();
    shmem_finalize();
}
