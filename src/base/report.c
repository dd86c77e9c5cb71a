/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: what pgasim tells its user, and the one way the process ends early. Callers decide what is said.
 * Each report is written as whole lines to one stream with one fwrite, so that nothing comes between its
 * parts.
 *
 * Invariants
 *  B4  The hooks of base_at_fatal run once, newest first; a failure inside one ends the process at once.
 *  B10  No byte that a terminal might obey leaves here: names and texts of programs and files are masked.
 */
#include "base/base.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { HOOKS = 8, LINE = 4096, KINDS = 200 }; /* KINDS of one key that are told apart */

/* A kind of warning or notice: printed the first time, then only counted. */
struct warning {
    const char *key;
    char *text;
    char *kind; /* with base_mistakes: what is the same each time, without numbers; else NULL */
    uint64_t count;
    bool notice; /* nothing is lost by it */
};

static struct {
    FILE *out; /* NULL: stderr */
    enum base_level level;
    BASE_ARRAY(struct warning) warnings;
    struct {
        void (*fn)(void *arg);
        void *arg;
    } hook[HOOKS];
    unsigned hooks;
    bool ending;
    int status;                 /* of that end */
    char first_error[LINE / 4]; /* empty: none */
    void (*place)(char *buf, size_t size), (*caller)(char *buf, size_t size);
    void (*end)(int status); /* NULL: not strict */
    void (*found)(void);     /* NULL: mistakes are warnings */
    void (*said)(bool error);
    bool dumps;
} report = {.level = BASE_LEVEL_INFO};

void base_report_to(FILE *out)
{
    report.out = out;
}

FILE *base_report_stream(void)
{
    return report.out ? report.out : stderr;
}

void base_level_set(enum base_level level)
{
    report.level = level;
}

bool base_level_on(enum base_level level)
{
    return level <= report.level;
}

static void say(const char *kind, const char *fmt, va_list args)
{
    char line[LINE];
    int at = snprintf(line, sizeof line, "pgasim: %s", kind);
    int n = vsnprintf(line + at, sizeof line - (size_t)at - 1, fmt, args);
    size_t size = (size_t)at + (n < 0 ? 0 : (size_t)n);
    if (size > sizeof line - 2)
        size = sizeof line - 2;
    line[size] = 0;
    base_text_mask(line);
    line[size++] = '\n';
    fwrite(line, 1, size, base_report_stream());
    fflush(base_report_stream());
}

static void say_error(const char *fmt, va_list args)
{
    if (!*report.first_error) {
        va_list again;
        va_copy(again, args);
        vsnprintf(report.first_error, sizeof report.first_error, fmt, again);
        va_end(again);
    }
    say("error: ", fmt, args);
}

const char *base_first_error(void)
{
    return *report.first_error ? report.first_error : NULL;
}

void base_on_report(void (*fn)(bool error))
{
    report.said = fn;
}

static void tell(bool error)
{
    if (report.said)
        report.said(error);
}

void base_error(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say_error(fmt, args);
    va_end(args);
    tell(true);
}

void base_error_more(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("  ", fmt, args);
    va_end(args);
}

void base_info(const char *fmt, ...)
{
    if (!base_level_on(BASE_LEVEL_INFO))
        return;
    va_list args;
    va_start(args, fmt);
    say("", fmt, args);
    va_end(args);
}

static struct warning *warning_find(const char *key)
{
    for (size_t k = 0; k < report.warnings.n; k++)
        if (!strcmp(report.warnings.at[k].key, key))
            return &report.warnings.at[k];
    return NULL;
}

void base_warn_place(void (*place)(char *buf, size_t size), void (*caller)(char *buf, size_t size))
{
    report.place = place;
    report.caller = caller;
}

void base_strict(void (*end)(int status))
{
    report.end = end;
}

