/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stdio: the standard streams and descriptors in a rank. libc's variables stdin, stdout and stderr point to
 * streams of ours, so that every function that prints or reads reaches us, including libc's own and C++'s.
 * Functions on descriptors 0, 1 and 2 are interposed.
 *
 * stdout is buffered, and flushed at switches: many small prints become one write (L2). stdin belongs to rank
 * 0. Input read ahead for it is taken back when another rank runs. Other ranks see the end of file.
 */
#include "fold/libc/libc.h"

#include <errno.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 8192 };

/* Input that the stream had read ahead for rank 0. */
static struct {
    char *text;
    size_t n, cap;
} ahead;

/* --- the routed streams ------------------------------------------------------------------------- */

static FILE *reopened(const struct rank *r, int fd)
{
    return fold_part(r)->libc ? fold_part(r)->libc->reopened[fd] : NULL;
}

static ssize_t write_routed(void *cookie, const char *text, size_t size)
{
    int fd = (int)(intptr_t)cookie;
    struct rank *r = rank_current;
    if (r && reopened(r, fd))
        fwrite(text, 1, size, reopened(r, fd));
    else if (r)
        rank_output(r, fd, text, size);
    else
        rank_output_direct(fd, text, size);
    return (ssize_t)size;
}

static ssize_t take_ahead(char *text, size_t size)
{
    size_t n = size < ahead.n ? size : ahead.n;
    memcpy(text, ahead.text, n);
    memmove(ahead.text, ahead.text + n, ahead.n - n);
    ahead.n -= n;
    return (ssize_t)n;
}

static ssize_t read_routed(void *cookie, char *text, size_t size)
{
    struct rank *r = rank_current;
    (void)cookie;
    if (r && reopened(r, 0))
        return (ssize_t)fread(text, 1, size, reopened(r, 0));
    if (r && r->id != 0)
        return 0;
    if (ahead.n)
        return take_ahead(text, size);
    if (r) {
        libc_streams_flush(&libc_process);
        rank_output_prompt(r);
    }
    return read(0, text, size);
}

void libc_streams_begin(struct libc_process *p)
{
    static const cookie_io_functions_t in = {.read = read_routed}, out = {.write = write_routed};
    static char buffer[BUFFER];
    if (!p->routed[0]) {
        p->routed[0] = fopencookie((void *)0, "r", in);
        p->routed[1] = fopencookie((void *)1, "w", out);
        p->routed[2] = fopencookie((void *)2, "w", out);
        if (!p->routed[0] || !p->routed[1] || !p->routed[2])
            base_fatal(BASE_EXIT_HOST, "out of memory: standard streams");
        setvbuf(p->routed[1], buffer, isatty(1) ? _IOLBF : _IOFBF, BUFFER);
        setvbuf(p->routed[2], NULL, _IONBF, 0);
    }
    fflush(stdout);
    p->original[0] = stdin;
    p->original[1] = stdout;
    p->original[2] = stderr;
    base_report_to(stderr);
    stdin = p->routed[0];
    stdout = p->routed[1];
    stderr = p->routed[2];
}

void libc_streams_end(struct libc_process *p)
{
    stdin = p->original[0];
    stdout = p->original[1];
    stderr = p->original[2];
    base_report_to(NULL);
}

void libc_streams_flush(struct libc_process *p)
{
    const FILE *f = p->routed[1];
    if (f && f->_IO_write_ptr != f->_IO_write_base)
        fflush(p->routed[1]);
}

/* The current rank stops running: what stdin's buffer holds is rank 0's; its end-of-file flag may be any
 * rank's. */
void libc_streams_keep_input(struct libc_process *p, const struct rank *from)
{
    FILE *f = p->routed[0];
    size_t n = (size_t)(f->_IO_read_end - f->_IO_read_ptr);
    if (BASE_UNLIKELY(n && from->id == 0 && !reopened(from, 0))) {
        if (ahead.n + n > ahead.cap)
            ahead.text = base_array_grow(ahead.text, &ahead.cap, ahead.n + n, 1, "standard input");
        memmove(ahead.text + n, ahead.text, ahead.n);
        memcpy(ahead.text, f->_IO_read_ptr, n);
        ahead.n += n;
    }
    if (BASE_UNLIKELY(n || feof_unlocked(f))) {
        __fpurge(f);
        clearerr(f);
    }
}

/* --- streams ------------------------------------------------------------------------------------ */

/* 0, 1 or 2 for a routed stream, -1 for another. */
static int routed_number(const FILE *f)
{
    for (int fd = 0; fd < 3; fd++)
        if (f == libc_process.routed[fd])
            return fd;
    return -1;
}

