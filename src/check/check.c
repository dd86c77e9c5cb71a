/* SPDX-License-Identifier: BSD-3-Clause */
/* check: the checks that a run can have, by name. */
#include "check/check.h"

#include "check/nasty/nasty.h"
#include "check/race/race.h"
#include "check/watch/watch.h"

#include <string.h>

static const struct base_setting settings[] = {
    {"check/races", BASE_BOOL, "no", NULL, "find races: --check=races", "docs/check.md"},
};

static const struct {
    const char *word, *key;
} checks[] = {{"nasty", "check/nasty"}, {"races", "check/races"}};

/* --- races ---------------------------------------------------------------------------------------------- */

static struct race *races; /* of the job that will begin, or has */

static void races_begin(struct rank_job *job)
{
    if (races) {
        race_begin(races, job);
        check_watching = true;
    }
}

static void races_end(struct rank_job *job)
{
    (void)job;
    if (!races)
        return;
    check_watching = false;
    race_summary(races);
    race_destroy(races);
    races = NULL;
}

static const struct rank_front races_front = {
    .name = "races", .job_begin = races_begin, .job_end = races_end};

/* --- the checks ----------------------------------------------------------------------------------------- */

void check_register(void)
{
    nasty_register();
    rank_front_register(&races_front);
}

void check_settings_declare(struct base_settings *s)
{
    base_settings_declare(s, settings, BASE_LENGTH(settings));
    base_settings_declare(s, race_settings, race_settings_count);
    base_settings_declare(s, nasty_settings, nasty_settings_count);
}

const char *check_word(const char **list, struct base_status *st)
{
    size_t n = strcspn(*list, ",");
    for (size_t k = 0; k < BASE_LENGTH(checks); k++)
        if (strlen(checks[k].word) == n && !strncmp(*list, checks[k].word, n)) {
            *list += n + ((*list)[n] == ',');
            return checks[k].key;
        }
    base_fail(st, "--check %.*s: expected nasty or races, or both with a comma", (int)n, *list);
    return NULL;
}

int check_configure(struct base_settings *s, struct base_status *st)
{
    if (nasty_configure(s, st))
        return -1;
    if (base_settings_flag(s, "check/races") && !races)
        races = race_create(s);
    return 0;
}

bool check_on(const struct base_settings *s)
{
    for (size_t k = 0; k < BASE_LENGTH(checks); k++)
        if (base_settings_flag(s, checks[k].key))
            return true;
    return false;
}

void check_place(uint32_t *rank_host, uint32_t ranks, uint32_t hosts)
{
    nasty_place(rank_host, ranks, hosts);
}
