/* SPDX-License-Identifier: BSD-3-Clause */
/* words: the words of a call from some of its arguments. */
#include "replay/convert/whole.h"

#include <string.h>

int64_t replay_word_of(enum record_object o, const char *name)
{
    int64_t word = 0;
    record_value_of(o, name, strlen(name), &word);
    return word;
}

static const struct replay_argument *find(const struct replay_argument *given, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (!strcmp(given[k].name, name))
            return &given[k];
    return NULL;
}

static void put(struct record_words *out, const struct record_param *p, const struct replay_argument *g)
{
    bool array = p->kind == RECORD_NUMBERS || p->kind == RECORD_HANDLES || p->kind == RECORD_TEXT;
    if (!array) {
        record_push(out, g ? g->value : p->kind == RECORD_BUFFER ? RECORD_SOMEWHERE : 0);
        return;
    }
    int64_t n = g && g->array ? g->value : RECORD_NO_ARRAY;
    record_push(out, n);
    for (int64_t k = 0; k < n; k++)
        record_push(out, g->array[k]);
}

void replay_put_words(struct record_words *out, uint32_t function, const struct replay_argument *given,
                      size_t n)
{
    const struct record_function *f = &record_mpi[function];
    out->n = 0;
    for (int last = 0; last < 2; last++)
        for (uint32_t k = 0; k < f->n; k++)
            if (record_has_words(&f->param[k]) && record_comes_last(&f->param[k]) == (last == 1))
                put(out, &f->param[k], find(given, n, f->param[k].name));
}

/* --- sizes --------------------------------------------------------------------------------------------- */

/* Types that MPI's sums know, too, by their sizes. */
static const struct {
    uint64_t size;
    const char *name;
} types[] = {
    {1, "MPI_BYTE"}, {2, "MPI_SHORT"}, {4, "MPI_INT"}, {8, "MPI_DOUBLE"}, {16, "MPI_DOUBLE_COMPLEX"}};

static struct replay_data in_items(uint64_t bytes, size_t k)
{
    uint64_t count = (bytes + types[k].size - 1) / types[k].size;
    return (struct replay_data){(int64_t)count, replay_word_of(RECORD_TYPE, types[k].name),
                                count * types[k].size != bytes};
}

struct replay_data replay_data_of(uint64_t bytes, uint64_t element)
{
    size_t least = 0;
    for (size_t k = 0; k < BASE_LENGTH(types); k++)
        if (types[k].size == element && bytes % element == 0 && bytes / element <= INT32_MAX)
            return in_items(bytes, k);
    while (least + 1 < BASE_LENGTH(types) && bytes / types[least].size >= INT32_MAX)
        least++;
    return in_items(bytes, least);
}
