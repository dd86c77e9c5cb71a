// SPDX-License-Identifier: BSD-3-Clause
// What micro.c and pairs.c measure, by SimGrid's own kernel (S4U): one line `name count cpu_seconds`.
// Arguments: platform, figure.
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace
{

double cpu_seconds()
{
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

void yields(int each)
{
    for (int n = 0; n < each; n++)
        sg4::this_actor::yield();
}

void sleeps(int each, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int n = 0; n < each; n++)
        sg4::this_actor::sleep_for(1e-6 + 1e-6 * unit(random));
}

void sends(sg4::Mailbox *to, int each)
{
    static int payload;
    for (int n = 0; n < each; n++)
        to->put(&payload, 1024);
}

void receives(sg4::Mailbox *from, int each)
{
    for (int n = 0; n < each; n++)
        from->get<int>();
}

void spawn_pairs(int count, int each)
{
    const std::vector<sg4::Host *> hosts = sg4::Engine::get_instance()->get_all_hosts();
    for (size_t i = 0; i < static_cast<size_t>(count); i++) {
        sg4::Mailbox *box = sg4::Mailbox::by_name("box-" + std::to_string(i));
        sg4::Actor::create("s", hosts[2 * i], sends, box, each);
        sg4::Actor::create("r", hosts[2 * i + 1], receives, box, each);
    }
}

void flows(int count)
{
    std::mt19937 random(42);
    const std::vector<sg4::Host *> hosts = sg4::Engine::get_instance()->get_all_hosts();
    std::uniform_int_distribution<size_t> any(0, hosts.size() - 1);
    std::vector<sg4::CommPtr> comms;
    for (int i = 0; i < count; i++) {
        size_t from = any(random), to = any(random);
        if (from != to)
            comms.push_back(sg4::Comm::sendto_async(hosts[from], hosts[to], 1 << 20));
    }
    for (const sg4::CommPtr &c : comms)
        c->wait();
}

} // namespace

int main(int argc, char **argv)
{
    sg4::Engine e(&argc, argv);
    if (argc != 3)
        return 2;
    e.load_platform(argv[1]);
    const std::string what = argv[2];
    sg4::Host *host = e.get_all_hosts()[0];
    int count = std::atoi(what.substr(what.rfind('-') + 1).c_str()), each = 1;
    if (what.compare(0, 6, "yields") == 0) {
        each = 2000000 / count;
        for (int i = 0; i < count; i++)
            sg4::Actor::create("a", host, yields, each);
    } else if (what.compare(0, 6, "sleeps") == 0) {
        each = 200000 / count;
        for (int i = 0; i < count; i++)
            sg4::Actor::create("a", host, sleeps, each, static_cast<unsigned>(i));
    } else if (what.compare(0, 5, "pairs") == 0) {
        each = 100000 / count;
        spawn_pairs(count, each);
    } else {
        sg4::Actor::create("a", host, flows, count);
    }
    double start = cpu_seconds();
    e.run();
    std::printf("%s %d %.6f\n", what.c_str(), count * each, cpu_seconds() - start);
    return 0;
}
