/* SPDX-License-Identifier: BSD-3-Clause */
/* memory: blocks and strings (touch.h). The forms with _chk know how much room there is, and end the program when it
 * does not suffice. */
#include "fold/touch/touch.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static inline size_t within(size_t n, size_t room)
{
    return n <= room ? n : (abort(), 0);
}

/* How much is read to compare two strings, n characters at most. */
static size_t compared(const char *a, const char *b, size_t n, bool any_case)
{
    size_t k = 0;
    while (k < n && a[k] && (any_case ? !strncasecmp(a + k, b + k, 1) : a[k] == b[k]))
        k++;
    return k < n ? k + 1 : n;
}

/* How much is read to find `found` from `from` on; NULL: it is not within n. */
static size_t searched(const void *from, const void *found, size_t n)
{
    return found ? (size_t)((const char *)found - (const char *)from) + 1 : n;
}

/* --- blocks --------------------------------------------------------------------------------------- */

#define COPY(call, name, params, does)                                                                       \
    void *touch_##name params                                                                                \
    {                                                                                                        \
        TOUCH_READS(call, from, n);                                                                          \
        TOUCH_WRITES(call, to, n);                                                                           \
        return does;                                                                                         \
    }
COPY("memcpy", memcpy, (void *to, const void *from, size_t n), memmove(to, from, n))
COPY("memmove", memmove, (void *to, const void *from, size_t n), memmove(to, from, n))
COPY("mempcpy", mempcpy, (void *to, const void *from, size_t n), mempcpy(to, from, n))
COPY("mempcpy", __mempcpy, (void *to, const void *from, size_t n), mempcpy(to, from, n))
COPY("memcpy", __memcpy_chk, (void *to, const void *from, size_t n, size_t room),
     memmove(to, from, within(n, room)))
COPY("memmove", __memmove_chk, (void *to, const void *from, size_t n, size_t room),
     memmove(to, from, within(n, room)))
COPY("mempcpy", __mempcpy_chk, (void *to, const void *from, size_t n, size_t room),
     mempcpy(to, from, within(n, room)))

void touch_bcopy(const void *from, void *to, size_t n)
{
    TOUCH_READS("bcopy", from, n);
    TOUCH_WRITES("bcopy", to, n);
    memmove(to, from, n);
}

void *touch_memccpy(void *to, const void *from, int c, size_t n)
{
    size_t copied = searched(from, memchr(from, c, n), n);
    TOUCH_READS("memccpy", from, copied);
    TOUCH_WRITES("memccpy", to, copied);
    return memccpy(to, from, c, n);
}

void *touch_memset(void *to, int value, size_t n)
{
    TOUCH_WRITES("memset", to, n);
    return memset(to, value, n);
}

void *touch___memset_chk(void *to, int value, size_t n, size_t room)
{
    TOUCH_WRITES("memset", to, n);
    return memset(to, value, within(n, room));
}

void touch_bzero(void *to, size_t n)
{
    TOUCH_WRITES("bzero", to, n);
    memset(to, 0, n);
}

void touch_explicit_bzero(void *to, size_t n)
{
    TOUCH_WRITES("explicit_bzero", to, n);
    explicit_bzero(to, n);
}

void touch___explicit_bzero_chk(void *to, size_t n, size_t room)
{
    TOUCH_WRITES("explicit_bzero", to, n);
    explicit_bzero(to, within(n, room));
}

