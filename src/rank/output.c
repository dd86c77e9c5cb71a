/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * output: the ranks' standard output and error on their way to the real descriptors. Holds what a rank
 * writes until its line is whole; lines then go out in the order in which they became whole, which is
 * simulated order. With one rank there is nothing to keep apart, and bytes pass unchanged.
 */
#include "base/output.h"
#include "rank/internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 16, LONGEST = 1 << 20 }; /* a line longer than this goes out in pieces */
static const double patience = 0.2;           /* host seconds that whole lines may wait */

/* A line that is not whole yet. */
struct line {
    char *text;
    size_t n, cap;
};
struct rank_lines {
    struct line of[2]; /* of stdout, stderr */
};

/* What waits for a write to the real descriptor 1 or 2. */
struct buffer {
    size_t n;
    char text[BUFFER];
};

static struct {
    bool terminal, same; /* stdout is a terminal; stdout and stderr are the same file */
    bool failed;         /* a write failed and was reported */
    bool whole_lines, tag;
    void (*before)(void); /* NULL: nothing to do before a write */
    double flushed;       /* host time */
    struct buffer buffer[2];
} out;

static double host_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool same_file(void)
{
    struct stat a, b;
    return !fstat(1, &a) && !fstat(2, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void rank_output_begin(const struct rank_job *job)
{
    out.buffer[0].n = out.buffer[1].n = 0;
    out.terminal = isatty(1);
    out.same = same_file();
    out.whole_lines = job->public.ranks > 1;
    out.tag = job->config.tag_output;
    out.flushed = host_seconds();
}

/* --- the real descriptors ----------------------------------------------------------------------- */

/* Reported once: the report ends the process, whose last flush must not fail again. If the reader has gone
 * away, the process ends as any program would. */
static void write_failed(int fd, int error)
{
    if (fd == 2 || out.failed)
        return;
    out.failed = true;
    if (error == EPIPE) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    base_fatal(BASE_EXIT_HOST, "cannot write standard output: %s", strerror(error));
}

void rank_before_output(void (*fn)(void))
{
    out.before = fn;
}

static void write_all(int fd, const char *text, size_t size)
{
    int error = errno;
    if (size && out.before)
        out.before();
    while (size && !(fd == 1 && out.failed)) {
        base_writing_begin();
        ssize_t n = write(fd, text, size);
        base_writing_end();
        if (n >= 0) {
            text += n;
            size -= (size_t)n;
        } else if (errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            write_failed(fd, errno);
            break;
        }
    }
    errno = error;
}

static void flush(int fd)
{
    struct buffer *b = &out.buffer[fd - 1];
    size_t n = b->n;
    b->n = 0; /* first, because the report of a failure flushes, too */
    write_all(fd, b->text, n);
}

void rank_output_flush(void)
{
    flush(1);
    out.flushed = host_seconds();
}

void rank_output_if_due(void)
{
    if (out.buffer[0].n && host_seconds() - out.flushed > patience)
        rank_output_flush();
}

void rank_output_direct(int fd, const char *text, size_t size)
{
    rank_output_flush();
    write_all(fd, text, size);
}

static void put(int fd, const char *text, size_t size)
{
    struct buffer *b = &out.buffer[fd - 1];
    if (b->n + size > BUFFER)
        flush(fd);
    if (size > BUFFER) {
        write_all(fd, text, size);
    } else if (size) {
        memcpy(b->text + b->n, text, size);
        b->n += size;
    }
}

/* --- lines -------------------------------------------------------------------------------------- */

/* NULL: it has none, or it is empty. */
static struct line *held(const struct rank *r, int fd)
{
    struct line *line = r->lines ? &r->lines->of[fd - 1] : NULL;
    return line && line->n ? line : NULL;
}

static void hold(struct rank *r, int fd, const char *text, size_t size)
{
    if (!r->lines)
        r->lines = base_zalloc(sizeof *r->lines, "unfinished lines");
    struct line *line = &r->lines->of[fd - 1];
    if (line->n + size > line->cap)
        line->text = base_array_grow(line->text, &line->cap, line->n + size, 1, "an unfinished line");
    memcpy(line->text + line->n, text, size);
    line->n += size;
}

static void put_tag(const struct rank *r, int fd)
{
    char tag[24];
    int n = out.tag ? snprintf(tag, sizeof tag, "[%u] ", r->id) : 0;
    if (n > 0)
        put(fd, tag, (size_t)n);
}

/* Writes what rank r held, then `text`: one line, or a piece of a very long one. */
static void put_line(struct rank *r, int fd, const char *text, size_t size)
{
    struct line *line = held(r, fd);
    put_tag(r, fd);
    if (line) {
        put(fd, line->text, line->n);
        line->n = 0;
    }
    put(fd, text, size);
}

static void put_lines(struct rank *r, int fd, const char *text, size_t size)
{
    while (size) {
        const char *end = memchr(text, '\n', size);
        if (!end) {
            hold(r, fd, text, size);
            if (r->lines->of[fd - 1].n > LONGEST)
                put_line(r, fd, NULL, 0);
            return;
        }
        size_t n = (size_t)(end + 1 - text);
        put_line(r, fd, text, n);
        text += n;
        size -= n;
    }
}

/* Shortcut for a common case: several whole lines at once, without tags, need not be split. */
static bool already_whole(const struct rank *r, int fd, const char *text, size_t size)
{
    if (!out.whole_lines && !out.tag)
        return true;
    return !out.tag && text[size - 1] == '\n' && !held(r, fd);
}

void rank_output(struct rank *r, int fd, const char *text, size_t size)
{
    if (!size)
        return;
    if (fd == 2 && out.same)
        rank_output_flush();
    if (already_whole(r, fd, text, size))
        put(fd, text, size);
    else
        put_lines(r, fd, text, size);
    if (fd == 2 || out.terminal)
        flush(fd);
}

void rank_output_end_line(struct rank *r)
{
    for (int fd = 1; fd <= 2; fd++)
        if (held(r, fd))
            put_line(r, fd, "\n", out.whole_lines ? 1 : 0);
    flush(2);
}

void rank_output_prompt(struct rank *r)
{
    if (out.terminal && held(r, 1))
        put_line(r, 1, NULL, 0);
    rank_output_flush();
}

void rank_output_forget(struct rank *r)
{
    for (int k = 0; r->lines && k < 2; k++)
        free(r->lines->of[k].text);
    free(r->lines);
    r->lines = NULL;
}
