/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cost: which file of storage/ a number means, and what its calls pay. A file is known by its descriptor for as long
 * as this leads to the same file, which each call asks anyway: nobody tells when a descriptor is closed.
 */
#include "fold/io/cost.h"

#include "base/table.h"
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool io_costs;

/* By descriptor. */
struct known {
    struct storage_file *file; /* NULL: it takes no time */
    dev_t device;
    ino_t inode;
    uint32_t rank;
    int number; /* under which a recorder knows it */
    bool valid;
    uint64_t grown; /* its size when the last write through it had taken its room */
};
static struct base_table known;

void io_cost_begin(const struct base_settings *settings)
{
    io_costs = base_settings_flag(settings, "io/posix");
    base_table_init(&known, BASE_NUMBERS, sizeof(struct known), "files that take time");
}

/* The job's storage, which has the handles, may be gone already. */
void io_cost_end(void)
{
    base_table_release(&known);
    io_costs = false;
}

struct rank *io_payer(void)
{
    struct rank *r = rank_current;
    bool asked = io_costs && (storage_is_noted() || (r && storage_of(r->job)));
    return r && asked && !io_is_child() ? r : NULL;
}

/* --- which file --------------------------------------------------------------------------------------------- */

bool io_path_of(int descriptor, char path[PATH_MAX])
{
    char link[48];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t n = readlink(link, path, PATH_MAX - 1);
    if (n <= 0)
        return false;
    path[n] = 0;
    return *path == '/';
}

static void tell_open(struct rank *r, struct known *k, int number, const struct stat *s, const char *path)
{
    k->number = number;
    storage_note(r, &(struct storage_noted){STORAGE_NOTES_OPEN, path, NULL, number, 0, s->st_size});
}

/* The same file, which the rank may have under another number now. */
static struct known *again(struct rank *r, struct known *k, int number, const struct stat *s, int descriptor)
{
    char path[PATH_MAX];
    if (BASE_UNLIKELY(storage_is_noted()) && k->number != number && io_path_of(descriptor, path))
        tell_open(r, k, number, s, path);
    return k;
}

static void forget(struct known *k)
{
    if (k->valid)
        storage_file_close(k->file);
    k->valid = false;
}

/* The file behind a number of r, if it is a regular one that takes time, or a recorder is told of it. */
static struct known *file_of(struct rank *r, int number, struct stat *s, int *descriptor)
{
    char path[PATH_MAX];
    const struct files_entry *e = io_entry(r, number);
    if (!e || e->nature != FILES_DISK || e->kind != FILES_OWN)
        return NULL;
    *descriptor = e->descriptor;
    if (fstat(e->descriptor, s) || !S_ISREG(s->st_mode))
        return NULL;
    struct known *k = base_table_add(&known, (uint64_t)e->descriptor, NULL);
    if (k->valid && k->device == s->st_dev && k->inode == s->st_ino && k->rank == r->id)
        return k->file || storage_is_noted() ? again(r, k, number, s, e->descriptor) : NULL;
    forget(k);
    *k = (struct known){.device = s->st_dev, .inode = s->st_ino, .rank = r->id, .number = -1, .valid = true};
    if (!io_path_of(e->descriptor, path))
        return NULL;
    k->file = storage_file_open(r, path, (uint64_t)s->st_size);
    tell_open(r, k, number, s, path);
    return k->file || storage_is_noted() ? k : NULL;
}

/* --- paying --------------------------------------------------------------------------------------------------- */

struct paying {
    struct rank *rank;
    struct storage_told told;   /* to traces */
    struct storage_noted noted; /* to recorders */
};

/* The rank is not in its communication library while it waits, and it serves no arrivals. */
static void enter(struct paying *p)
{
    struct rank *r = p->rank;
    libc_enter(r);
    storage_note(r, &p->noted);
    if (BASE_UNLIKELY(r->serves))
        rank_away_begin(r);
    if (p->told.path) /* else it takes no time */
        storage_tell_begin(r, &p->told);
}

static void leave(const struct paying *p)
{
    struct rank *r = p->rank;
    storage_tell_end(r, &p->told);
    if (BASE_UNLIKELY(r->serves))
        rank_away_end(r);
    libc_leave(r);
}

