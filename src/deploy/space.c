/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * space: reads what may vary from the words of the command line. Lists of hosts are in hosts_words.c.
 *
 *     servers    N | N-M
 *     roles      ROLE:N | ROLE:N-M, separated by blanks
 *     serve      any | patterns, separated by commas
 *     protocols  NAME,NAME,... | ASKED=NAME,NAME,...
 */
#include "deploy/parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool deploy_take_number(const char **at, uint16_t *out)
{
    uint32_t n = 0;
    const char *p = *at;
    for (; isdigit((unsigned char)*p); p++)
        if ((n = n * 10 + (uint32_t)(*p - '0')) > UINT16_MAX)
            return false;
    if (p == *at)
        return false;
    *at = p;
    *out = (uint16_t)n;
    return true;
}

/* --- numbers of processes ------------------------------------------------------------------------- */

static bool take_range(const char **at, uint16_t *least, uint16_t *most)
{
    if (!deploy_take_number(at, least))
        return false;
    *most = *least;
    if (**at == '-') {
        (*at)++;
        if (!deploy_take_number(at, most))
            return false;
    }
    return *least <= *most && *most <= DEPLOY_PROCESSES;
}

static int read_servers(struct deploy_space *s, const char *text, struct base_status *st)
{
    struct deploy_kind *k = &s->kind[DEPLOY_SERVERS];
    const char *at = text;
    if (!take_range(&at, &k->least, &k->most) || *at || k->least == 0)
        return base_fail(st, "--servers '%.80s': expected N or N-M, from 1 to %d", text, DEPLOY_PROCESSES);
    s->kinds = 1;
    return 0;
}

static struct deploy_kind *kind_of(struct deploy_space *s, uint16_t role)
{
    for (uint16_t k = 0; k < s->kinds; k++)
        if (s->kind[k].role == role)
            return &s->kind[k];
    return NULL;
}

static int read_role(struct deploy_space *s, const char **at, struct base_status *st)
{
    struct deploy_kind k = {0};
    const char *word = *at;
    int length = (int)strcspn(word, " ");
    bool good = deploy_take_number(at, &k.role) && *(*at)++ == ':' && take_range(at, &k.least, &k.most);
    if (!good || (**at && **at != ' '))
        return base_fail(st, "--roles: '%.*s': expected ROLE:N or ROLE:N-M, as in 2:1-8",
                         length < 80 ? length : 80, word);
    if (k.role == 0)
        return base_fail(st, "--roles: role 0 are the servers, whose number is given by --servers");
    if (kind_of(s, k.role))
        return base_fail(st, "--roles: role %u is given twice", k.role);
    if (s->kinds == DEPLOY_KINDS)
        return base_fail(st, "--roles: more than %d roles", DEPLOY_KINDS - 1);
    uint16_t to = s->kinds++;
    for (; to > 1 && s->kind[to - 1].role > k.role; to--)
        s->kind[to] = s->kind[to - 1];
    s->kind[to] = k;
    return 0;
}

static int read_roles(struct deploy_space *s, const char *text, struct base_status *st)
{
    uint32_t least = 0, most = s->kind[DEPLOY_SERVERS].most;
    for (const char *at = text + strspn(text, " "); *at; at += strspn(at, " "))
        if (read_role(s, &at, st))
            return -1;
    for (uint16_t k = 1; k < s->kinds; k++) {
        least += s->kind[k].least;
        most += s->kind[k].most;
    }
    if (!least)
        return base_fail(st, "--roles '%.80s': expected at least one client, as in 1:1", text);
    if (most > DEPLOY_PROCESSES)
        return base_fail(st, "%u processes; explore handles at most %d", most, DEPLOY_PROCESSES);
    return 0;
}

/* --- who serves whom ------------------------------------------------------------------------------ */

static int read_serve(struct deploy_space *s, const char *text, struct base_status *st)
{
    for (const char *at = text;; at++) {
        size_t n = strcspn(at, ",");
        int how = 0;
        while (how <= DEPLOY_ANY &&
               (strlen(deploy_serve_names[how]) != n || memcmp(deploy_serve_names[how], at, n) != 0))
            how++;
        if (how > DEPLOY_ANY)
            return base_fail(st, "--serve '%.80s': expected any, or a list of blocks, round-robin, nearest",
                             text);
        s->serve |= (uint8_t)(1 << how);
        at += n;
        if (!*at)
            break;
    }
    if (deploy_serves(s, DEPLOY_ANY))
        s->serve = 1 << DEPLOY_ANY; /* the patterns are among them */
    return 0;
}

/* --- protocols ------------------------------------------------------------------------------------ */

/* A name begins with a letter: numbers begin the processes of a configuration's text. */
static size_t name_length(const char *at)
{
    return *at >= 'a' && *at <= 'z' ? strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
}

