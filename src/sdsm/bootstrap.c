/* SPDX-License-Identifier: BSD-3-Clause */
/* bootstrap: the life of the S-DSM in a process (the paper's section 3). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sdsm/internal.h"

Sdsm_t *sdsm;

int sat_client_count(void)
{
    return sdsm ? sdsm->n_clients : 0;
}

int sat_server_count(void)
{
    return sdsm ? sdsm->n_servers : 0;
}

int sat_role_count(int role)
{
    return sdsm && role >= 0 && role < sdsm->n_roles ? sdsm->roles[role] : 0;
}

static void say_hello(void)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int n;
    if (!sdsm->options.debug)
        return;
    MPI_Get_processor_name(host, &n);
    sat_log_print("Bootstrap SAT MPI %s id %d np %d on host %s with pid %d", program_invocation_short_name,
                  sdsm->id, sdsm->np, host, (int)getpid());
}

static void start_process(int argc, char **argv)
{
    sdsm = sat_alloc(sizeof *sdsm);
    MPI_Comm_rank(MPI_COMM_WORLD, &sdsm->id);
    MPI_Comm_size(MPI_COMM_WORLD, &sdsm->np);
    sdsm->simulated = sat_host_simulated();
    sdsm->calls_between = SAT_CALLS_BETWEEN;
    sat_time_start();
    sat_options_read(argc, argv);
    sat_transport_open();
    say_hello();
}

static void fill_bootstrap(void *user)
{
    _SAT_Bootstrap_t *b = &sdsm->bootstrap;
    b->id = sdsm->id;
    b->np = sdsm->np;
    b->role = sdsm->role;
    b->server = sdsm->server;
    b->nclients = sdsm->n_clients;
    b->nservers = sdsm->n_servers;
    b->sdsm = sdsm;
    b->user = user;
}

void sat_start(void *user, int argc, char **argv)
{
    if (sdsm)
        sat_fail(SAT_STATUS_WRONG, NULL, "the S-DSM is started a second time");
    start_process(argc, argv);
    sat_topology_learn();
    if (sdsm->id)
        SAT_LOG("Starting code (role %d)", sdsm->role);
    fill_bootstrap(user);
    sat_sleep_exactly();
    sat_stats_start();
    sat_explain_start();
    MPI_Barrier(sdsm->comm);
}

static void release(void)
{
    for (size_t k = 0; k < sdsm->n_lists; k++)
        free(sdsm->lists[k]);
    for (size_t k = 0; k < sdsm->n_texts; k++)
        free(sdsm->texts[k]);
    free(sdsm->lists);
    free(sdsm->texts);
    free(sdsm->given_words);
    free(sdsm->words);
    sat_topology_release();
    free(sdsm);
    sdsm = NULL;
}

void sat_end(void)
{
    if (sdsm->role)
        sat_client_end();
    sat_explain_stop();
    sat_stats_end();
    sat_transport_close();
    sat_chunks_release();
    sat_locks_release();
    sat_publish_release();
    sat_consistency_release();
    sat_servers_release();
    release();
}

static void run_role(_SAT_Roles_t *roles, size_t n)
{
    if ((n && (size_t)sdsm->role >= n) || !roles || !roles[sdsm->role])
        sat_fail(SAT_STATUS_INPUT, sdsm->options.topology,
                 "the topology gives process %d role %d, for which the program "
                 "has no function%s",
                 sdsm->id, sdsm->role, n ? "" : " (or no array of them)");
    sat_enter(SAT_USER);
    roles[sdsm->role](&sdsm->bootstrap);
    sat_enter(SAT_SDSM);
    sat_client_loop();
}

int sat_bootstrap(_SAT_Roles_t *roles, size_t n, void *user, int argc, char **argv)
{
    int started = 0;
    MPI_Initialized(&started);
    if (!started)
        MPI_Init(&argc, &argv);
    sat_start(user, argc, argv);
    if (sdsm->role)
        run_role(roles, n);
    else
        sat_server_loop();
    sat_end();
    if (!started)
        MPI_Finalize();
    return 0;
}
