/* SPDX-License-Identifier: BSD-3-Clause */
/* report: for people and as JSON. */
#include "report.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"

enum { WORST_LINKS = 3 };

static void links_print(const struct report *r, FILE *out)
{
    int shown = 0;
    for (uint32_t k = 0; k < r->topology->n_links && shown < WORST_LINKS; k++) {
        const struct wire_link_state *l = wire_link(r->wire, k);
        if (l->dropped) {
            fprintf(out, "cluster: link %s dropped %llu of %llu frames: its queue of %llu bytes was full\n",
                    r->topology->links[k].name, (unsigned long long)l->dropped,
                    (unsigned long long)l->dropped + l->frames, (unsigned long long)l->queue);
            shown++;
        }
    }
}

static void people_print(const struct report *r, FILE *out)
{
    const struct switch_figures *f = &r->figures;
    fprintf(out, "cluster: %u nodes, %u ranks, %.3f s; CPUs %.0f%% busy, the switch %.1f%% of one\n",
            r->topology->n_nodes, r->ranks, r->usage.seconds, 100 * r->usage.busy, 100 * r->usage.own);
    if (r->wire) {
        char median[32], most[32], late[32];
        fprintf(out,
                "cluster: %llu frames; dropped %llu at links, %llu at nodes; late by %s (median), %s (99%%), "
                "%s (most)\n",
                (unsigned long long)f->delivered, (unsigned long long)f->dropped,
                (unsigned long long)r->dropped_at_nodes + f->refused,
                base_show_time(median, (double)switch_late(f, 0.5) * 1e-9),
                base_show_time(late, (double)switch_late(f, 0.99) * 1e-9),
                base_show_time(most, (double)f->latest * 1e-9));
        links_print(r, out);
    }
    if (r->usage.is_void)
        fprintf(out, "cluster: void: the CPUs were more than half busy, so the run shows this machine and "
                     "not the network\n");
}

static void json_print(const struct report *r, FILE *out)
{
    const struct switch_figures *f = &r->figures;
    struct base_json j;
    base_json_init(&j, out, &(struct base_json_form){0});
    base_json_open(&j, NULL, '{');
    base_json_text(&j, "platform", r->platform);
    base_json_count(&j, "nodes", r->topology->n_nodes);
    base_json_count(&j, "ranks", r->ranks);
    base_json_count(&j, "status", (uint64_t)r->status);
    base_json_number(&j, "seconds", r->usage.seconds);
    base_json_number(&j, "busy", r->usage.busy);
    base_json_number(&j, "switch", r->usage.own);
    base_json_flag(&j, "void", r->usage.is_void);
    if (r->wire) {
        base_json_count(&j, "frames", f->delivered);
        base_json_count(&j, "dropped_links", f->dropped);
        base_json_count(&j, "dropped_nodes", r->dropped_at_nodes + f->refused);
        base_json_number(&j, "late_median", (double)switch_late(f, 0.5) * 1e-9);
        base_json_number(&j, "late_99", (double)switch_late(f, 0.99) * 1e-9);
        base_json_number(&j, "late_most", (double)f->latest * 1e-9);
    }
    base_json_close(&j);
    base_json_end(&j);
    fputc('\n', out);
}

int report_write(const struct report *r, const char *path, struct base_status *st)
{
    people_print(r, stderr);
    if (!path)
        return 0;
    FILE *out = fopen(path, "ae");
    if (!out)
        return base_fail(st, "%s: %s", path, strerror(errno));
    json_print(r, out);
    return fclose(out) ? base_fail(st, "%s: cannot be written", path) : 0;
}
