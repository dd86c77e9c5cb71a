/* SPDX-License-Identifier: BSD-3-Clause */
/* race_judge: what the detector has reported in a run, against the races of the model. */
#ifndef PGASIM_TESTS_CHECK_RACE_JUDGE_H
#define PGASIM_TESTS_CHECK_RACE_JUDGE_H

#include "check/race_completions.h"

#include <inttypes.h>

static struct {
    uint64_t races, reported, forgotten, quiet; /* the last: runs without a race */
} totals;
static char *text;
static size_t text_size;
static bool reported[MODEL_EVENTS][4][MODEL_EVENTS][4];

/* --- what was reported ---------------------------------------------------------------------------------------- */

static uint32_t kind_in(const char *line)
{
    static const char *const verbs[] = {"    read by ", "    written by ", "    read atomically by ",
                                        "    updated atomically by "};
    for (uint32_t k = 0; k < 4; k++)
        if (!strncmp(line, verbs[k], strlen(verbs[k])))
            return k;
    fail_msg("no access: %.80s", line);
    return 0;
}

static uint32_t event_in(const char *line)
{
    const char *found = strstr(line, " in line ");
    assert_non_null(found);
    uint32_t event = (uint32_t)strtoul(found + 9, NULL, 10) - play.first_line;
    assert_true(event < MODEL_EVENTS);
    return event;
}

static bool is_reported(const struct model_access *a, const struct model_access *b)
{
    uint32_t i = a->line - play.first_line, j = b->line - play.first_line;
    return reported[i][a->kind][j][b->kind] || reported[j][b->kind][i][a->kind];
}

static void explain(const char *what, uint64_t seed, uint32_t i, uint32_t j)
{
    fputs(text, stderr);
    print_message("seed %" PRIu64 ", scale %" PRIu32 ", accesses of the model:\n", seed, play.scale);
    for (uint32_t k = 0; k < model.accesses; k++) {
        const struct model_access *a = &model.access[k];
        print_message("%3" PRIu32 ": line %" PRIu32 " region %" PRIu32 " bytes %010" PRIx64
                      " kind %d over %d stream %" PRIu32 " target %" PRIu32 " knows %" PRIx64 " %" PRIx64
                      " %" PRIx64 " %" PRIx64 "\n",
                      k, a->line, a->region, a->bytes, a->kind, a->over, a->stream, a->target, a->before.done,
                      a->before.local, a->before.remote, a->before.fenced);
    }
    fail_msg("%s: lines %" PRIu32 " and %" PRIu32, what, play.first_line + i, play.first_line + j);
}

/* The object of a report, "open+0x10 of rank 2" or "0x7f00 of rank 2": region and byte of the model. */
static void object_in(const char *object, uint32_t *region, uint32_t *byte)
{
    bool open = !strncmp(object, "open+", 5);
    uint32_t rank = (uint32_t)strtoul(strstr(object, " of rank ") + 9, NULL, 10);
    uintptr_t at = strtoul(object + (open ? 5 : 0), NULL, 16) + (open ? ranks_statics_at(rank, 0) : 0);
    *region = open ? open_region(rank) : own_region(rank);
    assert_true(at - play.base[*region] < (uintptr_t)MODEL_BYTES * play.scale);
    *byte = (uint32_t)((at - play.base[*region]) / play.scale);
}

static bool fits(const struct model_access *m, uint32_t event, uint32_t kind)
{
    return m->line - play.first_line == event && m->kind == kind;
}

/* Two accesses as reported, whose race is in the cell that is reported. */
static bool is_true(uint32_t a, uint32_t a_kind, uint32_t b, uint32_t b_kind, const char *object)
{
    uint32_t region, byte;
    object_in(object, &region, &byte);
    uintptr_t first = (play.base[region] + byte) / SHADOW_CELL * SHADOW_CELL - play.base[region];
    uint64_t cell = play.scale > 1 ? UINT64_C(1) << byte : bits((uint32_t)first, SHADOW_CELL);
    for (uint32_t j = 0; j < model.accesses; j++)
        for (uint32_t i = 0; i < j; i++)
            if (model.race[i][j] & cell && model.access[i].region == region &&
                fits(&model.access[i], a, a_kind) && fits(&model.access[j], b, b_kind))
                return true;
    return false;
}

static void read_reports(uint64_t seed)
{
    memset(reported, 0, sizeof reported);
    for (const char *at = text; (at = strstr(at, "pgasim: race: "));) {
        const char *a = strchr(at, '\n') + 1, *b = strchr(a, '\n') + 1;
        uint32_t i = event_in(a), j = event_in(b), i_kind = kind_in(a), j_kind = kind_in(b);
        if (!is_true(i, i_kind, j, j_kind, at + strlen("pgasim: race: ")))
            explain("no race, but reported", seed, i, j);
        reported[i][i_kind][j][j_kind] = true;
        at = b;
    }
}

/* Whether the race of i and j may be missed at a byte: something in between has replaced i there. */
static bool may_be_forgotten(uint32_t i, uint32_t j, uint64_t byte)
{
    const struct model_access *a = &model.access[i];
    for (uint32_t k = i + 1; k < j; k++) {
        const struct model_access *between = &model.access[k];
        if (between->region != a->region || !(between->bytes & byte) || between->event == a->event)
            continue;
        if (model.race[i][k] & byte && between->kind == RACE_WRITE)
            return true;
        if (stands_for(between, a) && is_over(a, between) && model.race[k][j] & byte)
            return true;
    }
    return false;
}

static void judge(uint64_t seed)
{
    bool any = false;
    read_reports(seed);
    for (uint32_t j = 0; j < model.accesses; j++)
        for (uint32_t i = 0; i < j; i++) {
            const struct model_access *a = &model.access[i], *b = &model.access[j];
            if (!model.race[i][j])
                continue;
            any = true;
            totals.races++;
            if (is_reported(a, b)) {
                totals.reported++;
                continue;
            }
            for (uint64_t left = model.race[i][j]; left; left &= left - 1)
                if (!may_be_forgotten(i, j, left & -left))
                    explain("not reported", seed, a->line - play.first_line, b->line - play.first_line);
            totals.forgotten++;
        }
    totals.quiet += !any;
}

#endif