void base_mistakes(void (*found)(void))
{
    report.found = found;
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Who made the mistake, written before the text. */
static void write_place(char *buf, size_t size)
{
    buf[0] = 0;
    if (report.place)
        report.place(buf, size - 2);
    size_t n = strlen(buf);
    if (n)
        snprintf(buf + n, size - n, ": ");
}

BASE_PRINTF(2, 3) static void say_line(const char *kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(kind, fmt, args);
    va_end(args);
}

/* Each is told apart, unless there are too many. */
static bool is_finding(const char *key)
{
    size_t kinds = 0;
    for (size_t k = 0; k < report.warnings.n; k++)
        kinds += !strcmp(report.warnings.at[k].key, key);
    return report.found && !report.end && begins(key, "misuse/") && kinds < KINDS;
}

static bool count_again(const char *key)
{
    struct warning *known = warning_find(key);
    if (known)
        known->count++;
    return known != NULL;
}

bool base_warn_again(const char *key)
{
    return !is_finding(key) && count_again(key);
}

/* The first of its key: its text with where it happened, kept for the summary. `mistake`: the program's. */
static struct warning *keep(const char *key, bool notice, bool mistake, const char *caller, const char *text)
{
    char place[LINE / 8] = "";
    if (mistake)
        write_place(place, sizeof place);
    struct warning w = {.key = key, .count = 1, .notice = notice};
    w.text = *caller ? base_strfmt("%s%s (%s)", place, text, caller) : base_strfmt("%s%s", place, text);
    base_text_mask(w.text);
    BASE_ARRAY_PUSH(&report.warnings, w);
    return &report.warnings.at[report.warnings.n - 1];
}

/* Where, and what the text says, with # for each number that stands alone: ranks, bytes, addresses. */
static char *kind_of(const char *caller, const char *text)
{
    char *kind = base_strfmt("%s %s", caller, text), *to = kind + strlen(caller);
    for (const char *from = to; *from;) {
        bool number = from[0] == ' ' && from[1] >= '0' && from[1] <= '9';
        size_t digits = number ? strspn(from + 1, "0123456789abcdefx.") : 0;
        *to++ = *from++;
        if (number)
            *to++ = '#';
        from += digits;
    }
    *to = 0;
    return kind;
}

/* A mistake that was told before. */
static bool is_known(const char *key, const char *kind)
{
    for (size_t k = 0; k < report.warnings.n; k++) {
        struct warning *w = &report.warnings.at[k];
        if (w->kind && !strcmp(w->key, key) && !strcmp(w->kind, kind)) {
            w->count++;
            return true;
        }
    }
    return false;
}

static void warn(const char *key, bool notice, const char *fmt, va_list args)
{
    bool finding = !notice && is_finding(key);
    if (!finding && count_again(key))
        return;
    bool strict = report.end && (begins(key, "misuse/") || begins(key, "not-modelled/"));
    bool mistake = strict || begins(key, "misuse/");
    bool shown = strict || finding || base_level_on(notice ? BASE_LEVEL_INFO : BASE_LEVEL_WARN);
    char caller[LINE / 8] = "", text[LINE / 2];
    char *kind = NULL;
    vsnprintf(text, sizeof text, fmt, args);
    if (mistake && report.caller)
        report.caller(caller, sizeof caller);
    if (finding && is_known(key, kind = kind_of(caller, text))) {
        free(kind);
        return;
    }
    struct warning *w = keep(key, notice, mistake, caller, text);
    w->kind = kind;
    int n = (int)(strlen(w->text) - (*caller ? strlen(caller) + 3 : 0)); /* without " (CALLER)" */
    if (strict)
        say_line("error: ", "%.*s (an error because of --strict: %s)", n, w->text, key);
    else if (finding)
        say_line("error: ", "%.*s (%s)", n, w->text, key);
    else if (shown)
        say_line(notice ? "notice: " : "warning: ", "%.*s", n, w->text);
    if (*caller && shown)
        say_line("  ", "%s", caller);
    if (!notice)
        tell(strict || finding);
    if (strict)
        report.end(BASE_EXIT_PROGRAM);
    else if (finding)
        report.found();
}

void base_warn(const char *key, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    warn(key, false, fmt, args);
    va_end(args);
}

void base_notice(const char *key, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    warn(key, true, fmt, args);
    va_end(args);
}

static void each(bool notices, base_warning_fn fn, void *arg)
{
    for (size_t k = 0; k < report.warnings.n; k++) {
        const struct warning *w = &report.warnings.at[k];
        if (w->notice == notices)
            fn(arg, w->key, w->text, w->count);
    }
}

void base_warnings_each(base_warning_fn fn, void *arg)
{
    each(false, fn, arg);
}

void base_notices_each(base_warning_fn fn, void *arg)
{
    each(true, fn, arg);
}

void base_at_fatal(void (*fn)(void *arg), void *arg)
{
    BASE_ASSERT("B4", report.hooks < HOOKS);
    report.hook[report.hooks].fn = fn;
    report.hook[report.hooks++].arg = arg;
}

void base_exit_dumps(bool on)
{
    report.dumps = on;
}

/* By the signal itself, for its core file, if the status stands for one. */
static _Noreturn void leave(int status)
{
    sigset_t one;
    if (report.dumps && status > 128 && sigemptyset(&one) == 0 && sigaddset(&one, status - 128) == 0) {
        (void)signal(status - 128, SIG_DFL);
        (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
        (void)raise(status - 128);
    }
    _exit(status);
}

/* _exit rather than exit: we may be on a rank's stack, and the application's atexit handlers are its own
 * affair (fold/ runs them when a rank ends normally). */
void base_exit(int status)
{
    if (report.ending)
        _exit(status);
    report.ending = true;
    report.status = status;
    while (report.hooks > 0) {
        report.hooks--;
        report.hook[report.hooks].fn(report.hook[report.hooks].arg);
    }
    fflush(NULL);
    leave(status);
}

int base_exit_status(void)
{
    return report.status;
}

void base_fatal(int status, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say_error(fmt, args);
    va_end(args);
    tell(true);
    base_exit(status);
}

void base_assert_failed(const char *invariant, const char *cond, const char *file, int line)
{
    const char *name = strrchr(file, '/');
    base_error("internal: invariant %s is broken: %s (%s:%d). Please report this.", invariant, cond,
               name ? name + 1 : file, line);
    base_exit(BASE_EXIT_BUG);
}

int(base_fail)(struct base_status *st, const char *fmt, ...)
{
    if (st) {
        va_list args;
        va_start(args, fmt);
        vsnprintf(st->text, sizeof st->text, fmt, args);
        va_end(args);
    }
    return -1;
}
