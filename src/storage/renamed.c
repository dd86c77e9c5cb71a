/* SPDX-License-Identifier: BSD-3-Clause */
/* renamed: what happens to files by their names: renaming, links, removal, truncation. */
#include "storage/internal.h"

#include <stdlib.h>
#include <string.h>

/* What is under the name is another file from now on, or none. */
static void give_up(struct storage *s, struct storage_volume *v, const char *path)
{
    const struct storage_name *n = storage_name_find(s, v, path);
    if (!n)
        return;
    if (n->inode->names == 1)
        (void)storage_inode_resize(n->inode, 0);
    storage_name_remove(s, n);
}

bool storage_apart(struct rank *r, const char *from, const char *to)
{
    const struct storage *s = storage_of(r->job);
    const struct storage_volume *a = s ? storage_volume_of(s, r->host, from) : NULL,
                                *b = s ? storage_volume_of(s, r->host, to) : NULL;
    return a && b && a != b;
}

static void rename_one(struct storage *s, struct storage_volume *v, const char *from, const char *to)
{
    const struct storage_name *n = storage_name_find(s, v, from), *there = storage_name_find(s, v, to);
    struct storage_inode *i = n ? n->inode : NULL;
    if (there && there->inode == i) /* two names of one file stay */
        return;
    give_up(s, v, to);
    if (!i)
        return;
    storage_name_link(s, v, to, i);
    storage_name_remove(s, storage_name_find(s, v, from));
}

/* All that is known below a folder. */
static void rename_below(struct storage *s, struct storage_volume *v, const char *from, const char *to)
{
    BASE_ARRAY(char *) paths = {0};
    char *prefix = base_strfmt("%u:%s/", v->id, from);
    size_t n = strlen(prefix);
    uint32_t at = 0;
    for (const struct storage_name *known; (known = base_table_next(&s->inodes, &at)) != NULL;)
        if (!strncmp(known->key, prefix, n))
            BASE_ARRAY_PUSH(&paths, base_strdup(known->key + n));
    for (size_t k = 0; k < paths.n; k++) {
        char *old = base_strfmt("%s/%s", from, paths.at[k]), *fresh = base_strfmt("%s/%s", to, paths.at[k]);
        rename_one(s, v, old, fresh);
        free(old);
        free(fresh);
        free(paths.at[k]);
    }
    free(paths.at);
    free(prefix);
}

void storage_renamed(struct rank *r, const char *from, const char *to, bool folder)
{
    struct storage *s = storage_of(r->job);
    struct storage_volume *v = s ? storage_volume_of(s, r->host, to) : NULL;
    if (!v || v != storage_volume_of(s, r->host, from) || !strcmp(from, to))
        return;
    if (folder)
        rename_below(s, v, from, to);
    else
        rename_one(s, v, from, to);
}

void storage_linked(struct rank *r, const char *from, const char *to, uint64_t size)
{
    struct storage *s = storage_of(r->job);
    struct storage_volume *v = s ? storage_volume_of(s, r->host, to) : NULL;
    if (v && v == storage_volume_of(s, r->host, from))
        storage_name_link(s, v, to, storage_inode_of(s, v, from, size));
}

int storage_truncated(struct rank *r, const char *path, uint64_t was, uint64_t size)
{
    struct storage_file *f = storage_file_open(r, path, was);
    int error = storage_file_resize(f, size);
    storage_file_close(f);
    return error;
}

/* A file that is made again under the name lies where this one did. */
void storage_removed(struct rank *r, const char *path, bool last)
{
    struct storage *s = storage_of(r->job);
    const struct storage_volume *v = s ? storage_volume_of(s, r->host, path) : NULL;
    const struct storage_name *n = v ? storage_name_find(s, v, path) : NULL;
    if (n && last)
        (void)storage_inode_resize(n->inode, 0);
    if (n && (!last || n->inode->names > 1))
        storage_name_remove(s, n);
}
