// SPDX-License-Identifier: BSD-3-Clause
// Plays a list of transfers ("ID send SRC DST BYTES AT", by rising AT) with SimGrid's kernel (S4U) and prints
// "ID END" for each, as `pgasim flows` does. Arguments: platform, list, SimGrid's options.
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace
{

struct Transfer {
    std::string id, from, to;
    double bytes, at;
    sg4::CommPtr comm;
};

std::vector<Transfer> read_list(const char *path)
{
    std::vector<Transfer> list;
    std::ifstream in(path);
    std::string kind;
    Transfer t;
    while (in >> t.id >> kind >> t.from >> t.to >> t.bytes >> t.at)
        list.push_back(t);
    return list;
}

void play(std::vector<Transfer> *list)
{
    for (Transfer &t : *list) {
        if (t.at > sg4::Engine::get_clock())
            sg4::this_actor::sleep_until(t.at);
        t.comm = sg4::Comm::sendto_async(sg4::Host::by_name(t.from), sg4::Host::by_name(t.to),
                                         static_cast<uint64_t>(t.bytes));
    }
    for (const Transfer &t : *list)
        t.comm->wait();
}

} // namespace

int main(int argc, char **argv)
{
    sg4::Engine e(&argc, argv);
    if (argc != 3)
        return 2;
    e.load_platform(argv[1]);
    std::vector<Transfer> list = read_list(argv[2]);
    sg4::Actor::create("player", e.get_all_hosts()[0], play, &list);
    e.run();
    for (const Transfer &t : list)
        std::printf("%s %.15g\n", t.id.c_str(), t.comm->get_finish_time());
    return 0;
}
