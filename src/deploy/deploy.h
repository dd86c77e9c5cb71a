/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * deploy: the ways to deploy an S-DSM application on a platform, and the search for the best ones. A *space*
 * says what may vary: the number of servers and of clients of each role, the hosts of each, who serves whom,
 * the consistency protocols. A *configuration* chooses one value for each. This module enumerates and
 * searches the space, and keeps and draws results; it runs nothing.
 *
 * Invariants
 *  DP1  Two configurations that differ only in the names of interchangeable hosts or, unless the space says
 *       that clients are distinct, in the order of the clients of a role, have the same canonical form, and
 *       others have not.
 *  DP2  Everything here depends on its arguments alone: the same space, seed and results give the same order
 *       of configurations, the same table and the same picture.
 */
#ifndef PGASIM_DEPLOY_H
#define PGASIM_DEPLOY_H

#include "base/json.h"
#include "base/table.h"
#include "platform/platform.h"

enum {
    DEPLOY_KINDS = 9, /* of processes: servers, and clients of so many roles less one */
    DEPLOY_LISTS = 4, /* lists of protocols */
    DEPLOY_PROCESSES = 4096,
    DEPLOY_HOSTS = 512,
    DEPLOY_SERVERS = 0, /* the kind that servers are */
};

/* --- hosts (hosts.c) ------------------------------------------------------------------------------ */

struct deploy_host {
    char *name;
    uint32_t like;     /* the first of the hosts with which it is interchangeable */
    uint16_t room;     /* processes that it may run */
    double power_idle; /* watts of a host that runs any process: its property sat/power-idle */
};
struct deploy_hosts {
    struct deploy_host *at; /* in the platform's order */
    uint32_t n;
    double *latency; /* n x n, of the route between two hosts, in seconds; infinite: there is none */
};
/* Hosts are interchangeable if exchanging two of them leaves everything as it is: speed, cores, properties
 * and the routes among all hosts. `per_host`: processes that a host may run; 0: one for each core. -1 with
 * st. */
int deploy_hosts_read(struct deploy_hosts *h, struct platform *p, uint32_t per_host, struct base_status *st);
void deploy_hosts_release(struct deploy_hosts *h);
/* The host of a name; -1: there is none. */
int deploy_host_find(const struct deploy_hosts *h, const char *name, size_t length, uint16_t *out);

/* --- the space (space.c, grammar.c) --------------------------------------------------------------- */

/* Who serves a client, in the order of roles and, within a role, of hosts. */
enum deploy_serve {
    DEPLOY_BLOCKS,      /* the first server the first clients, and so on, as evenly as it goes */
    DEPLOY_ROUND_ROBIN, /* the servers in turn */
    DEPLOY_NEAREST,     /* the server with the quickest route; of several, the one with the fewest clients */
    DEPLOY_PATTERNS,
    DEPLOY_ANY = DEPLOY_PATTERNS, /* any server any client */
};
extern const char *const deploy_serve_names[DEPLOY_ANY + 1];

/* Processes of one kind. */
struct deploy_kind {
    uint16_t role;        /* as in topology files; 0: servers */
    uint16_t least, most; /* how many of them */
    bool *allowed;        /* which hosts they may run on, by number */
};
/* Protocols that may take the place of one that the application asks for. */
struct deploy_list {
    char *asked;
    char **name;
    uint16_t n;
};
struct deploy_space {
    const struct deploy_hosts *hosts;
    uint32_t *like; /* of each host, for this space: it is also allowed to the same kinds */
    struct deploy_kind kind[DEPLOY_KINDS]; /* [0]: servers; then roles in ascending order */
    uint16_t kinds;
    struct deploy_list list[DEPLOY_LISTS];
    uint16_t lists;
    uint8_t serve; /* bits 1 << enum deploy_serve; with ANY, alone */
    bool distinct; /* clients of a role differ from each other */
};

/* What a space is made of, as texts of the command line; NULL: the default. */
struct deploy_words {
    const char *servers; /* "1-4" */
    const char *roles;   /* "1:1 2:2-8 3:1" */
    const char *hosts;   /* "i7-* 0:a15-0,a15-1": lists of names and patterns, for all roles or for one */
    const char *serve;   /* "blocks,nearest" */
    const char *const *protocols; /* "ASKED=A,B,C" each; n_protocols of them */
    size_t n_protocols;
    bool distinct;
};
/* -1 with st: what is wrong, what was expected. `hosts` must live as long as the space. */
int deploy_space_read(struct deploy_space *s, const struct deploy_hosts *hosts, const struct deploy_words *w,
                      struct base_status *st);
