// SPDX-License-Identifier: BSD-3-Clause
// Plays several time-independent traces at once with SMPI, as the reference for `pgasim replay --jobs`.
//
//   jobs_smpi PLATFORM LIST [--cfg=KEY:VALUE...]
//
// A line of the list is "NAME START PREFIX HOST...": rank k plays the file PREFIX.k on the k-th host from START seconds on.
// Prints "NAME END" for each job: when its last rank came to its end.
#include <simgrid/s4u.hpp>
#include <smpi/smpi.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace sg4 = simgrid::s4u;

namespace
{

struct Job {
    std::string name, prefix;
    double start = 0, end = 0;
    std::vector<sg4::Host *> hosts;
};

void play(Job *job, int rank)
{
    if (job->start > 0)
        sg4::this_actor::sleep_until(job->start);
    smpi_replay_run(job->name.c_str(), rank, 0, (job->prefix + "." + std::to_string(rank)).c_str());
    job->end = std::max(job->end, sg4::Engine::get_clock());
}

std::vector<Job> read_list(const char *path)
{
    std::vector<Job> jobs;
    std::ifstream in(path);
    std::string line, host;
    while (std::getline(in, line)) {
        std::istringstream words(line);
        Job job;
        words >> job.name >> job.start >> job.prefix;
        while (words >> host)
            job.hosts.push_back(sg4::Host::by_name(host));
        jobs.push_back(job);
    }
    return jobs;
}

} // namespace

int main(int argc, char *argv[])
{
    sg4::Engine engine(&argc, argv);
    if (argc != 3)
        return 2;
    engine.load_platform(argv[1]);
    std::vector<Job> jobs = read_list(argv[2]);
    for (const Job &job : jobs)
        SMPI_app_instance_register(job.name.c_str(), nullptr, static_cast<int>(job.hosts.size()));
    SMPI_init();
    for (Job &job : jobs)
        for (size_t rank = 0; rank < job.hosts.size(); rank++)
            sg4::Actor::create(job.name + "." + std::to_string(rank), job.hosts[rank], play, &job,
                               static_cast<int>(rank));
    engine.run();
    for (const Job &job : jobs)
        std::printf("%s %.9f\n", job.name.c_str(), job.end);
    SMPI_finalize();
    return 0;
}
