/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decide: the keys of decisions, the numbers drawn for them, which of them are allowed (check/allow), and the
 * list of those at which the run has deviated (check/decisions). A line of the list begins with the key, "hold@3#17"
 * for the 17th operation of rank 3; the list of one run can be what is allowed in the next.
 */
#include "check/nasty/parts.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY = 64 };

static const char *const words[NASTY_KINDS] = {
    [NASTY_EARLY] = "early",
    [NASTY_HOLD] = "hold",
    [NASTY_HOLD_UNIT] = "hold-unit",
    [NASTY_HOLD_REPLY] = "hold-reply",
    [NASTY_CUT] = "cut",
    [NASTY_CUT_UNIT] = "cut-unit",
    [NASTY_CUT_REPLY] = "cut-reply",
    [NASTY_REPLY] = "early-reply",
    [NASTY_SOURCE] = "source",
    [NASTY_FILL] = "fill",
    [NASTY_ORDER] = "order",
    [NASTY_MESSAGE] = "message",
    [NASTY_REQUEST] = "request",
    [NASTY_GRANT] = "grant",
    [NASTY_LATER] = "later",
    [NASTY_SEND] = "send",
    [NASTY_MEET] = "meet",
    [NASTY_LATE_LEAVE] = "leave",
    [NASTY_LATE_GRANT] = "late-grant",
    [NASTY_LATE_NOTICE] = "notice",
    [NASTY_PAUSE] = "pause",
    [NASTY_STARVE] = "starve",
    [NASTY_SLOW] = "slow",
    [NASTY_PLATFORM] = "platform",
    [NASTY_PLACE] = "place",
    [NASTY_BUFFER] = "buffer",
};

static uint64_t number_of(struct nasty_key k)
{
    return base_hash_fold(base_hash_fold((uint64_t)k.kind << 32 | k.rank) ^ k.number);
}

struct base_random nasty_random(const struct nasty *n, struct nasty_key k)
{
    struct base_random r;
    base_random_seed(&r, n->options.seed, number_of(k));
    return r;
}

double nasty_delay(struct base_random *r, unsigned most)
{
    double least = 100e-9 * (1 + base_random_unit(r));
    return ldexp(least, (int)base_random_below(r, most + 1));
}

static void key_text(struct nasty_key k, char *buf)
{
    snprintf(buf, KEY, "%s@%" PRIu32 "#%" PRIu64, words[k.kind], k.rank, k.number);
}

/* Looking up a place takes long, and there are many decisions at few places. */
static const char *place_of(struct nasty *n, const struct nasty_about *about)
{
    bool fresh;
    uint64_t key = (uint64_t)about->rank->id << 32 | about->caller;
    char code[400], **kept = base_table_add(&n->places, key, &fresh);
    if (fresh)
        *kept = base_strdup(
            rank_code_name(about->rank, rank_code_of_low(about->rank, about->caller), code, sizeof code));
    return *kept;
}

char *nasty_about_text(struct nasty *n, const struct nasty_about *about, char *buf, size_t size)
{
    const char *code = "";
    size_t at = 0;
    buf[0] = 0;
    if (about->call)
        at = (size_t)snprintf(buf, size, "%s by ", about->call);
    if (!about->rank)
        return buf;
    if (about->caller)
        code = place_of(n, about);
    snprintf(buf + at, size - at, "rank %" PRIu32 "%s%s%s", about->rank->id, *code ? " (" : "", code,
             *code ? ")" : "");
    return buf;
}

bool nasty_may(struct nasty *n, struct nasty_key k, const struct nasty_about *about, const char *fmt, ...)
{
    char key[KEY], what[600], where[500];
    if (n->restricted && !base_table_find(&n->allowed, number_of(k)))
        return false;
    if (!n->log)
        return true;
    key_text(k, key);
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    nasty_about_text(n, about, where, sizeof where);
    fprintf(n->log, "%s %s%s%s\n", key, where, *where ? ": " : "", what);
    return true;
}

