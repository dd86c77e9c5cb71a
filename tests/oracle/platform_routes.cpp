// SPDX-License-Identifier: BSD-3-Clause
// Prints SimGrid's view of a platform file: one line of tab-separated fields for each host, link and ordered
// pair of hosts. With more than 200 hosts, 40 000 pairs spread over all of them.
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <sys/time.h>
#include <typeinfo>
#include <vector>

namespace sg4 = simgrid::s4u;

static const size_t all_pairs_up_to = 200, sampled_pairs = 40000;

// SimGrid ends the process when asked for a route within a zone without routing.
static bool has_no_answer(const sg4::Host *src, const sg4::Host *dst)
{
    const auto *zone = src->get_englobing_zone()->get_impl();
    return src->get_englobing_zone() == dst->get_englobing_zone() &&
           std::strstr(typeid(*zone).name(), "EmptyZone") != nullptr;
}

static sigjmp_buf back;

static void on_death(int)
{
    siglongjmp(back, 1);
}

static void wait_at_most(suseconds_t microseconds)
{
    const struct itimerval once = {{0, 0}, {0, microseconds}};
    setitimer(ITIMER_REAL, &once, nullptr);
}

// SimGrid ends the process, crashes, or loops for ever at some questions. False: it did.
static bool answers(const sg4::Host *src, const sg4::Host *dst, std::vector<sg4::Link *> &links,
                    double &latency)
{
    for (int death : {SIGABRT, SIGSEGV, SIGALRM})
        std::signal(death, on_death);
    if (sigsetjmp(back, 1))
        return false;
    bool answered = true;
    wait_at_most(500000);
    try {
        src->route_to(dst, links, &latency);
    } catch (const std::exception &) {
        answered = false;
    }
    wait_at_most(0);
    return answered;
}

static void print_route(const sg4::Host *src, const sg4::Host *dst)
{
    static std::vector<sg4::Link *> links; // static, because its place must outlive a jump
    static double latency;
    links.clear();
    latency = 0;
    if (has_no_answer(src, dst) || !answers(src, dst, links, latency)) {
        std::printf("dies\t%s\t%s\n", src->get_cname(), dst->get_cname());
        return;
    }
    std::printf("route\t%s\t%s\t%.17g", src->get_cname(), dst->get_cname(), latency);
    for (const auto *link : links)
        std::printf("\t%s", link->get_cname());
    std::printf("\n");
}

static void print_routes(const std::vector<sg4::Host *> &hosts)
{
    uint64_t state = 1;
    if (hosts.size() <= all_pairs_up_to) {
        for (const auto *src : hosts)
            for (const auto *dst : hosts)
                print_route(src, dst);
        return;
    }
    for (size_t k = 0; k < sampled_pairs; k++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        size_t src = (state >> 33) % hosts.size(), dst = (state >> 13) % hosts.size();
        print_route(hosts[src], hosts[dst]);
    }
}

int main(int argc, char **argv)
{
    sg4::Engine engine(&argc, argv);
    engine.load_platform(argv[1]);
    if (!std::freopen("/dev/null", "w", stderr)) // what it says when it dies
        return 1;
    engine.seal_platform(); // adds the loopbacks of Full zones
    const auto hosts = engine.get_all_hosts();
    for (const auto *host : hosts)
        std::printf("host\t%s\t%.17g\t%d\n", host->get_cname(), host->get_speed(), host->get_core_count());
    for (const auto *link : engine.get_all_links())
        std::printf("link\t%s\t%.17g\t%.17g\t%s\n", link->get_cname(), link->get_bandwidth(),
                    link->get_latency(),
                    link->get_sharing_policy() == sg4::Link::SharingPolicy::FATPIPE ? "fatpipe" : "shared");
    print_routes(hosts);
    return 0;
}
