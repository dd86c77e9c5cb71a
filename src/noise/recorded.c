/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded: interruptions as they were recorded on a processor, in the form that LogGOPSim reads (Hoefler, Schneider,
 * Lumsdaine: Characterizing the influence of system noise on large-scale applications by simulation, SC 2010), with its
 * rules:
 *
 *   work of length l that begins at t of a rank with place s     begins in the trace at (t + s) mod (P - l), where P is
 *                                                                 the begin of the last interruption
 *   the first interruption                                        does not count for work that begins before it
 *
 * LogGOPSim has no answer for work that is as long as the trace. Here each whole P of it takes all interruptions once.
 */
#include "noise/recorded.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct interruption {
    double begin, duration;
    double before; /* durations of all earlier ones */
};
struct noise_recorded {
    BASE_ARRAY(struct interruption) at;
};

#define MOST 0x1p53

/* --- reading ------------------------------------------------------------------------------------------------------- */

static int number(char **at, double *out, const char *what, struct base_status *why)
{
    static const char blanks[] = " \t\r";
    char *word = *at + strspn(*at, blanks), *end = word + strcspn(word, blanks);
    *at = *end ? end + 1 : end;
    *end = '\0';
    if (!*word)
        return base_fail(why, "%s is missing", what);
    if (base_parse_double(word, out, NULL) || !(*out >= 0 && *out <= MOST))
        return base_fail(why, "%.40s: expected %s in nanoseconds, from 0 to 2^53", word, what);
    *out = round(*out);
    return 0;
}

static int read_line(struct noise_recorded *t, char *line, struct base_status *why)
{
    struct interruption x = {.before = 0};
    if (*line == '#' || !line[strspn(line, " \t\r")])
        return 0;
    if (number(&line, &x.begin, "the begin of an interruption", why) ||
        number(&line, &x.duration, "its duration", why))
        return -1;
    if (line[strspn(line, " \t\r")])
        return base_fail(why, "%.40s: expected the end of the line", line);
    if (t->at.n) {
        const struct interruption *last = &t->at.at[t->at.n - 1];
        if (x.begin < last->begin)
            return base_fail(why, "an interruption that begins before the one in front of it");
        x.before = last->before + last->duration;
    }
    BASE_ARRAY_PUSH(&t->at, x);
    return 0;
}

static double length_of(const struct noise_recorded *t)
{
    return t->at.at[t->at.n - 1].begin;
}

static int read_lines(struct noise_recorded *t, FILE *f, const char *path, struct base_status *st)
{
    struct base_status why;
    char *text = NULL;
    size_t room = 0;
    unsigned line = 0;
    int rc = 0;
    ssize_t n;
    while (!rc && (n = getline(&text, &room, f)) > 0) {
        line++;
        n -= text[n - 1] == '\n';
        text[n] = '\0';
        if (strlen(text) != (size_t)n)
            rc = base_fail(st, "%s:%u: a NUL byte; expected text", path, line);
        else if (read_line(t, text, &why))
            rc = base_fail(st, "%s:%u: %s", path, line, why.text);
    }
    if (!rc && ferror(f))
        rc = base_fail(st, "%s: cannot be read: %s", path, strerror(errno));
    free(text);
    return rc;
}

struct noise_recorded *noise_recorded_read(const char *path, struct base_status *st)
{
    FILE *f = fopen(path, "re");
    if (!f) {
        base_fail(st, "%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    struct noise_recorded *t = base_zalloc(sizeof *t, "recorded interruptions");
    int rc = read_lines(t, f, path, st);
    fclose(f);
    if (!rc && (!t->at.n || !(length_of(t) > 0)))
        rc = base_fail(st, "%s: expected interruptions, the last of which begins after 0", path);
    if (!rc)
        return t;
    noise_recorded_destroy(t);
    return NULL;
}

void noise_recorded_destroy(struct noise_recorded *t)
{
    if (!t)
        return;
    free(t->at.at);
    free(t);
}

/* --- taking -------------------------------------------------------------------------------------------------------- */

/* How many interruptions begin before `at`, or at `at` if `with`. */
static size_t begun(const struct noise_recorded *t, double at, bool with)
{
    size_t low = 0, high = t->at.n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double begin = t->at.at[middle].begin;
        if (begin < at || (with && begin == at))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double noise_recorded_take(const struct noise_recorded *t, double at, double length)
{
    double period = length_of(t), whole = floor(length / period);
    const struct interruption *last = &t->at.at[t->at.n - 1];
    double noise = whole * last->before;
    length -= whole * period;
    double from = fmod(at, period - length);
    size_t first = 1;
    if (from > t->at.at[0].begin) {
        const struct interruption *under_way = &t->at.at[(first = begun(t, from, true)) - 1];
        noise += fmax(0, under_way->begin + under_way->duration - from);
    }
    size_t end = begun(t, from + length, false);
    if (end > first)
        noise += t->at.at[end - 1].before + t->at.at[end - 1].duration - t->at.at[first].before;
    return noise;
}

/* --- places -------------------------------------------------------------------------------------------------------- */

/* The Mersenne Twister MT19937 (Matsumoto, Nishimura: ACM TOMACS 8(1), 1998). */
enum { WORDS = 624, AWAY = 397 };
struct twister {
    uint32_t word[WORDS];
    unsigned at;
};

static void twister_begin(struct twister *x, uint32_t seed)
{
    x->at = WORDS;
    x->word[0] = seed;
    for (unsigned k = 1; k < WORDS; k++)
        x->word[k] = UINT32_C(1812433253) * (x->word[k - 1] ^ x->word[k - 1] >> 30) + k;
}

static void twist(struct twister *x)
{
    for (unsigned k = 0; k < WORDS; k++) {
        uint32_t bits =
            (x->word[k] & UINT32_C(0x80000000)) | (x->word[(k + 1) % WORDS] & UINT32_C(0x7fffffff));
        x->word[k] = x->word[(k + AWAY) % WORDS] ^ bits >> 1 ^ (bits & 1 ? UINT32_C(0x9908b0df) : 0);
    }
    x->at = 0;
}

static uint32_t twister_next(struct twister *x)
{
    if (x->at == WORDS)
        twist(x);
    uint32_t y = x->word[x->at++];
    y ^= y >> 11;
    y ^= y << 7 & UINT32_C(0x9d2c5680);
    y ^= y << 15 & UINT32_C(0xefc60000);
    return y ^ y >> 18;
}

void noise_recorded_places(const struct noise_recorded *t, uint64_t seed, bool together, double *place,
                           uint32_t n)
{
    struct twister x;
    twister_begin(&x, (uint32_t)seed);
    double all = floor((double)twister_next(&x) / UINT32_MAX * length_of(t));
    for (uint32_t k = 0; k < n; k++)
        place[k] = together ? all : floor((double)twister_next(&x) / UINT32_MAX * length_of(t));
}
