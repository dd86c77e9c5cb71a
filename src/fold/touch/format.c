/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * format: the families of printf and scanf (touch.h). Their arguments are found by the format, as far as it is of
 * the C standard's kinds: a number of an argument (%1$d), or an unknown conversion, ends that.
 */
#include "fold/touch/touch.h"

#include "fold/io/io.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* glibc's; its headers declare them only for code that is compiled with _FORTIFY_SOURCE. */
extern int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args);
extern int __vsnprintf_chk(char *to, size_t n, int flag, size_t room, const char *format, va_list args);

/* One conversion of a format. */
struct conversion {
    bool star, precise, allocates; /* `star`: an argument says its width, or it is not assigned; `m` */
    bool star_precise;             /* an argument says its precision */
    size_t width, precision;
    char size; /* H: hh, h, l, q: ll, L, z, t, j; 0: none */
    char kind; /* 0: no known one */
};

static size_t read_number(const char **at)
{
    size_t n = 0;
    while (**at >= '0' && **at <= '9')
        n = 10 * n + (size_t)(*(*at)++ - '0');
    return n;
}

static char read_size(const char **at)
{
    char size = 0;
    if (**at && strchr("hlLqjzt", **at))
        size = *(*at)++;
    if ((size == 'h' || size == 'l') && **at == size) {
        ++*at;
        size = size == 'h' ? 'H' : 'q';
    }
    return size;
}

/* Reads what stands behind a percent sign. */
static struct conversion read_conversion(const char **at)
{
    struct conversion c = {.width = SIZE_MAX};
    *at += strspn(*at, "-+ #0'I");
    if (**at == '*') {
        c.star = true;
        ++*at;
    }
    if (**at >= '0' && **at <= '9')
        c.width = read_number(at);
    if (**at == '.') {
        c.precise = true;
        c.star_precise = *++*at == '*';
        if (c.star_precise)
            ++*at;
        else
            c.precision = read_number(at);
    }
    if (**at == 'm' && (*at)[1] && strchr("sc[lS", (*at)[1])) {
        c.allocates = true;
        ++*at;
    }
    c.size = read_size(at);
    c.kind = **at && strchr("diouxXeEfFgGaAcsp[nmCS%", **at) ? *(*at)++ : 0;
    return c;
}

/* --- printf ----------------------------------------------------------------------------------------- */

enum passed { PASSED_INT, PASSED_LONG, PASSED_DOUBLE, PASSED_LONG_DOUBLE, PASSED_POINTER, PASSED_NOTHING };

static enum passed passed_as(const struct conversion *c)
{
    if (c->kind == '%' || c->kind == 'm')
        return PASSED_NOTHING;
    if (strchr("sSpn", c->kind))
        return PASSED_POINTER;
    if (strchr("eEfFgGaA", c->kind))
        return c->size == 'L' ? PASSED_LONG_DOUBLE : PASSED_DOUBLE;
    return c->size && strchr("lqjztL", c->size) ? PASSED_LONG : PASSED_INT;
}

static void tell_text(const char *call, const struct conversion *c, const void *text, const void *place)
{
    size_t n, most = c->precise ? c->precision : SIZE_MAX;
    bool wide = c->kind == 'S' || c->size == 'l';
    if (!text)
        return;
    n = wide ? wcsnlen(text, most) : strnlen(text, most);
    n += n < most;
    rank_touches(call, text, wide ? n * sizeof(wchar_t) : n, RANK_READS, place);
}

