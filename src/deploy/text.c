/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text: a configuration as one line, and read back; and as the files that its run needs.
 *
 *     config   = server { " " server } client { " " client } { " " protocol }
 *     server   = "0@" HOST
 *     client   = ROLE "/" SERVER "@" HOST [ "*" NUMBER ]
 *     protocol = ASKED "=" NAME
 */
#include "deploy/parts.h"

#include <stdlib.h>
#include <string.h>

/* --- writing -------------------------------------------------------------------------------------- */

static void put_client(struct base_text *t, const struct deploy_space *s, const struct deploy_config *c,
                       uint16_t rank, uint16_t times)
{
    base_text_format(t, " %u/%u@%s", s->kind[deploy_config_kind(c, rank)].role, c->at[rank].server,
                     s->hosts->at[c->at[rank].host].name);
    if (times > 1)
        base_text_format(t, "*%u", times);
}

static void put_clients(struct base_text *t, const struct deploy_space *s, const struct deploy_config *c)
{
    for (uint16_t rank = c->count[DEPLOY_SERVERS], next; rank < c->n; rank = next) {
        for (next = rank + 1; next < c->n; next++)
            if (memcmp(&c->at[rank], &c->at[next], sizeof c->at[0]) != 0 ||
                deploy_config_kind(c, rank) != deploy_config_kind(c, next))
                break;
        put_client(t, s, c, rank, next - rank);
    }
}

char *deploy_config_text(const struct deploy_space *s, const struct deploy_config *c)
{
    struct base_text t;
    base_text_init(&t, "a configuration");
    for (uint16_t k = 0; k < c->count[DEPLOY_SERVERS]; k++)
        base_text_format(&t, "%s0@%s", k ? " " : "", s->hosts->at[c->at[k].host].name);
    put_clients(&t, s, c);
    for (uint16_t k = 0; k < s->lists; k++)
        base_text_format(&t, " %s=%s", s->list[k].asked, s->list[k].name[c->protocol[k]]);
    return base_text_take(&t);
}

char *deploy_config_protocols(const struct deploy_space *s, const struct deploy_config *c)
{
    struct base_text t;
    base_text_init(&t, "protocols");
    for (uint16_t k = 0; k < s->lists; k++) {
        const struct deploy_list *l = &s->list[k];
        const char *name = l->name[c->protocol[k]];
        if (strcmp(name, l->asked) != 0)
            base_text_format(&t, "%s%s=%s", t.n ? "," : "", l->asked, name);
    }
    return base_text_take(&t);
}

/* --- reading -------------------------------------------------------------------------------------- */

/* A process as it is written. */
struct item {
    uint16_t kind, server, host;
};
struct reader {
    const struct deploy_space *s;
    BASE_ARRAY(struct item) item;
    uint16_t count[DEPLOY_KINDS], protocol[DEPLOY_LISTS];
    bool chosen[DEPLOY_LISTS];
    bool outside; /* it is none of this space */
};

static int bad(struct base_status *st, const char *word, size_t n)
{
    return base_fail(st, "'%.*s' is neither a process, such as 0@HOST or 2/0@HOST, nor ASKED=PROTOCOL",
                     n < 80 ? (int)n : 80, word);
}

static int read_protocol(struct reader *r, const char *word, size_t n, struct base_status *st)
{
    const char *equals = memchr(word, '=', n);
    if (!equals || equals == word || equals + 1 == word + n)
        return bad(st, word, n);
    size_t asked = (size_t)(equals - word), name = n - asked - 1;
    for (uint16_t k = 0; k < r->s->lists; k++) {
        const struct deploy_list *l = &r->s->list[k];
        if (strlen(l->asked) != asked || memcmp(l->asked, word, asked) != 0)
            continue;
        uint16_t to = 0;
        while (to < l->n && (strlen(l->name[to]) != name || memcmp(l->name[to], equals + 1, name) != 0))
            to++;
        r->outside |= to == l->n || r->chosen[k];
        r->protocol[k] = to;
        r->chosen[k] = true;
        return 0;
    }
    r->outside = true;
    return 0;
}

static void add_items(struct reader *r, uint16_t role, uint16_t server, uint16_t host, uint16_t times)
{
    uint16_t kind = 0;
    while (kind < r->s->kinds && r->s->kind[kind].role != role)
        kind++;
    if (kind == r->s->kinds || r->item.n + times > DEPLOY_PROCESSES) {
        r->outside = true;
        return;
    }
    for (uint16_t k = 0; k < times; k++)
        BASE_ARRAY_PUSH(&r->item, ((struct item){kind, server, host}));
    r->count[kind] += times;
}

