/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * leak: with --leaks or --check, the objects that ranks have not freed when the library closes for them, by
 * the call that made them; ranks that left equally many share a line.
 */
#include "mpi/internal.h"

#include <stdlib.h>
#include <string.h>

/* Where a rank's object was made. */
struct made {
    struct rank_code from;
    int32_t call; /* rank_call_of */
};
/* Objects of one kind and place that one rank has left. */
struct leak {
    uint64_t place; /* object and offset */
    uint32_t kind, call, count, rank;
};
struct mpi_leaks {
    BASE_ARRAY(struct leak) leaks;
};

static const char *const nouns[MPI_KINDS] = {[MPI_KIND_COMM] = "communicator",
                                             [MPI_KIND_GROUP] = "group",
                                             [MPI_KIND_TYPE] = "datatype",
                                             [MPI_KIND_OP] = "operator",
                                             [MPI_KIND_REQUEST] = "request",
                                             [MPI_KIND_MESSAGE] = "matched message",
                                             [MPI_KIND_ERRHANDLER] = "error handler",
                                             [MPI_KIND_INFO] = "info object",
                                             [MPI_KIND_SESSION] = "session",
                                             [MPI_KIND_WIN] = "window",
                                             [MPI_KIND_FILE] = "open file",
                                             [MPI_KIND_KEYVAL] = "attribute key"};

void mpi_leaks_open(struct mpi_job *job)
{
    static const char key[] = "heap/leaks";
    const struct base_settings *s = rank_settings(job->job);
    bool asked = base_settings_known(s, key) && base_settings_flag(s, key);
    if (asked || rank_job_config(job->job)->checked)
        job->leaks = base_zalloc(sizeof *job->leaks, "objects that are not freed");
}

/* --- of a rank, while it runs --------------------------------------------------------------------------- */

void mpi_leak_made(struct mpi_rank *self, const struct mpi_object *o)
{
    if (!self->made) {
        self->made = base_zalloc(sizeof *self->made, "objects that are not freed");
        base_table_init(self->made, BASE_NUMBERS, sizeof(struct made), "objects that are not freed");
    }
    struct made *m = base_table_add(self->made, o->handle, NULL);
    *m = (struct made){rank_code_of_call(self->rank), self->rank->call};
}

void mpi_leak_freed(struct mpi_rank *self, uint32_t handle)
{
    if (self->made && base_table_find(self->made, handle))
        base_table_remove(self->made, handle);
}

char *mpi_leak_text(const struct mpi_rank *self, uint32_t handle, char *buf, size_t size)
{
    const struct made *m = self->made ? base_table_find(self->made, handle) : NULL;
    char place[RANK_WHERE_SIZE] = "";
    buf[0] = 0;
    if (!m)
        return buf;
    rank_code_name(self->rank, m->from, place, sizeof place);
    snprintf(buf, size, ", made by %s%s%s,", rank_call_of(m->call), *place ? " in " : "", place);
    return buf;
}

/* --- at the library's end ------------------------------------------------------------------------------- */

static void note(struct mpi_rank *self, uint32_t handle, const struct made *m)
{
    struct mpi_leaks *all = self->job->leaks;
    struct leak l = {(uint64_t)m->from.object << 32 | m->from.offset, mpi_handle_kind(handle),
                     (uint32_t)m->call, 1, self->rank->id};
    for (size_t k = all->leaks.n; k-- > 0 && all->leaks.at[k].rank == l.rank;) {
        struct leak *other = &all->leaks.at[k];
        if (other->place == l.place && other->kind == l.kind && other->call == l.call) {
            other->count++;
            return;
        }
    }
    BASE_ARRAY_PUSH(&all->leaks, l);
}

void mpi_leaks_note(struct mpi_rank *self)
{
    const struct made *m;
    if (!self->made)
        return;
    for (uint32_t at = 0; (m = base_table_next(self->made, &at));)
        if (nouns[mpi_handle_kind((uint32_t)base_table_key(m))])
            note(self, (uint32_t)base_table_key(m), m);
    base_table_release(self->made);
    free(self->made);
    self->made = NULL;
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int by_line(const void *left, const void *right)
{
    const struct leak *a = left, *b = right;
    int c = compare(a->kind, b->kind);
    c = c ? c : compare(a->place, b->place);
    c = c ? c : compare(a->call, b->call);
    c = c ? c : compare(a->count, b->count);
    return c ? c : compare(a->rank, b->rank);
}

static bool same_line(const struct leak *a, const struct leak *b)
{
    return a->kind == b->kind && a->place == b->place && a->call == b->call && a->count == b->count;
}

static void print_line(FILE *out, const struct mpi_job *job, const struct leak *l, size_t n)
{
    char ranks[RANK_WHERE_SIZE], place[RANK_WHERE_SIZE];
    struct rank_code from = {(uint32_t)(l->place >> 32), (uint32_t)l->place};
    rank_code_name(rank_at(job->job, l->rank), from, place, sizeof place);
    fprintf(out, "pgasim:   leak: %s: %u %s%s%s, made by %s%s%s\n",
            rank_list(&l->rank, sizeof *l, n, ranks, sizeof ranks), l->count, nouns[l->kind],
            l->count == 1 ? "" : "s", n > 1 ? " each" : "", rank_call_of((int32_t)l->call),
            *place ? " in " : "", place);
}

void mpi_leaks_print(struct mpi_job *job)
{
    struct mpi_leaks *all = job->leaks;
    FILE *out = base_report_stream();
    if (!all)
        return;
    if (all->leaks.n) {
        fflush(stdout);
        qsort(all->leaks.at, all->leaks.n, sizeof *all->leaks.at, by_line);
    }
    for (size_t k = 0, end; k < all->leaks.n; k = end) {
        for (end = k + 1; end < all->leaks.n && same_line(&all->leaks.at[k], &all->leaks.at[end]);)
            end++;
        print_line(out, job, &all->leaks.at[k], end - k);
    }
    free(all->leaks.at);
    free(all);
    job->leaks = NULL;
}
