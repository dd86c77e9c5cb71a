/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: accesses to files (rank/opened.h). A file's bytes have cells of shadow memory like a window's, in spaces of their
 * own, and an access to them is an operation with an end: it is over locally when its call is complete, and remotely
 * when its handle was flushed after that.
 *
 * MPI-5.0 section 14.6.1: two accesses by one handle are ordered if the first is complete when the second begins. By
 * two handles, the first one's flush must also come before the last refresh of the second, by the order of threads.
 * Accesses in atomic mode, by handles of one collective open, need no order; they are atomics of one unit.
 */
#include "check/race/accesses.h"
#include "check/race/operations.h"
#include "check/race/strands.h"

#include <stdlib.h>
#include <string.h>

struct file {
    char *path;
    uint64_t born;               /* the opening that created it; 0: it was there before */
    BASE_ARRAY(uint32_t) spaces; /* one for each 2^SHADOW_PLACE_BITS bytes; 0: not used yet */
};

/* The place of a file among its spaces. */
struct space {
    uint32_t file, part;
    uint64_t used; /* bytes from its beginning on that may have been accessed */
};

struct handle {
    uint32_t file;
    uint64_t opening;
    rank_moment began; /* its rank's at the last refresh; 0: it is closed */
    uint32_t open;     /* ends that no flush has followed yet: a list */
};

struct race_files {
    struct base_table numbers; /* device, inode -> number of the file */
    BASE_ARRAY(struct file) files;
    BASE_ARRAY(struct handle) handles; /* number 0: none */
    BASE_ARRAY(struct space) spaces;   /* the k-th is shadow space FIRST - k */
};

enum { FIRST = SHADOW_SPACES - 2 }; /* the last one is that of copies.c */

/* --- files ---------------------------------------------------------------------------------------------- */

static struct race_files *files_of(struct race *d)
{
    if (d->files)
        return d->files;
    d->files = base_zalloc(sizeof *d->files, "checked files");
    base_table_init(&d->files->numbers, BASE_NUMBERS, sizeof(uint32_t), "checked files");
    BASE_ARRAY_PUSH(&d->files->handles, (struct handle){0});
    return d->files;
}

/* What was done to a file of that number before is forgotten: it is another one now. */
static void renew(struct race *d, struct file *f)
{
    for (size_t k = 0; k < f->spaces.n; k++) {
        uint32_t space = f->spaces.at[k];
        struct space *s = space ? &d->files->spaces.at[FIRST - space] : NULL;
        if (s && s->used)
            shadow_forget(&d->shadow, shadow_key(space, 0), shadow_key(space, s->used));
        if (s)
            s->used = 0;
    }
}

static uint32_t file_of(struct race *d, const struct rank_opening *o)
{
    struct race_files *all = files_of(d);
    bool fresh;
    uint32_t *number =
        base_table_add(&all->numbers, base_hash_fold(o->device) ^ base_hash_fold(~o->inode), &fresh);
    if (fresh) {
        *number = (uint32_t)all->files.n;
        BASE_ARRAY_PUSH(&all->files, (struct file){0});
    }
    struct file *f = &all->files.at[*number];
    if (fresh || (o->created && f->born != o->number)) {
        renew(d, f);
        free(f->path);
        f->path = base_strdup(o->path);
        f->born = o->created ? o->number : 0;
    }
    return *number;
}

/* 0: there are no more. */
static uint32_t space_of(struct race *d, uint32_t file, uint64_t part)
{
    struct race_files *all = d->files;
    struct file *f = &all->files.at[file];
    while (f->spaces.n <= part)
        BASE_ARRAY_PUSH(&f->spaces, 0);
    uint32_t space = FIRST - (uint32_t)all->spaces.n;
    if (!f->spaces.at[part] && space > rank_room(d->job)) {
        f->spaces.at[part] = space;
        BASE_ARRAY_PUSH(&all->spaces, ((struct space){file, (uint32_t)part, 0}));
    }
    return f->spaces.at[part];
}

const char *race_file_of(const struct race *d, uint64_t key, uint64_t *offset)
{
    uint32_t space = shadow_space_of(key);
    if (!d->files || space > FIRST || FIRST - space >= d->files->spaces.n)
        return NULL;
    const struct space *s = &d->files->spaces.at[FIRST - space];
    *offset = ((uint64_t)s->part << SHADOW_PLACE_BITS) + shadow_place_of(key);
    return d->files->files.at[s->file].path;
}

/* --- handles -------------------------------------------------------------------------------------------- */

static struct handle *at(const struct race *d, uint32_t handle)
{
    return &d->files->handles.at[handle];
}

static void refreshed(struct rank *r, uint32_t handle)
{
    struct race *d = race_checked;
    (void)r;
    race_moment_forget(d, at(d, handle)->began);
    at(d, handle)->began = race_release(d, race_strand_now(d));
}

static uint32_t opened(struct rank *r, const struct rank_opening *o)
{
    struct race *d = race_checked;
    uint32_t file = file_of(d, o), handle = (uint32_t)d->files->handles.n;
    BASE_ARRAY_PUSH(&d->files->handles, ((struct handle){.file = file, .opening = o->number}));
    refreshed(r, handle);
    return handle;
}