size_t nasty_point(struct nasty *n, struct nasty_key k, const struct nasty_about *about, size_t of,
                   const char *fmt, ...)
{
    char key[KEY], what[600], where[500];
    const uint64_t *asked = base_table_find(&n->allowed, number_of(k));
    size_t chosen = asked && *asked < of ? (size_t)*asked : 0;
    if (of < 2)
        return 0;
    key_text(k, key);
    va_list args;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    nasty_about_text(n, about, where, sizeof where);
    fprintf(n->points, "%s %zu %zu %s%s%s\n", key, of, chosen, where, *where ? ": " : "", what);
    return chosen;
}

/* --- files -------------------------------------------------------------------------------------------- */

static bool read_key(const char *line, struct nasty_key *out)
{
    size_t word = strcspn(line, "@");
    char end;
    for (int k = 0; k < NASTY_KINDS; k++)
        if (words[k] && strlen(words[k]) == word && !strncmp(words[k], line, word)) {
            out->kind = (enum nasty_kind)k;
            return sscanf(line + word, "@%" SCNu32 "#%" SCNu64 "%c", &out->rank, &out->number, &end) == 3 &&
                   strchr(" \t\r\n=", end);
        }
    return false;
}

/* "order@0#3=5": 5; a decision that is drawn has no number. */
static uint64_t alternative_of(const char *line)
{
    const char *equals = memchr(line, '=', strcspn(line, " \t\r\n"));
    return equals ? strtoull(equals + 1, NULL, 10) : 1;
}

static int read_lines(struct nasty *n, const char *path, FILE *f, struct base_status *st)
{
    char *line = NULL;
    size_t size = 0;
    struct nasty_key k;
    int failed = 0;
    for (unsigned number = 1; !failed && getline(&line, &size, f) > 0; number++) {
        if (strchr("#\n", *line))
            continue;
        if (read_key(line, &k))
            *(uint64_t *)base_table_add(&n->allowed, number_of(k), NULL) = alternative_of(line);
        else
            failed = base_fail(st, "%s:%u: expected a decision, as in hold@3#17", path, number);
    }
    free(line);
    return failed;
}

static int read_allowed(struct nasty *n, const char *path, struct base_status *st)
{
    FILE *f = fopen(path, "re");
    if (!f)
        return base_fail(st, "check/allow: %s: %s", path, strerror(errno));
    int failed = read_lines(n, path, f, st);
    fclose(f);
    n->restricted = true;
    return failed;
}

/* No name: none. Its lines are whole, whatever end the run has. */
static int open_list(FILE **out, const char *key, const char *path, struct base_status *st)
{
    if (!*path)
        return 0;
    *out = fopen(path, "we");
    if (!*out)
        return base_fail(st, "%s: %s: %s", key, path, strerror(errno));
    setvbuf(*out, NULL, _IOLBF, 0);
    return 0;
}

int nasty_decisions_open(struct nasty *n, const struct base_settings *s, struct base_status *st)
{
    const char *allow = base_settings_text(s, "check/allow"),
               *list = base_settings_text(s, "check/decisions"),
               *points = base_settings_text(s, "check/points");
    base_table_init(&n->allowed, BASE_NUMBERS, sizeof(uint64_t), "decisions that are allowed");
    base_table_init(&n->places, BASE_NUMBERS, sizeof(char *), "places of decisions");
    if (*allow && read_allowed(n, allow, st))
        return -1;
    n->restricted |= *points != 0;
    if (open_list(&n->log, "check/decisions", list, st))
        return -1;
    return open_list(&n->points, "check/points", points, st);
}

static void close_list(FILE **list, const char *key)
{
    if (*list && fclose(*list))
        base_error("%s: %s", key, strerror(errno));
    *list = NULL;
}

void nasty_decisions_close(struct nasty *n)
{
    close_list(&n->log, "check/decisions");
    close_list(&n->points, "check/points");
    base_table_release(&n->allowed);
    uint32_t at = 0;
    for (char **place; (place = base_table_next(&n->places, &at));)
        free(*place);
    base_table_release(&n->places);
}
