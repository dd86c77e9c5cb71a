/* SPDX-License-Identifier: BSD-3-Clause */
/* call_files: Linux's calls about files. Paths are relative to the process's own folder. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "riscv/program/internal.h"

static const char *path_at(const struct riscv_process *x, uint64_t address)
{
    return riscv_memory_text(x, address, PATH_MAX);
}

/* The folder that a path is relative to; -1: no such descriptor. */
static int folder_of(const struct riscv_process *x, uint64_t fd)
{
    return (int32_t)fd == AT_FDCWD ? x->folder : riscv_file_host(x, (uint32_t)fd);
}

static int64_t result(int64_t n)
{
    return n < 0 ? -errno : n;
}

/* Runs `body` with the host's folder and path of the arguments a[0] and a[1]. */
#define WITH_PATH(body)                                                                                      \
    do {                                                                                                     \
        const char *path = path_at(x, a[1]);                                                                 \
        int folder = folder_of(x, a[0]);                                                                     \
        if (!path)                                                                                           \
            return -EFAULT;                                                                                  \
        if (folder < 0 && folder != AT_FDCWD && *path != '/')                                                \
            return -EBADF;                                                                                   \
        return body;                                                                                         \
    } while (0)

static int64_t open_at(struct riscv_process *x, int folder, const char *path, const uint64_t *a)
{
    int host = openat(folder, path, riscv_file_flags(a[2]) | O_CLOEXEC, (mode_t)a[3] & 07777);
    return riscv_file_add(x, host, 0, a[2] & 02000000);
}

int64_t riscv_call_openat(struct riscv_process *x, const uint64_t *a)
{
    WITH_PATH(open_at(x, folder, path, a));
}

int64_t riscv_call_mkdirat(struct riscv_process *x, const uint64_t *a)
{
    WITH_PATH(result(mkdirat(folder, path, (mode_t)a[2] & 07777)));
}

int64_t riscv_call_unlinkat(struct riscv_process *x, const uint64_t *a)
{
    WITH_PATH(result(unlinkat(folder, path, (int)a[2])));
}

/* rename() of glibc for RV64, which has no renameat. */
int64_t riscv_call_renameat2(struct riscv_process *x, const uint64_t *a)
{
    const char *to = path_at(x, a[3]);
    int there = folder_of(x, a[2]);
    if (!to)
        return -EFAULT;
    if (there < 0 && there != AT_FDCWD && *to != '/')
        return -EBADF;
    WITH_PATH(result(renameat2(folder, path, there, to, (unsigned)a[4])));
}

int64_t riscv_call_faccessat(struct riscv_process *x, const uint64_t *a)
{
    WITH_PATH(result(faccessat(folder, path, (int)a[2] & 7, 0)));
}

int64_t riscv_call_faccessat2(struct riscv_process *x, const uint64_t *a)
{
    return riscv_call_faccessat(x, a);
}

/* Programs ask for their own path there. */
static int64_t read_link(struct riscv_process *x, int folder, const char *path, const uint64_t *a)
{
    char *to = riscv_memory_at(x, a[2], a[3], RISCV_WRITE);
    if (!to || !a[3] || a[3] > INT_MAX)
        return to && a[3] <= INT_MAX ? -EINVAL : -EFAULT;
    if (strcmp(path, "/proc/self/exe"))
        return result(readlinkat(folder, path, to, a[3]));
    size_t n = strlen(x->program->path);
    n = n < a[3] ? n : a[3];
    memcpy(to, x->program->path, n);
    return (int64_t)n;
}

int64_t riscv_call_readlinkat(struct riscv_process *x, const uint64_t *a)
{
    WITH_PATH(read_link(x, folder, path, a));
}

