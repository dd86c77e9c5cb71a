/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * storage: how long files take. Disks of hosts as in SimGrid (its model S19), and file systems that stripe
 * their files over the disks of several hosts, which clients reach over the network. Moves no bytes and knows
 * no descriptors: front ends ask for the time, and read and write the real files themselves.
 *
 * Volumes. A path belongs to a volume: a disk of the rank's host, or a file system of the platform. The volume
 * with the longest matching mount point has it, else the first disk of the host that has no mount point. A
 * path that belongs to none costs nothing: its handle is NULL, which every function here accepts.
 *
 * Requests without waiting: `done` is called once, in a later event. If a function returns false, nothing takes
 * time (a NULL handle, no bytes, nothing to write out), and `done` is not called.
 *
 * Invariants
 *  S1  Each request ends once, in an event, never within its start.
 *  S2  A lock's users are the requests, and their write-outs, that hold it and have not ended.
 *  S3  A client's dirty bytes are those of its write-outs under way.
 *  S4  What a volume counts as used is the sum of what its files grew by during the run.
 */
#ifndef PGASIM_STORAGE_H
#define PGASIM_STORAGE_H

#include "rank/rank.h"

struct storage;
struct storage_file; /* a file as one rank has it open */

extern const struct base_setting storage_settings[];
extern const size_t storage_settings_count;

enum storage_access { STORAGE_READ, STORAGE_WRITE };
/* What an operation on names does; all of a kind cost the same. */
enum storage_naming {
    STORAGE_LOOKUP, /* opens what exists, stat, lists a folder */
    STORAGE_CHANGE, /* creates, removes, renames, truncates */
};
/* `error`: 0, ENOSPC (the volume is full), EDQUOT (its quota is), EIO (a host or
 * link failed). */
typedef void (*storage_done_fn)(void *arg, int error);

/* --- files of ranks (job.c) --------------------------------------------------------------------------- */

void storage_register(void); /* at start-up: each job then has its storage */
/* NULL: nothing that the job does with files takes time. */
struct storage *storage_of(const struct rank_job *job);
/* The handle of a file. `path`: absolute, without links; `size`: the bytes that it has now. NULL: it belongs
 * to no volume. Takes no time itself: see storage_metadata. */
struct storage_file *storage_file_open(struct rank *r, const char *path, uint64_t size);
void storage_file_close(struct storage_file *f); /* no request of it is under way */
/* The current rank, which is the handle's, waits. Each returns what a storage_done_fn is told. A write counts
 * as done to the file's size from its start. */
int storage_io(struct storage_file *f, enum storage_access how, uint64_t offset, uint64_t bytes);
int storage_sync(struct storage_file *f); /* until what this client has written is on the disks */
/* An operation on the names of the volume that `path` belongs to. */
int storage_metadata(struct rank *r, const char *path, enum storage_naming how);
/* The same without waiting; from anywhere. */
bool storage_io_start(struct storage_file *f, enum storage_access how, uint64_t offset, uint64_t bytes,
                      storage_done_fn done, void *arg);
bool storage_sync_start(struct storage_file *f, storage_done_fn done, void *arg);
bool storage_metadata_start(struct rank *r, const char *path, enum storage_naming how, storage_done_fn done,
                            void *arg);

/* What a write there would fail with: 0, ENOSPC, EDQUOT. Without taking room. */
int storage_room(const struct storage_file *f, uint64_t offset, uint64_t bytes);
/* The file has this size now: it was truncated, or extended without writing. 0, or as storage_room. */
int storage_file_resize(struct storage_file *f, uint64_t size);
uint64_t storage_file_size(const struct storage_file *f);
/* The file of that name, which had `was` bytes, has `size` now. As storage_file_resize. */
int storage_truncated(struct rank *r, const char *path, uint64_t was, uint64_t size);
/* The name was removed; `last`: it was the file's last one, whose room is free again. */
void storage_removed(struct rank *r, const char *path, bool last);
/* Two paths belong to volumes, and not to the same one: no file can have both as names. */
bool storage_apart(struct rank *r, const char *from, const char *to);
/* A file, or a folder with all below it, has another name now; the file that had that one is removed. */
void storage_renamed(struct rank *r, const char *from, const char *to, bool folder);
/* The file `from`, of this size, has `to` as a second name now. */
void storage_linked(struct rank *r, const char *from, const char *to, uint64_t size);
/* How its bytes lie: stripe k of `size` bytes is on one of `count` disks, in turn. */
struct storage_stripes {
    uint64_t size;
    uint32_t count;
};
struct storage_stripes storage_file_stripes(const struct storage_file *f); /* of NULL: zeros */
/* Chosen for a file that has no bytes yet; 0: as its volume says. false: it has bytes, or one disk only. */
bool storage_file_stripe(struct storage_file *f, struct storage_stripes wanted);
const char *storage_file_volume(const struct storage_file *f); /* its name; of NULL: NULL */
const char *storage_file_path(const struct storage_file *f);   /* of NULL: NULL */

