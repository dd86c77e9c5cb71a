/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * child: one run in a process of its own. Its output goes into files, so it never waits for us. It leads a group
 * of processes that is killed as a whole, and dies with us.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check/explore/parts.h"

enum { NO_START = 127 };
static const off_t output_most = (off_t)1 << 30; /* bytes of a run that writes for ever */

/* --- the command line ---------------------------------------------------------------------------------- */

/* Texts are freed by release_words. */
struct words {
    BASE_ARRAY(char *) list;
};

static void add(struct words *w, const char *word)
{
    BASE_ARRAY_PUSH(&w->list, base_strdup(word));
}

static void add_setting(struct words *w, const char *key, char *value)
{
    char *text = base_strfmt("check/%s=%s", key, value);
    add(w, "--set");
    add(w, text);
    free(text);
    free(value);
}

static void add_nasty(struct words *w, const struct explore *x, const struct explore_run *r)
{
    add(w, "--check=nasty");
    add_setting(w, "seed", base_strfmt("%llu", (unsigned long long)r->seed));
    add_setting(w, "decisions", explore_path(x, r->number, "decisions"));
    if (r->scripted)
        add_setting(w, "points", explore_path(x, r->number, "points"));
    if (r->allow)
        add_setting(w, "allow", base_strdup(r->allow));
}

/* Ours stand first, so that the user's own may override them. */
static struct words words_of(const struct explore *x, const struct explore_run *r)
{
    const struct explore_command *c = &x->request->command;
    struct words w = {{0}};
    add(&w, c->self);
    add(&w, "run");
    add(&w, "--quiet");
    add(&w, "--compute=off");
    if (r->way == EXPLORE_RACES) {
        add(&w, "--check=races");
        add_setting(&w, "findings", explore_path(x, r->number, "findings"));
    }
    if (r->way == EXPLORE_NASTY)
        add_nasty(&w, x, r);
    if (r->way != EXPLORE_RACES && x->request->memory)
        add_setting(&w, "memory", explore_path(x, r->number, "memory"));
    if (r->trace) {
        add(&w, "--trace");
        add(&w, r->trace);
    }
    for (const char *const *word = c->options; *word; word++)
        add(&w, *word);
    for (const char *const *word = c->program; *word; word++)
        add(&w, *word);
    BASE_ARRAY_PUSH(&w.list, (char *)NULL);
    return w;
}

static void release_words(struct words *w)
{
    for (size_t k = 0; k < w->list.n; k++)
        free(w->list.at[k]);
    free(w->list.at);
}

/* --- starting ------------------------------------------------------------------------------------------ */

static void redirect(int to, const char *path, int flags)
{
    int fd = open(path, flags, 0600);
    if (fd < 0 || dup2(fd, to) < 0)
        _exit(NO_START);
    if (fd != to)
        close(fd);
}

/* A file as standard input is read by each child from its beginning; what else it may be can be read once. */
static void redirect_input(void)
{
    struct stat in;
    bool file = !fstat(STDIN_FILENO, &in) && S_ISREG(in.st_mode);
    redirect(STDIN_FILENO, file ? "/proc/self/fd/0" : "/dev/null", O_RDONLY);
}

static _Noreturn void become(const struct explore *x, char *const words[], const char *out, const char *err,
                             pid_t parent)
{
    const int made = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(NO_START);
    redirect_input();
    redirect(STDOUT_FILENO, out, made);
    redirect(STDERR_FILENO, err, made);
    setenv("TMPDIR", x->folder, 1);
    base_signals_restore(&x->signals);
    execv(words[0], words);
    _exit(NO_START);
}

void explore_start(struct explore *x, struct explore_run *r)
{
    r->number = x->runs++;
    struct words w = words_of(x, r);
    char *out = explore_path(x, r->number, "out"), *err = explore_path(x, r->number, "err");
    pid_t parent = getpid();
    fflush(NULL);
    r->began = explore_seconds();
    r->done = r->ended = false;
    r->pid = fork();
    if (!r->pid)
        become(x, w.list.at, out, err, parent);
    if (r->pid < 0) {
        r->pid = 0;
        r->done = r->ended = true;
        r->status = BASE_EXIT_HOST;
    } else {
        setpgid(r->pid, r->pid); /* as the child does: whoever comes first */
    }
    release_words(&w);
    free(out);
    free(err);
}

