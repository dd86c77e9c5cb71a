/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any bytes as the S-DSM's options: the first line as arguments, the second as SAT_OPTIONS, the third as what
 * the seed was given. One message, or values within their limits; and what a seed tells others gives them the
 * same.
 */
#include "sdsm/internal.h"

#include "sdsm_alone.h"

enum { WORDS = 64 };

struct input {
    char *arguments, *environment, *seed;
};

const char *pgasim_host_property(const char *key);
const char *pgasim_host_property(const char *key)
{
    (void)key;
    return NULL;
}

static void start(void)
{
    sdsm = sat_alloc(sizeof *sdsm);
}

static void end(void)
{
    for (size_t k = 0; k < sdsm->n_texts; k++)
        free(sdsm->texts[k]);
    free(sdsm->texts);
    free(sdsm->given_words);
    free(sdsm->words);
    free(sdsm);
}

static void read_all(void *ctx)
{
    const struct input *in = ctx;
    static char name[] = "program";
    char *words[WORDS + 2] = {name}, *rest;
    int n = 1;
    for (char *w = strtok_r(in->arguments, " ", &rest); w && n <= WORDS; w = strtok_r(NULL, " ", &rest))
        words[n++] = w;
    words[n] = NULL;
    sat_options_read(n, words);
    sat_options_apply(in->seed);
    if (sdsm->bootstrap.argc < 1 || sdsm->bootstrap.argc > n || sdsm->bootstrap.argv[sdsm->bootstrap.argc])
        abort();
}

static void check(const struct sat_options *o)
{
    bool good = o->servers && o->chunk_size && o->jia_memory && o->poll >= 0 && o->poll <= 1e9 &&
                o->sleep_min >= 0 && o->sleep_max >= o->sleep_min && o->sleep_max <= 1e9 &&
                o->sleep_growth >= 1;
    for (int k = 0; k < SAT_CLASSES; k++)
        good = good && o->power[k] >= 0;
    if (!good || (o->topology && !*o->topology))
        abort();
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

/* A process without options of its own is told the words of this one. */
static void check_told(void)
{
    Sdsm_t *seed = sdsm;
    char nothing[] = "", *words = strdup(sat_options_words());
    struct input in = {nothing, NULL, words};
    unsetenv("SAT_OPTIONS");
    start();
    if (!words || sdsm_fails(read_all, &in))
        abort();
    const struct sat_options *a = &seed->options, *b = &sdsm->options;
    if (a->servers != b->servers || a->debug != b->debug || a->check != b->check || a->poll != b->poll ||
        !is_same(a->stats, b->stats) || !is_same(a->protocol, b->protocol))
        abort();
    free(words);
    end();
    sdsm = seed;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = sat_alloc(size + 1), *rest = copy;
    if (size)
        memcpy(copy, data, size);
    for (size_t k = 0; k < size; k++)
        copy[k] = copy[k] == 0x1f ? '_' : copy[k]; /* parts the words that are told */
    struct input in = {strsep(&rest, "\n"), NULL, NULL};
    in.environment = rest ? strsep(&rest, "\n") : NULL;
    in.seed = rest ? rest : copy + size;
    for (char *at = in.seed; *at; at++)
        *at = *at == ' ' ? 0x1f : *at;
    setenv("SAT_OPTIONS", in.environment ? in.environment : "", 1);
    start();
    if (!sdsm_fails(read_all, &in)) {
        check(&sdsm->options);
        if (!*in.seed)
            check_told();
    }
    end();
    free(copy);
    return 0;
}
