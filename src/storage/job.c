/* SPDX-License-Identifier: BSD-3-Clause */
/* job: the storage of a job, the files of its ranks, and ranks that wait for them. */
#include "storage/internal.h"

#include <stdlib.h>

static struct rank_slot slot; /* the job's storage */
static bool registered;

/* --- the job ------------------------------------------------------------------------------------------------ */

static void job_begin(struct rank_job *job)
{
    struct storage *s = NULL;
    struct base_status st;
    if (storage_create(&s, rank_fabric(job), rank_settings(job), &st))
        base_fatal(BASE_EXIT_INPUT, "%s", st.text);
    if (s)
        s->job = job;
    storage_traced_begin();
    rank_set_part(job, &slot, s);
}

static void job_end(struct rank_job *job)
{
    storage_destroy(storage_of(job));
    rank_set_part(job, &slot, NULL);
}

void storage_register(void)
{
    static const struct rank_front front = {.name = "storage", .job_begin = job_begin, .job_end = job_end};
    registered = true;
    rank_slot_register(&slot, 0);
    rank_front_register(&front);
}

struct storage *storage_of(const struct rank_job *job)
{
    return registered ? rank_part(job, &slot) : NULL;
}

/* --- files ---------------------------------------------------------------------------------------------------- */

struct storage_file *storage_file_open(struct rank *r, const char *path, uint64_t size)
{
    struct storage *s = storage_of(r->job);
    return s ? storage_file_make(s, r->host, r->id, path, size) : NULL;
}

bool storage_metadata_start(struct rank *r, const char *path, enum storage_naming how, storage_done_fn done,
                            void *arg)
{
    struct storage *s = storage_of(r->job);
    struct storage_volume *v = s ? storage_volume_of(s, r->host, path) : NULL;
    if (!v || (!v->threads && !(v->naming[how] > 0)))
        return false;
    storage_names_start(s, v, r->host, how, done, arg);
    return true;
}

/* --- waiting ---------------------------------------------------------------------------------------------------- */

/* Not on the rank's stack, which may be elsewhere when the wait is over. */
struct wait {
    struct rank *rank;
    struct engine_actor *actor;
    const struct storage_volume *volume;
    bool over;
    int error;
};

static void wake(void *arg, int error)
{
    struct wait *w = arg;
    w->over = true;
    w->error = error;
    engine_wake(w->rank->engine, w->actor);
}

static void describe(const void *arg, char *buf, size_t size)
{
    const struct wait *w = arg;
    snprintf(buf, size, "volume %s", w->volume->name);
}

static struct wait *wait_make(struct rank *r, const struct storage_volume *v)
{
    struct wait *w = base_zalloc(sizeof *w, "waits for files");
    *w = (struct wait){.rank = r, .actor = engine_current(r->engine), .volume = v};
    rank_catch_up(r);
    return w;
}

static void count(struct storage_volume *v, struct rank *r, double seconds)
{
    double *all = base_table_add(&v->waits, r->id, NULL);
    *all += seconds;
    v->totals.waited += seconds;
    if (*all > v->totals.longest) {
        v->totals.longest = *all;
        v->totals.longest_rank = r->id;
    }
}

/* `began`: it takes time, and wake will be called. */
static int wait_end(struct wait *w, bool began, const char *call)
{
    struct engine *e = w->rank->engine;
    struct engine_reason why = {call, describe, w};
    double begin = engine_now(e);
    while (began && !w->over)
        engine_block(e, &why);
    int error = w->error;
    if (began)
        count((struct storage_volume *)(uintptr_t)w->volume, w->rank, engine_now(e) - begin);
    free(w);
    return error;
}

int storage_io(struct storage_file *f, enum storage_access how, uint64_t offset, uint64_t bytes)
{
    if (!f || !bytes)
        return 0;
    struct wait *w = wait_make(rank_current, f->inode->volume);
    bool began = storage_io_start(f, how, offset, bytes, wake, w);
    return wait_end(w, began, how == STORAGE_READ ? "reading a file" : "writing a file");
}

int storage_sync(struct storage_file *f)
{
    if (!f)
        return 0;
    struct wait *w = wait_make(rank_current, f->inode->volume);
    return wait_end(w, storage_sync_start(f, wake, w), "fsync");
}

int storage_metadata(struct rank *r, const char *path, enum storage_naming how)
{
    struct storage *s = storage_of(r->job);
    struct storage_volume *v = s ? storage_volume_of(s, r->host, path) : NULL;
    if (!v)
        return 0;
    struct wait *w = wait_make(r, v);
    double begin = engine_now(r->engine);
    bool began = storage_metadata_start(r, path, how, wake, w);
    uint64_t number = began ? storage_trace_naming(s, r, path, how) : 0;
    int error = wait_end(w, began, "an operation on a file's name");
    storage_trace_named(s, r, v, path, number, begin);
    return error;
}
