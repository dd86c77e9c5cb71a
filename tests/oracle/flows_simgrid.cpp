// SPDX-License-Identifier: BSD-3-Clause
// Plays lists of activities on platform files with SimGrid, as the reference for `pgasim flows`. Standard
// input has one case per line, "NAME PLATFORM LIST KEY:VALUE...", separated by tabs. Each case is played in
// its own process, because SimGrid allows one engine per process. Prints "case NAME", a line "ID END" or "ID
// failed TIME" for each activity in the order of the list, and "end NAME"; if SimGrid failed, "error NAME
// REASON" instead of the latter.
#include <simgrid/Exception.hpp>
#include <simgrid/s4u.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sg4 = simgrid::s4u;

namespace
{

struct Activity {
    std::string id;
    sg4::Host *from, *to; // to: NULL for an execution
    sg4::Disk *disk = nullptr; // of a read or write
    bool writes = false;
    double amount, at, end = -1;
    bool failed = false;
};

void play(Activity *a)
{
    try {
        if (a->at > 0)
            sg4::this_actor::sleep_until(a->at);
        if (a->disk && a->writes)
            a->disk->write(static_cast<sg_size_t>(a->amount));
        else if (a->disk)
            a->disk->read(static_cast<sg_size_t>(a->amount));
        else if (a->to)
            sg4::Comm::sendto(a->from, a->to, static_cast<uint64_t>(a->amount));
        else
            sg4::this_actor::execute(a->amount);
    } catch (const simgrid::Exception &) {
        a->failed = true;
    }
    a->end = sg4::Engine::get_clock();
}

std::vector<Activity> read_list(const std::string &path)
{
    std::vector<Activity> list;
    std::ifstream in(path);
    std::string line, kind, from, to;
    while (std::getline(in, line)) {
        std::istringstream words(line.substr(0, line.find('#')));
        Activity a;
        if (!(words >> a.id))
            continue;
        words >> kind >> from;
        a.from = sg4::Host::by_name(from);
        a.to = nullptr;
        if (kind == "send") {
            words >> to;
            a.to = sg4::Host::by_name(to);
        }
        a.writes = kind == "write";
        if (kind == "read" || kind == "write") {
            words >> to;
            for (sg4::Disk *d : a.from->get_disks())
                a.disk = d->get_name() == to ? d : a.disk;
        }
        words >> a.amount >> a.at;
        list.push_back(a);
    }
    return list;
}

// Ends are wanted to more digits than SimGrid's defaults give; a case may set others.
std::vector<std::string> options()
{
    return {"--log=root.thres:error", "--cfg=surf/precision:1e-12", "--cfg=contexts/factory:raw",
            "--cfg=contexts/stack-size:64", "--cfg=contexts/guard-size:0"};
}

void play_case(const std::vector<std::string> &fields)
{
    std::vector<std::string> words = {"oracle_flows"};
    for (const std::string &o : options())
        words.push_back(o);
    for (size_t k = 3; k < fields.size(); k++)
        words.push_back("--cfg=" + fields[k]);
    std::vector<char *> args;
    for (std::string &w : words)
        args.push_back(&w[0]);
    int n = static_cast<int>(args.size());
    args.push_back(nullptr);
    sg4::Engine e(&n, args.data());
    e.load_platform(fields[1]);
    std::vector<Activity> list = read_list(fields[2]);
    for (Activity &a : list)
        sg4::Actor::create("activity", a.from, play, &a);
    e.run();
    std::string out = "case\t" + fields[0] + "\n";
    char line[64];
    for (const Activity &a : list) {
        std::snprintf(line, sizeof line, a.failed ? " failed %.17g\n" : " %.17g\n", a.end);
        out += a.id + line;
    }
    out += "end\t" + fields[0] + "\n";
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
}

// What the child says on its standard error, of which the end is the reason.
std::string run_apart(const std::vector<std::string> &fields)
{
    int said[2];
    if (pipe(said))
        std::abort();
    pid_t child = fork();
    if (child == 0) {
        const rlimit limit = {
            5, 5}; // seconds of CPU: SimGrid's solver goes on for ever where rounding leaves it nothing
        setrlimit(RLIMIT_CPU, &limit);
        dup2(said[1], 2);
        play_case(fields);
        _exit(0);
    }
    close(said[1]);
    std::string text;
    char buf[4096];
    for (ssize_t n; (n = read(said[0], buf, sizeof buf)) > 0;)
        text.append(buf, static_cast<size_t>(n));
    close(said[0]);
    int status = -1;
    waitpid(child, &status, 0);
    if (status == 0)
        return "";
    for (char &c : text)
        c = c == '\n' || c == '\t' ? ' ' : c;
    return "status " + std::to_string(status) + " " + text;
}

} // namespace

int main()
{
    std::string line, field;
    while (std::getline(std::cin, line)) {
        std::vector<std::string> fields;
        std::istringstream in(line);
        while (std::getline(in, field, '\t'))
            fields.push_back(field);
        std::string why = run_apart(fields);
        if (!why.empty()) {
            std::printf("error\t%s\t%s\n", fields[0].c_str(), why.c_str());
            std::fflush(stdout);
        }
    }
    return 0;
}
