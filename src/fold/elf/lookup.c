/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lookup: the tables of an object by which the dynamic linker finds symbols: hash tables (System V ABI,
 * chapter 5, and GNU's) and versions (Linux Standard Base, symbol versioning).
 */
#include "fold/elf/sound.h"

#include <dlfcn.h>
#include <string.h>

static bool word_at(const struct elf_file *f, uint64_t v, uint32_t *out)
{
    const void *at = sound_table(f, v, sizeof *out);
    if (at)
        memcpy(out, at, sizeof *out);
    return at != NULL;
}

/* --- hash tables ------------------------------------------------------------------------------------ */

/* Whether the chain of a bucket, which begins with symbol `s`, ends within the file. */
static bool gnu_chain_ends(const struct sound *o, uint64_t chains, uint32_t first, uint32_t s)
{
    uint32_t hash;
    for (uint64_t k = s - first;; k++) {
        if (!word_at(o->f, chains + k * sizeof hash, &hash) || !sound_symbol(o, (uint32_t)(first + k)))
            return false;
        if (hash & 1)
            return true;
    }
}

static bool gnu_hash_is_sound(const struct sound *o, uint64_t v)
{
    const struct elf_file *f = o->f;
    struct {
        uint32_t buckets, first, words, shift;
    } head;
    uint32_t s;
    const void *at = sound_table(f, v, sizeof head);
    if (!at)
        return false;
    memcpy(&head, at, sizeof head);
    uint64_t buckets = v + sizeof head + (uint64_t)head.words * sizeof(uint64_t);
    uint64_t chains = buckets + (uint64_t)head.buckets * sizeof s;
    if (!head.buckets || !sound_table(f, v, chains - v))
        return false;
    for (uint32_t k = 0; k < head.buckets; k++) {
        if (!word_at(f, buckets + (uint64_t)k * sizeof s, &s))
            return false;
        if (s && (s < head.first || !gnu_chain_ends(o, chains, head.first, s)))
            return false;
    }
    return true;
}

/* Every number is a symbol of the table, or 0, and no chain is longer than the table. */
static bool old_hash_is_sound(const struct sound *o, uint64_t v)
{
    const struct elf_file *f = o->f;
    uint32_t n[2], s = 0;
    const void *at = sound_table(f, v, sizeof n);
    if (!at)
        return false;
    memcpy(n, at, sizeof n);
    uint64_t buckets = v + sizeof n, chains = buckets + (uint64_t)n[0] * sizeof s;
    if (!n[0] || !sound_table(f, v, chains - v + (uint64_t)n[1] * sizeof s))
        return false;
    for (uint32_t k = 0, left = n[1]; k < n[0]; k++) {
        (void)word_at(f, buckets + (uint64_t)k * sizeof s, &s);
        while (s) {
            if (s >= n[1] || !left-- || !sound_symbol(o, s))
                return false;
            (void)word_at(f, chains + (uint64_t)s * sizeof s, &s);
        }
    }
    return true;
}

bool sound_hash(const struct sound *o)
{
    const struct elf_file *f = o->f;
    uint64_t v;
    if (elf_dynamic_find(f, DT_GNU_HASH, &v)) /* the linker uses the old one only if there is none */
        return gnu_hash_is_sound(o, v);
    return !elf_dynamic_find(f, DT_HASH, &v) || old_hash_is_sound(o, v);
}

/* --- versions --------------------------------------------------------------------------------------- */

/* A library that is loaded when versions are checked: needed here, or by others. The linker ends the process
 * if there is none. */
static bool is_loaded(const struct elf_file *f, const char *library)
{
    const char *name;
    for (uint32_t k = 0; (name = elf_needed(f, k)); k++)
        if (strcmp(name, library) == 0)
            return true;
    void *handle = *library ? dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    if (handle)
        dlclose(handle);
    return handle != NULL;
}

static void raise_to(uint32_t *most, uint32_t number)
{
    if ((number & 0x7fff) > *most)
        *most = number & 0x7fff;
}

static bool needed_version_is_sound(const struct elf_file *f, uint64_t v, const Elf64_Verneed *need,
                                    uint32_t *most)
{
    Elf64_Vernaux aux;
    if (need->vn_file >= f->strings_size || !is_loaded(f, elf_string(f, need->vn_file)))
        return false;
    for (v += need->vn_aux;; v += aux.vna_next) {
        const void *at = sound_table(f, v, sizeof aux);
        if (!at)
            return false;
        memcpy(&aux, at, sizeof aux);
        if (aux.vna_name >= f->strings_size)
            return false;
        raise_to(most, aux.vna_other);
        if (!aux.vna_next)
            return true;
    }
}

/* Offsets only lead forward, so each walk ends. */
static bool needed_versions_are_sound(const struct elf_file *f, uint32_t *most)
{
    Elf64_Verneed need = {0};
    uint64_t v;
    if (!elf_dynamic_find(f, DT_VERNEED, &v))
        return true;
    do {
        const void *at = sound_table(f, v, sizeof need);
        if (!at)
            return false;
        memcpy(&need, at, sizeof need);
        if (!needed_version_is_sound(f, v, &need, most))
            return false;
        v += need.vn_next;
    } while (need.vn_next);
    return true;
}

static bool defined_versions_are_sound(const struct elf_file *f, uint32_t *most)
{
    Elf64_Verdef def = {0};
    Elf64_Verdaux aux;
    uint64_t v;
    if (!elf_dynamic_find(f, DT_VERDEF, &v))
        return true;
    do {
        const void *at = sound_table(f, v, sizeof def);
        if (!at)
            return false;
        memcpy(&def, at, sizeof def);
        if (!(at = sound_table(f, v + def.vd_aux, sizeof aux)))
            return false;
        memcpy(&aux, at, sizeof aux);
        if (aux.vda_name >= f->strings_size)
            return false;
        raise_to(most, def.vd_ndx);
        v += def.vd_next;
    } while (def.vd_next);
    return true;
}

bool sound_versions(struct sound *s)
{
    s->versions = 0;
    if (!needed_versions_are_sound(s->f, &s->versions) || !defined_versions_are_sound(s->f, &s->versions))
        return false;
    if (!elf_dynamic_find(s->f, DT_VERSYM, &s->numbers))
        s->numbers = 0;
    return (s->numbers != 0) == (s->versions != 0);
}

bool sound_symbol(const struct sound *s, uint32_t number)
{
    uint16_t version;
    if (number >= s->f->n_symbols || s->f->symbol[number].st_name >= s->f->strings_size)
        return false;
    if (!s->numbers)
        return true;
    const void *at = sound_table(s->f, s->numbers + number * sizeof version, sizeof version);
    if (!at)
        return false;
    memcpy(&version, at, sizeof version);
    return (version & 0x7fff) <= s->versions;
}
