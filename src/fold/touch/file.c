/* SPDX-License-Identifier: BSD-3-Clause */
/* file: files, time, sorting (touch.h). */
#include "fold/touch/touch.h"

#include "fold/io/io.h"
#include "fold/libc/libc.h"

#include <stdlib.h>
#include <string.h>

static inline size_t got(ssize_t n)
{
    return n < 0 ? 0 : (size_t)n;
}

/* --- by number -------------------------------------------------------------------------------------- */

#define READ(call, name, params, args)                                                                       \
    ssize_t touch_##name params                                                                              \
    {                                                                                                        \
        ssize_t done = in_rank_##name args;                                                                  \
        TOUCH_WRITES(call, to, got(done));                                                                   \
        return done;                                                                                         \
    }
READ("read", read, (int fd, void *to, size_t n), (fd, to, n))
READ("read", __read_chk, (int fd, void *to, size_t n, size_t room), (fd, to, n, room))
READ("pread", pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
READ("pread", pread64, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
READ("pread", __pread_chk, (int fd, void *to, size_t n, off_t at, size_t room), (fd, to, n, at, room))
READ("pread", __pread64_chk, (int fd, void *to, size_t n, off_t at, size_t room), (fd, to, n, at, room))
READ("recv", recv, (int fd, void *to, size_t n, int flags), (fd, to, n, flags))
READ("recv", __recv_chk, (int fd, void *to, size_t n, size_t room, int flags), (fd, to, n, room, flags))
READ("recvfrom", recvfrom,
     (int fd, void *to, size_t n, int flags, struct sockaddr *from, socklen_t *from_size),
     (fd, to, n, flags, from, from_size))

#define WRITE(call, name, params, args)                                                                      \
    ssize_t touch_##name params                                                                              \
    {                                                                                                        \
        TOUCH_READS(call, from, n);                                                                          \
        return in_rank_##name args;                                                                          \
    }
WRITE("write", write, (int fd, const void *from, size_t n), (fd, from, n))
WRITE("pwrite", pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
WRITE("pwrite", pwrite64, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
WRITE("send", send, (int fd, const void *from, size_t n, int flags), (fd, from, n, flags))
WRITE("sendto", sendto,
      (int fd, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t to_size),
      (fd, from, n, flags, to, to_size))

/* The first `bytes` of the pieces. */
static void tell_pieces(const char *call, const struct iovec *v, size_t n, size_t bytes, enum rank_use how,
                        const void *place)
{
    rank_touches(call, v, n * sizeof *v, RANK_READS, place);
    for (size_t k = 0; k < n && bytes; k++) {
        size_t part = v[k].iov_len < bytes ? v[k].iov_len : bytes;
        rank_touches(call, v[k].iov_base, part, how, place);
        bytes -= part;
    }
}

#define READ_PIECES(name, params, args, v, n)                                                                \
    ssize_t touch_##name params                                                                              \
    {                                                                                                        \
        ssize_t done = in_rank_##name args;                                                                  \
        tell_pieces(#name, v, (size_t)n, got(done), RANK_WRITES, __builtin_return_address(0));               \
        return done;                                                                                         \
    }
#define WRITE_PIECES(name, params, args, v, n)                                                               \
    ssize_t touch_##name params                                                                              \
    {                                                                                                        \
        tell_pieces(#name, v, (size_t)n, SIZE_MAX, RANK_READS, __builtin_return_address(0));                 \
        return in_rank_##name args;                                                                          \
    }
READ_PIECES(readv, (int fd, const struct iovec *v, int n), (fd, v, n), v, n)
READ_PIECES(preadv, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), v, n)
READ_PIECES(recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags), m->msg_iov, m->msg_iovlen)
WRITE_PIECES(writev, (int fd, const struct iovec *v, int n), (fd, v, n), v, n)
WRITE_PIECES(pwritev, (int fd, const struct iovec *v, int n, off_t at), (fd, v, n, at), v, n)
WRITE_PIECES(sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), m->msg_iov, m->msg_iovlen)

/* --- streams ---------------------------------------------------------------------------------------- */

#define STREAM_READ(name, params, does)                                                                      \
    size_t touch_##name params                                                                               \
    {                                                                                                        \
        size_t done = does;                                                                                  \
        TOUCH_WRITES("fread", to, done *size);                                                               \
        return done;                                                                                         \
    }
STREAM_READ(fread, (void *to, size_t size, size_t n, FILE *f), fread(to, size, n, f))
STREAM_READ(fread_unlocked, (void *to, size_t size, size_t n, FILE *f), fread_unlocked(to, size, n, f))
STREAM_READ(__fread_chk, (void *to, size_t room, size_t size, size_t n, FILE *f),
            fread(to, size, n <= room / (size ? size : 1) ? n : (abort(), 0), f))

#define STREAM_WRITE(name)                                                                                   \
    size_t touch_##name(const void *from, size_t size, size_t n, FILE *f)                                    \
    {                                                                                                        \
        TOUCH_READS("fwrite", from, size *n);                                                                \
        return name(from, size, n, f);                                                                       \
    }
STREAM_WRITE(fwrite)
STREAM_WRITE(fwrite_unlocked)

#define STREAM_LINE(name, params, does)                                                                      \
    char *touch_##name params                                                                                \
    {                                                                                                        \
        char *line = does;                                                                                   \
        if (line)                                                                                            \
            TOUCH_WRITES("fgets", line, strlen(line) + 1);                                                   \
        return line;                                                                                         \
    }
STREAM_LINE(fgets, (char *to, int n, FILE *f), fgets(to, n, f))
STREAM_LINE(fgets_unlocked, (char *to, int n, FILE *f), fgets_unlocked(to, n, f))
STREAM_LINE(__fgets_chk, (char *to, size_t room, int n, FILE *f),
            fgets(to, n >= 0 && (size_t)n <= room ? n : (abort(), 0), f))

int touch_fputs(const char *text, FILE *f)
{
    TOUCH_READS("fputs", text, strlen(text) + 1);
    return fputs(text, f);
}

int touch_fputs_unlocked(const char *text, FILE *f)
{
    TOUCH_READS("fputs", text, strlen(text) + 1);
    return fputs_unlocked(text, f);
}

int touch_puts(const char *text)
{
    TOUCH_READS("puts", text, strlen(text) + 1);
    return puts(text);
}

#define STREAM_WHOLE_LINE(call, name, params, does)                                                          \
    ssize_t touch_##name params                                                                              \
    {                                                                                                        \
        ssize_t done = does;                                                                                 \
        TOUCH_WRITES(call, line, sizeof *line);                                                              \
        TOUCH_WRITES(call, room, sizeof *room);                                                              \
        if (done >= 0)                                                                                       \
            TOUCH_WRITES(call, *line, (size_t)done + 1);                                                     \
        return done;                                                                                         \
    }
STREAM_WHOLE_LINE("getline", getline, (char **line, size_t *room, FILE *f), getline(line, room, f))
STREAM_WHOLE_LINE("getdelim", getdelim, (char **line, size_t *room, int end, FILE *f),
                  getdelim(line, room, end, f))
STREAM_WHOLE_LINE("getdelim", __getdelim, (char **line, size_t *room, int end, FILE *f),
                  getdelim(line, room, end, f))

/* --- time ------------------------------------------------------------------------------------------- */

time_t touch_time(time_t *out)
{
    if (out)
        TOUCH_WRITES("time", out, sizeof *out);
    return in_rank_time(out);
}

int touch_gettimeofday(struct timeval *out, void *zone)
{
    TOUCH_WRITES("gettimeofday", out, sizeof *out);
    return in_rank_gettimeofday(out, zone);
}

int touch_clock_gettime(clockid_t clock, struct timespec *out)
{
    TOUCH_WRITES("clock_gettime", out, sizeof *out);
    return in_rank_clock_gettime(clock, out);
}

int touch_nanosleep(const struct timespec *wanted, struct timespec *rest)
{
    TOUCH_READS("nanosleep", wanted, sizeof *wanted);
    return in_rank_nanosleep(wanted, rest);
}

#define BROKEN_DOWN(name)                                                                                    \
    struct tm *touch_##name(const time_t *t, struct tm *out)                                                 \
    {                                                                                                        \
        TOUCH_READS(#name, t, sizeof *t);                                                                    \
        TOUCH_WRITES(#name, out, sizeof *out);                                                               \
        return name(t, out);                                                                                 \
    }
BROKEN_DOWN(localtime_r)
BROKEN_DOWN(gmtime_r)

size_t touch_strftime(char *to, size_t room, const char *format, const struct tm *t)
{
    TOUCH_READS("strftime", t, sizeof *t);
    size_t n = strftime(to, room, format, t);
    TOUCH_WRITES("strftime", to, n ? n + 1 : 0);
    return n;
}

/* --- other ------------------------------------------------------------------------------------------ */

/* It moves the elements; `compare` is the program's. */
void touch_qsort(void *at, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    TOUCH_WRITES("qsort", at, n * size);
    qsort(at, n, size, compare);
}

void touch_qsort_r(void *at, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
                   void *arg)
{
    TOUCH_WRITES("qsort_r", at, n * size);
    qsort_r(at, n, size, compare, arg);
}

int touch_rand_r(unsigned *seed)
{
    TOUCH_WRITES("rand_r", seed, sizeof *seed);
    return rand_r(seed);
}