#define COMPARE_BLOCKS(name)                                                                                 \
    int touch_##name(const void *a, const void *b, size_t n)                                                 \
    {                                                                                                        \
        TOUCH_READS(#name, a, n);                                                                            \
        TOUCH_READS(#name, b, n);                                                                            \
        return name(a, b, n);                                                                                \
    }
COMPARE_BLOCKS(memcmp)
COMPARE_BLOCKS(bcmp)

void *touch_memchr(const void *from, int c, size_t n)
{
    void *found = memchr(from, c, n);
    TOUCH_READS("memchr", from, searched(from, found, n));
    return found;
}

void *touch_memrchr(const void *from, int c, size_t n)
{
    TOUCH_READS("memrchr", from, n);
    return memrchr(from, c, n);
}

void *touch_rawmemchr(const void *from, int c)
{
    void *found = rawmemchr(from, c);
    TOUCH_READS("rawmemchr", from, searched(from, found, 0));
    return found;
}

void *touch_memmem(const void *in, size_t size, const void *what, size_t n)
{
    TOUCH_READS("memmem", in, size);
    TOUCH_READS("memmem", what, n);
    return memmem(in, size, what, n);
}

/* --- copying strings ------------------------------------------------------------------------------ */

/* `room` of the forms without it: all memory. */
#define COPY_STRING(call, name, params, room)                                                                \
    char *touch_##name params                                                                                \
    {                                                                                                        \
        size_t n = within(strlen(from) + 1, room);                                                           \
        TOUCH_READS(#call, from, n);                                                                         \
        TOUCH_WRITES(#call, to, n);                                                                          \
        return call(to, from);                                                                               \
    }
COPY_STRING(strcpy, strcpy, (char *to, const char *from), SIZE_MAX)
COPY_STRING(stpcpy, stpcpy, (char *to, const char *from), SIZE_MAX)
COPY_STRING(stpcpy, __stpcpy, (char *to, const char *from), SIZE_MAX)
COPY_STRING(strcpy, __strcpy_chk, (char *to, const char *from, size_t room), room)
COPY_STRING(stpcpy, __stpcpy_chk, (char *to, const char *from, size_t room), room)

#define COPY_PART(call, name, params, room)                                                                  \
    char *touch_##name params                                                                                \
    {                                                                                                        \
        size_t length = strnlen(from, within(n, room));                                                      \
        TOUCH_READS(#call, from, length < n ? length + 1 : n);                                               \
        TOUCH_WRITES(#call, to, n);                                                                          \
        return call(to, from, n);                                                                            \
    }
COPY_PART(strncpy, strncpy, (char *to, const char *from, size_t n), SIZE_MAX)
COPY_PART(stpncpy, stpncpy, (char *to, const char *from, size_t n), SIZE_MAX)
COPY_PART(strncpy, __strncpy_chk, (char *to, const char *from, size_t n, size_t room), room)
COPY_PART(stpncpy, __stpncpy_chk, (char *to, const char *from, size_t n, size_t room), room)

/* n: of `from`, at most */
#define APPEND(call, name, params, n, room, does)                                                            \
    char *touch_##name params                                                                                \
    {                                                                                                        \
        size_t there = strlen(to), more = strnlen(from, n);                                                  \
        (void)within(there + more + 1, room);                                                                \
        TOUCH_READS(call, to, there + 1);                                                                    \
        TOUCH_READS(call, from, more < (size_t)(n) ? more + 1 : (size_t)(n));                                \
        TOUCH_WRITES(call, to + there, more + 1);                                                            \
        return does;                                                                                         \
    }
APPEND("strcat", strcat, (char *to, const char *from), PTRDIFF_MAX, SIZE_MAX, strcat(to, from))
APPEND("strcat", __strcat_chk, (char *to, const char *from, size_t room), PTRDIFF_MAX, room, strcat(to, from))
APPEND("strncat", strncat, (char *to, const char *from, size_t n), n, SIZE_MAX, strncat(to, from, n))
APPEND("strncat", __strncat_chk, (char *to, const char *from, size_t n, size_t room), n, room,
       strncat(to, from, n))

char *touch_strdup(const char *from)
{
    TOUCH_READS("strdup", from, strlen(from) + 1);
    return strdup(from);
}

char *touch___strdup(const char *from)
{
    TOUCH_READS("strdup", from, strlen(from) + 1);
    return strdup(from);
}

char *touch_strndup(const char *from, size_t n)
{
    size_t length = strnlen(from, n);
    TOUCH_READS("strndup", from, length < n ? length + 1 : n);
    return strndup(from, n);
}

/* --- looking at strings --------------------------------------------------------------------------- */

size_t touch_strlen(const char *s)
{
    size_t n = strlen(s);
    TOUCH_READS("strlen", s, n + 1);
    return n;
}

size_t touch_strnlen(const char *s, size_t most)
{
    size_t n = strnlen(s, most);
    TOUCH_READS("strnlen", s, n < most ? n + 1 : most);
    return n;
}

#define COMPARE(name, params, args, n, any_case)                                                             \
    int touch_##name params                                                                                  \
    {                                                                                                        \
        size_t same = compared(a, b, n, any_case);                                                           \
        TOUCH_READS(#name, a, same);                                                                         \
        TOUCH_READS(#name, b, same);                                                                         \
        return name args;                                                                                    \
    }
COMPARE(strcmp, (const char *a, const char *b), (a, b), SIZE_MAX, false)
COMPARE(strncmp, (const char *a, const char *b, size_t n), (a, b, n), n, false)
COMPARE(strcasecmp, (const char *a, const char *b), (a, b), SIZE_MAX, true)
COMPARE(strncasecmp, (const char *a, const char *b, size_t n), (a, b, n), n, true)

char *touch_strchr(const char *s, int c)
{
    char *found = strchr(s, c);
    TOUCH_READS("strchr", s, found ? searched(s, found, 0) : strlen(s) + 1);
    return found;
}

char *touch_strchrnul(const char *s, int c)
{
    char *found = strchrnul(s, c);
    TOUCH_READS("strchrnul", s, searched(s, found, 0));
    return found;
}

/* All of the string, and of the other. */
#define LOOK(type, name, second_type, second, seconds_bytes)                                                 \
    type touch_##name(const char *s, second_type second)                                                     \
    {                                                                                                        \
        TOUCH_READS(#name, s, strlen(s) + 1);                                                                \
        TOUCH_READS(#name, (const char *)(uintptr_t)second, seconds_bytes);                                  \
        return name(s, second);                                                                              \
    }
LOOK(char *, strrchr, int, c, 0)
LOOK(char *, strstr, const char *, what, strlen(what) + 1)
LOOK(char *, strcasestr, const char *, what, strlen(what) + 1)
LOOK(char *, strpbrk, const char *, set, strlen(set) + 1)
LOOK(size_t, strspn, const char *, set, strlen(set) + 1)
LOOK(size_t, strcspn, const char *, set, strlen(set) + 1)

char *touch_strtok_r(char *s, const char *separators, char **rest)
{
    char *token = strtok_r(s, separators, rest);
    if (token) {
        size_t n = strlen(token) + 1;
        TOUCH_READS("strtok_r", token, n);
        TOUCH_WRITES("strtok_r", token + n - 1, *rest == token + n);
    }
    TOUCH_WRITES("strtok_r", rest, sizeof *rest);
    return token;
}

/* --- numbers in strings --------------------------------------------------------------------------- */

#define NUMBER(type, call, name, params, does)                                                               \
    type touch_##name params                                                                                 \
    {                                                                                                        \
        char *stop;                                                                                          \
        type value = does;                                                                                   \
        TOUCH_READS(#call, s, (size_t)(stop - s) + 1);                                                       \
        if (end) {                                                                                           \
            TOUCH_WRITES(#call, end, sizeof *end);                                                           \
            *end = stop;                                                                                     \
        }                                                                                                    \
        return value;                                                                                        \
    }
#define WHOLE_NUMBER(type, call)                                                                             \
    NUMBER(type, call, call, (const char *s, char **end, int base), call(s, &stop, base))                    \
    NUMBER(type, call, __isoc23_##call, (const char *s, char **end, int base), call(s, &stop, base))
WHOLE_NUMBER(long, strtol)
WHOLE_NUMBER(long long, strtoll)
WHOLE_NUMBER(unsigned long, strtoul)
WHOLE_NUMBER(unsigned long long, strtoull)
NUMBER(double, strtod, strtod, (const char *s, char **end), strtod(s, &stop))
NUMBER(float, strtof, strtof, (const char *s, char **end), strtof(s, &stop))

#define NUMBER_ALONE(type, name, does)                                                                       \
    type touch_##name(const char *s)                                                                         \
    {                                                                                                        \
        char *stop;                                                                                          \
        type value = (type)does;                                                                             \
        TOUCH_READS(#name, s, (size_t)(stop - s) + 1);                                                       \
        return value;                                                                                        \
    }
NUMBER_ALONE(int, atoi, strtol(s, &stop, 10))
NUMBER_ALONE(long, atol, strtol(s, &stop, 10))
NUMBER_ALONE(long long, atoll, strtoll(s, &stop, 10))
NUMBER_ALONE(double, atof, strtod(s, &stop))
