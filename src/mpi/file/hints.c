/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hints: info objects of files (MPI-5.0 section 14.2.8). The ones that are acted upon always have a value; all others
 * that the program gives are kept and given back.
 */
#include "mpi/file/parts.h"

#include <string.h>

static const struct {
    const char *key, *value;
} defaults[] = {
    {"cb_buffer_size", "16777216"},   {"romio_cb_read", "automatic"},  {"romio_cb_write", "automatic"},
    {"romio_ds_read", "automatic"},   {"romio_ds_write", "automatic"}, {"ind_rd_buffer_size", "4194304"},
    {"ind_wr_buffer_size", "524288"},
};

/* A value that makes no sense leaves the old one, as the standard wants of hints. */
static bool is_number(const char *key, const char *value)
{
    struct base_status st;
    uint64_t n;
    return base_parse_uint(value, &n, &st) == 0 && n > 0 &&
           n <= (strstr(key, "_nodes") || strstr(key, "_factor") ? UINT32_MAX : INT64_MAX);
}

static bool is_choice(const char *value)
{
    return !strcmp(value, "automatic") || !strcmp(value, "enable") || !strcmp(value, "disable");
}

static bool is_usable(const void *arg, const char *key, const char *value)
{
    (void)arg;
    if (!strncmp(key, "romio_cb_", 9) || !strncmp(key, "romio_ds_", 9))
        return is_choice(value);
    if (!strcmp(key, "cb_nodes") || !strcmp(key, "cb_buffer_size") || !strncmp(key, "ind_", 4) ||
        !strncmp(key, "striping_", 9))
        return is_number(key, value);
    return true;
}

/* Hints that only count when a file is opened stay as they were then. */
static void take(struct mpi_call *c, struct mpi_file *f, MPI_Info info)
{
    mpi_info_take(&f->info, mpi_info_find(c->self, info), is_usable, NULL);
}

static uint64_t number_of(const struct mpi_file *f, const char *key)
{
    struct base_status st;
    uint64_t n = 1;
    base_parse_uint(mpi_info_value(f->info, key), &n, &st);
    return n;
}

static enum mpi_choice choice_of(const struct mpi_file *f, const char *key)
{
    const char *value = mpi_info_value(f->info, key);
    return *value == 'e' ? MPI_CHOICE_ENABLE : *value == 'd' ? MPI_CHOICE_DISABLE : MPI_CHOICE_AUTOMATIC;
}

/* There is one aggregator on a host at most. */
static void put_aggregators(struct mpi_file *f)
{
    char text[24];
    const char *given = mpi_info_value(f->info, "cb_nodes");
    uint64_t n = given ? number_of(f, "cb_nodes") : f->opened->hosts;
    f->hints.aggregators = n < f->opened->hosts ? (uint32_t)n : f->opened->hosts;
    snprintf(text, sizeof text, "%u", f->hints.aggregators);
    mpi_info_put(&f->info, "cb_nodes", text);
}

/* How a new file is striped is said when it is opened; afterwards, how it is. */
static void put_stripes(struct mpi_file *f, bool opens)
{
    char text[24];
    const char *size = mpi_info_value(f->info, "striping_unit"),
               *count = mpi_info_value(f->info, "striping_factor");
    struct storage_stripes s = {size ? number_of(f, "striping_unit") : 0,
                                count ? (uint32_t)number_of(f, "striping_factor") : 0};
    if (opens && (size || count))
        storage_file_stripe(f->store, s);
    s = storage_file_stripes(f->store);
    if (!s.count || s.size > INT64_MAX) /* none, or one disk without stripes */
        return;
    snprintf(text, sizeof text, "%llu", (unsigned long long)s.size);
    mpi_info_put(&f->info, "striping_unit", text);
    snprintf(text, sizeof text, "%u", s.count);
    mpi_info_put(&f->info, "striping_factor", text);
}

void mpi_file_hint(struct mpi_call *c, struct mpi_file *f, MPI_Info info)
{
    struct mpi_file_hints *h = &f->hints;
    bool opens = !f->info;
    for (size_t k = f->info ? BASE_LENGTH(defaults) : 0; k < BASE_LENGTH(defaults); k++)
        mpi_info_put(&f->info, defaults[k].key, defaults[k].value);
    take(c, f, info);
    put_aggregators(f);
    put_stripes(f, opens);
    h->buffer = number_of(f, "cb_buffer_size");
    h->sieve_read = number_of(f, "ind_rd_buffer_size");
    h->sieve_write = number_of(f, "ind_wr_buffer_size");
    h->collective[0] = choice_of(f, "romio_cb_read");
    h->collective[1] = choice_of(f, "romio_cb_write");
    h->sieve[0] = choice_of(f, "romio_ds_read");
    h->sieve[1] = choice_of(f, "romio_ds_write");
}

int mpi_file_set_info(struct mpi_call *c, MPI_File fh, MPI_Info info)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    if (!f)
        return rc;
    rc = mpi_comm_check_info(c, &f->guarded, info);
    if (!rc)
        mpi_file_hint(c, f, info);
    c->effect = true;
    mpi_file_barrier(c, f);
    return rc;
}

int mpi_file_get_info(struct mpi_call *c, MPI_File fh, MPI_Info *info_used)
{
    int rc = MPI_SUCCESS;
    struct mpi_file *f = mpi_file_of(c, fh, &rc);
    if (!f)
        return rc;
    if (!info_used)
        return mpi_fail(c, &f->guarded, MPI_ERR_ARG, "the place for the info object is NULL");
    *info_used = mpi_info_handle(c->self, mpi_info_copy(f->info));
    return MPI_SUCCESS;
}