/* --- ending -------------------------------------------------------------------------------------------- */

/* With children of its own. `ended`: it has ended by itself, but is still there to be waited for, so that nobody
 * else can have its number. */
static void end_group(struct explore_run *r, bool ended)
{
    int status = 0;
    (void)kill(-r->pid, SIGKILL);
    (void)kill(r->pid, SIGKILL);
    while (waitpid(r->pid, &status, 0) < 0 && errno == EINTR)
        ;
    r->seconds = explore_seconds() - r->began;
    r->pid = 0;
    r->done = true;
    r->ended = ended;
    r->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void explore_kill(struct explore_run *r)
{
    if (r->pid)
        end_group(r, false);
}

static bool writes_for_ever(const struct explore *x, const struct explore_run *r)
{
    static const char *const names[] = {"out", "err", "decisions", "memory"};
    off_t bytes = 0;
    for (size_t k = 0; k < BASE_LENGTH(names); k++) {
        struct stat file;
        char *path = explore_path(x, r->number, names[k]);
        if (!stat(path, &file))
            bytes += file.st_size;
        free(path);
    }
    return bytes > output_most;
}

bool explore_finished(struct explore *x, struct explore_run *r)
{
    siginfo_t info = {0};
    if (r->done)
        return true;
    if (!waitid(P_PID, (id_t)r->pid, &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid == r->pid)
        end_group(r, true);
    else if ((r->limit > 0 && explore_seconds() - r->began > r->limit) || writes_for_ever(x, r))
        end_group(r, false);
    return r->done;
}

/* --- what it has written ------------------------------------------------------------------------------- */

/* false: nobody reads it. */
static bool write_all(int to, const char *bytes, size_t n)
{
    for (ssize_t put; n; bytes += put, n -= (size_t)put)
        if ((put = write(to, bytes, n)) <= 0)
            return false;
    return true;
}

/* Up to the last end of a line, unless it has ended: lines of the two streams stay whole. */
static size_t whole_lines(const char *bytes, size_t n, size_t most, bool ended)
{
    const char *last = memrchr(bytes, '\n', n);
    return ended || (n == most && !last) ? n : last ? (size_t)(last + 1 - bytes) : 0;
}

static void copy_more(const char *path, int to, off_t *from, bool ended)
{
    char bytes[65536];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    for (ssize_t n; (n = pread(fd, bytes, sizeof bytes, *from)) > 0;) {
        size_t some = whole_lines(bytes, (size_t)n, sizeof bytes, ended);
        if (!some || !write_all(to, bytes, some))
            break;
        *from += (off_t)some;
    }
    close(fd);
}

/* On a terminal as it comes; elsewhere at the end, so that the order of the two streams is always the same (E1). */
void explore_show(const struct explore *x, const struct explore_run *r, struct explore_tail *t)
{
    if (!r->shown || (!r->done && !isatty(STDOUT_FILENO) && !isatty(STDERR_FILENO)))
        return;
    char *out = explore_path(x, r->number, "out"), *err = explore_path(x, r->number, "err");
    copy_more(out, STDOUT_FILENO, &t->out, r->done);
    copy_more(err, STDERR_FILENO, &t->err, r->done);
    free(out);
    free(err);
}

struct explore_result explore_read(const struct explore *x, const struct explore_run *r)
{
    char *out = explore_path(x, r->number, "out"), *err = explore_path(x, r->number, "err");
    struct explore_result t = {.out = explore_lines_read(out),
                               .err = explore_lines_read(err),
                               .status = r->status,
                               .ended = r->ended};
    if (x->request->memory) {
        char *memory = explore_path(x, r->number, "memory");
        t.memory = explore_lines_read(memory);
        free(memory);
    }
    free(out);
    free(err);
    explore_mistakes_take(&t);
    return t;
}

void explore_result_release(struct explore_result *t)
{
    explore_lines_release(&t->out);
    explore_lines_release(&t->err);
    explore_lines_release(&t->mistakes);
    explore_lines_release(&t->memory);
}
