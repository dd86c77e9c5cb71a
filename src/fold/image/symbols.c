/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of the objects in the ranks' static data, from the files' symbol tables: for bounds checks and
 * reports. Read and sorted when first needed; searched by bisection.
 */
#include <stdlib.h>

#include "fold/image/image.h"

struct reader {
    struct images *im;
    const struct object_file *file;
    uint32_t first_span; /* of this file */
};

static void add_symbol(void *arg, const char *name, uint64_t address, uint64_t size)
{
    const struct reader *r = arg;
    for (size_t k = 0; k < r->file->spans.n; k++) {
        const struct object_span *s = &r->file->spans.at[k];
        if (address >= s->address && address - s->address < s->size &&
            size <= s->size - (address - s->address))
            BASE_ARRAY_PUSH(&r->im->symbols, ((struct image_symbol){name, address - s->address, size,
                                                                    r->first_span + (uint32_t)k}));
    }
}

/* By address; of several symbols at one address the largest comes last, so that it is found. */
static int by_place(const void *a, const void *b)
{
    const struct image_symbol *x = a, *y = b;
    if (x->span != y->span)
        return x->span < y->span ? -1 : 1;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

static void read_symbols(struct images *im)
{
    struct reader r = {im, NULL, 0};
    for (size_t i = im->objects.list.n; i-- > 0;) { /* spans are numbered from the program's */
        r.file = im->objects.list.at[i];
        elf_objects_each(&r.file->elf, add_symbol, &r);
        r.first_span += (uint32_t)r.file->spans.n;
    }
    if (im->symbols.n)
        qsort(im->symbols.at, im->symbols.n, sizeof *im->symbols.at, by_place);
    im->symbols_read = true;
}

bool images_object_find(struct images *im, uint32_t span, size_t offset, struct rank_object *out)
{
    if (!im->symbols_read)
        read_symbols(im);
    size_t low = 0, high = im->symbols.n; /* first symbol after the place */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        const struct image_symbol *s = &im->symbols.at[mid];
        if (s->span < span || (s->span == span && s->offset <= offset))
            low = mid + 1;
        else
            high = mid;
    }
    if (low == 0 || im->symbols.at[low - 1].span != span)
        return false;
    const struct image_symbol *s = &im->symbols.at[low - 1];
    *out = (struct rank_object){s->name, s->span, s->offset, s->size};
    return true;
}
