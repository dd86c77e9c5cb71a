/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * join: MPI_Comm_join (MPI-5.0 section 11.10.4): two processes with a socket between them tell each other through it who
 * they are.
 */
#include "mpi/calls.h"
#include "mpi/process/ports.h"

#include <string.h>

/* What each sends. The context of the one with the lower rank is used. */
struct hello {
    char magic[8];
    uint32_t rank, context;
};
static const char magic[8] = "pgasim j";

static bool send_all(int fd, const void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = rank_streams.write(fd, (const char *)bytes + done, size - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static bool receive_all(int fd, void *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = rank_streams.read(fd, (char *)bytes + done, size - done);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

static void find(struct mpi_call *c, struct mpi_comm *of, void *arg, struct mpi_crossing *out)
{
    struct hello mine = {.rank = c->rank->id, .context = mpi_context_make(c->self->job)}, theirs;
    int fd = *(const int *)arg;
    memcpy(mine.magic, magic, sizeof magic);
    if (!rank_streams.write || !send_all(fd, &mine, sizeof mine) ||
        !receive_all(fd, &theirs, sizeof theirs)) {
        mpi_crossing_fail(out, MPI_ERR_OTHER, "%d is no socket that can be read and written", fd);
        return;
    }
    if (memcmp(theirs.magic, magic, sizeof magic) != 0 || theirs.rank >= rank_count(c->rank->job)) {
        mpi_crossing_fail(out, MPI_ERR_OTHER, "who is at the other end of %d is no rank of this job", fd);
        return;
    }
    if (c->told)
        c->told->place = theirs.rank;
    uint32_t context = mine.rank < theirs.rank ? mine.context : theirs.context;
    out->space = mpi_leaders_agree(c, of->group, context, theirs.rank, 0, &out->side);
    if (!out->space)
        mpi_crossing_fail(out, MPI_ERR_COMM, "both ends of %d are the same process's", fd);
}

/* A player has, in the place of the socket, the rank at its other end. */
static void find_played(struct mpi_call *c, struct mpi_comm *of, void *arg, struct mpi_crossing *out)
{
    int other = *(const int *)arg;
    if (other < 0 || (uint32_t)other == c->rank->id)
        mpi_crossing_fail(out, MPI_ERR_OTHER, "at the other end is no other rank of the trace");
    else
        mpi_port_join(c, of, (uint32_t)other, out);
}

int mpi_comm_join(struct mpi_call *c, int fd, MPI_Comm *intercomm)
{
    int rc = mpi_comm_check_new(c, intercomm);
    if (rc)
        return rc;
    struct mpi_bridge b = {c->rank->memory->nowhere ? find_played : find, NULL, &fd};
    return mpi_comm_cross(c, mpi_comm_self(c->self), 0, &b, intercomm);
}
