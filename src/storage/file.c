/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file: what is known of files: names, size, room on their volume, and where their stripes are; handles of ranks. A file
 * may have several names (hard links). An inode stays until the end of the job, so that a file that is opened again lies
 * where it did, and handles of a file that has lost its names stay good.
 */
#include "storage/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- inodes, and names by which they are known ------------------------------------------------------ */

void storage_inode_lay_out(struct storage_inode *i, struct storage_stripes wanted)
{
    struct storage_volume *v = i->volume;
    i->stripe = wanted.size ? wanted.size : v->stripe;
    i->stripes = wanted.count ? wanted.count : v->stripes;
    if (i->stripes > v->targets.n)
        i->stripes = (uint32_t)v->targets.n;
}

static char *key_of(const struct storage_volume *v, const char *path)
{
    return base_strfmt("%u:%s", v->id, path);
}

struct storage_name *storage_name_find(const struct storage *s, const struct storage_volume *v,
                                       const char *path)
{
    char *key = key_of(v, path);
    struct storage_name *n = base_table_find_bytes(&s->inodes, key, strlen(key));
    free(key);
    return n;
}

static struct storage_name *add(struct storage *s, const struct storage_volume *v, const char *path,
                                bool *fresh)
{
    char *key = key_of(v, path);
    struct storage_name *n = base_table_add_bytes(&s->inodes, key, strlen(key), fresh);
    if (*fresh)
        n->key = key;
    else
        free(key);
    return n;
}

void storage_name_remove(struct storage *s, const struct storage_name *n)
{
    char *key = n->key;
    n->inode->names--;
    base_table_remove_bytes(&s->inodes, key, strlen(key));
    free(key);
}

static struct storage_inode *make(struct storage *s, struct storage_volume *v, const char *path,
                                  uint64_t size)
{
    struct storage_inode *i = base_zalloc(sizeof *i, "files");
    *i = (struct storage_inode){
        .volume = v, .path = base_strdup(path), .number = (uint32_t)s->all.n, .size = size};
    BASE_ARRAY_PUSH(&s->all, i);
    storage_inode_lay_out(i, (struct storage_stripes){0});
    i->first = v->next;
    v->next = (v->next + i->stripes) % (uint32_t)v->targets.n;
    base_table_init(&i->locks, BASE_NUMBERS, sizeof(struct storage_lock), "locks of stripes");
    return i;
}

struct storage_inode *storage_inode_of(struct storage *s, struct storage_volume *v, const char *path,
                                       uint64_t size)
{
    bool fresh;
    struct storage_name *n = add(s, v, path, &fresh);
    if (fresh) {
        n->inode = make(s, v, path, size);
        n->inode->names = 1;
    }
    return n->inode;
}

void storage_name_link(struct storage *s, const struct storage_volume *v, const char *path,
                       struct storage_inode *i)
{
    bool fresh;
    struct storage_name *n = add(s, v, path, &fresh);
    if (!fresh)
        n->inode->names--;
    n->inode = i;
    i->names++;
}

void storage_inodes_release(struct storage *s)
{
    uint32_t at = 0;
    for (const struct storage_name *n; (n = base_table_next(&s->inodes, &at)) != NULL;)
        free(n->key);
    for (size_t k = 0; k < s->all.n; k++) {
        base_table_release(&s->all.at[k]->locks);
        free(s->all.at[k]->path);
        free(s->all.at[k]);
    }
    free(s->all.at);
}

uint64_t storage_inode_share(const struct storage_inode *i, uint32_t k, uint64_t low, uint64_t high)
{
    if (i->stripes == 1)
        return high - low;
    uint64_t size = i->stripe, round = size * i->stripes, before[2];
    const uint64_t end[2] = {low, high};
    for (int e = 0; e < 2; e++) {
        uint64_t rest = end[e] % round, own = rest > k * size ? rest - k * size : 0;
        before[e] = end[e] / round * size + (own < size ? own : size);
    }
    return before[1] - before[0];
}

/* --- room ------------------------------------------------------------------------------------------------------- */

int storage_inode_room(const struct storage_inode *i, uint64_t size)
{
    const struct storage_volume *v = i->volume;
    uint64_t more = size > i->size ? size - i->size : 0;
    if (!more)
        return 0;
    if (more > v->quota - (v->used < v->quota ? v->used : v->quota))
        return EDQUOT;
    return more > v->size - (v->used < v->size ? v->used : v->size) ? ENOSPC : 0;
}

/* What the file had before the run frees nothing. */
int storage_inode_resize(struct storage_inode *i, uint64_t size)
{
    struct storage_volume *v = i->volume;
    int error = storage_inode_room(i, size);
    if (error)
        return error;
    if (size >= i->size) {
        i->counted += size - i->size;
        v->used += size - i->size;
    } else {
        uint64_t less = i->size - size, ours = less < i->counted ? less : i->counted;
        BASE_ASSERT("S4", v->used >= ours);
        i->counted -= ours;
        v->used -= ours;
        storage_caches_drop(i, STORAGE_NONE, size, UINT64_MAX);
    }
    i->size = size;
    return 0;
}

/* --- handles ---------------------------------------------------------------------------------------------------- */

struct storage_file *storage_file_make(struct storage *s, uint32_t host, uint32_t rank, const char *path,
                                       uint64_t size)
{
    struct storage_volume *v = storage_volume_of(s, host, path);
    if (!v)
        return NULL;
    struct storage_file *f = base_pool_get(&s->files);
    *f = (struct storage_file){
        .storage = s, .inode = storage_inode_of(s, v, path, size), .host = host, .rank = rank};
    return f;
}

void storage_file_close(struct storage_file *f)
{
    if (f)
        base_pool_put(&f->storage->files, f);
}

int storage_room(const struct storage_file *f, uint64_t offset, uint64_t bytes)
{
    if (!f || !bytes)
        return 0;
    return storage_inode_room(f->inode, bytes > UINT64_MAX - offset ? UINT64_MAX : offset + bytes);
}

int storage_file_resize(struct storage_file *f, uint64_t size)
{
    return f ? storage_inode_resize(f->inode, size) : 0;
}

uint64_t storage_file_size(const struct storage_file *f)
{
    return f ? f->inode->size : 0;
}

struct storage_stripes storage_file_stripes(const struct storage_file *f)
{
    return f ? (struct storage_stripes){f->inode->stripe, f->inode->stripes} : (struct storage_stripes){0};
}

/* Locks that were made for other stripes do not count any more. */
bool storage_file_stripe(struct storage_file *f, struct storage_stripes wanted)
{
    if (!f || f->inode->size || f->inode->volume->host != STORAGE_NONE || f->inode->locks.live)
        return false;
    storage_inode_lay_out(f->inode, wanted);
    return true;
}

const char *storage_file_path(const struct storage_file *f)
{
    return f ? f->inode->path : NULL;
}

const char *storage_file_volume(const struct storage_file *f)
{
    return f ? f->inode->volume->name : NULL;
}
