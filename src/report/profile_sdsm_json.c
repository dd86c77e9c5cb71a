/* SPDX-License-Identifier: BSD-3-Clause */
/* The profile's S-DSM, and the counts of the program's own events, as JSON. Ids of chunks are texts: many
 * readers take numbers for doubles. */
#include "report/internal.h"
#include "report/profile.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_id(struct base_json *j, uint64_t id)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, id);
    base_json_text(j, "chunk", text);
}

/* --- processes ------------------------------------------------------------------------------------ */

static void put_times(struct base_json *j, const struct sdsm_process *p)
{
    static const char *const keys[] = {"user", "sdsm", "sync", "sleep"};
    if (p->timed) {
        base_json_open(j, "seconds", '{');
        for (int c = 0; c < SDSM_CLASSES; c++)
            base_json_number(j, keys[c], p->time[c]);
        base_json_close(j);
    }
    if (p->metered)
        base_json_number(j, "joules", p->joules);
}

static void put_waits(struct base_json *j, const struct sdsm_process *p)
{
    static const char *const keys[] = {"rendezvous", "barrier", "lock"};
    base_json_open(j, "waits", '{');
    for (int w = 0; w < SDSM_WAITS; w++) {
        if (!p->wait[w].count)
            continue;
        base_json_open(j, keys[w], '{');
        base_json_count(j, "count", p->wait[w].count);
        base_json_number(j, "seconds", p->wait[w].seconds);
        base_json_number(j, "longest", p->wait[w].longest);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_sent(struct base_json *j, const struct sdsm_process *p)
{
    base_json_open(j, "sent", '[');
    for (size_t i = 0; i < p->sent.n; i++) {
        base_json_open(j, NULL, '{');
        base_json_count(j, "to", p->sent.at[i].peer);
        base_json_text(j, "type", sdsm_type_text(p->sent.at[i].type));
        base_json_count(j, "messages", p->sent.at[i].messages);
        base_json_count(j, "bytes", p->sent.at[i].bytes);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_processes(struct base_json *j, const struct report_sdsm *s)
{
    base_json_open(j, "by_process", '[');
    for (uint32_t k = 0; k < s->processes; k++) {
        const struct sdsm_process *p = &s->process[k];
        if (!p->seen)
            continue;
        base_json_open(j, NULL, '{');
        base_json_count(j, "process", k);
        if (p->told)
            base_json_number(j, "role", (double)p->role);
        if (p->server != SDSM_NOBODY)
            base_json_count(j, "server", (uint64_t)p->server);
        base_json_count(j, "scopes", p->scopes.n);
        base_json_count(j, "notices", p->notices);
        put_times(j, p);
        put_waits(j, p);
        put_sent(j, p);
        base_json_close(j);
    }
    base_json_close(j);
}

/* --- chunks --------------------------------------------------------------------------------------- */

static void put_writers(struct base_json *j, const struct sdsm_chunk *c)
{
    base_json_count(j, "writer_count", c->writers);
    base_json_open(j, "writers", '[');
    for (uint32_t w = 0; w < c->writers && w < SDSM_WRITERS; w++) {
        base_json_open(j, NULL, '{');
        base_json_count(j, "process", c->writer[w].rank);
        base_json_count(j, "scopes", c->writer[w].scopes);
        base_json_count(j, "changed", c->writer[w].changed);
        base_json_count(j, "first", c->writer[w].first);
        base_json_count(j, "end", c->writer[w].end);
        base_json_close(j);
    }
    base_json_close(j);
}

static void put_chunk(struct base_json *j, const struct sdsm_chunk *c)
{
    base_json_open(j, NULL, '{');
    put_id(j, c->id);
    base_json_count(j, "size", c->size);
    base_json_count(j, "reads", c->scopes[SDSM_READ]);
    base_json_count(j, "writes", c->scopes[SDSM_WRITE]);
    base_json_count(j, "readwrites", c->scopes[SDSM_READWRITE]);
    base_json_count(j, "hits", c->hits);
    base_json_count(j, "moved", c->moved);
    base_json_count(j, "written", c->written);
    base_json_count(j, "changed", c->changed);
    base_json_count(j, "processes", c->processes);
    base_json_number(j, "held", c->held);
    base_json_number(j, "waited", c->waited);
    base_json_number(j, "longest", c->longest);
    base_json_number(j, "longest_at", c->longest_at);
    base_json_count(j, "longest_process", c->longest_rank);
    base_json_count(j, "handovers", c->handovers);
    base_json_flag(j, "false_sharing", c->apart);
    put_writers(j, c);
    base_json_close(j);
}

static void put_chunks(struct base_json *j, const struct report_sdsm *s, size_t top)
{
    uint32_t *order;
    size_t n = sdsm_order(s, sdsm_key_hot, top, &order);
    base_json_open(j, "chunks", '[');
    for (size_t k = 0; k < n; k++)
        put_chunk(j, sdsm_chunk_at(s, order[k]));
    base_json_close(j);
    free(order);
}

void report_sdsm_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    const struct report_sdsm *s = f->sdsm;
    if (!s)
        return;
    base_json_open(j, "sdsm", '{');
    base_json_count(j, "processes", s->seen);
    base_json_count(j, "servers", s->servers);
    base_json_count(j, "chunk_count", s->chunks.n);
    base_json_count(j, "hits", s->hits);
    base_json_count(j, "moved", s->moved);
    base_json_count(j, "written", s->written);
    base_json_count(j, "changed", s->changed);
    base_json_number(j, "waited", s->waited);
    base_json_count(j, "ignored_events", s->ignored);
    put_processes(j, s);
    put_chunks(j, s, top);
    base_json_close(j);
}

/* --- the program's own events --------------------------------------------------------------------- */

void report_users_print(const struct report_facts *f, FILE *out, size_t top)
{
    size_t shown = 0;
    for (size_t k = 0; k < f->users && (!top || shown < top); k++) {
        char name[REPORT_TEXT], count[32];
        if (sdsm_is_event(f->user[k].name))
            continue;
        if (!shown++)
            report_heading(out, "Events of the program's own types");
        fprintf(out, "  %12s  %s\n", base_show_count(count, (double)f->user[k].count),
                report_show_name(name, f->user[k].name));
    }
}

void report_users_json(struct base_json *j, const struct report_facts *f, size_t top)
{
    if (!f->users)
        return;
    base_json_open(j, "user_events", '[');
    for (size_t k = 0; k < f->users && (!top || k < top); k++) {
        base_json_open(j, NULL, '{');
        base_json_text(j, "type", f->user[k].name);
        base_json_count(j, "count", f->user[k].count);
        base_json_close(j);
    }
    base_json_close(j);
}
