/* SPDX-License-Identifier: BSD-3-Clause */
/* convert: text, arrays of handles, indices between Fortran and C. */
#include "mpi/comm/comm.h"
#include "mpi/fortran/fortran.h"

#include <stdlib.h>
#include <string.h>

/* --- text ---------------------------------------------------------------------------------------------- */

char *mpi_fortran_text(const char *from, size_t n, bool strip)
{
    while (n && from[n - 1] == ' ')
        n--;
    while (strip && n && *from == ' ')
        from++, n--;
    char *out = base_alloc(n + 1, "text of Fortran");
    memcpy(out, from, n);
    out[n] = 0;
    return out;
}

char *mpi_fortran_room(int64_t n)
{
    return base_zalloc(n > 0 ? (size_t)n + 1 : 1, "text of Fortran");
}

void mpi_fortran_fill(int rc, char *to, size_t n, char *text)
{
    size_t length = strlen(text);
    if (rc == MPI_SUCCESS) {
        memcpy(to, text, length < n ? length : n);
        if (length < n)
            memset(to + length, ' ', n - length);
    }
    free(text);
}

/* --- arrays -------------------------------------------------------------------------------------------- */

void *mpi_fortran_handles(const MPI_Fint *from, int64_t n)
{
    void **out = base_alloc((n > 0 ? (size_t)n : 1) * sizeof *out, "handles of Fortran");
    for (int64_t k = 0; k < n; k++)
        out[k] = MPI_HANDLE(void *, from[k]);
    return out;
}

void mpi_fortran_handles_end(void *handles, int64_t n, MPI_Fint *back)
{
    for (int64_t k = 0; k < n && back; k++)
        back[k] = mpi_fortran_number(((void **)handles)[k]);
    free(handles);
}

int64_t mpi_fortran_members(struct mpi_call *c, MPI_Comm comm)
{
    struct mpi_comm *of = mpi_comm_find(c->self, comm);
    uint32_t n = 0, sources = 0, destinations = 0;
    if (!of)
        return 0;
    if (!strstr(c->name, "eighbor"))
        return mpi_comm_peers(of)->size;
    if (of->space->topology)
        mpi_comm_degrees(of, &sources, &destinations);
    n = sources > destinations ? sources : destinations;
    return n;
}

void mpi_fortran_indices(int rc, MPI_Fint *indices, const MPI_Fint *n)
{
    bool some = (rc == MPI_SUCCESS || rc == MPI_ERR_IN_STATUS) && *n != MPI_UNDEFINED;
    for (MPI_Fint k = 0; some && k < *n; k++)
        indices[k]++;
}

MPI_Aint *mpi_fortran_addresses(const MPI_Fint *from, int64_t n)
{
    MPI_Aint *out = base_alloc((n > 0 ? (size_t)n : 1) * sizeof *out, "addresses of Fortran");
    for (int64_t k = 0; k < n; k++)
        out[k] = from[k];
    return out;
}
