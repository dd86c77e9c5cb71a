// SPDX-License-Identifier: BSD-3-Clause
// Makes a random problem of concurrent flows (the argument is the seed), simulates it with SimGrid, and
// prints problem and result for fluid_compare: "crosstraffic 0|1"; "links N", each with a line "bandwidth
// latency fatpipe"; "flows N", each with a line "start bytes end n link...". The model is CM02 with every
// correction switched off.
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace
{

struct Link {
    double bandwidth, latency;
    bool fatpipe;
    sg4::Link *link;
};

struct Flow {
    double start, end;
    uint64_t bytes;
    std::vector<int> links;
    sg4::Host *from, *to;
};

std::vector<Link> links;
std::vector<Flow> flows;
std::mt19937_64 rnd;
bool crosstraffic; // a flow then takes 5% of the way back, which here is over the same links

double unit()
{
    return std::uniform_real_distribution<double>(0, 1)(rnd);
}

int below(int n)
{
    return std::uniform_int_distribution<int>(0, n - 1)(rnd);
}

void make_problem()
{
    bool fat = below(2) == 0;
    links.resize(static_cast<size_t>(1 + below(12)));
    for (Link &l : links) {
        l.bandwidth = below(3) ? 1e8 * (1 + below(4)) : 1e8 * (0.5 + unit());
        l.latency = 1e-6 + 1e-4 * unit(); // also the weight
        l.fatpipe = fat && below(4) == 0;
    }
    flows.resize(static_cast<size_t>(1 + below(60)));
    for (Flow &f : flows) {
        f.start = below(3) ? 0.1 * unit() : 0.01 * below(5);
        f.bytes = static_cast<uint64_t>(1 + below(5000000));
        std::set<int> distinct;
        for (int n = 1 + below(5); n > 0; n--)
            distinct.insert(below(static_cast<int>(links.size())));
        f.links.assign(distinct.begin(), distinct.end());
    }
}

void build_platform()
{
    auto *zone = sg4::create_full_zone("zone");
    for (size_t i = 0; i < links.size(); i++) {
        links[i].link =
            zone->create_link("l" + std::to_string(i), links[i].bandwidth)->set_latency(links[i].latency);
        if (links[i].fatpipe)
            links[i].link->set_sharing_policy(sg4::Link::SharingPolicy::FATPIPE);
        links[i].link->seal();
    }
    for (size_t i = 0; i < flows.size(); i++) {
        flows[i].from = zone->create_host("a" + std::to_string(i), 1e9)->seal();
        flows[i].to = zone->create_host("b" + std::to_string(i), 1e9)->seal();
        std::vector<sg4::LinkInRoute> route;
        for (int l : flows[i].links)
            route.emplace_back(links[static_cast<size_t>(l)].link);
        zone->add_route(flows[i].from->get_netpoint(), flows[i].to->get_netpoint(), nullptr, nullptr, route,
                        true);
    }
    zone->seal();
}

void play(Flow *f)
{
    sg4::this_actor::sleep_until(f->start);
    sg4::Comm::sendto(f->from, f->to, f->bytes);
    f->end = sg4::Engine::get_clock();
}

void print()
{
    std::printf("crosstraffic %d\n", crosstraffic);
    std::printf("links %zu\n", links.size());
    for (const Link &l : links)
        std::printf("%.17g %.17g %d\n", l.bandwidth, l.latency, l.fatpipe);
    std::printf("flows %zu\n", flows.size());
    for (const Flow &f : flows) {
        std::printf("%.17g %llu %.17g %zu", f.start, static_cast<unsigned long long>(f.bytes), f.end,
                    f.links.size());
        for (int l : f.links)
            std::printf(" %d", l);
        std::printf("\n");
    }
}

} // namespace

int main(int argc, char **argv)
{
    unsigned long seed = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 1;
    crosstraffic = seed % 3 == 0;
    std::vector<std::string> words = {argv[0],
                                      "--log=root.thres:error",
                                      "--cfg=network/model:CM02",
                                      "--cfg=network/weight-S:0",
                                      "--cfg=network/TCP-gamma:0",
                                      crosstraffic ? "--cfg=network/crosstraffic:1"
                                                   : "--cfg=network/crosstraffic:0",
                                      "--cfg=network/bandwidth-factor:1",
                                      "--cfg=network/latency-factor:1",
                                      "--cfg=maxmin/precision:1e-5",
                                      "--cfg=surf/precision:1e-9"};
    std::vector<char *> args;
    for (std::string &w : words)
        args.push_back(&w[0]);
    int n = static_cast<int>(args.size());
    args.push_back(nullptr);
    sg4::Engine e(&n, args.data());
    rnd.seed(seed);
    make_problem();
    build_platform();
    for (Flow &f : flows)
        sg4::Actor::create("flow", f.from, play, &f);
    e.run();
    print();
    return 0;
}