static int result(int before, int error)
{
    errno = error ? error : before;
    return error ? -1 : 0;
}

int io_pay_now(int number, enum storage_access how, int64_t at, size_t size)
{
    int before = errno, descriptor;
    struct rank *r = io_payer();
    struct stat s;
    struct known *k = r ? file_of(r, number, &s, &descriptor) : NULL;
    if (!k)
        return result(before, 0);
    bool appends = how == STORAGE_WRITE && fcntl(descriptor, F_GETFL) & O_APPEND;
    if (appends)
        at = s.st_size;
    else if (at == IO_HERE)
        at = lseek(descriptor, 0, SEEK_CUR);
    if (at < 0)
        return result(before, 0);
    if (how == STORAGE_READ && size > (uint64_t)(s.st_size > at ? s.st_size - at : 0))
        size = (size_t)(s.st_size > at ? s.st_size - at : 0);
    bool reads = how == STORAGE_READ;
    k->grown = storage_file_size(k->file);
    if (!reads && (uint64_t)at + size > k->grown)
        k->grown = (uint64_t)at + size;
    struct paying p = {r,
                       {.call = reads ? "read" : "write",
                        .path = storage_file_path(k->file),
                        .offset = (uint64_t)at,
                        .bytes = size,
                        .span = size,
                        .kind = reads ? TRACE_KIND_READ : TRACE_KIND_WRITE},
                       {.what = reads ? STORAGE_NOTES_READ : STORAGE_NOTES_WRITE,
                        .file = number,
                        .offset = at,
                        .bytes = (int64_t)size}};
    enter(&p);
    int error = storage_io(k->file, how, (uint64_t)at, size);
    leave(&p);
    return result(before, error);
}

int io_pay_vector(int number, enum storage_access how, int64_t at, const struct iovec *v, int n)
{
    size_t size = 0;
    if (!io_costs)
        return 0;
    for (int k = 0; k < n && n <= IOV_MAX; k++)
        size += v[k].iov_len;
    return io_pay_now(number, how, at, size);
}

int io_pay_sync(int number)
{
    int before = errno, descriptor;
    struct rank *r = io_costs ? io_payer() : NULL;
    struct stat s;
    const struct known *k = r ? file_of(r, number, &s, &descriptor) : NULL;
    if (!k)
        return result(before, 0);
    struct paying p = {r,
                       {.call = "fsync", .path = storage_file_path(k->file), .kind = TRACE_KIND_FILE},
                       {.what = STORAGE_NOTES_SYNC, .file = number}};
    enter(&p);
    int error = storage_sync(k->file);
    leave(&p);
    return result(before, error);
}

void io_pay_named(struct rank *r, const char *path, enum storage_naming how)
{
    bool looks = how == STORAGE_LOOKUP;
    struct paying p = {
        r,
        {.call = looks ? "looking a name up" : "changing a name", .path = path, .kind = TRACE_KIND_FILE},
        {.what = looks ? STORAGE_NOTES_LOOKUP : STORAGE_NOTES_CHANGE, .path = path}};
    enter(&p);
    (void)storage_metadata(r, path, how);
    leave(&p);
}

static int resize(struct rank *r, const struct known *k, int number, int64_t size)
{
    storage_note(r, &(struct storage_noted){.what = STORAGE_NOTES_RESIZE, .file = number, .bytes = size});
    return storage_file_resize(k->file, (uint64_t)size);
}

/* Unless others have written behind it meanwhile. */
void io_give_back(int number)
{
    int before = errno, descriptor;
    struct rank *r = io_payer();
    struct stat s;
    const struct known *k = r ? file_of(r, number, &s, &descriptor) : NULL;
    uint64_t size = k ? storage_file_size(k->file) : 0;
    if (k && size == k->grown && (uint64_t)s.st_size < size)
        (void)resize(r, k, number, s.st_size);
    errno = before;
}