/* What the format's strings are. `args` is used up to the last of them. */
static void tell_arguments(const char *call, const char *format, va_list args, const void *place)
{
    while ((format = strchr(format, '%'))) {
        format++;
        struct conversion c = read_conversion(&format);
        if (c.star)
            (void)va_arg(args, int);
        if (c.star_precise) {
            int n = va_arg(args, int);
            c.precise = n >= 0;
            c.precision = (size_t)n;
        }
        if (c.kind == 0)
            return;
        const void *text = NULL;
        switch (passed_as(&c)) {
        case PASSED_INT:
            (void)va_arg(args, int);
            break;
        case PASSED_LONG:
            (void)va_arg(args, long long);
            break;
        case PASSED_DOUBLE:
            (void)va_arg(args, double);
            break;
        case PASSED_LONG_DOUBLE:
            (void)va_arg(args, long double);
            break;
        case PASSED_POINTER:
            text = va_arg(args, const void *);
            break;
        case PASSED_NOTHING:
            break;
        }
        if (c.kind == 's' || c.kind == 'S')
            tell_text(call, &c, text, place);
    }
}

/* `params` end with the format and its arguments; `does` uses them as `args`. */
#define PRINT(call, name, params, does)                                                                      \
    int touch_##name params                                                                                  \
    {                                                                                                        \
        va_list args, again;                                                                                 \
        va_start(args, format);                                                                              \
        va_copy(again, args);                                                                                \
        tell_arguments(call, format, again, __builtin_return_address(0));                                    \
        va_end(again);                                                                                       \
        int result = does;                                                                                   \
        va_end(args);                                                                                        \
        return result;                                                                                       \
    }
#define PRINT_LIST(call, name, params, does)                                                                 \
    int touch_##name params                                                                                  \
    {                                                                                                        \
        va_list again;                                                                                       \
        va_copy(again, args);                                                                                \
        tell_arguments(call, format, again, __builtin_return_address(0));                                    \
        va_end(again);                                                                                       \
        return does;                                                                                         \
    }
/* A result of n characters in `room` bytes was written. */
#define WROTE(call, room, does)                                                                              \
    ({                                                                                                       \
        int length = does;                                                                                   \
        size_t all = length < 0 ? 0 : (size_t)length + 1, most = room;                                       \
        TOUCH_WRITES(call, to, all < most ? all : most);                                                     \
        length;                                                                                              \
    })

PRINT("printf", printf, (const char *format, ...), vprintf(format, args))
PRINT("fprintf", fprintf, (FILE * f, const char *format, ...), vfprintf(f, format, args))
PRINT("dprintf", dprintf, (int fd, const char *format, ...), in_rank_vdprintf(fd, format, args))
PRINT("sprintf", sprintf, (char *to, const char *format, ...),
      WROTE("sprintf", SIZE_MAX, vsprintf(to, format, args)))
PRINT("snprintf", snprintf, (char *to, size_t n, const char *format, ...),
      WROTE("snprintf", n, vsnprintf(to, n, format, args)))
PRINT_LIST("vprintf", vprintf, (const char *format, va_list args), vprintf(format, args))
PRINT_LIST("vfprintf", vfprintf, (FILE * f, const char *format, va_list args), vfprintf(f, format, args))
PRINT_LIST("vsprintf", vsprintf, (char *to, const char *format, va_list args),
           WROTE("vsprintf", SIZE_MAX, vsprintf(to, format, args)))
PRINT_LIST("vsnprintf", vsnprintf, (char *to, size_t n, const char *format, va_list args),
           WROTE("vsnprintf", n, vsnprintf(to, n, format, args)))

PRINT("printf", __printf_chk, (int flag, const char *format, ...), ((void)flag, vprintf(format, args)))
PRINT("fprintf", __fprintf_chk, (FILE * f, int flag, const char *format, ...),
      ((void)flag, vfprintf(f, format, args)))
PRINT("dprintf", __dprintf_chk, (int fd, int flag, const char *format, ...),
      ((void)flag, in_rank_vdprintf(fd, format, args)))
PRINT("sprintf", __sprintf_chk, (char *to, int flag, size_t room, const char *format, ...),
      WROTE("sprintf", room, __vsprintf_chk(to, flag, room, format, args)))
