/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * port: ports, at which groups of processes meet (MPI-5.0 sections 11.9.2, 11.9.3). Both roots wait at the port, which takes
 * no time; then they exchange what groups are, as the leaders of MPI_Intercomm_create do.
 */
#include "mpi/calls.h"
#include "mpi/info/info.h"
#include "mpi/process/ports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ACCEPTS, CONNECTS };

/* On the heap: the other one finds it while the rank waits. */
struct mpi_caller {
    struct mpi_caller *next;
    struct engine_event timer;
    struct mpi_port *port;
    struct rank *rank;
    int side;
    struct p2p_request *wait;
    struct rank *other; /* NULL: none has come */
    uint32_t context;   /* for the two of them */
};

struct mpi_ports *mpi_ports_of(struct mpi_job *job)
{
    if (!job->ports)
        job->ports = base_zalloc(sizeof *job->ports, "ports");
    return job->ports;
}

static struct mpi_port *port_named(const struct mpi_job *job, const struct mpi_world *home, const char *name)
{
    struct mpi_port *p = job->ports ? job->ports->port : NULL;
    while (p && (!p->open || p->home != home || strcmp(p->name, name) != 0))
        p = p->next;
    return p;
}

static struct mpi_port *open_port(struct mpi_job *job, const struct mpi_world *home, char *name)
{
    struct mpi_ports *all = mpi_ports_of(job);
    struct mpi_port *p = base_zalloc(sizeof *p, "ports");
    *p = (struct mpi_port){.next = all->port, .name = name, .home = home, .open = true};
    return all->port = p;
}

/* A trace names a port only where it was open: a player's is there when somebody names it. */
static struct mpi_port *port_played(struct mpi_call *c, const char *name)
{
    const struct mpi_world *home = c->self->home;
    while (home->starter)
        home = home->starter;
    struct mpi_port *p = port_named(c->self->job, home, name);
    return p ? p : open_port(c->self->job, home, base_strdup(name));
}

/* --- opening ---------------------------------------------------------------------------------------------- */

static int check_info(struct mpi_call *c, MPI_Info info)
{
    if (info == MPI_INFO_NULL || mpi_info_find(c->self, info))
        return MPI_SUCCESS;
    return mpi_fail(c, NULL, MPI_ERR_INFO, "%#lx is no info object", (unsigned long)(uintptr_t)info);
}

int mpi_open_port(struct mpi_call *c, MPI_Info info, char *port_name)
{
    struct mpi_ports *all = mpi_ports_of(c->self->job);
    int rc = check_info(c, info);
    if (rc)
        return rc;
    if (!port_name)
        return mpi_fail(c, NULL, MPI_ERR_ARG, "the place for the port's name is NULL");
    const struct platform_host *h = platform_host(fabric_platform(rank_fabric(c->rank->job)), c->rank->host);
    const struct mpi_port *p =
        open_port(c->self->job, NULL, base_strfmt("port-%u@%s", ++all->opened, h->name));
    snprintf(port_name, MPI_MAX_PORT_NAME, "%s", p->name);
    return MPI_SUCCESS;
}

int mpi_close_port(struct mpi_call *c, const char *port_name)
{
    struct mpi_port *p = port_name ? port_named(c->self->job, NULL, port_name) : NULL;
    if (!p)
        return mpi_fail(c, NULL, MPI_ERR_PORT, "there is no open port '%.200s'",
                        port_name ? port_name : "(NULL)");
    p->open = false;
    return MPI_SUCCESS;
}

/* --- meeting at one --------------------------------------------------------------------------------------- */

static void describe(const void *about, char *buf, size_t size)
{
    const struct mpi_caller *w = about;
    snprintf(buf, size, "nobody has called MPI_Comm_%s for %s", w->side == ACCEPTS ? "connect" : "accept",
             w->port->name);
}

static void remove_caller(struct mpi_caller *w)
{
    struct mpi_caller **at = &w->port->waiting[w->side];
    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
}

static void time_is_over(struct engine *e, struct engine_event *ev)
{
    struct mpi_caller *w = BASE_CONTAINER(ev, struct mpi_caller, timer);
    (void)e;
    remove_caller(w);
    p2p_other_complete(w->wait);
}

static void wait_for_other(struct mpi_call *c, struct mpi_caller *w, double seconds)
{
    struct mpi_caller **last = &w->port->waiting[w->side];
    while (*last)
        last = &(*last)->next;
    *last = w;
    w->wait = p2p_other_create(c->rank, c->name, describe, w);
    p2p_other_start(w->wait);
    engine_event_init(&w->timer, time_is_over);
    if (isfinite(seconds))
        engine_event_at(c->rank->engine, &w->timer, engine_now(c->rank->engine) + seconds);
    p2p_wait_all(c->rank, &w->wait, 1, c->name);
    p2p_request_destroy(w->wait);
}