int io_resize(int number, int64_t size)
{
    int before = errno, descriptor = io_descriptor(number);
    char path[PATH_MAX];
    struct rank *r = io_costs && size >= 0 ? io_payer() : NULL;
    struct stat s;
    const struct known *k = r ? file_of(r, number, &s, &descriptor) : NULL;
    if (k && io_path_of(descriptor, path)) {
        io_pay_named(r, path, STORAGE_CHANGE);
        k = file_of(r, number, &s, &descriptor);
    }
    int error = k ? storage_room(k->file, 0, (uint64_t)size) : 0;
    if (result(before, error) || ftruncate(descriptor, size))
        return -1;
    if (k)
        (void)resize(r, k, number, size);
    return 0;
}

static int allocate(int descriptor, int mode, int64_t at, int64_t size)
{
    if (mode != IO_POSIX)
        return fallocate(descriptor, mode, at, size);
    return result(errno, posix_fallocate(descriptor, at, size));
}

int io_allocate(int number, int mode, int64_t at, int64_t size)
{
    int before = errno, descriptor = io_descriptor(number);
    int64_t end = 0;
    bool extends = (mode == 0 || mode == IO_POSIX) && !__builtin_add_overflow(at, size, &end) && end > 0;
    struct rank *r = io_costs && extends ? io_payer() : NULL;
    struct stat s;
    const struct known *k = r ? file_of(r, number, &s, &descriptor) : NULL;
    if (result(before, k ? storage_room(k->file, 0, (uint64_t)end) : 0) ||
        allocate(descriptor, mode, at, size))
        return -1;
    if (k && end > (k->file ? (int64_t)storage_file_size(k->file) : (int64_t)s.st_size))
        (void)resize(r, k, number, end);
    return 0;
}

/* Bytes from a position on that a copy finds there: up to a file's end, or what a pipe has. */
static size_t left(struct rank *r, int number, int64_t at, size_t n)
{
    const struct files_entry *e = io_entry(r, number);
    struct stat s;
    int ready = 0;
    if (!e || fstat(e->descriptor, &s))
        return 0;
    if (!S_ISREG(s.st_mode))
        return ioctl(e->descriptor, FIONREAD, &ready) || (size_t)ready > n ? n : (size_t)ready;
    if (at == IO_HERE)
        at = lseek(e->descriptor, 0, SEEK_CUR);
    uint64_t rest = at >= 0 && s.st_size > at ? (uint64_t)(s.st_size - at) : 0;
    return rest < n ? (size_t)rest : n;
}

int io_pay_copy(int from, const int64_t *from_at, int to, const int64_t *to_at, size_t n)
{
    int before = errno;
    struct rank *r = io_costs ? io_payer() : NULL;
    if (!r)
        return 0;
    n = left(r, from, from_at ? *from_at : IO_HERE, n);
    errno = before;
    return io_pay_now(from, STORAGE_READ, from_at ? *from_at : IO_HERE, n) ||
                   io_pay_now(to, STORAGE_WRITE, to_at ? *to_at : IO_HERE, n)
               ? -1
               : 0;
}

/* Its pages are read and written when the system wants to, without a call. */
void io_pay_map(int number)
{
    int before = errno, descriptor;
    struct rank *r = io_costs ? io_payer() : NULL;
    struct stat s;
    const struct known *k = r ? file_of(r, number, &s, &descriptor) : NULL;
    if (k && k->file)
        base_warn("not-modelled/mapped-files", "mmap of a file: what is read and written through memory "
                                               "takes no simulated time");
    errno = before;
}

void io_pay_open(int number, bool made, bool truncated)
{
    char path[PATH_MAX];
    int before = errno, descriptor = -1;
    struct rank *r = io_costs ? io_payer() : NULL;
    struct stat s = {0};
    if (r) /* the system may have given the file the number of one that is gone */
        forget(base_table_add(&known, (uint64_t)io_descriptor(number), NULL));
    const struct known *k = r ? file_of(r, number, &s, &descriptor) : NULL;
    if (k && truncated)
        (void)resize(r, k, number, 0);
    if ((k || S_ISDIR(s.st_mode)) && io_path_of(descriptor, path))
        io_pay_named(r, path, made || truncated ? STORAGE_CHANGE : STORAGE_LOOKUP);
    errno = before;
}
