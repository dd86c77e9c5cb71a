/* SPDX-License-Identifier: BSD-3-Clause */
/* output: see output.h. place.c says where a name leads. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ATTEMPTS = 100 };

/* --- signals ------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t writing;

void base_writing_begin(void)
{
    writing++;
}

void base_writing_end(void)
{
    writing--;
}

bool base_is_writing(void)
{
    return writing > 0;
}

static void nothing(int sig)
{
    (void)sig;
}

/* A handler, because commands that we start get the default again, which an ignored signal would not. */
void base_size_limit_take(void)
{
    struct sigaction sa = {.sa_handler = nothing, .sa_flags = SA_RESTART}, is;
    if (!sigaction(SIGXFSZ, NULL, &is) && is.sa_handler == SIG_DFL)
        sigaction(SIGXFSZ, &sa, NULL);
}

static void hold_signals(struct base_output *o)
{
    sigset_t deadly;
    sigemptyset(&deadly);
    sigaddset(&deadly, SIGINT);
    sigaddset(&deadly, SIGTERM);
    sigaddset(&deadly, SIGHUP);
    sigaddset(&deadly, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &deadly, &o->before);
}

static void let_signals(const struct base_output *o)
{
    pthread_sigmask(SIG_SETMASK, &o->before, NULL);
}

/* --- names --------------------------------------------------------------------------------------------- */

/* ".page.html.4711.1f3c...": in the same folder, so that it can be moved. */
static char *part_name(const char *place)
{
    uint64_t some = 0;
    const char *name = strrchr(place, '/') + 1;
    if (getrandom(&some, sizeof some, GRND_NONBLOCK) != sizeof some)
        some = (uint64_t)(uintptr_t)&some ^ (uint64_t)getpid();
    return base_strfmt("%.*s.%.100s.%ld.%016llx", (int)(name - place), place, name, (long)getpid(),
                       (unsigned long long)some);
}

static int open_named(struct base_output *o)
{
    int fd = -1;
    for (int k = 0; k < ATTEMPTS && fd < 0; k++) {
        free(o->part);
        o->part = part_name(o->place);
        fd = open(o->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    if (fd >= 0)
        return fd;
    free(o->part);
    o->part = NULL;
    return -1;
}

/* A file without a name goes away with its process, however that ends. Not every file system has them. */
static int open_part(struct base_output *o)
{
    char *folder = base_strfmt("%.*s", (int)(strrchr(o->place, '/') - o->place + 1), o->place);
    int fd = open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    free(folder);
    return fd >= 0 || errno == EMFILE || errno == ENFILE ? fd : open_named(o);
}

/* Gives the nameless file its first name. */
static int name_part(struct base_output *o)
{
    char self[32];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(o->out));
    for (int k = 0; k < ATTEMPTS; k++) {
        o->part = part_name(o->place);
        if (!linkat(AT_FDCWD, self, AT_FDCWD, o->part, AT_SYMLINK_FOLLOW))
            return 0;
        free(o->part);
        o->part = NULL;
        if (errno != EEXIST)
            break;
    }
    return -1;
}

/* --- opening ------------------------------------------------------------------------------------------- */

static bool goes_to(const struct stat *file, int fd)
{
    struct stat standard;
    return !fstat(fd, &standard) && standard.st_dev == file->st_dev && standard.st_ino == file->st_ino;
}

/* A file that cannot be replaced, because its folder is not ours, is overwritten. */
static int open_in_place(struct base_output *o, bool there, bool follow)
{
    int flags = O_WRONLY | O_NOCTTY | O_CLOEXEC | (there ? 0 : O_CREAT | O_EXCL) | (follow ? 0 : O_NOFOLLOW);
    o->moved = false;
    return open(o->place, flags | (there ? O_TRUNC : 0), 0666);
}

static int open_file(struct base_output *o, bool direct)
{
    struct stat file;
    bool there = !stat(o->place, &file);
    if (!there && errno != ENOENT)
        return -1;
    if (there && S_ISDIR(file.st_mode)) {
        errno = EISDIR;
        return -1;
    }
    if (direct || (there && !S_ISREG(file.st_mode)))
        return open_in_place(o, there, direct);
    if (there && access(o->place, W_OK))
        return -1;
    o->mode = there ? file.st_mode & 07777 : 0;
    o->moved = true;
    int fd = open_part(o);
    if (fd < 0 && there && (errno == EACCES || errno == EROFS || errno == EPERM))
        fd = open_in_place(o, there, false);
    return fd;
}

/* What standard output or error already goes to is written there: a second open file would overwrite it. */
static FILE *standard_stream(const char *path)
{
    struct stat file;
    if (!strcmp(path, "-"))
        return stdout;
    if (stat(path, &file) || !S_ISREG(file.st_mode))
        return NULL;
    return goes_to(&file, STDOUT_FILENO) ? stdout : goes_to(&file, STDERR_FILENO) ? stderr : NULL;
}

int base_output_open(struct base_output *o, const char *path, struct base_status *st)
{
    bool direct = false;
    *o = (struct base_output){.shown = path, .out = standard_stream(path)};
    if (!o->out && !(o->place = base_output_place(path, &direct, st)))
        return -1;
    hold_signals(o);
    if (!o->out) {
        int fd = open_file(o, direct);
        o->out = fd < 0 ? NULL : fdopen(fd, "w");
    }
    if (!o->out) {
        int why = errno;
        let_signals(o);
        free(o->place);
        errno = why;
        base_open_failed(path);
        return base_fail(st, "%s: %s", path, strerror(why));
    }
    if (!o->part) /* without a name, nothing is left behind */
        let_signals(o);
    base_writing_begin();
    return 0;
}

/* --- closing ------------------------------------------------------------------------------------------- */

static void release(struct base_output *o)
{
    if (o->part)
        unlink(o->part);
    free(o->part);
    free(o->place);
    let_signals(o);
    o->out = NULL;
    base_writing_end();
}

static int put_in_place(struct base_output *o)
{
    if (o->mode && fchmod(fileno(o->out), o->mode))
        return -1;
    if (!o->part) {
        hold_signals(o);
        if (name_part(o))
            return -1;
    }
    if (rename(o->part, o->place))
        return -1;
    free(o->part);
    o->part = NULL;
    return 0;
}

int base_output_commit(struct base_output *o, struct base_status *st)
{
    bool standard = o->out == stdout || o->out == stderr;
    errno = 0;
    bool bad = fflush(o->out) || ferror(o->out) || (o->moved && put_in_place(o));
    int why = errno;
    if (!standard && fclose(o->out) && !bad) {
        bad = true;
        why = errno;
    }
    release(o);
    return bad ? base_fail(st, "%s: %s", o->shown, why ? strerror(why) : "cannot write it") : 0;
}

void base_output_discard(struct base_output *o)
{
    if (o->out != stdout && o->out != stderr)
        fclose(o->out);
    release(o);
}

/* Opening a device or a pipe may wait or have an effect, so that is left for later. */
int base_output_check(const char *path, struct base_status *st)
{
    struct base_output o;
    struct stat file;
    if (!stat(path, &file) && !S_ISREG(file.st_mode) && !S_ISDIR(file.st_mode))
        return 0;
    if (!stat(path, &file) && S_ISREG(file.st_mode)) { /* might have to be overwritten, but not yet */
        char *place = base_output_place(path, &(bool){false}, st);
        bool bad = !place || access(place, W_OK);
        free(place);
        return !place ? -1 : bad ? base_fail(st, "%s: %s", path, strerror(errno)) : 0;
    }
    if (base_output_open(&o, path, st))
        return -1;
    base_output_discard(&o);
    return 0;
}
