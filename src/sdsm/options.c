/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * options: `--topology F` and `--sat-NAME[=VALUE]`, from the first of: the program's arguments, from which
 * they are taken out; the environment variable SAT_OPTIONS; what the seed was given; the property `sat/NAME`
 * of the simulated host.
 */
#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sdsm/internal.h"

enum kind { FLAG, NUMBER, SECONDS, FACTOR, WATTS, TEXT, DEBUG, RENDEZVOUS, TOGGLE };

struct option {
    const char *name;
    enum kind kind;
    size_t offset;
    const char *initial;
};

#define AT(member) offsetof(struct sat_options, member)
static const struct option table[] = {
    {"topology", TEXT, AT(topology), NULL}, /* also without sat- */
    {"servers", NUMBER, AT(servers), "1"},
    {"chunk-size", NUMBER, AT(chunk_size), "4096"},
    {"protocol", TEXT, AT(protocol), NULL},
    {"debug", DEBUG, AT(debug), NULL},
    {"stats", TEXT, AT(stats), NULL},
    {"summary", TEXT, AT(summary), NULL},
    {"check", FLAG, AT(check), NULL},
    {"rendezvous", RENDEZVOUS, AT(edge), NULL},
    {"handlers-in-calls", FLAG, AT(in_calls), NULL},
    {"coalesce", FLAG, AT(coalesce), NULL},
    {"sleep", TOGGLE, AT(sleep), "on"},
    {"poll", SECONDS, AT(poll), "20e-6"},
    {"sleep-min", SECONDS, AT(sleep_min), "1e-6"},
    {"sleep-max", SECONDS, AT(sleep_max), "1e-3"},
    {"sleep-growth", FACTOR, AT(sleep_growth), "1.25"},
    {"timeout", SECONDS, AT(timeout), "300"},
    {"client-overhead", SECONDS, AT(client_overhead), "0"},
    {"server-overhead", SECONDS, AT(server_overhead), "0"},
    {"jia-memory", NUMBER, AT(jia_memory), "1024"},
    {"jia-prefetch", NUMBER, AT(jia_prefetch), "1"},
    {"power-user", WATTS, AT(power[SAT_USER]), "0"},
    {"power-sdsm", WATTS, AT(power[SAT_SDSM]), "0"},
    {"power-sync", WATTS, AT(power[SAT_SYNC]), "0"},
    {"power-sleep", WATTS, AT(power[SAT_SLEEP]), "0"},
};
enum { OPTIONS = sizeof table / sizeof *table };
_Static_assert(OPTIONS <= sizeof((Sdsm_t *)0)->given / sizeof(bool), "room for what is given");

static const char *const expected[] = {
    [FLAG] = "no value",
    [NUMBER] = "a number from 1 on",
    [SECONDS] = "seconds, at most 1e9",
    [FACTOR] = "a number from 1 on",
    [WATTS] = "watts",
    [TEXT] = "a value",
    [DEBUG] = "no value, or \"messages\"",
    [RENDEZVOUS] = "\"kept\" or \"edge\"",
    [TOGGLE] = "\"on\" or \"off\"",
};

#define LONGEST 1e9  /* seconds */
#define MOST    1e30 /* of other values */

static bool read_real(const char *text, double least, double most, double *out)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most)) /* nor a NaN */
        return false;
    *out = value;
    return true;
}

static bool read_number(const char *text, unsigned long *out)
{
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || errno || !value)
        return false;
    *out = value;
    return true;
}

static bool read_choice(const char *text, const char *no, const char *yes, bool *out)
{
    *out = !strcmp(text, yes);
    return *out || !strcmp(text, no);
}

static bool set(struct sat_options *to, const struct option *o, const char *value)
{
    void *at = (char *)to + o->offset;
    if (o->kind == FLAG) {
        *(bool *)at = true;
        return !value;
    }
    if (o->kind == DEBUG) {
        *(int *)at = value ? 2 : 1;
        return !value || !strcmp(value, "messages");
    }
    if (!value)
        return false;
    switch (o->kind) {
    case NUMBER:
        return read_number(value, (unsigned long *)at);
    case SECONDS:
    case WATTS:
        return read_real(value, 0, o->kind == SECONDS ? LONGEST : MOST, (double *)at);
    case FACTOR:
        return read_real(value, 1, MOST, (double *)at);
    case RENDEZVOUS:
        return read_choice(value, "kept", "edge", (bool *)at);
    case TOGGLE:
        return read_choice(value, "off", "on", (bool *)at);
    default:
        *(const char **)at = value;
        return *value != 0;
    }
}

static const struct option *find(const char *name, size_t n)
{
    for (size_t k = 0; k < OPTIONS; k++)
        if (strlen(table[k].name) == n && !strncmp(table[k].name, name, n))
            return &table[k];
    return NULL;
}

