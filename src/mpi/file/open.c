/* SPDX-License-Identifier: BSD-3-Clause */
/* open: MPI_File_open, _close, _delete (MPI-5.0 sections 14.2.1 to 14.2.3). */
#include "base/output.h"
#include "mpi/file/parts.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a member brings. Its text stays until all have met. */
struct share {
    const char *path;
    int amode;
    mode_t mask;  /* for new files */
    int64_t size; /* of a player: what the trace says */
    int refused;  /* the error class with which its call has failed already; 0: it has not */
};

/* --- names --------------------------------------------------------------------------------------------- */

/* An absolute name, seen from the folder of the rank that calls; NULL with errno. The caller frees it. */
static char *absolute(const char *name)
{
    name = record_path(name);
    if (*name == '/')
        return base_strdup(name);
    char *folder = getcwd(NULL, 0);
    char *path = folder ? base_strfmt("%s/%s", folder, name) : NULL;
    free(folder);
    return path;
}

/* --- opening ------------------------------------------------------------------------------------------- */

static void refuse(struct mpi_opened *o, int class, const char *text)
{
    o->error = class;
    snprintf(o->text, sizeof o->text, "%s", text);
}

static int flags_of(int amode)
{
    int flags = amode & MPI_MODE_RDWR ? O_RDWR : amode & MPI_MODE_WRONLY ? O_WRONLY : O_RDONLY;
    return flags | (amode & MPI_MODE_CREATE ? O_CREAT : 0) | (amode & MPI_MODE_EXCL ? O_EXCL : 0) |
           O_CLOEXEC | O_NOCTTY;
}

/* `mask`: the first member's, which is not the one that calls. */
static void open_real(struct mpi_opened *o, mode_t mask)
{
    struct stat s;
    bool made = o->amode & MPI_MODE_CREATE && stat(o->path, &s) && errno == ENOENT;
    mode_t live = umask(mask);
    o->descriptor = open(o->path, flags_of(o->amode), 0666);
    umask(live);
    if (o->descriptor < 0) {
        int number = errno;
        if (number == EMFILE || number == ENFILE)
            base_open_failed(o->path);
        refuse(o, mpi_host_class(number), strerror(number));
    } else if (!fstat(o->descriptor, &s) && S_ISDIR(s.st_mode)) {
        refuse(o, MPI_ERR_BAD_FILE, strerror(EISDIR));
    }
    if (o->error)
        return;
    char *real = realpath(o->path, NULL);
    if (real) {
        free(o->path);
        o->path = real;
    }
    o->found = made ? MPI_FILE_MADE : mpi_host_size(o);
}

static void open_played(struct mpi_opened *o, int64_t size)
{
    o->found = size;
    o->size = size > 0 ? size : 0;
    if (size < MPI_FILE_MADE)
        refuse(o, MPI_ERR_FILE, "it could not be opened in the recorded run either");
}

static void find_leaders(struct mpi_opened *o, const struct coll_group *members)
{
    struct base_table seen;
    uint32_t last = UINT32_MAX;
    size_t cap = 0;
    base_table_init(&seen, BASE_NUMBERS, 0, "hosts of a file");
    for (uint32_t k = 0; k < members->size; k++) {
        uint32_t host = rank_at(o->job->job, coll_group_rank(members, k))->host;
        bool fresh = false;
        if (host != last)
            base_table_add(&seen, host, &fresh);
        last = host;
        if (!fresh)
            continue;
        if (o->hosts == cap)
            o->leaders = base_array_grow(o->leaders, &cap, o->hosts + 1, sizeof *o->leaders, "files");
        o->leaders[o->hosts++] = k;
    }
    base_table_release(&seen);
}

/* It is opened only if no member's call has failed, and all want the same. */
static void compare(struct mpi_opened *o, const struct mpi_told *told)
{
    char text[100];
    const struct share *first = told->of(told, 0);
    for (uint32_t k = 0; !o->error && k < o->n; k++) {
        const struct share *one = told->of(told, k);
        snprintf(text, sizeof text, "the call of the communicator's rank %u has failed", k);
        if (one->refused)
            refuse(o, one->refused, text);
    }
    for (uint32_t k = 1; !o->error && k < o->n; k++)
        if (((const struct share *)told->of(told, k))->amode != first->amode)
            refuse(o, MPI_ERR_NOT_SAME, "the members pass different access modes");
}

