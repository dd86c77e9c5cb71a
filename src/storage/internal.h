/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * internal: how storage/ keeps disks, volumes, files and requests.
 *
 *   rank --> file (handle) --> inode --> volume --> targets: disks
 *                                |          `-----> name servers
 *                                `-- locks by stripe, clients (cache, dirty bytes) by host
 */
#ifndef PGASIM_STORAGE_INTERNAL_H
#define PGASIM_STORAGE_INTERNAL_H

#include "base/table.h"
#include "storage/storage.h"

#define STORAGE_NONE UINT32_MAX

/* --- disks (disk.c) -------------------------------------------------------------------------------------- */

struct storage_disk {
    const char *name;
    const struct storage_volume *of; /* the file system that made it; NULL: a <disk> of the platform */
    uint32_t host;
    fluid_resource both, one[2]; /* one: by enum storage_access */
    double latency;              /* seconds before each access */
    struct storage_disk_totals totals;
    uint32_t running;
    double since; /* when the first of those that run began */
};
uint32_t storage_disk_add(struct storage *s, struct storage_disk d, const double bandwidth[2], double both);

/* --- volumes (volume.c, system.c, value.c) ---------------------------------------------------------------------- */

struct storage_volume {
    const char *name;  /* of a file system; of a disk: its own */
    const char *mount; /* NULL: a disk that has what no mount point matches */
    uint32_t id;
    uint32_t host; /* a disk's; STORAGE_NONE: every host reaches it */
    BASE_ARRAY(uint32_t) targets;
    uint64_t stripe;
    uint32_t stripes; /* disks of a file, unless it says otherwise */
    uint32_t next;    /* the target where the next new file begins */
    double request;   /* seconds that a server takes for each part of a request */
    double sync;
    /* names */
    uint32_t name_server;
    double naming[2]; /* seconds by enum storage_naming */
    double *free_at;  /* of each thread of the name server */
    uint32_t threads;
    /* clients */
    uint64_t cache; /* bytes of each host; 0: none */
    double cache_bandwidth;
    struct base_table clients; /* struct storage_client * by host */
    struct base_table waits;   /* double: seconds that each rank has waited, by rank */
    double lock;               /* seconds; 0: there are no locks */
    /* room */
    uint64_t size, quota, used; /* UINT64_MAX: without an end */
    struct storage_volume_totals totals;
};
/* A mount point that a setting gives: `volume` NULL: the host's own disk; `nothing`: no volume. */
struct storage_mount {
    const char *prefix;
    struct storage_volume *volume;
    bool nothing;
};
struct storage {
    struct fabric *fabric;
    struct fluid *fluid;
    struct engine *engine;
    struct platform *platform;
    struct rank_job *job; /* NULL: there are no ranks */
    BASE_ARRAY(struct storage_disk) disks;
    uint32_t platform_disks; /* the first ones, which are the platform's */
    BASE_ARRAY(struct storage_volume *) volumes;
    BASE_ARRAY(struct storage_mount) mounts;
    struct base_table of_host; /* the first of a host's own volumes, + 1, by host; they follow each other */
    struct base_table inodes;  /* struct storage_name by key */
    BASE_ARRAY(struct storage_inode *) all;
    struct base_pool accesses, requests, parts, names, files;
};
int storage_volumes_read(struct storage *s, const struct base_settings *settings, struct base_status *st);
int storage_systems_read(struct storage *s, struct base_status *st);
struct storage_volume *storage_volume_add(struct storage *s, const char *name, uint32_t host);
void storage_volumes_release(struct storage *s);
/* NULL: the path belongs to none. */
struct storage_volume *storage_volume_of(const struct storage *s, uint32_t host, const char *path);
int storage_mounts_read(struct storage *s, const char *text, struct base_status *st);
/* A value of a property; -1 with st, which names file, line and property. */
struct storage_value {
    const char *where, *key, *value;
};
int storage_value_number(const struct storage_value *v, enum base_kind kind, const char *range, double *out,
                         struct base_status *st);
int storage_value_whole(const struct storage_value *v, enum base_kind kind, const char *range, uint64_t *out,
                        struct base_status *st);

/* --- files (file.c) ------------------------------------------------------------------------------------ */

struct storage_inode {
    struct storage_volume *volume;
    char *path;             /* by which it was first opened */
    const char *traced;     /* the same, as traces have it; NULL: none does yet */
    uint32_t number, names; /* paths by which it is known */
    uint64_t size, counted; /* counted: of its size, what the run has added */
    uint64_t stripe;
    uint32_t stripes, first; /* disks; the volume's target that has stripe 0 */
    uint32_t handles;
    struct base_table locks; /* struct storage_lock by stripe */
};
struct storage_file {
    struct storage *storage;
    struct storage_inode *inode;
    uint32_t host, rank;
};
struct storage_file *storage_file_make(struct storage *s, uint32_t host, uint32_t rank, const char *path,
                                       uint64_t size);
/* An inode that has these stripes, or those of its volume where they are 0. */
void storage_inode_lay_out(struct storage_inode *i, struct storage_stripes wanted);
int storage_inode_room(const struct storage_inode *i, uint64_t size); /* for this size */
int storage_inode_resize(struct storage_inode *i, uint64_t size);
/* Bytes of [low, high) on the file's disk k. */
uint64_t storage_inode_share(const struct storage_inode *i, uint32_t k, uint64_t low, uint64_t high);

struct storage_name {
    char *key; /* of the table: the volume's id, and the path */
    struct storage_inode *inode;
};
/* The inode of a path; one with this size is made if there is none. */
struct storage_inode *storage_inode_of(struct storage *s, struct storage_volume *v, const char *path,
                                       uint64_t size);