int64_t riscv_call_chdir(struct riscv_process *x, const uint64_t *a)
{
    const char *path = path_at(x, a[0]);
    if (!path)
        return -EFAULT;
    int folder = openat(x->folder, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -errno;
    if (x->folder >= 0)
        close(x->folder);
    x->folder = folder;
    return 0;
}

int64_t riscv_call_getcwd(struct riscv_process *x, const uint64_t *a)
{
    char *to = riscv_memory_at(x, a[0], a[1], RISCV_WRITE), name[40], path[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", x->folder);
    ssize_t n = x->folder < 0 ? (getcwd(path, sizeof path) ? (ssize_t)strlen(path) : -1)
                              : readlink(name, path, sizeof path - 1);
    if (!to || n < 0)
        return to ? -errno : -EFAULT;
    if ((uint64_t)n + 1 > a[1])
        return -ERANGE;
    memcpy(to, path, (size_t)n);
    to[n] = 0;
    return n + 1;
}

/* --- status --------------------------------------------------------------------------------------------- */

/* struct stat of asm-generic. */
struct their_stat {
    uint64_t dev, ino;
    uint32_t mode, nlink, uid, gid;
    uint64_t rdev, gap;
    int64_t size;
    int32_t block_size, gap2;
    int64_t blocks;
    uint64_t atime, atime_ns, mtime, mtime_ns, ctime, ctime_ns, gap3;
};

static int64_t give_stat(struct riscv_process *x, uint64_t address, int failed, const struct stat *s)
{
    struct their_stat *to = riscv_memory_at(x, address, sizeof *to, RISCV_WRITE);
    if (failed || !to)
        return failed ? -errno : -EFAULT;
    const struct their_stat t = {.dev = s->st_dev,
                                 .ino = s->st_ino,
                                 .mode = s->st_mode,
                                 .nlink = (uint32_t)s->st_nlink,
                                 .uid = s->st_uid,
                                 .gid = s->st_gid,
                                 .rdev = s->st_rdev,
                                 .size = s->st_size,
                                 .block_size = (int32_t)s->st_blksize,
                                 .blocks = s->st_blocks,
                                 .atime = (uint64_t)s->st_atim.tv_sec,
                                 .atime_ns = (uint64_t)s->st_atim.tv_nsec,
                                 .mtime = (uint64_t)s->st_mtim.tv_sec,
                                 .mtime_ns = (uint64_t)s->st_mtim.tv_nsec,
                                 .ctime = (uint64_t)s->st_ctim.tv_sec,
                                 .ctime_ns = (uint64_t)s->st_ctim.tv_nsec};
    memcpy(to, &t, sizeof t);
    return 0;
}

/* An output of a rank is a pipe to whoever prints it: the same whatever the output of pgasim is. */
static int64_t stat_open(struct riscv_process *x, uint64_t fd, uint64_t address)
{
    struct stat s = {.st_mode = S_IFIFO | 0600, .st_nlink = 1, .st_blksize = RISCV_PAGE};
    int host = riscv_file_host(x, fd);
    if (host < 0)
        return -EBADF;
    return give_stat(x, address, riscv_file_output(x, fd) ? 0 : fstat(host, &s), &s);
}

int64_t riscv_call_fstat(struct riscv_process *x, const uint64_t *a)
{
    return stat_open(x, a[0], a[1]);
}

static int64_t stat_at(struct riscv_process *x, int folder, const char *path, const uint64_t *a)
{
    struct stat s = {0};
    if (!*path && a[3] & AT_EMPTY_PATH && (int32_t)a[0] != AT_FDCWD)
        return stat_open(x, a[0], a[2]);
    int flags = (int)a[3] & (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH);
    return give_stat(x, a[2], fstatat(folder, path, &s, flags), &s);
}

int64_t riscv_call_newfstatat(struct riscv_process *x, const uint64_t *a)
{
    WITH_PATH(stat_at(x, folder, path, a));
}

/* --- open files ----------------------------------------------------------------------------------------- */

int64_t riscv_call_close(struct riscv_process *x, const uint64_t *a)
{
    return riscv_file_close(x, a[0]);
}

int64_t riscv_call_read(struct riscv_process *x, const uint64_t *a)
{
    return riscv_file_read(x, a[0], a[1], a[2]);
}

int64_t riscv_call_write(struct riscv_process *x, const uint64_t *a)
{
    return riscv_file_write(x, a[0], a[1], a[2]);
}

/* Piece by piece: a piece that is not whole ends the call. */
static int64_t pieces(struct riscv_process *x, const uint64_t *a,
                      int64_t (*move)(struct riscv_process *, uint64_t, uint64_t, uint64_t))
{
    const uint64_t *piece = a[2] <= IOV_MAX ? riscv_memory_at(x, a[1], a[2] * 16, RISCV_READ) : NULL;
    int64_t done = 0;
    if (!piece)
        return a[2] <= IOV_MAX ? -EFAULT : -EINVAL;
    for (uint64_t k = 0; k < a[2]; k++) {
        uint64_t where[2];
        memcpy(where, (const char *)piece + 16 * k, sizeof where);
        int64_t n = where[1] ? move(x, a[0], where[0], where[1]) : 0;
        if (n < 0)
            return done ? done : n;
        done += n;
        if ((uint64_t)n < where[1])
            break;
    }
    return done;
}

int64_t riscv_call_readv(struct riscv_process *x, const uint64_t *a)
{
    return pieces(x, a, riscv_file_read);
}

int64_t riscv_call_writev(struct riscv_process *x, const uint64_t *a)
{
    return pieces(x, a, riscv_file_write);
}

static int file_of(const struct riscv_process *x, uint64_t fd)
{
    return riscv_file_output(x, fd) ? -1 : riscv_file_host(x, fd);
}

int64_t riscv_call_pread64(struct riscv_process *x, const uint64_t *a)
{
    int host = file_of(x, a[0]);
    void *to = riscv_memory_at(x, a[1], a[2], RISCV_WRITE);
    if (host < 0 || !to)
        return host < 0 ? -EBADF : -EFAULT;
    return result(pread(host, to, a[2], (off_t)a[3]));
}

int64_t riscv_call_pwrite64(struct riscv_process *x, const uint64_t *a)
{
    int host = file_of(x, a[0]);
    const void *from = riscv_memory_at(x, a[1], a[2], RISCV_READ);
    if (host < 0 || !from)
        return host < 0 ? -EBADF : -EFAULT;
    return result(pwrite(host, from, a[2], (off_t)a[3]));
}

int64_t riscv_call_lseek(struct riscv_process *x, const uint64_t *a)
{
    int host = riscv_file_host(x, a[0]);
    if (riscv_file_output(x, a[0]))
        return -ESPIPE;
    return host < 0 ? -EBADF : result(lseek(host, (off_t)a[1], (int)a[2]));
}

int64_t riscv_call_ftruncate(struct riscv_process *x, const uint64_t *a)
{
    int host = file_of(x, a[0]);
    return host < 0 ? -EBADF : result(ftruncate(host, (off_t)a[1]));
}

int64_t riscv_call_fsync(struct riscv_process *x, const uint64_t *a)
{
    int host = file_of(x, a[0]);
    return host < 0 ? -EINVAL : result(fsync(host));
}

int64_t riscv_call_getdents64(struct riscv_process *x, const uint64_t *a)
{
    int host = file_of(x, a[0]);
    void *to = riscv_memory_at(x, a[1], a[2], RISCV_WRITE);
    if (host < 0 || !to)
        return host < 0 ? -EBADF : -EFAULT;
    return result(syscall(SYS_getdents64, host, to, (unsigned)(a[2] < 65536 ? a[2] : 65536)));
}

int64_t riscv_call_dup(struct riscv_process *x, const uint64_t *a)
{
    return riscv_file_dup(x, a[0], UINT64_C(1) << 32, false);
}

int64_t riscv_call_dup3(struct riscv_process *x, const uint64_t *a)
{
    return a[0] == a[1] ? -EINVAL : riscv_file_dup(x, a[0], (uint32_t)a[1], a[2] & 02000000);
}

int64_t riscv_call_pipe2(struct riscv_process *x, const uint64_t *a)
{
    int host[2];
    int32_t *to = riscv_memory_at(x, a[0], 8, RISCV_WRITE);
    if (!to || pipe2(host, (riscv_file_flags(a[1]) & O_NONBLOCK) | O_CLOEXEC))
        return to ? -errno : -EFAULT;
    int64_t in = riscv_file_add_pipe(x, host[0], a[1] & 02000000);
    int64_t out = riscv_file_add_pipe(x, host[1], a[1] & 02000000);
    const int32_t both[2] = {(int32_t)in, (int32_t)out};
    if (in < 0 || out < 0)
        return in < 0 ? in : out;
    memcpy(to, both, sizeof both);
    return 0;
}

int64_t riscv_call_fcntl(struct riscv_process *x, const uint64_t *a)
{
    int host = riscv_file_host(x, a[0]);
    if (host < 0)
        return -EBADF;
    switch (a[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return riscv_file_dup(x, a[0], (UINT64_C(1) << 32) + (uint32_t)a[2], a[1] != F_DUPFD);
    case F_GETFD:
        return x->files.at[a[0]].close_on_exec;
    case F_SETFD:
        x->files.at[a[0]].close_on_exec = a[2] & 1;
        return 0;
    case F_GETFL:
        return riscv_file_output(x, a[0]) ? 1 : (int64_t)riscv_file_flags_of(host);
    case F_SETFL:
        return riscv_file_output(x, a[0]) ? 0 : result(fcntl(host, F_SETFL, riscv_file_flags(a[2])));
    default:
        return -EINVAL;
    }
}

/* No descriptor is a terminal. */
int64_t riscv_call_ioctl(struct riscv_process *x, const uint64_t *a)
{
    return riscv_file_host(x, a[0]) < 0 ? -EBADF : -ENOTTY;
}