/* The first member's name is the file's: the others' must be names of the same one. */
static void *combine(struct mpi_job *job, struct mpi_told *told)
{
    struct mpi_files *all = mpi_files_of(job);
    const struct share *first = told->of(told, 0);
    struct mpi_opened *o = base_zalloc(sizeof *o, "files");
    *o = (struct mpi_opened){.references = told->members->size,
                             .n = told->members->size,
                             .members = coll_group_retain(told->members),
                             .job = job,
                             .number = ++all->openings,
                             .path = base_strdup(first->path ? first->path : "a file without a name"),
                             .descriptor = -1,
                             .amode = first->amode,
                             .played =
                                 mpi_host_is_played(rank_at(job->job, coll_group_rank(told->members, 0))),
                             .found = MPI_FILE_FAILED,
                             .next = all->first,
                             .link = &all->first};
    if (o->next)
        o->next->link = &o->next;
    all->first = o;
    compare(o, told);
    if (!o->error && o->played)
        open_played(o, first->size);
    else if (!o->error)
        open_real(o, first->mask);
    if (o->amode & MPI_MODE_APPEND && o->found > 0)
        o->pointer = o->found;
    find_leaders(o, told->members);
    return o;
}

static int check_mode(struct mpi_call *c, int amode)
{
    struct mpi_guarded *on = mpi_file_null(c->self);
    const int ways = amode & (MPI_MODE_RDONLY | MPI_MODE_WRONLY | MPI_MODE_RDWR);
    const int all = MPI_MODE_APPEND | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_EXCL |
                    MPI_MODE_RDONLY | MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL | MPI_MODE_UNIQUE_OPEN |
                    MPI_MODE_WRONLY;
    if (amode & ~all || (ways != MPI_MODE_RDONLY && ways != MPI_MODE_WRONLY && ways != MPI_MODE_RDWR))
        return mpi_fail(
            c, on, MPI_ERR_AMODE,
            "the access mode is %d: expected one of MPI_MODE_RDONLY, _WRONLY and _RDWR, and others", amode);
    if (ways == MPI_MODE_RDONLY && amode & (MPI_MODE_CREATE | MPI_MODE_EXCL))
        return mpi_fail(c, on, MPI_ERR_AMODE, "MPI_MODE_RDONLY excludes MPI_MODE_CREATE and MPI_MODE_EXCL");
    if (ways == MPI_MODE_RDWR && amode & MPI_MODE_SEQUENTIAL)
        return mpi_fail(c, on, MPI_ERR_AMODE, "MPI_MODE_RDWR excludes MPI_MODE_SEQUENTIAL");
    return MPI_SUCCESS;
}

static struct mpi_comm *check_comm(struct mpi_call *c, MPI_Comm comm, int *rc)
{
    struct mpi_guarded *on = mpi_file_null(c->self);
    struct mpi_comm *of = mpi_comm_find(c->self, comm);
    if (!of || of->remote)
        *rc = mpi_fail(c, on, MPI_ERR_COMM, "%#lx is no intra-communicator%s", (unsigned long)(uintptr_t)comm,
                       comm == MPI_COMM_NULL ? " (MPI_COMM_NULL)" : "");
    return *rc ? NULL : of;
}

static void tell(struct mpi_call *c, const char *path, int64_t size)
{
    if (c->told && !mpi_host_is_played(c->rank))
        *c->told = (struct mpi_beside){.size = size, .path = base_strdup(path)};
}

static struct mpi_file *create(struct mpi_call *c, struct mpi_comm *built, MPI_Info info)
{
    struct mpi_files *all = mpi_files_of(c->self->job);
    struct mpi_file *f = base_pool_get(&all->files);
    *f = (struct mpi_file){.owner = c->self,
                           .comm = built,
                           .opened = built->space->built,
                           .next = all->members,
                           .link = &all->members};
    if (f->next)
        f->next->link = &f->next;
    all->members = f;
    f->guarded.errhandler = mpi_errhandler_retain(mpi_file_null(c->self)->errhandler);
    f->guarded.about = MPI_ABOUT_FILE;
    mpi_view_open(&f->view, 0);
    f->pointer = f->opened->pointer;
    if (!f->opened->error && storage_of(c->rank->job))
        f->store = storage_file_open(c->rank, f->opened->path, (uint64_t)mpi_host_size(f->opened));
    mpi_file_hint(c, f, info);
    return f;
}

/* Only one member creates the file. */
static int spend_name(struct mpi_call *c, const struct mpi_file *f)
{
    bool creates = f->opened->found == MPI_FILE_MADE && f->comm->me == 0;
    return f->opened->error ? MPI_SUCCESS
                            : mpi_spend_name(c, f->opened->path, creates ? STORAGE_CHANGE : STORAGE_LOOKUP);
}

/* What one member alone may get wrong. The absolute name, which the caller frees; NULL: there is none. */
static char *check_arguments(struct mpi_call *c, const char *filename, int amode, MPI_Info info,
                             const MPI_File *fh, int *rc)
{
    struct mpi_guarded *on = mpi_file_null(c->self);
    char *path = filename ? absolute(filename) : NULL;
    int number = errno;
    if (!fh || !filename)
        *rc = mpi_fail(c, on, fh ? MPI_ERR_BAD_FILE : MPI_ERR_ARG,
                       "the file's name or the place for the file is NULL");
    else if (!path)
        *rc = mpi_fail(c, on, MPI_ERR_BAD_FILE, "%s: %s", filename, strerror(number));
    else if (!(*rc = check_mode(c, amode)))
        *rc = mpi_comm_check_info(c, on, info);
    return path;
}

