/* SPDX-License-Identifier: BSD-3-Clause */
/* text: lines of files, and the same lines without what differs between runs of one kind. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "check/explore/parts.h"

struct explore_lines explore_lines_read(const char *path)
{
    struct explore_lines l = {{0}};
    char *line = NULL;
    size_t size = 0;
    FILE *f = fopen(path, "re");
    for (ssize_t n; f && (n = getline(&line, &size, f)) > 0;) {
        line[n - (line[n - 1] == '\n')] = 0;
        BASE_ARRAY_PUSH(&l.line, base_strdup(line));
    }
    free(line);
    if (f)
        fclose(f);
    return l;
}

void explore_lines_release(struct explore_lines *l)
{
    for (size_t k = 0; k < l->line.n; k++)
        free(l->line.at[k]);
    free(l->line.at);
    *l = (struct explore_lines){{0}};
}

/* --- numbers ---------------------------------------------------------------------------------------- */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Whether what ends at `at` says that the number behind it is a part of the outcome's kind. */
static bool follows(const char *text, const char *at, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(at - text) >= n && !strncmp(at - n, word, n);
}

static bool is_kept(const char *text, const char *at)
{
    return at > text && (is_name(at[-1]) || strchr(".:-/", at[-1]) || follows(text, at, "signal ") ||
                         follows(text, at, "status "));
}

/* The end of a number of any form: 12, 0x7f, 1.5e-3. */
static const char *number_end(const char *at)
{
    if (at[0] == '0' && at[1] == 'x')
        at += 2 + strspn(at + 2, "0123456789abcdef");
    else
        while (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
            at++;
    return at;
}

static char *masked(const char *text, bool all)
{
    char *out = base_alloc(strlen(text) + 1, "a line"), *to = out;
    for (const char *at = text; *at;) {
        if (!isdigit((unsigned char)*at)) {
            *to++ = *at++;
            continue;
        }
        const char *end = number_end(at);
        if (!all && (is_kept(text, at) || is_name(*end)))
            while (at < end)
                *to++ = *at++;
        else
            *to++ = 'N';
        at = end;
    }
    *to = 0;
    return out;
}

char *explore_mask(const char *text)
{
    return masked(text, false);
}

char *explore_mask_digits(const char *text)
{
    return masked(text, true);
}
