/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hosts_words: lists of hosts. Words are separated by blanks; each is a list of names and patterns, separated
 * by commas, behind "ROLE:" for one role alone. A role that has a word of its own uses the hosts of its
 * words; the others use those of the words without a role, and all hosts if there is none.
 */
#include "deploy/parts.h"

#include <stdlib.h>
#include <string.h>

/* Backtracks to the last star alone, which is enough. */
static bool matches(const char *pattern, size_t n, const char *name)
{
    const char *end = pattern + n, *star = NULL, *from = NULL;
    while (*name) {
        if (pattern < end && *pattern == '*') {
            star = pattern++;
            from = name;
        } else if (pattern < end && (*pattern == '?' || *pattern == *name)) {
            pattern++;
            name++;
        } else if (star) {
            pattern = star + 1;
            name = ++from;
        } else {
            return false;
        }
    }
    while (pattern < end && *pattern == '*')
        pattern++;
    return pattern == end;
}

static int unknown(const struct deploy_hosts *h, const char *pattern, size_t n, struct base_status *st)
{
    char given[96];
    const char *best = NULL;
    snprintf(given, sizeof given, "%.*s", (int)n, pattern);
    struct base_nearest near = {.given = given};
    for (uint32_t k = 0; k < h->n; k++)
        if (base_nearest_offer(&near, h->at[k].name))
            best = h->at[k].name;
    return base_fail(st, "--hosts: no host matches '%.80s'%s%.80s", given,
                     best ? "; the nearest one is " : "", best ? best : "");
}

/* The hosts of one list, up to the end of the word. */
static int take_list(const struct deploy_hosts *h, const char **at, bool *allowed, struct base_status *st)
{
    for (;; (*at)++) {
        size_t n = strcspn(*at, ", ");
        bool any = false;
        for (uint32_t k = 0; k < h->n; k++)
            if (matches(*at, n, h->at[k].name))
                allowed[k] = any = true;
        if (!any)
            return unknown(h, *at, n, st);
        *at += n;
        if (**at != ',')
            return 0;
    }
}

static int read_word(struct deploy_space *s, const char **at, bool *all, bool *own, struct base_status *st)
{
    uint16_t role, kind = 0;
    const char *rest = *at;
    if (!deploy_take_number(&rest, &role) || *rest != ':')
        return take_list(s->hosts, at, all, st);
    while (kind < s->kinds && s->kind[kind].role != role)
        kind++;
    if (kind == s->kinds)
        return base_fail(st, "--hosts: there is no role %u", role);
    own[kind] = true;
    *at = rest + 1;
    return take_list(s->hosts, at, s->kind[kind].allowed, st);
}

int deploy_hosts_words(struct deploy_space *s, const char *text, struct base_status *st)
{
    const struct deploy_hosts *h = s->hosts;
    bool all[DEPLOY_HOSTS] = {false}, own[DEPLOY_KINDS] = {false}, any = false;
    for (uint16_t k = 0; k < s->kinds; k++)
        s->kind[k].allowed = base_zalloc(h->n + 1, "hosts");
    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " "))
        if (read_word(s, &at, all, own, st))
            return -1;
    for (uint32_t k = 0; k < h->n; k++)
        any |= all[k];
    for (uint16_t k = 0; k < s->kinds; k++)
        for (uint32_t l = 0; l < h->n && !own[k]; l++)
            s->kind[k].allowed[l] = !any || all[l];
    return 0;
}
