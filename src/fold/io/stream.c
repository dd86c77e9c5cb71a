/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stream: FILEs of a rank. A stream on a disk file is libc's, with the descriptor behind the number. One that
 * may have to wait, or that leads to the job's output, reads and writes through the rank's number, so that it
 * waits in the simulation and its lines arrive whole. stdin, stdout and stderr are libc/stdio.c's.
 */
#include "fold/io/cost.h"
#include "fold/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- streams on numbers ----------------------------------------------------------------------------- */

/* The job has ended, and libc writes what streams hold: their numbers mean nothing any more. Not so in a
 * forked child, where they are descriptors. */
static bool is_over(void)
{
    return !rank_current && !io_is_child();
}

static ssize_t read_number(void *cookie, char *bytes, size_t size)
{
    return in_rank_read((int)(intptr_t)cookie, bytes, size);
}

/* fopencookie wants 0 for an error. */
static ssize_t write_number(void *cookie, const char *bytes, size_t size)
{
    size_t done = is_over() ? size : 0;
    while (done < size) {
        ssize_t n = in_rank_write((int)(intptr_t)cookie, bytes + done, size - done);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return (ssize_t)done;
}

static int close_number(void *cookie)
{
    return is_over() ? 0 : in_rank_close((int)(intptr_t)cookie);
}

static int seek_number(void *cookie, off64_t *at, int whence)
{
    off64_t to = lseek64(io_descriptor((int)(intptr_t)cookie), *at, whence);
    if (to < 0)
        return -1;
    *at = to;
    return 0;
}

static bool is_disk(const struct files_entry *e)
{
    return e->kind == FILES_OWN && e->nature == FILES_DISK;
}

/* Where files take time, libc must not read and write by itself. */
static bool is_plain(const struct files_entry *e)
{
    return is_disk(e) && !io_costs;
}

/* `mode` without what fopencookie does not know. */
static FILE *through_number(int number, const char *mode)
{
    const struct files_entry *e = io_entry(rank_current, number);
    cookie_io_functions_t functions = {read_number, write_number, NULL, close_number};
    if (e && is_disk(e))
        functions.seek = seek_number;
    char plain[3] = {mode[0], strchr(mode, '+') ? '+' : 0, 0};
    FILE *f = fopencookie((void *)(intptr_t)number, plain, functions); /* NOLINT(performance-no-int-to-ptr) */
    if (f && isatty(io_descriptor(number)))
        setvbuf(f, NULL, _IOLBF, BUFSIZ);
    return f;
}

/* What mode "w+" and the like say; -1 with errno. */
static int flags_of(const char *mode)
{
    int flags = 0, access = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    if (*mode == 'w')
        flags = O_CREAT | O_TRUNC;
    else if (*mode == 'a')
        flags = O_CREAT | O_APPEND;
    else if (*mode != 'r') {
        errno = EINVAL;
        return -1;
    }
    size_t n = strcspn(mode, ",");
    return flags | access | (memchr(mode, 'x', n) ? O_EXCL : 0) | (memchr(mode, 'e', n) ? O_CLOEXEC : 0);
}

FILE *in_rank_fdopen(int number, const char *mode)
{
    struct rank *r = rank_current;
    const struct files_entry *e = r ? io_entry(r, number) : NULL;
    if (!r)
        return fdopen(number, mode);
    int flags = e ? flags_of(mode) : -1;
    if (flags < 0)
        return NULL;
    if (is_plain(e) && e->stream) { /* a second one */
        if (flags & O_APPEND)
            fcntl(e->descriptor, F_SETFL, fcntl(e->descriptor, F_GETFL) | O_APPEND);
        return through_number(number, mode);
    }
    FILE *f = is_plain(e) ? fdopen(e->descriptor, mode) : through_number(number, mode);
    if (f && is_plain(e))
        fcntl(e->descriptor, F_SETFD, FD_CLOEXEC);
    if (f && flags & O_CLOEXEC)
        files_mark(io_table(r), number, true);
    if (f && !e->stream)
        files_attach(io_table(r), number, f, false);
    return f;
}

FILE *in_rank_fopen(const char *path, const char *mode)
{
    if (!rank_current)
        return fopen(path, mode);
    int flags = flags_of(mode);
    int number = flags < 0 ? -1 : in_rank_open(path, flags, 0666);
    FILE *f = number < 0 ? NULL : in_rank_fdopen(number, mode);
    if (number >= 0 && !f)
        in_rank_close(number);
    return f;
}

FILE *in_rank_tmpfile(void)
{
    if (!rank_current)
        return tmpfile();
    if (io_full(rank_current))
        return NULL;
    FILE *made = tmpfile();
    if (!made)
        return NULL;
    int descriptor = dup(fileno(made));
    fclose(made);
    int number = io_install(rank_current, descriptor, FILES_DISK, false);
    return number < 0 ? NULL : in_rank_fdopen(number, "w+");
}

/* --- closing ---------------------------------------------------------------------------------------- */

/* The stream is libc's own, on the number's descriptor. */
static bool is_libcs(const FILE *f, const struct files_entry *e)
{
    return f->_fileno == e->descriptor;
}

/* What libc closes itself is no longer the table's. */
static int close_plain(struct rank *r, FILE *f, int number)
{
    files_forget(io_table(r), number);
    int failed = fclose(f), error = errno;
    io_changed(IO_LOCKS);
    errno = error;
    return failed;
}

int in_rank_fclose(FILE *f)
{
    struct rank *r = rank_current;
    int standard = libc_stream_number(f), number = r ? files_of_stream(f) : -1;
    if (standard >= 0) {
        if (!r)
            return 0;
        io_before_change(standard);
        return io_entry(r, standard) ? io_close(r, standard) : 0;
    }
    const struct files_entry *e = number >= 0 ? io_entry(r, number) : NULL;
    if (!e || e->stream != f)
        return fclose(f);
    if (is_libcs(f, e))
        return close_plain(r, f, number);
    int failed = fflush(f);
    files_detach(io_table(r), number); /* the stream's own function closes the number */
    return fclose(f) || failed ? EOF : 0;
}

int in_rank_fileno(FILE *f)
{
    struct rank *r = rank_current;
    int standard = libc_stream_number(f), number = r ? files_of_stream(f) : -1;
    if (standard >= 0)
        return standard;
    return number >= 0 ? number : fileno(f);
}

/* All of libc's streams are those of all ranks. */
int in_rank_fflush(FILE *f)
{
    struct rank *r = rank_current;
    if (f || !r)
        return fflush(f);
    int failed = fflush(stdout);
    const struct files_table *t = fold_part(r)->files;
    for (int number = 0; t && number <= files_highest(t); number++) {
        const struct files_entry *e = files_find(t, number);
        if (e && e->stream && !e->folder && __fwriting(e->stream))
            failed |= fflush(e->stream);
    }
    return failed;
}

/* --- reopening -------------------------------------------------------------------------------------- */

/* The stream stays ours and leads to the file for this rank. */
static FILE *reopen_ours(struct rank *r, int number, const char *path, const char *mode, FILE *f)
{
    int flags = flags_of(mode);
    fflush(f);
    if (f == stdin)
        libc_input_forget(r);
    clearerr(f);
    if (!path)
        return f;
    bool is_open = io_entry(r, number) != NULL;
    if (is_open && files_of_stream(f) == number)
        files_detach(io_table(r), number);
    if (is_open)
        io_close(r, number);
    int opened = flags < 0 ? -1 : in_rank_open(path, flags, 0666);
    if (opened < 0)
        return NULL;
    if (opened != number) {
        in_rank_dup3(opened, number, flags & O_CLOEXEC);
        in_rank_close(opened);
    }
    if (libc_stream_number(f) < 0)
        files_attach(io_table(r), number, f, false);
    return f;
}

/* libc opens the file under the descriptor that the stream has. */
static FILE *reopen_plain(struct rank *r, int number, const char *path, const char *mode, FILE *f)
{
    struct files_table *t = io_table(r);
    struct files_entry e = *files_find(t, number);
    files_forget(t, number);
    f = freopen(path, mode, f); /* the same stream, or NULL */
    if (!f)
        return NULL;
    e.descriptor = fileno(f);
    e.stream = NULL;
    fcntl(e.descriptor, F_SETFD, FD_CLOEXEC);
    files_examine(&e, FILES_OTHER);
    files_put(t, number, e);
    files_attach(t, number, f, false);
    return f;
}

FILE *in_rank_freopen(const char *path, const char *mode, FILE *f)
{
    struct rank *r = rank_current;
    char room[IO_PATH_ROOM];
    int standard = libc_stream_number(f), number = r ? files_of_stream(f) : -1;
    if (!r || (standard < 0 && number < 0))
        return freopen(path, mode, f);
    if (standard >= 0 || !is_libcs(f, io_entry(r, number)))
        return reopen_ours(r, standard >= 0 ? standard : number, path, mode, f);
    return reopen_plain(r, number, io_path(path, room), mode, f);
}
