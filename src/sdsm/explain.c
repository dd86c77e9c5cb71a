/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * explain: what a process waits for, or makes others wait for: its part of pgasim's deadlock report, and of
 * the table that is printed when a call has waited for --sat-timeout on a real cluster.
 */
#include <string.h>

#include "sdsm/internal.h"

void sat_text_add(struct sat_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = t->n < t->size ? vsnprintf(t->at + t->n, t->size - t->n, format, args) : 0;
    va_end(args);
    t->n += n > 0 ? (size_t)n : 0;
}

static const char *at(const char *place)
{
    return place && *place ? place : "?";
}

static void tell_scope(void *thing, void *ctx)
{
    const struct sat_entry *e = thing;
    if (e->mode)
        sat_text_add(ctx, "has %s of chunk %llu open, from %s%s\n", sat_mode_name(e->mode),
                     (unsigned long long)e->id, at(e->place),
                     e->postponed ? "; others wait for its end" : "");
}

static void tell_subscription(void *thing, void *ctx)
{
    const struct sat_entry *e = thing;
    if (e->subscription)
        sat_text_add(ctx, " of chunk %llu (%s)", (unsigned long long)e->id, at(e->made));
}

static void tell_signal(void *thing, void *ctx)
{
    const struct sat_subscription *s = thing;
    sat_text_add(ctx, " of signal %llu", (unsigned long long)s->id);
}

static void tell_waiter(const struct sat_waiter *w, struct sat_text *t)
{
    if (w->request == SAT_NOTIFY) {
        sat_text_add(t, "waits for notifications:");
        sat_table_each(sdsm->entries, tell_subscription, t);
        sat_table_each(sdsm->signals, tell_signal, t);
        sat_text_add(t, "\n");
    } else {
        sat_text_add(t, "waits for %s %llu at %s\n", w->what,
                     (unsigned long long)(w->request == SAT_GO ? (uint32_t)w->id : w->id),
                     at(sat_short_place(w->place)));
    }
}

static void tell_members(struct sat_text *t, const struct sat_member *m, size_t n, const char *what)
{
    for (size_t k = 0; k < n; k++)
        sat_text_add(t, "%s process %d (%s)", k ? "," : what, m[k].client, at(m[k].place));
}

static void tell_asked(struct sat_text *t, const struct sat_dir *d)
{
    for (size_t k = 0, told = 0; k < d->n_holders; k++)
        if (d->holders[k].mode == SAT_NONE)
            sat_text_add(t, "%s process %d", told++ ? "," : "; an answer to an invalidation is awaited from",
                         d->holders[k].client);
}

static const char *wanted(const struct sat_record *r)
{
    return r->request == SAT_REQ_SIZE    ? "its size"
           : r->request == SAT_SUBSCRIBE ? "a subscription"
                                         : sat_mode_name(r->mode);
}

static void tell_dir(void *thing, void *ctx)
{
    const struct sat_dir *d = thing;
    struct sat_text *t = ctx;
    if (!d->pending)
        return;
    sat_text_add(t, "chunk %llu@%d (%s, version %llu):", (unsigned long long)d->id, sdsm->id,
                 d->protocol->name, (unsigned long long)d->version);
    if (sat_home_has_writer(d))
        tell_members(t, &d->writer, 1, " written by");
    else if (d->n_readers)
        tell_members(t, d->readers, d->n_readers, " read by");
    else
        sat_text_add(t, " no scope is open");
    tell_asked(t, d);
    for (const struct sat_pending *p = d->pending; p; p = p->next)
        sat_text_add(t, "; %s wanted by process %d (%s)%s%s", wanted(&p->record), p->record.client,
                     at(p->record.place), p->record.size || d->size ? "" : ", whose size nobody has said",
                     p->record.flags & SAT_NEWER ? ", with a newer version" : "");
    sat_text_add(t, "\n");
}

void sat_explain(char *text, size_t size)
{
    struct sat_text t = {text, 0, size};
    if (!size)
        return;
    *text = 0;
    if (!sdsm)
        return;
    for (const struct sat_waiter *w = sdsm->waiters; w; w = w->outer)
        tell_waiter(w, &t);
    sat_table_each(sdsm->entries, tell_scope, &t);
    sat_table_each(sdsm->dirs, tell_dir, &t);
    sat_manager_tell(&t);
    if (sat_extension)
        sat_extension->tell(&t);
}

void sat_explain_print(void)
{
    char text[8192];
    if (sdsm->explained)
        return;
    sdsm->explained = true;
    sat_explain(text, sizeof text);
    for (char *rest, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        fprintf(stderr, "sat: process %d: %s\n", sdsm->id, line);
    fflush(stderr);
}

/* A call of a client has waited for --sat-timeout: all processes say what they wait for, as far as they
 * can, and the run ends a little later. */
void sat_wait_timed_out(void)
{
    struct sat_record r = {.request = SAT_EXPLAIN, .client = sdsm->id, .server = sdsm->server};
    if (!sdsm->role || !sdsm->waiters)
        return;
    if (sdsm->timed_out)
        sat_fail(SAT_STATUS_WRONG, NULL,
                 "the run ends: a call has waited for longer than --sat-timeout, %g s", sdsm->timed_out);
    fprintf(stderr, "sat: process %d has waited for %g s (--sat-timeout)\n", sdsm->id, sdsm->options.timeout);
    sat_explain_print();
    sdsm->timed_out = sdsm->options.timeout;
    sdsm->options.timeout = 2;
    sat_to_server(&r, NULL);
    sat_flush();
}

void sat_explain_start(void)
{
    sat_host_on_deadlock(sat_explain);
}

void sat_explain_stop(void)
{
    sat_host_on_deadlock(NULL);
}
