/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * posix_call: what ranks asked of files outside of MPI (record/posix.def), asked again of storage/. Nothing is read or
 * written: a player has no files but their names and sizes.
 */
#include "replay/player.h"
#include "storage/storage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The parts of the action that is played, as long as the rank does not wait. */
struct asked {
    uint32_t function;
    const struct record_function *f;
    struct record_part part[RECORD_PARAMS];
};

static _Noreturn void wrong(const struct replay_job *j, const struct rank *r, const struct asked *x,
                            const char *expected)
{
    base_fatal(BASE_EXIT_INPUT, "%s: rank %" PRIu32 ", line %" PRIu32 ": %s, %s: expected %s",
               replay_world_of(j, r)->path, replay_world_place(replay_world_of(j, r), r->id),
               replay_player_of(j, r)->line, x->f->name, x->f->param[0].name, expected);
}

static char *text_of(const struct record_part *part)
{
    char *text = base_alloc((size_t)part->n + 1, "names of files");
    for (int64_t k = 0; k < part->n; k++)
        text[k] = (char)part->at[k];
    text[part->n] = '\0';
    return text;
}

/* --- files ---------------------------------------------------------------------------------------------- */

/* A file that belongs to nothing that takes time has the handle NULL, so a number alone tells whether it was opened. */
static struct storage_file *file_of(const struct replay_job *j, const struct rank *r, const struct asked *x)
{
    const struct replay_handles *h = *replay_handles_at(j, r);
    size_t number = (size_t)x->part[0].at[0];
    if (h && number < h->files.n)
        return h->files.at[number];
    wrong(j, r, x, "a file that posix_open has named before");
}

static void open_file(const struct replay_job *j, struct rank *r, const struct asked *x)
{
    struct replay_handles **h = replay_handles_at(j, r);
    size_t number = (size_t)x->part[0].at[0];
    char *path = text_of(&x->part[1]);
    if (!*h)
        *h = base_zalloc(sizeof **h, "handles of a trace");
    while ((*h)->files.n <= number)
        BASE_ARRAY_PUSH(&(*h)->files, NULL);
    storage_file_close((*h)->files.at[number]);
    (*h)->files.at[number] = storage_file_open(r, path, (uint64_t)x->part[2].at[0]);
    free(path);
}

void replay_posix_end(struct replay_handles *h)
{
    if (!h)
        return;
    for (size_t k = 0; k < h->files.n; k++)
        storage_file_close(h->files.at[k]);
    h->files.n = 0;
}

/* What another platform keeps apart is another file there. */
static void name_file(struct rank *r, const struct asked *x)
{
    char *from = text_of(&x->part[0]), *to = text_of(&x->part[1]);
    bool apart = storage_apart(r, from, to);
    int64_t last = x->part[2].at[0];
    if (!apart && x->function == RECORD_POSIX_RENAME)
        storage_renamed(r, from, to, last != 0);
    else if (!apart)
        storage_linked(r, from, to, (uint64_t)last);
    free(from);
    free(to);
}

static void change_file(struct rank *r, const struct asked *x)
{
    char *path = text_of(&x->part[0]);
    if (x->function == RECORD_POSIX_REMOVE)
        storage_removed(r, path, x->part[1].at[0] != 0);
    else
        (void)storage_truncated(r, path, (uint64_t)x->part[1].at[0], (uint64_t)x->part[2].at[0]);
    free(path);
}

static void say_extent(const struct replay_job *j, struct rank *r, const struct asked *x)
{
    char *representation = text_of(&x->part[0]);
    if (!mpi_play_extent(r, representation, x->part[1].at[0], x->part[2].at[0]))
        wrong(j, r, x, "one that MPI_Register_datarep has named before");
    free(representation);
}

/* --- what takes time ------------------------------------------------------------------------------------ */

/* What the rank waits for. */
struct request {
    uint32_t function; /* RECORD_FUNCTIONS: nothing */
    struct storage_file *file;
    char *path; /* of an operation on a name; to be freed */
    uint64_t offset, bytes;
};

/* In a function of its own, so that little is on the frames with which the rank waits. */
static __attribute__((noinline)) struct request prepare(struct replay_job *j, struct rank *r)
{
    const struct replay_action *a = &j->action;
    struct asked x = {.function = a->number, .f = record_function_of(a->number)};
    struct request q = {.function = a->number};
    if (!record_parts(x.f, a->counts, a->n, x.part))
        base_fatal(BASE_EXIT_BUG, "words of %s", x.f->name);
    switch ((enum record_posix_number)x.function) {
    case RECORD_POSIX_READ:
    case RECORD_POSIX_WRITE:
        q.offset = (uint64_t)x.part[1].at[0];
        q.bytes = (uint64_t)x.part[2].at[0];
        q.file = file_of(j, r, &x);
        return q;
    case RECORD_POSIX_SYNC:
        q.file = file_of(j, r, &x);
        return q;
    case RECORD_POSIX_LOOKUP:
    case RECORD_POSIX_CHANGE:
        q.path = text_of(&x.part[0]);
        return q;
    case RECORD_POSIX_OPEN:
        open_file(j, r, &x);
        break;
    case RECORD_POSIX_RESIZE:
        (void)storage_file_resize(file_of(j, r, &x), (uint64_t)x.part[1].at[0]);
        break;
    case RECORD_POSIX_REMOVE:
    case RECORD_POSIX_TRUNCATE:
        rank_catch_up(r);
        change_file(r, &x);
        break;
    case RECORD_POSIX_RENAME:
    case RECORD_POSIX_LINK:
        rank_catch_up(r);
        name_file(r, &x);
        break;
    default:
        say_extent(j, r, &x);
    }
    q.function = RECORD_FUNCTIONS;
    return q;
}

/* As in the run, where an error is the program's: a full disk here fails a write that went well there, and takes no time. */
static void ask(struct rank *r, const struct request *q)
{
    switch ((enum record_posix_number)q->function) {
    case RECORD_POSIX_READ:
    case RECORD_POSIX_WRITE:
        (void)storage_io(q->file, q->function == RECORD_POSIX_READ ? STORAGE_READ : STORAGE_WRITE, q->offset,
                         q->bytes);
        return;
    case RECORD_POSIX_SYNC:
        (void)storage_sync(q->file);
        return;
    default:
        (void)storage_metadata(r, q->path,
                               q->function == RECORD_POSIX_LOOKUP ? STORAGE_LOOKUP : STORAGE_CHANGE);
    }
}

void replay_posix_call(struct replay_job *j, struct rank *r)
{
    struct request q = prepare(j, r);
    j->counts.calls++;
    if (q.function == RECORD_FUNCTIONS)
        return;
    /* Meanwhile the rank is outside of its communication library. */
    rank_catch_up(r);
    if (r->serves)
        rank_away_begin(r);
    ask(r, &q);
    if (r->serves)
        rank_away_end(r);
    free(q.path);
}
