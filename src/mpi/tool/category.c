/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * category: categories (MPI-5.0 section 15.3.9): one for the settings of each prefix, in their order, and, at
 * the end, one for the performance variables. None changes, and none contains another.
 */
#include "mpi/calls.h"
#include "mpi/tool/tool.h"

#include <string.h>

/* A prefix of settings: those with index first to first + n - 1. */
struct category {
    int first, n;
    char name[64];
};

static const char counted[] = "counters";

static size_t prefix_length(const char *key)
{
    const char *slash = strchr(key, '/');
    return slash ? (size_t)(slash - key) : strlen(key);
}

struct walk {
    int wanted, at, index; /* categories begun so far: at + 1 */
    struct category current, found;
};

static void visit(void *arg, const struct base_setting *s, const char *value, enum base_origin from)
{
    struct walk *w = arg;
    size_t n = prefix_length(s->key);
    (void)value;
    (void)from;
    if (strlen(w->current.name) != n || strncmp(w->current.name, s->key, n) != 0) {
        w->at++;
        w->current = (struct category){.first = w->index};
        snprintf(w->current.name, sizeof w->current.name, "%.*s", (int)n, s->key);
    }
    w->index++;
    w->current.n++;
    if (w->at == w->wanted)
        w->found = w->current;
}

static struct walk walk(const struct mpi_call *c, int wanted)
{
    struct walk w = {.wanted = wanted, .at = -1};
    base_settings_each(rank_settings(c->rank->job), visit, &w);
    return w;
}

/* How many categories there are; *out: the one with that index. */
static int look_up(const struct mpi_call *c, int index, struct category *out)
{
    struct walk w = walk(c, index);
    int settings = w.at + 1;
    *out = w.found;
    if (index == settings)
        snprintf(out->name, sizeof out->name, "%s", counted);
    return settings + 1;
}

/* MPI_SUCCESS: *out is the category. */
static int find(const struct mpi_call *c, int index, struct category *out)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    return index < 0 || index >= look_up(c, index, out) ? MPI_T_ERR_INVALID_INDEX : MPI_SUCCESS;
}

static int variables_of(const struct category *g)
{
    return g->n ? 0 : mpi_tool_pvars();
}

int mpi_t_category_get_num(struct mpi_call *c, int *num_cat)
{
    struct category none;
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!num_cat)
        return MPI_T_ERR_INVALID;
    *num_cat = look_up(c, -1, &none);
    return MPI_SUCCESS;
}

int mpi_t_category_get_info(struct mpi_call *c, int cat_index, char *name, int *name_len, char *desc,
                            int *desc_len, int *num_cvars, int *num_pvars, int *num_categories)
{
    struct category g;
    int rc = find(c, cat_index, &g);
    if (rc != MPI_SUCCESS)
        return rc;
    char text[128] = "what is counted of each rank";
    if (g.n)
        snprintf(text, sizeof text, "the simulator's settings %s/...", g.name);
    mpi_tool_text(g.name, name, name_len);
    mpi_tool_text(text, desc, desc_len);
    mpi_tool_put(num_cvars, g.n);
    mpi_tool_put(num_pvars, variables_of(&g));
    mpi_tool_put(num_categories, 0);
    return MPI_SUCCESS;
}

int mpi_t_category_get_index(struct mpi_call *c, const char *name, int *cat_index)
{
    struct category g;
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!name || !cat_index)
        return MPI_T_ERR_INVALID;
    for (int k = 0, n = look_up(c, -1, &g); k < n; k++) {
        look_up(c, k, &g);
        if (!strcmp(g.name, name)) {
            *cat_index = k;
            return MPI_SUCCESS;
        }
    }
    return MPI_T_ERR_INVALID_NAME;
}

/* Writes first, first + 1, ..., n of them, or as many as there is room for. */
static int list(int rc, int first, int n, int len, int indices[])
{
    if (rc != MPI_SUCCESS)
        return rc;
    if (len < 0 || (len > 0 && !indices))
        return MPI_T_ERR_INVALID;
    for (int k = 0; k < n && k < len; k++)
        indices[k] = first + k;
    return MPI_SUCCESS;
}

int mpi_t_category_get_cvars(struct mpi_call *c, int cat_index, int len, int indices[])
{
    struct category g = {0};
    int rc = find(c, cat_index, &g);
    return list(rc, g.first, g.n, len, indices);
}

int mpi_t_category_get_pvars(struct mpi_call *c, int cat_index, int len, int indices[])
{
    struct category g = {0};
    int rc = find(c, cat_index, &g);
    return list(rc, 0, variables_of(&g), len, indices);
}

int mpi_t_category_get_categories(struct mpi_call *c, int cat_index, int len, int indices[])
{
    struct category g;
    return list(find(c, cat_index, &g), 0, 0, len, indices);
}

int mpi_t_category_get_events(struct mpi_call *c, int cat_index, int len, int indices[])
{
    struct category g;
    return list(find(c, cat_index, &g), 0, 0, len, indices);
}

int mpi_t_category_get_num_events(struct mpi_call *c, int cat_index, int *num_events)
{
    struct category g;
    int rc = find(c, cat_index, &g);
    if (rc == MPI_SUCCESS)
        mpi_tool_put(num_events, 0);
    return rc;
}

int mpi_t_category_changed(struct mpi_call *c, int *update_number)
{
    if (!mpi_tool_open(c))
        return MPI_T_ERR_NOT_INITIALIZED;
    if (!update_number)
        return MPI_T_ERR_INVALID;
    *update_number = 0;
    return MPI_SUCCESS;
}
