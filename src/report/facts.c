/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * facts: passes each event to the part of report/ that handles it, and computes the results after the last
 * one. Events with an unknown rank or an invalid time are skipped.
 *
 * Invariants
 *  F1  Facts are finished once, and accept no event after that.
 */
#include "report/internal.h"

#include <math.h>
#include <stdlib.h>

enum { TRAFFIC_MOST = 512, WAITS_MOST = 1024 };

const char *report_kind_text(enum report_kind kind)
{
    static const char *const texts[] = {[REPORT_PUT] = "puts",
                                        [REPORT_GET] = "gets",
                                        [REPORT_ATOMIC] = "atomics",
                                        [REPORT_MESSAGE] = "collective messages",
                                        [REPORT_SEND] = "two-sided messages",
                                        [REPORT_NOTICE] = "synchronization messages"};
    return texts[kind];
}

const char *report_name_text(const struct report_facts *f, report_name name)
{
    return report_names_text(f->work->names, name);
}

struct report_facts *report_facts_create(const struct trace_about *about)
{
    struct report_facts *f = base_zalloc(sizeof *f, "facts of a trace");
    struct report_work *w = f->work = base_zalloc(sizeof *w, "facts of a trace");
    f->about = about;
    f->rank = base_zalloc(sizeof *f->rank * ((size_t)about->ranks + 1), "facts of ranks");
    f->link = base_zalloc(sizeof *f->link * ((size_t)about->links + 1), "facts of links");
    f->host = base_zalloc(sizeof *f->host * ((size_t)about->hosts + 1), "facts of hosts");
    w->flying = base_zalloc(sizeof *w->flying * ((size_t)about->links + 1), "facts of links");
    w->names = report_names_create(about);
    report_ops_init(w);
    report_collectives_init(w);
    base_table_init(&w->kept, BASE_NUMBERS, sizeof(struct report_kept), "operations that were kept back");
    base_table_init(&w->users, BASE_BYTES, sizeof(struct report_user), "types of user's events");
    for (unsigned k = 0; k < BASE_LENGTH(f->operations); k++) {
        report_matrix_init(&f->operations[k], about->ranks, TRAFFIC_MOST);
        report_matrix_init(&f->bytes[k], about->ranks, TRAFFIC_MOST);
    }
    report_matrix_init(&f->waits, about->ranks, WAITS_MOST);
    for (uint32_t k = 0; k < about->ranks; k++) {
        f->rank[k].host = about->rank_host[k];
        f->host[about->rank_host[k]].ranks++;
    }
    return f;
}

static void release_work(struct report_work *w)
{
    for (uint32_t k = 0; k < w->lanes; k++)
        free(w->lane[k].at);
    free(w->lane);
    report_ops_release(w);
    report_collectives_release(w);
    report_names_destroy(w->names);
    free(w->flying);
    free(w->call);
    free(w->races.at);
    base_table_release(&w->kept);
    base_table_release(&w->users);
    free(w);
}

static void release_platform(struct report_facts *f)
{
    for (uint32_t k = 0; k < f->about->links; k++)
        free((void *)f->link[k].usage);
    for (uint32_t k = 0; k < f->about->hosts; k++)
        free((void *)f->host[k].usage);
    free(f->link);
    free(f->host);
}

void report_facts_destroy(struct report_facts *f)
{
    for (uint32_t k = 0; k < f->about->ranks; k++) {
        free(f->rank[k].calls.at);
        free(f->rank[k].waits.at);
    }
    for (unsigned k = 0; k < REPORT_KINDS; k++) {
        report_distribution_release(&f->kind[k].size);
        report_distribution_release(&f->kind[k].duration);
    }
    for (unsigned k = 0; k < BASE_LENGTH(f->operations); k++) {
        free(f->operations[k].cell);
        free(f->bytes[k].cell);
    }
    free(f->waits.cell);
    report_cards_release(f);
    report_cores_release(f);
    report_energy_release(f);
    free(f->disks.at);
    free(f->worlds.at);
    report_files_release(f);
    release_platform(f);
    release_work(f->work);
    free(f->rank);
    free(f->call);
    free(f->collective);
    free(f->path.at);
    free(f->suggestion);
    free(f->kept);
    free(f->user);
    free(f->jobs.at);
    sdsm_destroy(f->sdsm);
    free(f);
}

/* --- events ------------------------------------------------------------------------------------------ */

/* Messages are of several kinds. */
static enum report_kind kind_of(const struct report_facts *f, const struct trace_event *ev,
                                enum report_kind kind)
{
    if (ev->type == TRACE_SEND_ISSUED && ev->tag < 0) /* a collective's */
        return REPORT_MESSAGE;
    if (kind == REPORT_MESSAGE) {
        enum trace_group group = report_names_group(f->work->names, ev->call);
        if (group == TRACE_GROUP_LOCK || group == TRACE_GROUP_SYNC)
            return REPORT_NOTICE;
    }
    return kind;
}

