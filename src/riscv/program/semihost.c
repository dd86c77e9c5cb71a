/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * semihost: what a bare program asks of its host (Arm's "Semihosting for AArch32 and AArch64", release 2.0,
 * which RISC-V uses as it is): a number in a0, the address of a block of words in a1, the result in a0.
 * Handles are descriptors of files.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "riscv/program/internal.h"

enum { WORDS = 4 };
typedef int64_t (*semihost_fn)(struct riscv_process *x, const uint64_t *word);

static int64_t failed(struct riscv_process *x, int error)
{
    x->error = error;
    return -1;
}

static int64_t outcome(struct riscv_process *x, int64_t n)
{
    return n < 0 ? failed(x, (int)-n) : n;
}

/* A path of a given length, as a string of its own; false: it is not all there. */
static bool take_path(const struct riscv_process *x, uint64_t address, uint64_t length, char *path)
{
    const char *from = length < PATH_MAX ? riscv_memory_at(x, address, length, RISCV_READ) : NULL;
    if (!from)
        return false;
    memcpy(path, from, length);
    path[length] = 0;
    return true;
}

/* What this host can do beyond the first edition: exits with a status, errors apart from output. */
static int open_features(void)
{
    static const char features[] = {'S', 'H', 'F', 'B', 3};
    int host = memfd_create("semihosting-features", MFD_CLOEXEC);
    if (host >= 0 && pwrite(host, features, sizeof features, 0) != sizeof features) {
        close(host);
        return -1;
    }
    return host;
}

static int64_t do_open(struct riscv_process *x, const uint64_t *w)
{
    static const int flags[] = {O_RDONLY,
                                O_RDWR,
                                O_WRONLY | O_CREAT | O_TRUNC,
                                O_RDWR | O_CREAT | O_TRUNC,
                                O_WRONLY | O_CREAT | O_APPEND,
                                O_RDWR | O_CREAT | O_APPEND};
    char path[PATH_MAX];
    if (!take_path(x, w[0], w[2], path))
        return failed(x, EFAULT);
    if (w[1] >= 2 * BASE_LENGTH(flags))
        return failed(x, EINVAL);
    if (!strcmp(path, ":tt")) /* the console: read, written, errors */
        return w[1] < 4 ? 0 : w[1] < 8 ? 1 : 2;
    bool features = !strcmp(path, ":semihosting-features");
    int host = features ? open_features() : openat(x->folder, path, flags[w[1] / 2] | O_CLOEXEC, 0666);
    return outcome(x, riscv_file_add(x, host, 3, true));
}

static int64_t do_close(struct riscv_process *x, const uint64_t *w)
{
    return w[0] <= 2 ? 0 : outcome(x, riscv_file_close(x, w[0]));
}

static int64_t do_write(struct riscv_process *x, const uint64_t *w)
{
    int64_t n = riscv_file_write(x, w[0], w[1], w[2]);
    x->error = n < 0 ? (int)-n : x->error;
    return (int64_t)w[2] - (n < 0 ? 0 : n); /* how much was not written */
}

static int64_t do_read(struct riscv_process *x, const uint64_t *w)
{
    int64_t n = riscv_file_read(x, w[0], w[1], w[2]);
    x->error = n < 0 ? (int)-n : x->error;
    return (int64_t)w[2] - (n < 0 ? 0 : n);
}

static int64_t do_is_terminal(struct riscv_process *x, const uint64_t *w)
{
    return riscv_file_host(x, w[0]) < 0 ? failed(x, EBADF) : w[0] <= 2;
}

static int64_t do_seek(struct riscv_process *x, const uint64_t *w)
{
    int host = riscv_file_host(x, w[0]);
    if (host < 0 || riscv_file_output(x, w[0]))
        return failed(x, host < 0 ? EBADF : ESPIPE);
    return lseek(host, (off_t)w[1], SEEK_SET) < 0 ? failed(x, errno) : 0;
}

static int64_t do_length(struct riscv_process *x, const uint64_t *w)
{
    struct stat s;
    int host = riscv_file_host(x, w[0]);
    if (host < 0 || riscv_file_output(x, w[0]))
        return failed(x, EBADF);
    return fstat(host, &s) ? failed(x, errno) : s.st_size;
}

static int64_t do_temporary_name(struct riscv_process *x, const uint64_t *w)
{
    char *to = riscv_memory_at(x, w[0], w[2], RISCV_WRITE), name[64];
    int n = snprintf(name, sizeof name, "/tmp/core%u-%u", x->world->rank, (unsigned)(w[1] & 0xff));
    if (!to || (uint64_t)n >= w[2])
        return failed(x, to ? ENAMETOOLONG : EFAULT);
    memcpy(to, name, (size_t)n + 1);
    return 0;
}

static int64_t do_remove(struct riscv_process *x, const uint64_t *w)
{
    char path[PATH_MAX];
    if (!take_path(x, w[0], w[1], path))
        return failed(x, EFAULT);
    return unlinkat(x->folder, path, 0) ? failed(x, errno) : 0;
}

static int64_t do_rename(struct riscv_process *x, const uint64_t *w)
{
    char from[PATH_MAX], to[PATH_MAX];
    if (!take_path(x, w[0], w[1], from) || !take_path(x, w[2], w[3], to))
        return failed(x, EFAULT);
    return renameat(x->folder, from, x->folder, to) ? failed(x, errno) : 0;
}

static int64_t do_system(struct riscv_process *x, const uint64_t *w)
{
    (void)w;
    base_warn("not-modelled/riscv-system",
              "%s asked its host to run a command (semihosting, SYS_SYSTEM): it fails", x->program->path);
    return failed(x, ENOSYS);
}

