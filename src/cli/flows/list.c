/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list: reads a list of activities, one line at a time, so that only the kept data needs memory.
 * ids.c checks that no ID occurs twice.
 */
#include "cli/flows/list.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 4096, WORDS = 6, BLOCK = 1 << 16 };

/* --- lines ---------------------------------------------------------------------------------------- */

/* A file's lines, a block at a time: `line` is the current one, without its end, and may be written to. */
struct lines {
    FILE *in;
    uint32_t number;
    size_t length;
    char *line, *next, *end; /* in the block: what was not looked at begins at `next` */
    char block[BLOCK + 1];
};

/* Moves the rest of the block to its front and reads more of the file behind it. false: there is no more. */
static bool block_fill(struct lines *t)
{
    size_t left = (size_t)(t->end - t->next);
    memmove(t->block, t->next, left);
    size_t more = fread(t->block + left, 1, BLOCK - left, t->in);
    t->next = t->block;
    t->end = t->block + left + more;
    return more > 0;
}

enum next { NEXT_LINE, NEXT_END, NEXT_LONG };
static enum next lines_next(struct lines *t)
{
    char *end = memchr(t->next, '\n', (size_t)(t->end - t->next));
    while (!end && t->end - t->next <= LINE && block_fill(t))
        end = memchr(t->next, '\n', (size_t)(t->end - t->next));
    if (!end && t->next == t->end)
        return NEXT_END;
    t->number++;
    t->line = t->next;
    t->length = (size_t)((end ? end : t->end) - t->line);
    if (t->length > LINE)
        return NEXT_LONG;
    t->line[t->length] = 0;
    t->next = end ? end + 1 : t->end;
    return NEXT_LINE;
}

/* What a character is: of a word, between words, or the end of what counts. */
enum { OF_WORD, BLANK, ENDS };
static const unsigned char class_of[256] = {
    [' '] = BLANK, ['\t'] = BLANK, ['\r'] = BLANK, ['\f'] = BLANK, ['\v'] = BLANK, ['#'] = ENDS, [0] = ENDS};

static char *skip(char *at, unsigned class)
{
    while (class_of[(unsigned char)*at] == class)
        at++;
    return at;
}

/* Cuts the line into words; WORDS + 1 of them stand for any number above. */
static int words_cut(char *line, char *word[WORDS + 1])
{
    int n = 0;
    bool ends = false;
    while (!ends && n <= WORDS) {
        line = skip(line, BLANK);
        if (class_of[(unsigned char)*line] == ENDS)
            break;
        word[n++] = line;
        line = skip(line, OF_WORD);
        ends = class_of[(unsigned char)*line] == ENDS;
        *line++ = 0;
    }
    return n;
}

/* --- IDs ------------------------------------------------------------------------------------------ */

static int add(struct flows_list *l, struct flows_activity a, const char *id, struct base_status *st)
{
    size_t length = strlen(id) + 1;
    if (l->ids.n + length > UINT32_MAX || l->activity.n >= UINT32_MAX / 4)
        return base_fail(st, "too many activities");
    if (l->ids.n + length > l->ids.cap)
        l->ids.at = base_array_grow(l->ids.at, &l->ids.cap, l->ids.n + length, 1, "IDs of activities");
    memcpy(l->ids.at + l->ids.n, id, length);
    a.id = (uint32_t)l->ids.n;
    l->ids.n += length;
    BASE_ARRAY_PUSH(&l->activity, a);
    return 0;
}

/* --- one activity --------------------------------------------------------------------------------- */

/* A cache of hosts by name: a list names the same hosts again and again, and each step of a search in the
 * platform's tables costs a cache line. */
enum { KNOWN_HOSTS = 4096, KNOWN_NAME = 28 };
struct hosts {
    const struct platform *platform;
    struct known {
        char name[KNOWN_NAME]; /* empty: no host is here */
        uint32_t host;
    } known[KNOWN_HOSTS];
};

static int host_parse(struct hosts *hosts, const char *name, uint32_t *out, struct base_status *st)
{
    uint32_t h = 0, length = 0;
    for (; name[length]; length++)
        h = 31 * h + (unsigned char)name[length];
    struct known *k = &hosts->known[h % KNOWN_HOSTS];
    if (length < KNOWN_NAME && !memcmp(k->name, name, length + 1)) {
        *out = k->host;
        return 0;
    }
    if (platform_host_find(hosts->platform, name, out))
        return base_fail(st, "unknown host '%.80s'; expected a host of the platform", name);
    if (length < KNOWN_NAME) {
        memcpy(k->name, name, length + 1);
        k->host = *out;
    }
    return 0;
}

static int start_parse(const char *word, struct flows_activity *a, struct base_status *st)
{
    struct base_status why;
    if (base_parse_time(word, &a->at, &why) || base_within(BASE_TIME, a->at, word, &why))
        return base_fail(st, "start: %s", why.text);
    return 0;
}

static int send_parse(struct hosts *hosts, struct flows_activity *a, char **word, struct base_status *st)
{
    uint64_t bytes;
    struct base_status why;
    if (host_parse(hosts, word[2], &a->from, st) || host_parse(hosts, word[3], &a->to, st))
        return -1;
    if (base_parse_size(word[4], &bytes, &why))
        return base_fail(st, "bytes: %s", why.text);
    if (start_parse(word[5], a, st))
        return -1;
    a->amount = (double)bytes;
    return 0;
}