static int read_word(struct reader *r, const char *word, size_t n, struct base_status *st)
{
    uint16_t role, server = 0, host, times = 1;
    const char *at = word;
    if (!deploy_take_number(&at, &role))
        return read_protocol(r, word, n, st);
    if (role && (*at++ != '/' || !deploy_take_number(&at, &server)))
        return bad(st, word, n);
    if (*at++ != '@')
        return bad(st, word, n);
    size_t name = strcspn(at, " *");
    if (deploy_host_find(r->s->hosts, at, name, &host))
        return base_fail(st, "'%.*s' is no host of the platform", name < 80 ? (int)name : 80, at);
    at += name;
    if (*at == '*' && (!role || !deploy_take_number((at++, &at), &times) || times < 2))
        return bad(st, word, n);
    if (at != word + n)
        return bad(st, word, n);
    if (!role)
        server = r->count[DEPLOY_SERVERS];
    add_items(r, role, server, host, times);
    return 0;
}

/* Servers first, then clients by kind, as a configuration has them. */
static struct deploy_config *build(struct reader *r)
{
    struct deploy_config *c = deploy_config_create(r->count);
    uint16_t next[DEPLOY_KINDS];
    for (int k = 0; k < DEPLOY_KINDS; k++)
        next[k] = deploy_config_first(c, (uint16_t)k);
    for (size_t k = 0; k < r->item.n; k++) {
        const struct item *i = &r->item.at[k];
        r->outside |= i->server >= r->count[DEPLOY_SERVERS];
        c->at[next[i->kind]++] = (struct deploy_process){i->host, i->server};
    }
    memcpy(c->protocol, r->protocol, sizeof c->protocol);
    return c;
}

static enum deploy_read take(struct reader *r, struct deploy_config **out)
{
    for (uint16_t k = 0; k < r->s->lists; k++)
        r->outside |= !r->chosen[k];
    if (r->outside)
        return DEPLOY_OUTSIDE;
    struct deploy_config *c = build(r);
    if (!r->outside) {
        deploy_config_canonical(r->s, c);
        if (deploy_space_holds(r->s, c)) {
            *out = c;
            return DEPLOY_READ;
        }
    }
    free(c);
    return DEPLOY_OUTSIDE;
}

enum deploy_read deploy_config_read(const struct deploy_space *s, const char *text,
                                    struct deploy_config **out, struct base_status *st)
{
    struct reader r = {.s = s};
    enum deploy_read got = DEPLOY_READ;
    const char *at = text;
    for (size_t n = 0; got == DEPLOY_READ; at += n + 1) {
        n = strcspn(at, " ");
        if (read_word(&r, at, n, st))
            got = DEPLOY_DAMAGED;
        if (!at[n])
            break;
    }
    if (got == DEPLOY_READ)
        got = take(&r, out);
    free(r.item.at);
    return got;
}

/* --- files of a run ------------------------------------------------------------------------------- */

static void put_list(FILE *out, const char *tag, const char *numbers)
{
    fprintf(out, "      <%s><intlist>%s</intlist></%s>\n", tag, numbers, tag);
}

static char *clients_of(const struct deploy_config *c, uint16_t server)
{
    struct base_text t;
    base_text_init(&t, "clients");
    for (uint16_t k = c->count[DEPLOY_SERVERS]; k < c->n; k++)
        if (c->at[k].server == server)
            base_text_format(&t, "%s%u", t.n ? " " : "", k);
    return base_text_take(&t);
}

void deploy_write_topology(const struct deploy_space *s, const struct deploy_config *c, FILE *out)
{
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE SAT>\n<SAT>\n  <topologies>\n", out);
    for (uint16_t k = 0; k < c->n; k++) {
        bool server = k < c->count[DEPLOY_SERVERS];
        char *numbers = server ? clients_of(c, k) : base_strfmt("%u", c->at[k].server);
        fprintf(out, "    <topology id=\"%u\" role=\"%u\">\n      <memory capacity=\"0\"/>\n", k,
                s->kind[deploy_config_kind(c, k)].role);
        put_list(out, server ? "clients" : "servers", numbers);
        fputs("    </topology>\n", out);
        free(numbers);
    }
    fputs("  </topologies>\n</SAT>\n", out);
}

void deploy_write_rankfile(const struct deploy_space *s, const struct deploy_config *c, FILE *out)
{
    for (uint16_t k = 0; k < c->n; k++)
        fprintf(out, "rank %u=%s slot=0\n", k, s->hosts->at[c->at[k].host].name);
}
