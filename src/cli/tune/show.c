/* SPDX-License-Identifier: BSD-3-Clause */
/* show: what `pgasim tune` has found, as tables for people. */
#include "cli/tune/tune.h"

#include <math.h>
#include <stdlib.h>

static const char *time_text(char *buf, double t)
{
    return t < INFINITY ? base_show_time(buf, t) : "-";
}

static void show_end(const struct tune_table *t, FILE *out)
{
    size_t open = 0;
    for (size_t k = 0; k < t->n; k++)
        open += t->at[k].state == TUNE_OPEN;
    fprintf(out, "%llu trials", (unsigned long long)t->trials);
    if (t->known)
        fprintf(out, ", and %llu from the journal", (unsigned long long)t->known);
    if (open)
        fprintf(out, "; %zu of %zu points are open: the budget was used up", open, t->n);
    fputc('\n', out);
}

/* Cells of one line that have the same choice. */
static bool is_alike(const struct tune_cell *a, const struct tune_cell *b)
{
    return a->point.op == b->point.op && a->point.place == b->point.place && a->state != TUNE_OPEN &&
           b->state != TUNE_OPEN && tune_choices_equal(&a->best, &b->best);
}

static void show_cells(const struct tune_space *s, const struct tune_cell *first,
                       const struct tune_cell *last, FILE *out)
{
    const struct tune_place *p = &s->place.at[first->point.place];
    char size[2][32], sizes[80], choice[80], name[TUNE_NAME];
    double least = tune_gain(first), most = least;
    for (const struct tune_cell *c = first; c <= last; c++) {
        least = fmin(least, tune_gain(c));
        most = fmax(most, tune_gain(c));
    }
    tune_size_text(size[0], first->point.bytes);
    tune_size_text(size[1], last->point.bytes);
    snprintf(sizes, sizeof sizes, first == last ? "%s" : "%s - %s", size[0], size[1]);
    fprintf(out, "%-27s %7u %5u  %-25s %-36s %.2f", tune_cell_name(name, s, first), p->ranks, p->per_host,
            sizes, first->time < INFINITY ? tune_choice_text(&first->best, choice, sizeof choice) : "-",
            least);
    if (most > least)
        fprintf(out, " - %.2f", most);
    fputs(first->state == TUNE_OPEN ? "  open\n" : "\n", out);
}

void tune_show(const struct tune_space *s, const struct tune_table *t, FILE *out)
{
    fprintf(out, "%-27s %7s %5s  %-25s %-36s %s\n", "operation", "ranks", "/host", "size", "best", "gain");
    for (size_t k = 0, to; k < t->n; k = to) {
        for (to = k + 1; to < t->n && is_alike(&t->at[to - 1], &t->at[to]);)
            to++;
        show_cells(s, &t->at[k], &t->at[to - 1], out);
    }
    show_end(t, out);
}

/* --- a program ------------------------------------------------------------------------------------ */

struct row {
    const struct tune_cell *cell;
    const struct tune_use *use;
    double saved; /* seconds, of all calls */
    size_t number;
};

static int by_saved(const void *va, const void *vb)
{
    const struct row *a = va, *b = vb;
    if (a->saved != b->saved)
        return a->saved > b->saved ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static double of_all(const struct row *r, double t)
{
    return t < INFINITY ? t * (double)r->use->calls : 0;
}

static void show_row(const struct tune_space *s, const struct row *r, FILE *out)
{
    const struct tune_cell *c = r->cell;
    char size[32], best[32], now[32], choice[80], name[TUNE_NAME];
    fprintf(out, "%-27s %7u %11s %9llu %11s %11s %6.2f  %s\n", tune_cell_name(name, s, c),
            s->place.at[c->point.place].ranks, tune_size_text(size, c->point.bytes),
            (unsigned long long)r->use->calls, time_text(now, of_all(r, c->by_default)),
            time_text(best, of_all(r, c->time)), tune_gain(c),
            c->time < INFINITY ? tune_choice_text(&c->best, choice, sizeof choice) : "-");
}

/* What saves most comes first. */
void tune_show_program(const struct tune_space *s, const struct tune_table *t, const struct tune_uses *u,
                       FILE *out)
{
    struct row *row = base_zalloc((t->n + 1) * sizeof *row, "a table of calls");
    double now = 0, best = 0;
    char text[2][32];
    for (size_t k = 0; k < t->n; k++) {
        row[k] = (struct row){.cell = &t->at[k], .use = &u->at[k], .number = k};
        if (t->at[k].time < INFINITY && t->at[k].by_default < INFINITY)
            row[k].saved = (double)u->at[k].calls * (t->at[k].by_default - t->at[k].time);
        now += of_all(&row[k], t->at[k].by_default);
        best += of_all(&row[k], t->at[k].time);
    }
    qsort(row, t->n, sizeof *row, by_saved);
    fprintf(out, "%-27s %7s %11s %9s %11s %11s %6s  %s\n", "operation", "ranks", "size", "calls", "time now",
            "with best", "gain", "best");
    for (size_t k = 0; k < t->n; k++)
        show_row(s, &row[k], out);
    fprintf(out, "all: %s now, %s with the best; ", base_show_time(text[0], now),
            base_show_time(text[1], best));
    show_end(t, out);
    free(row);
}
