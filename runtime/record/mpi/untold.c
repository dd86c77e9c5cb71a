/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * untold: calls of which a trace cannot tell what they did: processes that are started, or that others have started, and what a
 * program's own representations of data say. The trace has a line for each, and the end of the run one for all.
 */
#include "mpi_recorder.h"

static const uint32_t functions[] = {RECORD_MPI_COMM_ACCEPT,         RECORD_MPI_COMM_CONNECT,
                                     RECORD_MPI_COMM_JOIN,           RECORD_MPI_COMM_SPAWN,
                                     RECORD_MPI_COMM_SPAWN_MULTIPLE, RECORD_MPI_REGISTER_DATAREP};
enum { FUNCTIONS = BASE_LENGTH(functions) };
static int64_t counts[FUNCTIONS];

void recorder_untold_before(struct recorder_call *c)
{
    recorder_open(c);
    recorder_go(c);
}

void recorder_untold_after(struct recorder_call *c)
{
    recorder_return(c);
    recorder_write_untold(record_mpi[c->function].name);
    for (size_t k = 0; k < FUNCTIONS; k++)
        counts[k] += functions[k] == c->function;
    recorder_close(c);
}

void recorder_untold_end(void)
{
    int64_t all[FUNCTIONS] = {0};
    int rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(counts, all, FUNCTIONS, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    char text[512] = "";
    size_t n = 0;
    for (size_t k = 0; k < FUNCTIONS && rank == 0; k++)
        if (all[k])
            n += (size_t)snprintf(text + n, sizeof text - n, "%s %s %lld", n ? "," : "",
                                  record_mpi[functions[k]].name, (long long)all[k]);
    if (n)
        fprintf(stderr, "pgasim record: calls that the trace cannot tell of, of all ranks:%s\n", text);
}