void deploy_space_release(struct deploy_space *s);

/* --- configurations (config.c, serve.c) ----------------------------------------------------------- */

struct deploy_process {
    uint16_t host;
    uint16_t server; /* rank of its server; of a server, its own */
};
/* Processes are in order of rank: servers, then clients in the order of the space's kinds. Bytes that are not
 * used are zero, so equal configurations have equal bytes. */
struct deploy_config {
    uint16_t count[DEPLOY_KINDS];    /* processes of each kind */
    uint16_t protocol[DEPLOY_LISTS]; /* choice in each list */
    uint16_t n;                      /* processes */
    struct deploy_process at[];
};
/* All processes on host 0 and served by server 0. The caller frees it. */
struct deploy_config *deploy_config_create(const uint16_t count[DEPLOY_KINDS]);
struct deploy_config *deploy_config_copy(const struct deploy_config *c);
size_t deploy_config_size(const struct deploy_config *c); /* bytes */
bool deploy_config_equal(const struct deploy_config *a, const struct deploy_config *b);
uint16_t deploy_config_kind(const struct deploy_config *c, uint16_t rank);
/* Rank of the first process of a kind. */
uint16_t deploy_config_first(const struct deploy_config *c, uint16_t kind);
/* Brings it into canonical form (DP1). */
void deploy_config_canonical(const struct deploy_space *s, struct deploy_config *c);
/* Gives clients their servers, and brings it into canonical form. */
void deploy_serve_apply(const struct deploy_space *s, enum deploy_serve how, struct deploy_config *c);
/* The first of the space's patterns by which its clients are served; -1: none. Any: DEPLOY_ANY. */
int deploy_serve_of(const struct deploy_space *s, const struct deploy_config *c);
/* Whether the space contains it. */
bool deploy_space_holds(const struct deploy_space *s, const struct deploy_config *c);
/* Watts of the hosts that run any process. */
double deploy_config_power_idle(const struct deploy_space *s, const struct deploy_config *c);

/* A set of configurations, in order of insertion (set.c). */
struct deploy_set {
    struct base_index index;
    BASE_ARRAY(struct deploy_config *) at;
};
void deploy_set_init(struct deploy_set *s);
void deploy_set_release(struct deploy_set *s);
/* The number of an equal one; BASE_NONE: there is none. */
uint32_t deploy_set_find(const struct deploy_set *s, const struct deploy_config *c);
/* Takes it, unless an equal one is there; then frees it and returns false. */
bool deploy_set_take(struct deploy_set *s, struct deploy_config *c);

/* --- as text (text.c) ----------------------------------------------------------------------------- */

/* "0@i7-0 0@i7-1 1/0@i7-0 2/1@a15-0*3 home-mesi=update": servers in order, then clients, "ROLE/SERVER@HOST"
 * with their number, then protocols. The caller frees it. */
char *deploy_config_text(const struct deploy_space *s, const struct deploy_config *c);
enum deploy_read { DEPLOY_READ, DEPLOY_OUTSIDE, DEPLOY_DAMAGED };
/* READ: it is in the space, and canonical in *out. OUTSIDE: it is not. DAMAGED: st says why it is none. */
enum deploy_read deploy_config_read(const struct deploy_space *s, const char *text,
                                    struct deploy_config **out, struct base_status *st);
/* The topology file of the paper's Figure 11, and Open MPI's rankfile. */
void deploy_write_topology(const struct deploy_space *s, const struct deploy_config *c, FILE *out);
void deploy_write_rankfile(const struct deploy_space *s, const struct deploy_config *c, FILE *out);
/* "home-mesi=update,home-lazy=entry": what --sat-protocol is to say; empty if all protocols are those asked
 * for. The caller frees it. */
char *deploy_config_protocols(const struct deploy_space *s, const struct deploy_config *c);

/* --- all of a space (grid.c) ---------------------------------------------------------------------- */

/* Adds every configuration to the set, each once, in canonical form. false: there are more than `most`, and
 * the set holds some of them. */
bool deploy_grid(const struct deploy_space *s, uint32_t most, struct deploy_set *out);

/* --- two objectives, both to be small (front.c) --------------------------------------------------- */

/* Infinite if a configuration failed. */
struct deploy_value {
    double time, energy;
};
/* Whether a is better than b: nowhere worse, and somewhere better. */
bool deploy_dominates(struct deploy_value a, struct deploy_value b);
/* rank[k]: how many fronts must be taken away before value k is not dominated; returns the number of fronts.
 * Equal values have equal ranks. */
