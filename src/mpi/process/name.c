/* SPDX-License-Identifier: BSD-3-Clause */
/* name: names under which ports are published (MPI-5.0 section 11.9.4). All processes of a job see them, at once. */
#include "mpi/calls.h"
#include "mpi/info/info.h"
#include "mpi/process/ports.h"

#include <stdlib.h>
#include <string.h>

/* Where the service stands in the list; NULL there: it is not published. */
static struct mpi_service **place_of(struct mpi_job *job, const char *name)
{
    struct mpi_service **at = &mpi_ports_of(job)->service;
    while (*at && strcmp((*at)->name, name) != 0)
        at = &(*at)->next;
    return at;
}

static int check(struct mpi_call *c, const char *service, MPI_Info info, const char *port)
{
    if (info != MPI_INFO_NULL && !mpi_info_find(c->self, info))
        return mpi_fail(c, NULL, MPI_ERR_INFO, "%#lx is no info object", (unsigned long)(uintptr_t)info);
    if (!service || !port)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the name of the %s is NULL", service ? "port" : "service");
    return MPI_SUCCESS;
}

int mpi_publish_name(struct mpi_call *c, const char *service_name, MPI_Info info, const char *port_name)
{
    int rc = check(c, service_name, info, port_name);
    if (rc)
        return rc;
    struct mpi_service **at = place_of(c->self->job, service_name);
    if (*at)
        return mpi_fail(c, NULL, MPI_ERR_SERVICE, "'%.200s' is published already, as %.200s", service_name,
                        (*at)->port);
    *at = base_zalloc(sizeof **at, "published names");
    (*at)->name = base_strdup(service_name);
    (*at)->port = base_strdup(port_name);
    return MPI_SUCCESS;
}

int mpi_lookup_name(struct mpi_call *c, const char *service_name, MPI_Info info, char *port_name)
{
    int rc = check(c, service_name, info, port_name);
    if (rc)
        return rc;
    const struct mpi_service *s = *place_of(c->self->job, service_name);
    if (!s)
        return mpi_fail(c, NULL, MPI_ERR_NAME, "no service '%.200s' is published", service_name);
    snprintf(port_name, MPI_MAX_PORT_NAME, "%s", s->port);
    return MPI_SUCCESS;
}

int mpi_unpublish_name(struct mpi_call *c, const char *service_name, MPI_Info info, const char *port_name)
{
    int rc = check(c, service_name, info, port_name);
    if (rc)
        return rc;
    struct mpi_service **at = place_of(c->self->job, service_name), *s = *at;
    if (!s)
        return mpi_fail(c, NULL, MPI_ERR_SERVICE, "no service '%.200s' is published", service_name);
    *at = s->next;
    free(s->name);
    free(s->port);
    free(s);
    return MPI_SUCCESS;
}
