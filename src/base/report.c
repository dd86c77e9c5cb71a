/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report: what pgasim tells its user, and the one way the process ends early. Callers decide what is said.
 * Each report is written as whole lines to one stream with one fwrite, so that nothing comes between its
 * parts.
 *
 * Invariants
 *  B4  The hooks of base_at_fatal run once, newest first; a failure inside one ends the process at once.
 */
#include "base/base.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HOOKS = 8, LINE = 4096 };

/* A kind of warning: printed the first time, then only counted. */
struct warning {
    const char *key;
    char *text;
    uint64_t count;
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
    void (*place)(char *buf, size_t size), (*caller)(char *buf, size_t size);
    void (*end)(int status); /* NULL: not strict */
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
    line[size++] = '\n';
    fwrite(line, 1, size, base_report_stream());
    fflush(base_report_stream());
}

void base_error(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("error: ", fmt, args);
    va_end(args);
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

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* Who made the mistake, written before the text. */
static size_t write_place(char *buf, size_t size)
{
    buf[0] = 0;
    if (report.place)
        report.place(buf, size - 2);
    size_t n = strlen(buf);
    if (n)
        n += (size_t)snprintf(buf + n, size - n, ": ");
    return n;
}

BASE_PRINTF(2, 3) static void say_line(const char *kind, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say(kind, fmt, args);
    va_end(args);
}

bool base_warn_again(const char *key)
{
    struct warning *known = warning_find(key);
    if (known)
        known->count++;
    return known != NULL;
}

void base_warn(const char *key, const char *fmt, ...)
{
    if (base_warn_again(key))
        return;
    bool strict = report.end && (begins(key, "misuse/") || begins(key, "not-modelled/"));
    bool mistake = strict || begins(key, "misuse/");
    char text[LINE / 2], caller[LINE / 8] = "";
    size_t at = mistake ? write_place(text, sizeof text) : 0;
    va_list args;
    va_start(args, fmt);
    vsnprintf(text + at, sizeof text - at, fmt, args);
    va_end(args);
    if (mistake && report.caller)
        report.caller(caller, sizeof caller);
    struct warning w = {.key = key, .count = 1};
    w.text = *caller ? base_strfmt("%s (%s)", text, caller) : base_strdup(text);
    BASE_ARRAY_PUSH(&report.warnings, w);
    if (strict)
        say_line("error: ", "%s (an error because of --strict: %s)", text, key);
    else if (base_level_on(BASE_LEVEL_WARN))
        say_line("warning: ", "%s", text);
    if (*caller && (strict || base_level_on(BASE_LEVEL_WARN)))
        say_line("  ", "%s", caller);
    if (strict)
        report.end(BASE_EXIT_PROGRAM);
}

void base_warnings_each(base_warning_fn fn, void *arg)
{
    for (size_t k = 0; k < report.warnings.n; k++)
        fn(arg, report.warnings.at[k].key, report.warnings.at[k].text, report.warnings.at[k].count);
}

void base_at_fatal(void (*fn)(void *arg), void *arg)
{
    BASE_ASSERT("B4", report.hooks < HOOKS);
    report.hook[report.hooks].fn = fn;
    report.hook[report.hooks++].arg = arg;
}

/* _exit rather than exit: we may be on a rank's stack, and the application's atexit handlers are its own
 * affair (fold/ runs them when a rank ends normally). */
void base_exit(int status)
{
    if (report.ending)
        _exit(status);
    report.ending = true;
    while (report.hooks > 0) {
        report.hooks--;
        report.hook[report.hooks].fn(report.hook[report.hooks].arg);
    }
    fflush(NULL);
    _exit(status);
}

void base_fatal(int status, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    say("error: ", fmt, args);
    va_end(args);
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