static bool takes_word(enum kind kind)
{
    return kind != FLAG && kind != DEBUG;
}

/* Reads words[0]; the number of words that it takes, 0 if it is none of ours. */
static int read_word(struct sat_options *to, bool *given, char **words, int n)
{
    const char *name = words[0], *value = NULL;
    if (!strncmp(name, "--sat-", 6))
        name += 6;
    else if (!strncmp(name, "--topology", 10) && (!name[10] || name[10] == '='))
        name += 2;
    else
        return 0;
    size_t length = strcspn(name, "=");
    const struct option *o = find(name, length);
    if (!o)
        sat_fail(SAT_STATUS_INPUT, NULL, "%s: unknown option; the manual is sat(7)", words[0]);
    int taken = 1;
    if (name[length])
        value = name + length + 1;
    else if (takes_word(o->kind) && n > 1)
        value = words[taken++];
    struct sat_options unused;
    if (!set(given[o - table] ? &unused : to, o, value))
        sat_fail(SAT_STATUS_INPUT, NULL, "--%s%s: \"%s\", expected %s", o == table ? "" : "sat-", o->name,
                 value ? value : "", expected[o->kind]);
    given[o - table] = true;
    return taken;
}

/* Words are noted for sat_options_words, with a separator that no word has. */
enum { SEPARATOR = 0x1f };

static void note_word(const char *word)
{
    size_t before = sdsm->given_words ? strlen(sdsm->given_words) : 0;
    sdsm->given_words = sat_grow(sdsm->given_words, before + strlen(word) + 2);
    if (before)
        sdsm->given_words[before++] = SEPARATOR;
    strcpy(sdsm->given_words + before, word);
}

/* Memory that lasts as long as the options. */
static void *keep(size_t bytes)
{
    sdsm->texts = sat_grow(sdsm->texts, (sdsm->n_texts + 1) * sizeof *sdsm->texts);
    return sdsm->texts[sdsm->n_texts++] = sat_alloc(bytes);
}

/* Splits a copy of `text`, which is kept, at the delimiters. */
static void read_text(const char *text, const char *delimiters, bool note)
{
    char *copy = keep(strlen(text) + 1), *rest, **words = keep((strlen(text) / 2 + 2) * sizeof *words);
    size_t n = 0;
    strcpy(copy, text);
    for (char *w = strtok_r(copy, delimiters, &rest); w; w = strtok_r(NULL, delimiters, &rest))
        words[n++] = w;
    for (size_t k = 0; k < n;) {
        int taken = read_word(&sdsm->options, sdsm->given, words + k, (int)(n - k));
        if (!taken)
            sat_fail(SAT_STATUS_INPUT, NULL, "SAT_OPTIONS: \"%s\" is no option of the S-DSM", words[k]);
        for (; taken; taken--, k++)
            if (note)
                note_word(words[k]);
    }
}

void sat_options_read(int argc, char **argv)
{
    struct sat_options *to = &sdsm->options;
    bool *given = sdsm->given;
    int left = 0;
    for (size_t k = 0; k < OPTIONS; k++)
        if (table[k].initial)
            set(to, &table[k], table[k].initial);
    sdsm->words = sat_alloc(((size_t)argc + 1) * sizeof *sdsm->words);
    for (int k = 0; k < argc;) {
        int taken = k ? read_word(to, given, argv + k, argc - k) : 0;
        if (!taken)
            sdsm->words[left++] = argv[k++];
        for (; taken; taken--)
            note_word(argv[k++]);
    }
    sdsm->bootstrap.argc = left;
    sdsm->bootstrap.argv = sdsm->words;
    const char *more = getenv("SAT_OPTIONS");
    if (more)
        read_text(more, " \t\n", true);
}

const char *sat_options_words(void)
{
    return sdsm->given_words ? sdsm->given_words : "";
}

static void read_properties(void)
{
    for (size_t k = 0; k < OPTIONS; k++) {
        char key[64];
        snprintf(key, sizeof key, "sat/%s", table[k].name);
        const char *value = sdsm->given[k] ? NULL : sat_host_property(key);
        if (value && !set(&sdsm->options, &table[k], value))
            sat_fail(SAT_STATUS_INPUT, NULL, "the host's property %s: \"%s\", expected %s", key, value,
                     expected[table[k].kind]);
    }
}

void sat_options_apply(const char *words)
{
    const char separators[] = {SEPARATOR, 0};
    read_text(words, separators, false);
    read_properties();
    if (sdsm->options.sleep_max < sdsm->options.sleep_min)
        sdsm->options.sleep_max = sdsm->options.sleep_min;
}
