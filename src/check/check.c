/* SPDX-License-Identifier: BSD-3-Clause */
/* check: the checks that a run can have, by name. */
#include "check/check.h"

#include "base/output.h"
#include "check/memory/memory.h"
#include "check/nasty/nasty.h"
#include "check/race/race.h"
#include "check/watch/watch.h"

#include <string.h>

static const struct base_setting settings[] = {
    {"check/races", BASE_BOOL, "no", NULL, "find races: --check=races", "docs/check.md"},
    {"check/memory", BASE_TEXT, "", "a file",
     "a file for hashes of the memory that others reach, where all ranks meet", "docs/check.md"},
    {"check/findings", BASE_TEXT, "", "a file", "a file for races as lines of JSON, as they are found",
     "docs/check.md"},
};

static const struct {
    const char *word, *key;
} checks[] = {{"nasty", "check/nasty"}, {"races", "check/races"}};

/* --- races ---------------------------------------------------------------------------------------------- */

static struct race *races; /* of the job that will begin, or has */
static struct finding_log found;
static bool looks_for_races;

static int races_configure(const struct base_settings *s, struct base_status *st)
{
    const char *lines = base_settings_text(s, "check/findings");
    if (!base_settings_flag(s, "check/races") || races)
        return 0;
    if (*lines && finding_log_open(&found, lines, st))
        return -1;
    races = race_create(s, &found);
    looks_for_races = true;
    return 0;
}

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
    race_finish(races);
    race_summary(races);
    race_destroy(races);
    races = NULL;
}

static const struct rank_front races_front = {
    .name = "races", .job_begin = races_begin, .job_end = races_end};

/* --- memory ---------------------------------------------------------------------------------------------- */

static int memory_configure(const struct base_settings *s, struct base_status *st)
{
    const char *path = base_settings_text(s, "check/memory");
    if (!*path || memory_wanted())
        return 0;
    if (races)
        return base_fail(st, "check/memory and --check=races do not go together");
    return memory_open(path, st);
}

static void memories_begin(struct rank_job *job)
{
    if (memory_wanted())
        memory_begin(job);
}

static void memories_end(struct rank_job *job)
{
    (void)job;
    if (memory_wanted())
        memory_end();
}

static const struct rank_front memory_front = {
    .name = "memory", .job_begin = memories_begin, .job_end = memories_end};

/* --- the checks ----------------------------------------------------------------------------------------- */

void check_register(void)
{
    nasty_register();
    rank_front_register(&races_front);
    rank_front_register(&memory_front);
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
    return races_configure(s, st) || memory_configure(s, st) ? -1 : 0;
}

int check_suppress(const char *path, struct base_status *st)
{
    return finding_log_suppress(&found, path, st);
}

void check_say(bool rules, bool unused)
{
    found.generates = rules;
    found.tells_unused = unused;
}

void check_json(struct base_json *j)
{
    if (!looks_for_races)
        return;
    base_json_open(j, "races", '[');
    for (size_t k = 0; k < found.list.at.n; k++)
        finding_json(j, &found.list.at.at[k]);
    base_json_close(j);
    if (found.list.summary.suppressed.n)
        finding_json_suppressed(j, &found.list.summary);
}

int check_sarif(const char *path, const char *command, int status, struct base_status *st)
{
    struct base_output o;
    struct base_json j;
    if (base_output_open(&o, path, st))
        return -1;
    base_json_init(&j, o.out, &(struct base_json_form){.indent = "  "});
    finding_sarif_begin(&j);
    for (size_t k = 0; k < found.list.at.n; k++)
        finding_sarif_add(&j, &found.list.at.at[k], NULL);
    finding_sarif_end(&j, command, status);
    base_json_end(&j);
    return base_output_commit(&o, st);
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