static void add_operation(struct report_facts *f, const struct trace_event *ev)
{
    static const struct {
        bool issues, over, there;
        enum report_kind kind;
    } of[TRACE_TYPES] = {
        [TRACE_PUT_ISSUED] = {.issues = true, .kind = REPORT_PUT},
        [TRACE_PUT_DELIVERED] = {.over = true, .there = true},
        [TRACE_SIGNAL_UPDATED] = {.over = true},
        [TRACE_GET_ISSUED] = {.issues = true, .kind = REPORT_GET},
        [TRACE_GET_READ] = {0},
        [TRACE_GET_ARRIVED] = {.over = true, .there = true},
        [TRACE_ATOMIC_ISSUED] = {.issues = true, .kind = REPORT_ATOMIC},
        [TRACE_ATOMIC_EXECUTED] = {.over = true, .there = true},
        [TRACE_ATOMIC_ARRIVED] = {.over = true},
        [TRACE_MESSAGE_ISSUED] = {.issues = true, .kind = REPORT_MESSAGE},
        [TRACE_MESSAGE_ARRIVED] = {.over = true, .there = true},
        [TRACE_SEND_ISSUED] = {.issues = true, .kind = REPORT_SEND},
        [TRACE_SEND_ARRIVED] = {.there = true},
        [TRACE_SEND_MATCHED] = {0},
        [TRACE_SEND_RECEIVED] = {.over = true, .there = true},
    };
    if (ev->peer >= f->about->ranks)
        return;
    if (ev->type == TRACE_KEPT_BACK) {
        report_kept_event(f, ev);
        return;
    }
    if (ev->type == TRACE_SEND_MATCHED)
        report_op_matched(f, ev);
    if (of[ev->type].issues)
        report_op_issued(f, ev, kind_of(f, ev, of[ev->type].kind));
    else
        report_op_instant(f, ev, of[ev->type].over, of[ev->type].there);
}

void report_facts_add(struct report_facts *f, const struct trace_event *ev)
{
    BASE_ASSERT("F1", f->work->names && !f->call);
    if (ev->type >= TRACE_TYPES || ev->rank >= f->about->ranks || !isfinite(ev->time))
        return;
    f->events++;
    f->of_type[ev->type]++;
    if (ev->time > f->work->now)
        f->work->now = ev->time;
    switch (trace_types[ev->type].category) {
    case TRACE_CATEGORY_CALLS:
    case TRACE_CATEGORY_WAITS:
    case TRACE_CATEGORY_COMPUTE:
    case TRACE_CATEGORY_LIFE:
        report_lane_event(f, ev);
        break;
    case TRACE_CATEGORY_COLLECTIVES:
        report_collective_event(f, ev);
        break;
    case TRACE_CATEGORY_MARKS:
        f->marks++;
        break;
    case TRACE_CATEGORY_IO:
        report_file_event(f, ev);
        break;
    case TRACE_CATEGORY_USER:
        report_user_event(f, ev);
        break;
    case TRACE_CATEGORY_CARDS:
        report_card_event(f, ev);
        break;
    case TRACE_CATEGORY_CORES:
        report_core_event(f, ev);
        break;
    case TRACE_CATEGORY_RACES:
        report_race_event(f, ev);
        break;
    case TRACE_CATEGORY_OPERATIONS:
    case TRACE_CATEGORY_MESSAGES:
        if (ev->type != TRACE_RECEIVE_POSTED)
            add_operation(f, ev);
        break;
    default: /* what replays and checkers want */
        break;
    }
}

/* --- the end ----------------------------------------------------------------------------------------- */

static void finish_operations(struct report_facts *f)
{
    for (uint32_t k = 0; k < f->work->ops; k++) {
        const struct report_op *op = report_op_at(f->work, k);
        if (op->kind == REPORT_WAKE)
            continue;
        if (op->ended)
            report_distribution_add(&f->kind[op->kind].duration, op->end - op->issued);
        else
            f->kind[op->kind].unfinished++;
    }
}

void report_facts_finish(struct report_facts *f, double end)
{
    f->end = end > f->work->now && isfinite(end) ? end : f->work->now;
    report_lanes_finish(f);
    report_accounts_finish(f);
    finish_operations(f);
    report_collectives_finish(f);
    report_races_finish(f);
    report_kept_finish(f);
    report_users_finish(f);
    report_energy_finish(f);
    report_disks_finish(f);
    report_files_finish(f);
    report_worlds_finish(f);
    report_cards_finish(f);
    report_cores_finish(f);
    f->unknown_names = report_names_unknown(f->work->names);
    report_timelines(f);
    report_energy_timeline(f);
    report_path_find(f);
    report_path_suggest(f);
}