/* --- accesses, for traces (traced.c) ----------------------------------------------------------------- */

/* An access of a front end's to any file (TRACE_IO_BEGIN): requests alone do not tell what it was for. */
struct storage_told {
    const char *call, *path;
    uint64_t offset, bytes, span; /* span: from the first byte to the last */
    enum trace_kind kind;
    int32_t tag;
    uint32_t thread; /* these are filled in: */
    uint64_t number; /* 0: nobody wants to know */
};
void storage_tell_begin(struct rank *r, struct storage_told *t);
void storage_tell_end(const struct rank *r, const struct storage_told *t);

/* --- for recorders (noted.c) --------------------------------------------------------------------------- */

/* What a rank asks, before it does. Files are numbered by the front end, for each rank; `path`, of an operation on a name and a
 * file that has a number from now on: as storage_file_open has it. */
enum storage_noting {
    STORAGE_NOTES_OPEN, /* bytes: its size, as of the next */
    STORAGE_NOTES_RESIZE,
    STORAGE_NOTES_READ,
    STORAGE_NOTES_WRITE,
    STORAGE_NOTES_SYNC,
    STORAGE_NOTES_LOOKUP,
    STORAGE_NOTES_CHANGE,
    STORAGE_NOTES_REMOVE,   /* bytes: 1: the last name */
    STORAGE_NOTES_TRUNCATE, /* of a path: offset: the size before */
    STORAGE_NOTES_RENAME,   /* bytes: 1: a folder */
    STORAGE_NOTES_LINK,
};
struct storage_noted {
    enum storage_noting what;
    const char *path, *to; /* to: of two names */
    int64_t file, offset, bytes;
};
typedef void (*storage_noted_fn)(void *arg, struct rank *r, const struct storage_noted *t);
void storage_on_noted(storage_noted_fn fn, void *arg); /* of all jobs; NULL: nobody is told */
bool storage_is_noted(void);
void storage_note(struct rank *r, const struct storage_noted *t);

/* --- disks of hosts, without ranks (disk.c) ------------------------------------------------------------ */

/* -1 with st: a property or setting is wrong. *out is NULL if the platform has neither disks nor file systems. */
int storage_create(struct storage **out, struct fabric *f, const struct base_settings *settings,
                   struct base_status *st);
void storage_destroy(struct storage *s);
/* The disk of that name on the host, or its first one (name NULL); UINT32_MAX: there is none. */
uint32_t storage_disk_find(const struct storage *s, uint32_t host, const char *name);
/* So many bytes >= 0, from now on; shares the disk as in SimGrid. */
void storage_disk_start(struct storage *s, uint32_t disk, enum storage_access how, double bytes,
                        storage_done_fn done, void *arg);

/* --- totals --------------------------------------------------------------------------------------------- */

struct storage_disk_totals {
    const char *name, *host;
    uint32_t host_id;
    const char *volume;   /* the file system whose disk it is; NULL: the host's own */
    uint64_t accesses[2]; /* by enum storage_access */
    double bytes[2];
    double busy;   /* seconds with at least one access */
    double shared; /* the sum of all accesses' seconds */
};
uint32_t storage_disk_count(const struct storage *s);
struct storage_disk_totals storage_disk_totals(const struct storage *s, uint32_t disk);
struct storage_volume_totals {
    const char *host; /* of its own disk; NULL: a file system */
    const char *name;
    uint64_t requests[2], bytes[2]; /* of programs, by enum storage_access */
    uint64_t names;                 /* operations on names */
    uint64_t hits;                  /* bytes read that a client's cache had */
    uint64_t conflicts;             /* requests that took a lock from another client */
    uint64_t used;                  /* by what was written */
    double waited;                  /* seconds of ranks, and the rank that waited most */
    double longest;
    uint32_t longest_rank;
};
uint32_t storage_volume_count(const struct storage *s);
struct storage_volume_totals storage_volume_totals(const struct storage *s, uint32_t volume);

#endif