static void flushed(struct rank *r, uint32_t handle)
{
    struct race *d = race_checked;
    const struct race_strand *s = race_strand_now(d);
    uint32_t place = race_place_of_call(d, r, rank_call_of(r->call)), *link = &at(d, handle)->open;
    for (uint32_t k; (k = *link);) {
        struct race_end *e = &d->ends.at[k];
        if (!e->local.count) {
            link = &e->next;
            continue;
        }
        *link = e->next;
        e->next = 0;
        race_end_remote(d, k, s, place);
    }
}

/* Also at the end of a rank that has not closed it. */
static void closed(struct rank *r, uint32_t handle)
{
    struct race *d = race_checked;
    (void)r;
    race_moment_forget(d, at(d, handle)->began);
    at(d, handle)->began = 0;
}

/* --- accesses ------------------------------------------------------------------------------------------- */

static enum race_kind kind_of(const struct rank_stretch *s)
{
    if (s->atomic)
        return s->how == RANK_WRITES ? RACE_UPDATE : RACE_FETCH;
    return s->how == RANK_WRITES ? RACE_WRITE : RACE_READ;
}

/* The access of an action, made with its first stretch. */
static uint32_t access_of(struct race *d, uint32_t action, uint32_t handle, const struct rank_stretch *s)
{
    struct race_end e = d->ends.at[action];
    if (e.also)
        return d->ends.at[e.also].access[0];
    uint32_t end = race_end_create(d, &(struct race_end){.strand = e.strand,
                                                         .count = e.count,
                                                         .place = e.place,
                                                         .origin = RACE_NOBODY,
                                                         .alone = true,
                                                         .handle = handle,
                                                         .next = at(d, handle)->open});
    at(d, handle)->open = d->ends.at[action].also = end;
    d->counts.files++;
    return d->ends.at[end].access[0] =
               race_access_add(d, &(struct race_access){.strand = e.strand,
                                                        .count = e.count,
                                                        .place = e.place,
                                                        .end = end,
                                                        .unit = (uint32_t)at(d, handle)->opening,
                                                        .kind = (uint8_t)kind_of(s),
                                                        .remote = true});
}

static void uses(uint64_t action, uint32_t handle, const struct rank_stretch *s)
{
    struct race *d = race_checked;
    const uint64_t size = UINT64_C(1) << SHADOW_PLACE_BITS, end = s->offset + s->bytes;
    uint32_t id = access_of(d, (uint32_t)action, handle, s);
    d->value.bytes = 0;
    for (uint64_t low = s->offset, next; low < end; low = next) {
        uint32_t space = space_of(d, at(d, handle)->file, low / size);
        uint64_t from = low % size, to = end - low < size - from ? from + (end - low) : size;
        next = low + (to - from);
        if (!space)
            continue;
        struct space *part = &d->files->spaces.at[FIRST - space];
        part->used = to > part->used ? to : part->used;
        race_apply_key(d, id, shadow_key(space, from), shadow_key(space, from) + (to - from), true);
    }
}

const struct rank_file_checker race_file_table = {
    .opened = opened, .closed = closed, .flushed = flushed, .refreshed = refreshed, .uses = uses};

/* --- order ---------------------------------------------------------------------------------------------- */

bool race_file_over(struct race *d, const struct race_end *e, const struct race_access *b)
{
    uint32_t handle = d->ends.at[b->end].handle;
    if (e->handle == handle)
        return e->local.count && race_knows(race_strand_now(d), e->local.strand, e->local.count);
    return e->remote.count && race_moment_knows(d, at(d, handle)->began, e->remote.strand, e->remote.count);
}

enum finding_kind race_file_kind(struct race *d, const struct race_access *a, const struct race_access *b)
{
    const struct race_end *e = &d->ends.at[a->end];
    bool knows = e->local.count && race_knows(race_strand_now(d), e->local.strand, e->local.count);
    (void)b;
    return knows ? FINDING_FILE_SYNC : FINDING_FILE;
}

bool race_files_together(const struct race *d, const struct race_end *a, const struct race_end *b)
{
    return at(d, a->handle)->opening == at(d, b->handle)->opening;
}

/* --- the end -------------------------------------------------------------------------------------------- */

/* They are not to be flushed any more. */
void race_files_drop(struct race *d, const bool *end)
{
    for (size_t k = 0; d->files && k < d->files->handles.n; k++)
        for (uint32_t *link = &d->files->handles.at[k].open; *link;) {
            struct race_end *e = &d->ends.at[*link];
            if (end[*link] || !e->local.count) {
                link = &e->next;
                continue;
            }
            e->remote = e->local;
            *link = e->next;
            e->next = 0;
        }
}

void race_files_release(struct race *d)
{
    struct race_files *all = d->files;
    if (!all)
        return;
    for (size_t k = 0; k < all->handles.n; k++)
        race_moment_forget(d, all->handles.at[k].began);
    for (size_t k = 0; k < all->files.n; k++) {
        free(all->files.at[k].path);
        free(all->files.at[k].spaces.at);
    }
    base_table_release(&all->numbers);
    free(all->files.at);
    free(all->handles.at);
    free(all->spaces.at);
    free(all);
    d->files = NULL;
}
