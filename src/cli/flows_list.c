/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flows_list: reads a list of activities, a line at a time, so that only what is kept of a line needs memory.
 *
 * Invariants
 *  L1  The table is at most half full, and every activity is in it once.
 */
#include "cli/flows_list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, WORDS = 6 };

/* --- lines ---------------------------------------------------------------------------------------- */

/* A file's lines: `line` is the current one, without its end. */
struct lines {
    FILE *in;
    uint32_t number;
    size_t length;
    char line[LINE + 1];
};

enum next { NEXT_LINE, NEXT_END, NEXT_LONG };
static enum next lines_next(struct lines *t)
{
    int c = getc_unlocked(t->in);
    t->length = 0;
    if (c == EOF)
        return NEXT_END;
    t->number++;
    for (; c != EOF && c != '\n'; c = getc_unlocked(t->in)) {
        if (t->length == LINE)
            return NEXT_LONG;
        t->line[t->length++] = (char)c;
    }
    t->line[t->length] = 0;
    return NEXT_LINE;
}

/* Cuts the line into words; WORDS + 1 of them stand for any number above. */
static int words_cut(char *line, char *word[WORDS + 1])
{
    static const char blank[] = " \t\r\f\v";
    int n = 0;
    line[strcspn(line, "#")] = 0;
    for (line += strspn(line, blank); *line && n <= WORDS; line += strspn(line, blank)) {
        word[n++] = line;
        line += strcspn(line, blank);
        if (*line)
            *line++ = 0;
    }
    return n;
}

/* --- IDs ------------------------------------------------------------------------------------------ */

static uint32_t hash(const char *id)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *id; id++)
        h = (h ^ (unsigned char)*id) * UINT64_C(0x100000001b3);
    return (uint32_t)(h ^ h >> 32);
}

/* The place of an ID, or the empty one where it belongs. A million IDs are not in the cache: only what has the same
 * hash is looked at. */
static struct flows_place *place(const struct flows_list *l, const char *id, uint32_t h)
{
    struct flows_place *t = l->table;
    uint32_t at = h & (l->table_size - 1);
    while (t[at].activity &&
           (t[at].hash != h || strcmp(flows_list_id(l, &l->activity.at[t[at].activity - 1]), id) != 0))
        at = (at + 1) & (l->table_size - 1);
    return &t[at];
}

static void table_grow(struct flows_list *l)
{
    struct flows_place *old = l->table;
    uint32_t n = l->table_size;
    if (2 * (l->activity.n + 1) <= n)
        return;
    l->table_size = n ? 2 * n : 256;
    l->table = base_zalloc(l->table_size * sizeof *l->table, "IDs of activities");
    for (uint32_t k = 0; k < n; k++) {
        uint32_t at = old[k].hash & (l->table_size - 1);
        while (old[k].activity && l->table[at].activity)
            at = (at + 1) & (l->table_size - 1);
        if (old[k].activity)
            l->table[at] = old[k];
    }
    free(old);
}

static int add(struct flows_list *l, struct flows_activity a, const char *id, struct base_status *st)
{
    size_t length = strlen(id) + 1;
    if (l->ids.n + length > UINT32_MAX || l->activity.n >= UINT32_MAX / 4)
        return base_fail(st, "too many activities");
    table_grow(l);
    uint32_t h = hash(id);
    struct flows_place *at = place(l, id, h);
    if (at->activity)
        return base_fail(st, "the ID '%.80s' stands in line %u already; expected another one", id,
                         l->activity.at[at->activity - 1].line);
    if (l->ids.n + length > l->ids.cap)
        l->ids.at = base_array_grow(l->ids.at, &l->ids.cap, l->ids.n + length, 1, "IDs of activities");
    memcpy(l->ids.at + l->ids.n, id, length);
    a.id = (uint32_t)l->ids.n;
    l->ids.n += length;
    BASE_ARRAY_PUSH(&l->activity, a);
    *at = (struct flows_place){h, (uint32_t)l->activity.n};
    return 0;
}

/* --- one activity --------------------------------------------------------------------------------- */

static int host_parse(const struct platform *p, const char *name, uint32_t *out, struct base_status *st)
{
    if (platform_host_find(p, name, out) == 0)
        return 0;
    return base_fail(st, "unknown host '%.80s'; expected a host of the platform", name);
}

static int send_parse(const struct platform *p, struct flows_activity *a, char **word, struct base_status *st)
{
    uint64_t bytes;
    struct base_status why;
    if (host_parse(p, word[2], &a->from, st) || host_parse(p, word[3], &a->to, st))
        return -1;
    if (base_parse_size(word[4], &bytes, &why))
        return base_fail(st, "bytes: %s", why.text);
    if (base_parse_time(word[5], &a->at, &why))
        return base_fail(st, "start: %s", why.text);
    a->amount = (double)bytes;
    return 0;
}

static int exec_parse(const struct platform *p, struct flows_activity *a, char **word, struct base_status *st)
{
    struct base_status why;
    if (host_parse(p, word[2], &a->from, st))
        return -1;
    if (base_parse_speed(word[3], &a->amount, &why))
        return base_fail(st, "flops: %s", why.text);
    if (base_parse_time(word[4], &a->at, &why))
        return base_fail(st, "start: %s", why.text);
    a->to = a->from;
    return 0;
}

static int activity_parse(struct flows_list *l, const struct platform *p, char **word, int n, uint32_t line,
                          struct base_status *st)
{
    struct flows_activity a = {.line = line, .end = -1};
    bool is_send = n > 1 && !strcmp(word[1], "send");
    if (n > 1 && !is_send && strcmp(word[1], "exec"))
        return base_fail(st, "unknown activity '%.80s'; expected send or exec", word[1]);
    if (n != (is_send ? 6 : 5))
        return base_fail(st, "too %s words; expected %s", n < (is_send ? 6 : 5) ? "few" : "many",
                         is_send ? "ID send SRC DST BYTES AT"
                         : n > 1 ? "ID exec HOST FLOPS AT"
                                 : "ID send SRC DST BYTES AT, or ID exec HOST FLOPS AT");
    a.kind = is_send ? FLOWS_SEND : FLOWS_EXEC;
    if (is_send ? send_parse(p, &a, word, st) : exec_parse(p, &a, word, st))
        return -1;
    return add(l, a, word[0], st);
}

static int line_parse(struct flows_list *l, const struct platform *p, struct lines *t, struct base_status *st)
{
    char *word[WORDS + 1];
    if (memchr(t->line, 0, t->length))
        return base_fail(st, "a byte of 0; expected text");
    int n = words_cut(t->line, word);
    return n ? activity_parse(l, p, word, n, t->number, st) : 0;
}

int flows_list_read(struct flows_list *l, const struct platform *p, FILE *in, const char *name,
                    struct base_status *st)
{
    struct lines t = {.in = in};
    struct base_status why;
    enum next next;
    *l = (struct flows_list){.name = name};
    while ((next = lines_next(&t)) == NEXT_LINE)
        if (line_parse(l, p, &t, &why))
            return base_fail(st, "%.200s:%u: %s", name, t.number, why.text);
    if (next == NEXT_LONG)
        return base_fail(st, "%.200s:%u: a line of more than %d bytes; expected ID send SRC DST BYTES AT",
                         name, t.number, LINE);
    if (ferror(in))
        return base_fail(st, "%.200s: %s", name, strerror(errno));
    return 0;
}

void flows_list_release(struct flows_list *l)
{
    free(l->activity.at);
    free(l->ids.at);
    free(l->table);
}