uint32_t deploy_front_ranks(const struct deploy_value *v, uint32_t n, uint32_t *rank);
/* The crowding distance of NSGA-II, within each rank. */
void deploy_front_crowding(const struct deploy_value *v, uint32_t n, const uint32_t *rank, double *distance);
/* The area that values dominate, up to a reference. */
double deploy_hypervolume(const struct deploy_value *v, uint32_t n, struct deploy_value reference);

/* --- variation (vary.c, obvious.c) and search (search.c) ------------------------------------------ */

/* A configuration of the space, canonical; NULL: none was found. */
struct deploy_config *deploy_random(const struct deploy_space *s, struct base_random *r);
/* Between two of them, and near one: canonical, in the space; NULL: none was found. */
struct deploy_config *deploy_cross(const struct deploy_space *s, const struct deploy_config *a,
                                   const struct deploy_config *b, struct base_random *r);
struct deploy_config *deploy_mutate(const struct deploy_space *s, const struct deploy_config *c,
                                    struct base_random *r);
/* What one would try first: each class of hosts alone and all together, packed and spread, with the fewest
 * and the most processes; at most `most` of them. */
void deploy_obvious(const struct deploy_space *s, uint32_t most, struct deploy_set *out);

struct deploy_search;
/* A search that asks for at most `budget` configurations. */
struct deploy_search *deploy_search_create(const struct deploy_space *s, uint32_t budget, uint64_t seed);
void deploy_search_destroy(struct deploy_search *x);
/* The next ones, which may be run in any order, as numbers first ... first + n - 1 in deploy_search_set. 0:
 * the search has ended. All earlier ones have been told. */
uint32_t deploy_search_ask(struct deploy_search *x, uint32_t *first);
void deploy_search_tell(struct deploy_search *x, uint32_t number, struct deploy_value v);
const struct deploy_set *deploy_search_set(const struct deploy_search *x);

/* --- results (result.c, table.c) ------------------------------------------------------------------ */

enum { DEPLOY_PARTS = 4 };
extern const char *const deploy_part_names[DEPLOY_PARTS]; /* user, sdsm, sync, sleep */
/* What a run has said. */
struct deploy_result {
    char status[16];           /* "ok", "exit 3", "signal 11", "timeout", "no summary" */
    struct deploy_value value; /* infinite unless ok */
    double part[DEPLOY_PARTS]; /* seconds of all processes in each class of the S-DSM's accounts */
    char *message;             /* first line of its error; NULL: none */
};
bool deploy_result_ok(const struct deploy_result *r);
void deploy_result_release(struct deploy_result *r);
/* Reads the summary that libsat has written (JSON). -1 with st: it is none. */
int deploy_result_read(const char *text, size_t size, struct deploy_result *out, struct base_status *st);

struct deploy_row {
    char *config; /* as it stands in the table */
    uint16_t servers, clients;
    struct deploy_result result;
};
struct deploy_table;
/* The table in a file, which is made if it is not there; `path` NULL: in memory only. `job` names the
 * question: platform, program, options; rows of another one are refused. An incomplete last line, such as a
 * killed process leaves, is removed. -1 with st. No other process can open it meanwhile. */
int deploy_table_open(struct deploy_table **out, const char *path, uint64_t job, struct base_status *st);
/* The rows of a text, as from a file of this name. */
int deploy_table_read(struct deploy_table **out, const char *text, size_t size, const char *name,
                      uint64_t job, struct base_status *st);
void deploy_table_destroy(struct deploy_table *t);
uint32_t deploy_table_rows(const struct deploy_table *t);
const struct deploy_row *deploy_table_row(const struct deploy_table *t, uint32_t k);
bool deploy_table_mended(const struct deploy_table *t); /* an incomplete line was removed */
/* Appends a row, which it takes. It is in the file when this returns; -1 with st: it could not be written. */
int deploy_table_add(struct deploy_table *t, struct deploy_row *row, struct base_status *st);
/* Replaces the file by one with sorted rows. */
int deploy_table_sort(struct deploy_table *t, struct base_status *st);

/* --- the picture (draw.c) ------------------------------------------------------------------------- */

/* A point with what is shown when the mouse is on it. */
struct deploy_point {
    struct deploy_value value;
    bool front;
    const char *title;
};
void deploy_draw(const struct deploy_point *point, uint32_t n, const char *title, FILE *out);

#endif