struct storage_name *storage_name_find(const struct storage *s, const struct storage_volume *v,
                                       const char *path);
/* The path is a name of this inode from now on. */
void storage_name_link(struct storage *s, const struct storage_volume *v, const char *path,
                       struct storage_inode *i);
void storage_name_remove(struct storage *s, const struct storage_name *n);
void storage_inodes_release(struct storage *s);

/* --- requests (request.c) --------------------------------------------------------------------------------- */

/* A read or write of a program; or the write-out of one, for which nobody waits; or a sync. */
struct storage_request {
    struct engine_event event;
    struct storage *storage;
    struct storage_inode *inode;
    struct storage_client *client; /* of a volume with caches; NULL */
    storage_done_fn done;
    void *arg;
    uint64_t low, high;           /* the bytes [low, high) */
    uint64_t locked;              /* the next stripe to lock */
    struct storage_request *next; /* in a list of those that wait */
    uint32_t host, rank;
    uint64_t number; /* of a trace's operations; 0: it is not traced */
    uint32_t moving; /* parts and copies still to end */
    uint8_t how;     /* enum storage_access */
    bool conflicts;  /* it took a lock from another client */
    bool holds;      /* locks, to be given back at its end */
    bool writes_out;
    int error;
};
void storage_request_locked(struct storage_request *q); /* all its stripes are */

/* --- parts: what one disk does for a request (part.c) -------------------------------------------------------- */

typedef void (*storage_part_fn)(struct storage_request *q, int error);
/* Bytes of the request from or to a disk; ends with `over`, in an event. */
void storage_part_start(struct storage_request *q, uint32_t disk, uint64_t bytes, storage_part_fn over);
void storage_parts_init(struct storage *s);

/* --- locks of stripes (lock.c) ---------------------------------------------------------------------------- */

struct storage_lock {
    uint32_t holder; /* client: host; STORAGE_NONE: nobody yet; STORAGE_MANY: several, that read */
    bool exclusive;
    uint32_t user, users;                 /* requests under way; user: the client of one of them */
    struct storage_request *first, *last; /* those that wait */
};
#define STORAGE_MANY (UINT32_MAX - 1)
void storage_lock_begin(struct storage_request *q); /* storage_request_locked follows, perhaps at once */
void storage_lock_end(struct storage_request *q);

/* --- caches of clients (cache.c) -------------------------------------------------------------------------- */

/* What a client has of a file: sorted extents that do not touch. */
struct storage_extent {
    uint64_t low, high;
};
struct storage_extents {
    struct storage_extent *at;
    size_t n, cap;
};
struct storage_cached { /* of one inode */
    struct storage_extents have;
    uint64_t dirty;                /* bytes of its write-outs under way */
    int error;                     /* of one that failed, for the next sync */
    struct storage_request *syncs; /* wait until there are none */
};
struct storage_client {
    struct storage_volume *volume;
    struct base_table cached; /* struct storage_cached * by inode's number */
    uint64_t bytes, dirty;
    struct storage_piece { /* what was put into it, oldest first: a ring */
        struct storage_inode *inode;
        uint64_t low, high;
    } * piece;
    size_t pieces, oldest, room;
    struct storage_request *crowded, *last; /* wait for room */
};
struct storage_client *storage_client_of(struct storage_volume *v, uint32_t host);
struct storage_cached *storage_cached_of(struct storage_client *c, struct storage_inode *i);
void storage_cache_put(struct storage_client *c, struct storage_inode *i, uint64_t low, uint64_t high);
/* Bytes of [low, high) that the client has. */
uint64_t storage_cache_has(struct storage_client *c, const struct storage_inode *i, uint64_t low,
                           uint64_t high);
/* Those that it lacks, one range after the other: the next from *low on. false: none is left. */
bool storage_cache_lacks(struct storage_client *c, const struct storage_inode *i, uint64_t *low,
                         uint64_t high, struct storage_extent *out);
void storage_cache_drop(struct storage_client *c, const struct storage_inode *i, uint64_t low, uint64_t high);
/* Every client but one loses its copy. */
void storage_caches_drop(struct storage_inode *i, uint32_t but, uint64_t low, uint64_t high);
void storage_clients_release(struct storage_volume *v);

/* Extents alone (extents.c). Each returns by how much they grew or shrank. */
uint64_t storage_extents_add(struct storage_extents *x, uint64_t low, uint64_t high);
uint64_t storage_extents_cut(struct storage_extents *x, uint64_t low, uint64_t high);
/* The first extent that ends behind `low`: x->n if there is none. */
size_t storage_extents_find(const struct storage_extents *x, uint64_t low);

/* --- traces (traced.c) ------------------------------------------------------------------------------------ */

enum storage_asked { STORAGE_ASKS_READ, STORAGE_ASKS_WRITE, STORAGE_ASKS_WRITE_OUT, STORAGE_ASKS_SYNC };
void storage_trace_asked(struct storage_request *q, enum storage_asked what);
/* A disk has done its part, which it began at `begin`. */
void storage_trace_served(const struct storage_request *q, uint32_t disk, uint64_t bytes, double begin);
void storage_trace_answered(const struct storage_request *q);
/* An operation on names begins: its number, or 0; and has ended. */
uint64_t storage_trace_naming(const struct storage *s, const struct rank *r, const char *path,
                              enum storage_naming how);
void storage_trace_named(const struct storage *s, const struct rank *r, const struct storage_volume *v,
                         const char *path, uint64_t number, double begin);
void storage_traced_begin(void);

/* --- names (names.c) ------------------------------------------------------------------------------------ */

void storage_names_start(struct storage *s, struct storage_volume *v, uint32_t host, enum storage_naming how,
                         storage_done_fn done, void *arg);
void storage_names_init(struct storage *s);

#endif