PRINT("snprintf", __snprintf_chk, (char *to, size_t n, int flag, size_t room, const char *format, ...),
      WROTE("snprintf", n, __vsnprintf_chk(to, n, flag, room, format, args)))
PRINT_LIST("vprintf", __vprintf_chk, (int flag, const char *format, va_list args),
           ((void)flag, vprintf(format, args)))
PRINT_LIST("vfprintf", __vfprintf_chk, (FILE * f, int flag, const char *format, va_list args),
           ((void)flag, vfprintf(f, format, args)))
PRINT_LIST("vsprintf", __vsprintf_chk, (char *to, int flag, size_t room, const char *format, va_list args),
           WROTE("vsprintf", room, __vsprintf_chk(to, flag, room, format, args)))
PRINT_LIST("vsnprintf", __vsnprintf_chk,
           (char *to, size_t n, int flag, size_t room, const char *format, va_list args),
           WROTE("vsnprintf", n, __vsnprintf_chk(to, n, flag, room, format, args)))

/* --- scanf ------------------------------------------------------------------------------------------ */

static size_t number_size(const struct conversion *c)
{
    bool real = strchr("eEfFgGaA", c->kind) != NULL;
    switch (c->size) {
    case 'H':
        return 1;
    case 'h':
        return 2;
    case 'L':
        return real ? sizeof(long double) : 8;
    case 0:
        return c->kind == 'p' ? sizeof(void *) : 4;
    default:
        return 8;
    }
}

/* What an assigned conversion has written. */
static size_t assigned_size(const struct conversion *c, const void *to)
{
    bool wide = c->size == 'l' || c->kind == 'S' || c->kind == 'C';
    size_t unit = wide ? sizeof(wchar_t) : 1;
    if (c->allocates)
        return sizeof(char *);
    if (c->kind == 'c' || c->kind == 'C')
        return (c->width == SIZE_MAX ? 1 : c->width) * unit;
    if (c->kind == 's' || c->kind == 'S' || c->kind == '[')
        return ((wide ? wcslen(to) : strlen(to)) + 1) * unit;
    return number_size(c);
}

/* `n` conversions were assigned. */
static void tell_assigned(const char *call, const char *format, int n, va_list args, const void *place)
{
    while (n > 0 && (format = strchr(format, '%'))) {
        format++;
        struct conversion c = read_conversion(&format);
        if (c.kind == '[') {
            format += *format == '^';
            format += *format == ']';
            format += strcspn(format, "]");
        }
        if (c.kind == 0 || c.kind == 'm')
            return;
        if (c.kind == '%' || c.star)
            continue;
        const void *to = va_arg(args, const void *);
        rank_touches(call, to, assigned_size(&c, to), RANK_WRITES, place);
        n -= c.kind != 'n';
    }
}

#define SCAN(call, name, params, does)                                                                       \
    int touch_##name params                                                                                  \
    {                                                                                                        \
        va_list args, again;                                                                                 \
        va_start(args, format);                                                                              \
        va_copy(again, args);                                                                                \
        int n = does;                                                                                        \
        tell_assigned(call, format, n, again, __builtin_return_address(0));                                  \
        va_end(again);                                                                                       \
        va_end(args);                                                                                        \
        return n;                                                                                            \
    }
#define SCANS(scan, scan_file, scan_text)                                                                    \
    SCAN("scanf", scan, (const char *format, ...), vscanf(format, args))                                     \
    SCAN("fscanf", scan_file, (FILE * f, const char *format, ...), vfscanf(f, format, args))                 \
    SCAN("sscanf", scan_text, (const char *from, const char *format, ...),                                   \
         (TOUCH_READS("sscanf", from, strlen(from) + 1), vsscanf(from, format, args)))
SCANS(scanf, fscanf, sscanf)
SCANS(__isoc99_scanf, __isoc99_fscanf, __isoc99_sscanf)
SCANS(__isoc23_scanf, __isoc23_fscanf, __isoc23_sscanf)
