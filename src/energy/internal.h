/* SPDX-License-Identifier: BSD-3-Clause */
/* internal: what the files of energy/ share. */
#ifndef PGASIM_ENERGY_INTERNAL_H
#define PGASIM_ENERGY_INTERNAL_H

#include "energy/energy.h"

/* Watts of a host in a pstate. */
struct energy_watts {
    double idle, epsilon, all_cores, off;
};

/* A core's computation that was told in advance. */
struct energy_span {
    double from, until;
    bool begun; /* it counts in the sums of its host */
};

struct energy_host {
    struct energy_watts watts; /* in its pstate */
    struct energy_watts *each; /* in each of its pstates; NULL: it has one */
    struct energy_joules past; /* what it took before the pstate last changed ... */
    double since_pstate;       /* ... which was then; the sums below are from then on */
    bool known;                /* it has watts */
    bool off, used;
    uint32_t shared;                      /* computations that share the cores now */
    double factor;                        /* of their speed */
    double since;                         /* when `shared` last changed */
    double busy;                          /* seconds with load, of what has begun: until `covered` */
    double covered;                       /* end of the last busy time */
    double cores;                         /* core-seconds of what has begun */
    double went_off;                      /* when it went off */
    double dark;                          /* seconds that it was off, up to went_off */
    BASE_ARRAY(struct energy_span) spans; /* not ended when last looked at */
};

struct energy_link {
    double idle, busy; /* watts */
    double joules;
    double sampled; /* until when `joules` counts; with `carried`, only the dynamic part is in it */
    double kept;    /* the load when a flow began ... */
    double kept_at; /* ... at this time, which is the last such time */
    bool known;
};

struct energy {
    struct engine *engine;
    struct fluid *fluid;
    const struct platform *platform;
    fluid_resource first_link;
    uint32_t hosts, links;
    struct energy_host *host;
    struct energy_link *link; /* NULL: no link has watts */
    bool carried;
};

/* watts.c: 0 or -1 with st as "what is wrong, what was expected". `pstates` entries are separated by commas, and
 * read into as many w. */
int energy_watts_read(struct energy_watts *w, const char *text, uint32_t pstates, struct base_status *st);
int energy_watt_read(double *watts, const char *text, struct base_status *st);
int energy_range_read(double *idle, double *busy, const char *text, struct base_status *st);

#endif