int in_rank_fileno(FILE *f)
{
    int fd = routed_number(f);
    if (fd >= 0 && rank_current && reopened(rank_current, fd))
        return fileno(reopened(rank_current, fd));
    return fd >= 0 ? fd : fileno(f);
}

FILE *in_rank_fdopen(int fd, const char *mode)
{
    return rank_current && fd >= 0 && fd <= 2 ? libc_process.routed[fd] : fdopen(fd, mode);
}

static int close_reopened(struct rank *r, int fd)
{
    FILE *old = reopened(r, fd);
    if (fd == 1)
        fflush(libc_process.routed[1]);
    if (!old)
        return 0;
    fold_part(r)->libc->reopened[fd] = NULL;
    return fclose(old);
}

/* The stream stays ours and leads to the file for this rank. */
FILE *in_rank_freopen(const char *path, const char *mode, FILE *f)
{
    int fd = routed_number(f);
    struct rank *r = rank_current;
    if (fd < 0 || !r)
        return freopen(path, mode, f);
    close_reopened(r, fd);
    if (!path)
        return f;
    FILE *file = fopen(path, mode);
    if (!file)
        return NULL;
    libc_of(r)->reopened[fd] = file;
    return f;
}

int in_rank_fclose(FILE *f)
{
    int fd = routed_number(f);
    if (fd < 0)
        return fclose(f);
    return rank_current ? close_reopened(rank_current, fd) : 0;
}

int in_rank_setvbuf(FILE *f, char *buf, int mode, size_t size)
{
    return routed_number(f) >= 0 ? 0 : setvbuf(f, buf, mode, size);
}

void in_rank_setbuf(FILE *f, char *buf)
{
    if (routed_number(f) < 0)
        setbuf(f, buf);
}

void in_rank_setbuffer(FILE *f, char *buf, size_t size)
{
    if (routed_number(f) < 0)
        setbuffer(f, buf, size);
}

void in_rank_setlinebuf(FILE *f)
{
    if (routed_number(f) < 0)
        setlinebuf(f);
}

/* C++'s streams stay synchronized with stdio's; otherwise they would have one buffer for all ranks
 * together. */
bool in_rank_sync_with_stdio(bool on)
{
    (void)on;
    return true;
}

/* --- descriptors -------------------------------------------------------------------------------- */

static bool routed_output(int fd)
{
    return rank_current && (fd == 1 || fd == 2);
}

/* What stdio holds goes out first, because it was printed first. */
static ssize_t write_as_rank(int fd, const void *bytes, size_t size)
{
    libc_streams_flush(&libc_process);
    rank_output(rank_current, fd, bytes, size);
    return (ssize_t)size;
}

ssize_t in_rank_write(int fd, const void *bytes, size_t size)
{
    return routed_output(fd) ? write_as_rank(fd, bytes, size) : write(fd, bytes, size);
}

ssize_t in_rank_writev(int fd, const struct iovec *v, int n)
{
    ssize_t sum = 0;
    if (!routed_output(fd))
        return writev(fd, v, n);
    for (int k = 0; k < n; k++)
        sum += write_as_rank(fd, v[k].iov_base, v[k].iov_len);
    return sum;
}

ssize_t in_rank_read(int fd, void *bytes, size_t size)
{
    if (fd != 0 || !rank_current)
        return read(fd, bytes, size);
    if (rank_current->id == 0 && ahead.n)
        return take_ahead(bytes, size);
    return read_routed(NULL, bytes, size);
}

ssize_t in_rank___read_chk(int fd, void *bytes, size_t size, size_t room)
{
    if (size > room)
        abort();
    return in_rank_read(fd, bytes, size);
}

/* The others still need them. */
int in_rank_close(int fd)
{
    return rank_current && fd >= 0 && fd <= 2 ? 0 : close(fd);
}

int in_rank_vdprintf(int fd, const char *fmt, va_list args)
{
    char *text;
    if (!routed_output(fd))
        return vdprintf(fd, fmt, args);
    int n = vasprintf(&text, fmt, args);
    if (n >= 0) {
        write_as_rank(fd, text, (size_t)n);
        free(text);
    }
    return n;
}

int in_rank_dprintf(int fd, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = in_rank_vdprintf(fd, fmt, args);
    va_end(args);
    return n;
}

int in_rank___vdprintf_chk(int fd, int flag, const char *fmt, va_list args)
{
    (void)flag;
    return in_rank_vdprintf(fd, fmt, args);
}

int in_rank___dprintf_chk(int fd, int flag, const char *fmt, ...)
{
    va_list args;
    (void)flag;
    va_start(args, fmt);
    int n = in_rank_vdprintf(fd, fmt, args);
    va_end(args);
    return n;
}