static int exec_parse(struct hosts *hosts, struct flows_activity *a, char **word, struct base_status *st)
{
    struct base_status why;
    if (host_parse(hosts, word[2], &a->from, st))
        return -1;
    struct base_number flops;
    if (base_parse_range(BASE_SPEED, "0 or 1e-9f to 1e30f", word[3], &flops, &why))
        return base_fail(st, "flops: %s", why.text);
    a->amount = flops.number;
    if (start_parse(word[4], a, st))
        return -1;
    a->to = a->from;
    return 0;
}

static int disk_parse(const struct platform *p, struct flows_activity *a, const char *name,
                      struct base_status *st)
{
    for (uint32_t k = 0; k < platform_disk_count(p); k++) {
        const struct platform_disk *d = platform_disk(p, k);
        if (d->host != a->from || strcmp(d->name, name) != 0)
            continue;
        a->to = k;
        return 0;
    }
    return base_fail(st, "host '%.80s' has no disk '%.80s'; expected one of its disks",
                     platform_host(p, a->from)->name, name);
}

/* A read or a write. */
static int access_parse(struct hosts *hosts, struct flows_activity *a, char **word, struct base_status *st)
{
    uint64_t bytes;
    struct base_status why;
    if (host_parse(hosts, word[2], &a->from, st) || disk_parse(hosts->platform, a, word[3], st))
        return -1;
    if (base_parse_size(word[4], &bytes, &why))
        return base_fail(st, "bytes: %s", why.text);
    a->amount = (double)bytes;
    return start_parse(word[5], a, st);
}

/* The kinds of activity. */
static const struct form {
    const char *word, *form;
    int words;
    int (*parse)(struct hosts *hosts, struct flows_activity *a, char **word, struct base_status *st);
} forms[] = {
    [FLOWS_SEND] = {"send", "ID send SRC DST BYTES AT", 6, send_parse},
    [FLOWS_EXEC] = {"exec", "ID exec HOST FLOPS AT", 5, exec_parse},
    [FLOWS_READ] = {"read", "ID read HOST DISK BYTES AT", 6, access_parse},
    [FLOWS_WRITE] = {"write", "ID write HOST DISK BYTES AT", 6, access_parse},
};

static int activity_parse(struct flows_list *l, struct hosts *hosts, char **word, int n, uint32_t line,
                          struct base_status *st)
{
    struct flows_activity a = {.line = line, .end = -1};
    size_t kind = 0;
    if (n < 2)
        return base_fail(st, "too few words; expected %s, or %s", forms[FLOWS_SEND].form,
                         forms[FLOWS_EXEC].form);
    while (kind < BASE_LENGTH(forms) && strcmp(word[1], forms[kind].word) != 0)
        kind++;
    if (kind == BASE_LENGTH(forms))
        return base_fail(st, "unknown activity '%.80s'; expected send, exec, read or write", word[1]);
    if (n != forms[kind].words)
        return base_fail(st, "too %s words; expected %s", n < forms[kind].words ? "few" : "many",
                         forms[kind].form);
    a.kind = (uint8_t)kind;
    if (forms[kind].parse(hosts, &a, word, st))
        return -1;
    return add(l, a, word[0], st);
}

static int line_parse(struct flows_list *l, struct hosts *hosts, struct lines *t, struct base_status *st)
{
    char *word[WORDS + 1];
    if (memchr(t->line, 0, t->length))
        return base_fail(st, "a zero byte; expected text");
    int n = words_cut(t->line, word);
    return n ? activity_parse(l, hosts, word, n, t->number, st) : 0;
}

/* All lines up to the first one that is wrong. */
static int lines_read(struct flows_list *l, struct hosts *hosts, struct lines *t, struct base_status *st)
{
    struct base_status why;
    enum next next;
    while ((next = lines_next(t)) == NEXT_LINE)
        if (line_parse(l, hosts, t, &why))
            return base_fail(st, "%.200s:%u: %s", l->name, t->number, why.text);
    if (next == NEXT_LONG)
        return base_fail(st, "%.200s:%u: a line of more than %d bytes; expected ID send SRC DST BYTES AT",
                         l->name, t->number, LINE);
    if (ferror(t->in))
        return base_fail(st, "%.200s: %s", l->name, strerror(errno));
    return 0;
}

int flows_list_read(struct flows_list *l, const struct platform *p, FILE *in, const char *name,
                    struct base_status *st)
{
    struct lines *t = base_alloc(sizeof *t, "a block of the list");
    struct hosts *hosts = base_zalloc(sizeof *hosts, "hosts of the list");
    struct base_status wrong;
    hosts->platform = p;
    t->in = in;
    t->number = 0;
    t->next = t->end = t->block;
    *l = (struct flows_list){.name = name};
    int rc = lines_read(l, hosts, t, &wrong);
    free(hosts);
    free(t);
    if (flows_ids_check(l, st)) /* of a line before the one that is wrong */
        return -1;
    return rc ? base_fail(st, "%s", wrong.text) : 0;
}

void flows_list_release(struct flows_list *l)
{
    free(l->activity.at);
    free(l->ids.at);
}
