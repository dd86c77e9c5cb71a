/* SPDX-License-Identifier: BSD-3-Clause */
/* What SimGrid makes of a platform file, one line of fields between tabs for each host, link and ordered pair
 * of hosts. */
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <vector>

namespace sg4 = simgrid::s4u;

static void print_route(const sg4::Host *src, const sg4::Host *dst)
{
    std::vector<sg4::Link *> links;
    double latency = 0;
    src->route_to(dst, links, &latency);
    std::printf("route\t%s\t%s\t%.17g", src->get_cname(), dst->get_cname(), latency);
    for (const auto *link : links)
        std::printf("\t%s", link->get_cname());
    std::printf("\n");
}

int main(int argc, char **argv)
{
    sg4::Engine engine(&argc, argv);
    engine.load_platform(argv[1]);
    engine.seal_platform(); // adds the loopbacks of Full zones
    const auto hosts = engine.get_all_hosts();
    for (const auto *host : hosts)
        std::printf("host\t%s\t%.17g\t%d\n", host->get_cname(), host->get_speed(), host->get_core_count());
    for (const auto *link : engine.get_all_links())
        std::printf("link\t%s\t%.17g\t%.17g\t%s\n", link->get_cname(), link->get_bandwidth(),
                    link->get_latency(),
                    link->get_sharing_policy() == sg4::Link::SharingPolicy::FATPIPE ? "fatpipe" : "shared");
    for (const auto *src : hosts)
        for (const auto *dst : hosts)
            print_route(src, dst);
    return 0;
}