static bool has(const struct deploy_list *l, const char *name, size_t n)
{
    for (uint16_t k = 0; k < l->n; k++)
        if (strlen(l->name[k]) == n && !memcmp(l->name[k], name, n))
            return true;
    return false;
}

/* Without ASKED, what a program gets that names no protocol. */
static int read_list(struct deploy_list *l, const char *text, struct base_status *st)
{
    size_t n = name_length(text);
    bool good = n > 0;
    const char *at = text;
    l->asked = text[n] == '=' ? base_strfmt("%.*s", (int)n, text) : base_strdup("home-lazy");
    if (text[n] == '=')
        at += n + 1;
    for (; good; at++) {
        n = name_length(at);
        good = n > 0 && !has(l, at, n) && l->n < UINT8_MAX;
        if (!good)
            break;
        l->name = base_realloc(l->name, (l->n + 1u) * sizeof *l->name, "protocols");
        l->name[l->n++] = base_strfmt("%.*s", (int)n, at);
        at += n;
        if (*at != ',')
            break;
    }
    if (good && !*at)
        return 0;
    return base_fail(
        st,
        "--protocols '%.80s': expected NAME,NAME,... or ASKED=NAME,NAME,..., each name once, as in "
        "home-mesi=home-mesi,update",
        text);
}

static int read_protocols(struct deploy_space *s, const char *const *text, size_t n, struct base_status *st)
{
    if (n > DEPLOY_LISTS)
        return base_fail(st, "--protocols: more than %d of them", DEPLOY_LISTS);
    for (size_t k = 0; k < n; k++) {
        struct deploy_list *l = &s->list[s->lists++];
        if (read_list(l, text[k], st))
            return -1;
        for (uint16_t other = 0; other + 1 < s->lists; other++)
            if (!strcmp(s->list[other].asked, l->asked))
                return base_fail(st, "--protocols: %s is given twice", l->asked);
    }
    return 0;
}

/* --- everything ----------------------------------------------------------------------------------- */

/* Whether the fewest processes have room; more exactly than by numbers only a search could say. */
static int check_room(const struct deploy_space *s, struct base_status *st)
{
    uint32_t least = 0, all = 0;
    for (uint16_t k = 0; k < s->kinds; k++) {
        uint32_t room = 0;
        for (uint32_t h = 0; h < s->hosts->n; h++)
            room += s->kind[k].allowed[h] ? s->hosts->at[h].room : 0;
        if (room < s->kind[k].least)
            return base_fail(
                st,
                "%u processes of role %u, but room for %u on their hosts: a process for each core, "
                "or as many as --per-host says",
                s->kind[k].least, s->kind[k].role, room);
        least += s->kind[k].least;
    }
    for (uint32_t h = 0; h < s->hosts->n; h++)
        all += s->hosts->at[h].room;
    if (all < least)
        return base_fail(
            st, "%u processes, but room for %u: a process for each core, or as many as --per-host says",
            least, all);
    return 0;
}

static bool equally_allowed(const struct deploy_space *s, uint32_t a, uint32_t b)
{
    for (uint16_t k = 0; k < s->kinds; k++)
        if (s->kind[k].allowed[a] != s->kind[k].allowed[b])
            return false;
    return true;
}

static void find_likes(struct deploy_space *s)
{
    const struct deploy_host *h = s->hosts->at;
    s->like = base_alloc((s->hosts->n + 1) * sizeof *s->like, "hosts");
    for (uint32_t k = 0; k < s->hosts->n; k++) {
        uint32_t like = h[k].like;
        while (like < k && (h[like].like != h[k].like || !equally_allowed(s, like, k)))
            like++;
        s->like[k] = like;
    }
}

int deploy_space_read(struct deploy_space *s, const struct deploy_hosts *hosts, const struct deploy_words *w,
                      struct base_status *st)
{
    *s = (struct deploy_space){.hosts = hosts, .distinct = w->distinct};
    if (read_servers(s, w->servers ? w->servers : "1", st) ||
        read_roles(s, w->roles ? w->roles : "1:1", st) || read_serve(s, w->serve ? w->serve : "any", st) ||
        read_protocols(s, w->protocols, w->n_protocols, st) ||
        deploy_hosts_words(s, w->hosts ? w->hosts : "*", st) || check_room(s, st)) {
        deploy_space_release(s);
        return -1;
    }
    find_likes(s);
    return 0;
}

void deploy_space_release(struct deploy_space *s)
{
    for (uint16_t k = 0; k < s->lists; k++) {
        for (uint16_t name = 0; name < s->list[k].n; name++)
            free(s->list[k].name[name]);
        free(s->list[k].name);
        free(s->list[k].asked);
    }
    for (uint16_t k = 0; k < s->kinds; k++)
        free(s->kind[k].allowed);
    free(s->like);
    *s = (struct deploy_space){0};
}