static int64_t do_command_line(struct riscv_process *x, const uint64_t *w)
{
    char *to = riscv_memory_at(x, w[0], w[1], RISCV_WRITE);
    uint64_t block[2] = {w[0], 0}, room = w[1];
    if (!to)
        return failed(x, EFAULT);
    char *const *first = x->argv + x->program->names_itself;
    for (char *const *word = first; *word; word++) {
        size_t n = strlen(*word);
        if (block[1] + n + 2 > room)
            return failed(x, E2BIG);
        if (word != first)
            to[block[1]++] = ' ';
        memcpy(to + block[1], *word, n);
        block[1] += n;
    }
    if (block[1] == room)
        return failed(x, E2BIG);
    to[block[1]] = 0;
    void *back = riscv_memory_at(x, x->core.x[11], sizeof block, RISCV_WRITE);
    if (!back)
        return failed(x, EFAULT);
    memcpy(back, block, sizeof block);
    return 0;
}

/* The block holds the address of four words: heap from and to, stack from and to; 0: the program knows. */
static int64_t do_heap_info(struct riscv_process *x, const uint64_t *w)
{
    void *to = riscv_memory_at(x, w[0], 32, RISCV_WRITE);
    if (!to)
        return failed(x, EFAULT);
    memset(to, 0, 32);
    return 0;
}

static int64_t do_elapsed(struct riscv_process *x, const uint64_t *w)
{
    uint64_t now = x->world->used(x->ctx);
    void *to = riscv_memory_at(x, x->core.x[11], sizeof now, RISCV_WRITE);
    (void)w;
    if (!to)
        return failed(x, EFAULT);
    memcpy(to, &now, sizeof now);
    return 0;
}

static int64_t do_exit(struct riscv_process *x, const uint64_t *w)
{
    enum { APPLICATION = 0x20026 };
    riscv_process_end(x, w[0] == APPLICATION ? (int)w[1] : 1);
    return 0;
}

static int64_t do_is_error(struct riscv_process *x, const uint64_t *w)
{
    (void)x;
    return (int64_t)w[0] < 0;
}

/* How many words of the block each takes. */
static const struct {
    semihost_fn call;
    uint8_t words;
} calls[] = {
    [0x01] = {do_open, 3},         [0x02] = {do_close, 1},     [0x05] = {do_write, 3},
    [0x06] = {do_read, 3},         [0x08] = {do_is_error, 1},  [0x09] = {do_is_terminal, 1},
    [0x0a] = {do_seek, 2},         [0x0c] = {do_length, 1},    [0x0d] = {do_temporary_name, 3},
    [0x0e] = {do_remove, 2},       [0x0f] = {do_rename, 4},    [0x12] = {do_system, 2},
    [0x15] = {do_command_line, 2}, [0x16] = {do_heap_info, 1}, [0x18] = {do_exit, 2},
    [0x20] = {do_exit, 2},         [0x30] = {do_elapsed, 0},
};

/* --- calls without a block ------------------------------------------------------------------------------ */

static int64_t write_text(struct riscv_process *x, uint64_t address)
{
    const char *text = riscv_memory_text(x, address, INT_MAX);
    if (!text)
        return failed(x, EFAULT);
    x->world->write(x->ctx, 1, text, strlen(text));
    return 0;
}

static int64_t write_character(struct riscv_process *x, uint64_t address)
{
    const char *c = riscv_memory_at(x, address, 1, RISCV_READ);
    if (!c)
        return failed(x, EFAULT);
    x->world->write(x->ctx, 1, c, 1);
    return 0;
}

static int64_t read_character(struct riscv_process *x)
{
    unsigned char c;
    return riscv_file_take(x, 0, &c, 1) == 1 ? c : -1;
}

/* Whether the call is one of them. */
static bool simple(struct riscv_process *x, uint64_t number, uint64_t argument, int64_t *result)
{
    enum { NANOSECONDS = 1000000000, CENTISECOND = 10000000 };
    switch (number) {
    case 0x03:
        *result = write_character(x, argument);
        return true;
    case 0x04:
        *result = write_text(x, argument);
        return true;
    case 0x07:
        *result = read_character(x);
        return true;
    case 0x10:
        *result = (int64_t)(x->world->now(x->ctx) / CENTISECOND);
        return true;
    case 0x11:
        *result = (int64_t)(x->world->now(x->ctx) / NANOSECONDS);
        return true;
    case 0x13:
        *result = x->error;
        return true;
    case 0x31:
        *result = NANOSECONDS;
        return true;
    default:
        return false;
    }
}

bool riscv_process_semihost(struct riscv_core *c)
{
    struct riscv_process *x = riscv_process_of(c);
    uint64_t number = c->x[10], word[WORDS] = {0};
    int64_t result = -1;
    if (!simple(x, number, c->x[11], &result)) {
        if (number >= BASE_LENGTH(calls) || !calls[number].call) {
            base_warn("not-modelled/riscv-semihosting",
                      "%s made the semihosting call %#lx, which is not modelled: it fails", x->program->path,
                      number);
        } else {
            uint64_t size = calls[number].words * sizeof *word;
            const void *block = riscv_memory_at(x, c->x[11], size, RISCV_READ);
            if (block)
                memcpy(word, block, size);
            result = block ? calls[number].call(x, word) : failed(x, EFAULT);
        }
    }
    c->x[10] = (uint64_t)result;
    return true;
}