/* The members meet even if a call fails, and then none has the file. */
int mpi_file_open(struct mpi_call *c, MPI_Comm comm, const char *filename, int amode, MPI_Info info,
                  MPI_File *fh)
{
    int rc = MPI_SUCCESS, late = MPI_SUCCESS;
    struct mpi_comm *of = check_comm(c, comm, &rc);
    if (!of)
        return rc;
    char *path = check_arguments(c, filename, amode, info, fh, &rc);
    struct share mine = {path, amode, umask(0), c->told ? c->told->size : MPI_FILE_FAILED, rc};
    umask(mine.mask);
    struct mpi_comm *built = mpi_comm_build(c, of, &mine, sizeof mine, combine, &late);
    free(path);
    if (!built)
        return rc ? rc : late;
    struct mpi_file *f = create(c, built, rc ? MPI_INFO_NULL : info);
    c->effect = true;
    tell(c, f->opened->path, f->opened->found);
    int name = spend_name(c, f);
    if (f->opened->error || name) {
        if (!rc)
            rc = mpi_fail(c, mpi_file_null(c->self), name ? name : f->opened->error, "%s: %s",
                          f->opened->path, name ? "its volume has failed" : f->opened->text);
        f->closed = true;
        mpi_file_release(f);
        if (fh)
            *fh = MPI_FILE_NULL;
        return rc;
    }
    mpi_file_checked_open(f);
    *fh = MPI_HANDLE(MPI_File, mpi_handle_make(c->self, MPI_KIND_FILE, &f->guarded.object));
    return MPI_SUCCESS;
}

/* --- closing ------------------------------------------------------------------------------------------- */

int mpi_file_close(struct mpi_call *c, MPI_File *fh)
{
    int rc = MPI_SUCCESS;
    if (!fh)
        return mpi_fail(c, mpi_file_null(c->self), MPI_ERR_ARG, "the place of the file is NULL");
    struct mpi_file *f = mpi_file_of(c, *fh, &rc);
    if (!f)
        return rc;
    if (f->split)
        rc = mpi_fail(c, &f->guarded, MPI_ERR_OTHER, "%s: the access that %s began has not been ended",
                      f->opened->path, f->splitter);
    else if (f->accesses > f->left)
        base_warn("misuse/file-in-use",
                  "%s: %u accesses to %s are not complete: expected MPI_Wait or MPI_Test before", c->name,
                  f->accesses - f->left, f->opened->path);
    rank_file_flushed(c->rank, f->checked);
    if ((rc = mpi_turn_agree(c, f, mpi_turn_meet(c, f, rc, NULL), rc)))
        return rc;
    rank_file_closed(c->rank, f->checked);
    if (f->opened->amode & MPI_MODE_DELETE_ON_CLOSE && f->comm->me == 0) {
        rc = mpi_spend_name(c, f->opened->path, STORAGE_CHANGE);
        storage_removed(c->rank, f->opened->path, true);
    }
    mpi_handle_drop(c->self, &f->guarded.object);
    f->closed = true;
    mpi_file_release(f);
    *fh = MPI_FILE_NULL;
    return rc ? mpi_fail(c, mpi_file_null(c->self), rc, "the volume of the file to be deleted has failed")
              : MPI_SUCCESS;
}

/* The absolute path of the file, which is no more; NULL with errno. */
static char *to_delete(const struct mpi_call *c, const char *name)
{
    if (mpi_host_is_played(c->rank))
        return base_strdup(name);
    char *path = realpath(name, NULL);
    if (unlink(name)) {
        int number = errno;
        free(path);
        errno = number;
        return NULL;
    }
    return path ? path : base_strdup(name); /* a link that led nowhere */
}

int mpi_file_delete(struct mpi_call *c, const char *filename, MPI_Info info)
{
    struct mpi_guarded *on = mpi_file_null(c->self);
    int rc = mpi_comm_check_info(c, on, info);
    if (rc)
        return rc;
    if (!filename)
        return mpi_fail(c, on, MPI_ERR_BAD_FILE, "the file's name is NULL");
    char *path = to_delete(c, record_path(filename));
    if (!path)
        return mpi_fail(c, on, mpi_host_class(errno), "%s: %s", filename, strerror(errno));
    tell(c, path, 0);
    c->effect = true;
    if ((rc = mpi_spend_name(c, path, STORAGE_CHANGE)))
        rc = mpi_fail(c, on, rc, "%s: its volume has failed", filename);
    else
        storage_removed(c->rank, path, true);
    free(path);
    return rc;
}
