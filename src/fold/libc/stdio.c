/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stdio: the standard streams in a rank. libc's variables stdin, stdout and stderr point to streams of ours,
 * so that every function that prints or reads reaches us, including libc's own and C++'s. They lead where the
 * rank's numbers 0, 1 and 2 lead. While one of the latter is closed, what is printed goes to the job's
 * output. All other files are io/'s.
 *
 * stdout is buffered, and flushed at switches: many small prints become one write (L2). The job's standard
 * input belongs to rank 0; other ranks see the end of file. Input that the stream has read ahead for a rank
 * is kept for it when another one runs.
 */
#include "fold/files/files.h"
#include "fold/libc/libc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER = 8192, PIECE = 4096 }; /* a pipe that is ready takes a piece without waiting */

/* Input that the stream has read ahead for a rank. */
struct libc_input {
    char *text;
    size_t n, cap;
};

/* --- output ------------------------------------------------------------------------------------- */

/* A write of the shared stream cannot wait in the simulation. If nobody reads the pipe, it grows. */
static void make_room(int descriptor)
{
    struct pollfd fd = {.fd = descriptor, .events = POLLOUT};
    int size = fcntl(descriptor, F_GETPIPE_SZ);
    if (poll(&fd, 1, 0) != 0 || (size > 0 && fcntl(descriptor, F_SETPIPE_SZ, 2 * size) > size))
        return;
    base_warn("blocked", "standard output leads to a full pipe or socket; if only another rank can read it, "
                         "the run never ends: fflush more often");
    (void)poll(&fd, 1, -1);
}

static void write_file(const struct files_entry *e, const char *text, size_t size)
{
    while (size) {
        if (e->nature != FILES_DISK)
            make_room(e->descriptor);
        ssize_t n = write(e->descriptor, text, size < PIECE || e->nature == FILES_DISK ? size : PIECE);
        if (n < 0)
            return;
        text += n;
        size -= (size_t)n;
    }
}

static ssize_t write_routed(void *cookie, const char *text, size_t size)
{
    int fd = (int)(intptr_t)cookie, error = errno;
    struct rank *r = rank_current;
    const struct files_entry *e = r ? files_find(fold_part(r)->files, fd) : NULL;
    errno = error;
    if (e && e->kind == FILES_OWN) {
        write_file(e, text, size);
        if (libc_process.changed)
            libc_process.changed(e->place);
    } else if (r) {
        rank_output(r, e && e->kind != FILES_IN ? (e->kind == FILES_OUT ? 1 : 2) : fd, text, size);
    } else {
        rank_output_direct(fd, text, size);
    }
    return (ssize_t)size;
}

/* --- input -------------------------------------------------------------------------------------- */

static struct libc_input *input_of(const struct rank *r)
{
    return r && fold_part(r)->libc ? fold_part(r)->libc->input : NULL;
}

static ssize_t take_ahead(struct libc_input *in, char *text, size_t size)
{
    size_t n = size < in->n ? size : in->n;
    memcpy(text, in->text, n);
    memmove(in->text, in->text + n, in->n - n);
    in->n -= n;
    return (ssize_t)n;
}

bool libc_input_waits(const struct rank *r)
{
    const struct libc_input *in = input_of(r);
    return in && in->n;
}

void libc_input_forget(struct rank *r)
{
    if (input_of(r))
        input_of(r)->n = 0;
    if (r == rank_current)
        __fpurge(libc_process.routed[0]);
}

void libc_input_release(struct fold_libc *l)
{
    if (l->input)
        free(l->input->text);
    free(l->input);
}

ssize_t libc_input_read(struct rank *r, void *text, size_t size)
{
    if (libc_input_waits(r))
        return take_ahead(input_of(r), text, size);
    if (r->id != 0)
        return 0;
    libc_streams_flush(&libc_process);
    rank_output_prompt(r);
    if (libc_process.await_input)
        libc_process.await_input(r);
    return read(0, text, size);
}

/* Its waits let other ranks run, which may use the stream meanwhile: what it holds of theirs is kept aside
 * before this one goes on. */
static ssize_t read_routed(void *cookie, char *text, size_t size)
{
    struct rank *r = rank_current;
    (void)cookie;
    const struct files_entry *e = r ? files_find(fold_part(r)->files, 0) : NULL;
    if (!r)
        return read(0, text, size);
    if (libc_input_waits(r))
        return take_ahead(input_of(r), text, size);
    if (e && e->kind == FILES_IN)
        return libc_input_read(r, text, size);
    return e && libc_process.read_number ? libc_process.read_number(0, text, size) : -1;
}

/* --- the routed streams ------------------------------------------------------------------------- */

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

/* The current rank stops running: what stdin's buffer holds is its own; so is its end-of-file flag. */
void libc_streams_keep_input(struct libc_process *p, struct rank *from)
{
    FILE *f = p->routed[0];
    size_t n = (size_t)(f->_IO_read_end - f->_IO_read_ptr);
    if (BASE_UNLIKELY(n && from != p->released)) {
        struct fold_libc *l = libc_of(from);
        if (!l->input)
            l->input = base_zalloc(sizeof *l->input, "standard input");
        struct libc_input *in = l->input;
        if (in->n + n > in->cap)
            in->text = base_array_grow(in->text, &in->cap, in->n + n, 1, "standard input");
        memmove(in->text + n, in->text, in->n);
        memcpy(in->text, f->_IO_read_ptr, n);
        in->n += n;
    }
    if (BASE_UNLIKELY(n || feof_unlocked(f))) {
        __fpurge(f);
        clearerr(f);
    }
}

/* --- streams ------------------------------------------------------------------------------------ */

int libc_stream_number(const FILE *f)
{
    for (int fd = 0; fd < 3; fd++)
        if (f == libc_process.routed[fd])
            return fd;
    return -1;
}

int in_rank_setvbuf(FILE *f, char *buf, int mode, size_t size)
{
    return libc_stream_number(f) >= 0 ? 0 : setvbuf(f, buf, mode, size);
}

void in_rank_setbuf(FILE *f, char *buf)
{
    if (libc_stream_number(f) < 0)
        setbuf(f, buf);
}

void in_rank_setbuffer(FILE *f, char *buf, size_t size)
{
    if (libc_stream_number(f) < 0)
        setbuffer(f, buf, size);
}

void in_rank_setlinebuf(FILE *f)
{
    if (libc_stream_number(f) < 0)
        setlinebuf(f);
}

/* C++'s streams stay synchronized with stdio's; otherwise they would have one buffer for all ranks
 * together. */
bool in_rank_sync_with_stdio(bool on)
{
    (void)on;
    return true;
}