static void pair(struct mpi_call *c, struct mpi_caller *w, struct mpi_caller *with)
{
    remove_caller(with);
    engine_event_cancel(c->rank->engine, &with->timer);
    w->other = with->rank;
    with->other = w->rank;
    w->context = with->context = mpi_context_make(c->self->job);
    p2p_other_complete(with->wait);
}

/* --- the two calls ---------------------------------------------------------------------------------------- */

struct meeting {
    int side;
    const char *name;
    double seconds; /* that it waits at most */
};

/* NULL: there is none. */
static struct mpi_port *port_of(struct mpi_call *c, const char *name)
{
    bool played = c->rank->memory->nowhere;
    struct mpi_port *p = !name ? NULL : played ? port_played(c, name) : port_named(c->self->job, NULL, name);
    if (p && c->told && !played)
        c->told->path = base_strdup(name);
    return p;
}

static void find(struct mpi_call *c, struct mpi_comm *of, void *arg, struct mpi_crossing *out)
{
    const struct meeting *m = arg;
    struct mpi_port *p = port_of(c, m->name);
    if (!p) {
        mpi_crossing_fail(out, MPI_ERR_PORT, "there is no open port '%.200s'", m->name ? m->name : "(NULL)");
        return;
    }
    struct mpi_caller *w = base_zalloc(sizeof *w, "callers at ports");
    *w = (struct mpi_caller){.port = p, .rank = c->rank, .side = m->side};
    if (p->waiting[!m->side])
        pair(c, w, p->waiting[!m->side]);
    else
        wait_for_other(c, w, m->seconds);
    if (w->other)
        out->space = mpi_leaders_agree(c, of->group, w->context, w->other->id, 0, &out->side);
    if (!w->other)
        mpi_crossing_fail(out, MPI_ERR_PORT, "nobody has accepted a connection to %s for %g s", p->name,
                          m->seconds);
    else if (!out->space)
        mpi_crossing_fail(out, MPI_ERR_COMM, "the two groups that meet at %s have members in common",
                          p->name);
    free(w);
}

static int meet(struct mpi_call *c, struct meeting *m, int root, MPI_Comm comm, MPI_Comm *newcomm)
{
    int rc = MPI_SUCCESS;
    struct mpi_comm *of = mpi_comm_of(c, comm, &rc);
    if (!of || (rc = mpi_comm_check_new(c, newcomm)) || (rc = mpi_comm_check_intra(c, of)) ||
        (rc = mpi_comm_check_root(c, of, root)))
        return rc;
    c->effect = true;
    return mpi_comm_cross(c, of, root, &(struct mpi_bridge){find, NULL, m}, newcomm);
}

int mpi_comm_accept(struct mpi_call *c, const char *port_name, MPI_Info info, int root, MPI_Comm comm,
                    MPI_Comm *newcomm)
{
    struct meeting m = {ACCEPTS, port_name, INFINITY};
    (void)info;
    return meet(c, &m, root, comm, newcomm);
}

/* The info key `timeout`: seconds, as MPICH has it. */
int mpi_comm_connect(struct mpi_call *c, const char *port_name, MPI_Info info, int root, MPI_Comm comm,
                     MPI_Comm *newcomm)
{
    struct meeting m = {CONNECTS, port_name,
                        base_settings_number(rank_settings(c->rank->job), "mpi/connect-timeout")};
    const char *seconds = mpi_info_value(mpi_info_find(c->self, info), "timeout");
    if (seconds && strtod(seconds, NULL) > 0)
        m.seconds = strtod(seconds, NULL);
    return meet(c, &m, root, comm, newcomm);
}

void mpi_port_join(struct mpi_call *c, struct mpi_comm *of, uint32_t other, struct mpi_crossing *out)
{
    uint32_t low = c->rank->id < other ? c->rank->id : other;
    char *name = base_strfmt("join %u %u", low, c->rank->id + other - low);
    find(c, of, &(struct meeting){c->rank->id == low ? ACCEPTS : CONNECTS, name, INFINITY}, out);
    free(name);
}

/* --- the end ---------------------------------------------------------------------------------------------- */

static void end(struct mpi_job *job)
{
    struct mpi_ports *all = job->ports;
    for (struct mpi_port *p; all && (p = all->port); free(p)) {
        all->port = p->next;
        free(p->name);
        for (struct mpi_caller *w, *next = p->waiting[ACCEPTS]; (w = next);
             free(w)) /* of a job that was stopped */
            next = w->next;
        for (struct mpi_caller *w, *next = p->waiting[CONNECTS]; (w = next); free(w))
            next = w->next;
    }
    for (struct mpi_service *s; all && (s = all->service); free(s)) {
        all->service = s->next;
        free(s->name);
        free(s->port);
    }
    free(all);
    job->ports = NULL;
}

void mpi_process_register(void)
{
    static const struct mpi_keeper keeper = {.end = end};
    mpi_keeper_register(&keeper);
}
