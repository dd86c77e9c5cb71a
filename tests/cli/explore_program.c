/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What `pgasim explore` runs in its tests: an MPI program that behaves as one of the S-DSM. Reads the
 * topology and the name of the summary from SAT_OPTIONS; each client asks its server a few times and computes
 * in between; process 0 writes a summary. `explore_program HOW [SERVERS]`: with so many servers (0: always),
 * it also crashes, exits, deadlocks, hangs, writes messages, a bad summary or none.
 */
#include <mpi.h>
#include <pgasim.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, ROUNDS = 5, BYTES = 2000 };

static int role[MOST], server_of[MOST], n_servers, n;
static char topology[512], summary[512], protocol[512];

static void option(const char *name, char *to)
{
    const char *options = getenv("SAT_OPTIONS"), *at = options ? strstr(options, name) : NULL;
    if (at)
        sscanf(at + strlen(name), "%511[^ ]", to);
}

/* Knows the files that are written for it, and no others. */
static void read_topology(void)
{
    char line[512];
    int id = -1, server, its_role;
    FILE *in = fopen(topology, "r");
    if (!in)
        exit(2);
    while (fgets(line, sizeof line, in)) {
        if (sscanf(line, " <topology id=\"%d\" role=\"%d\">", &id, &its_role) == 2) {
            role[id] = its_role;
            n_servers += its_role == 0;
            n++;
        }
        if (sscanf(line, " <servers><intlist>%d</intlist></servers>", &server) == 1)
            server_of[id] = server;
    }
    fclose(in);
}

static void misbehave(const char *how, int servers, int me)
{
    static volatile int sink;
    if (servers && servers != n_servers)
        return;
    if (!strcmp(how, "crash") && me == n - 1)
        *(volatile int *)0 = 1;
    if (!strcmp(how, "exit")) {
        fprintf(stderr, "no, \"thanks\"\n");
        exit(9);
    }
    if (!strcmp(how, "deadlock") && me == 0)
        MPI_Recv(topology, 1, MPI_CHAR, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!strcmp(how, "hang"))
        sink++;
    for (long k = 0; !strcmp(how, "slow") && me == 0 && k < 50000000; k++)
        sink++;
}

static void serve(int clients)
{
    static char bytes[BYTES];
    MPI_Status s;
    for (int k = 0; k < clients * ROUNDS; k++) {
        MPI_Recv(bytes, BYTES, MPI_CHAR, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);
        pgasim_compute_flops(strstr(protocol, "=update") ? 4e4 : 2e4);
        MPI_Send(bytes, BYTES, MPI_CHAR, s.MPI_SOURCE, 0, MPI_COMM_WORLD);
    }
}

static void ask(int server, double flops)
{
    static char bytes[BYTES];
    for (int k = 0; k < ROUNDS; k++) {
        MPI_Sendrecv(bytes, BYTES, MPI_CHAR, server, 0, bytes, BYTES, MPI_CHAR, server, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        pgasim_compute_flops(flops / ROUNDS);
    }
}

static void write_summary(const char *how, double time, double energy)
{
    FILE *out = !strcmp(how, "silent") || !*summary ? NULL : fopen(summary, "w");
    if (!out)
        return;
    fprintf(out,
            !strcmp(how, "nonsense")
                ? "{\"time\": none}"
                : "{\"time\": %.17g, \"energy\": %.17g, \"processes\": [{\"user\": 1, \"sdsm\": "
                  "0, \"sync\": 1, \"sleep\": 0}]}\n",
            time, energy);
    fclose(out);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "well";
    double mine, all, work;
    int me, clients = 0, others = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    option("--topology=", topology);
    option("--sat-summary=", summary);
    option("--sat-protocol=", protocol);
    read_topology();
    for (int k = 0; k < n; k++) {
        clients += role[k] != 0 && server_of[k] == me;
        others += role[k] == role[me];
    }
    misbehave(how, argc > 2 ? atoi(argv[2]) : 0, me);
    double start = MPI_Wtime();
    work = role[me] == 2 ? 4e7 / others : 4e6; /* those of role 2 share their work */
    if (role[me])
        ask(server_of[me], work);
    else
        serve(clients);
    const char *watts = pgasim_host_property("sat/power-user");
    mine = (MPI_Wtime() - start) * (watts ? atof(watts) : 1);
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (me == 0)
        write_summary(how, MPI_Wtime() - start, all);
    MPI_Finalize();
    return 0;
}
