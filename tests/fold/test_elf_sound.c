/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_sound: whole objects of this process pass; damage that would lead the dynamic linker astray is found,
 * each kind of it, before it is asked to load the object.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include "fold/elf/elf.h"

/* A copy of this program, to be damaged. */
struct copy {
    unsigned char *bytes;
    struct elf_file f;
};

/* All copies have the same place, one after the other. */
static struct copy copy_self(void)
{
    static unsigned char *room;
    struct copy c;
    struct elf_file self;
    struct base_status st;
    if (elf_open(&self, "/proc/self/exe", &st))
        fail_msg("%s", st.text);
    c.bytes = room = room ? room : malloc(self.size);
    assert_non_null(room);
    memcpy(c.bytes, self.bytes, self.size);
    int failed = elf_read(&c.f, c.bytes, self.size, "copy", &st);
    elf_close(&self);
    if (failed)
        fail_msg("%s", st.text);
    return c;
}

/* Checks it, and expects this text in the error. */
static void refused(struct copy *c, const char *why)
{
    struct base_status st = {0};
    if (!elf_check_sound(&c->f, "copy", &st))
        fail_msg("not found: %s", why);
    if (!strstr(st.text, why))
        fail_msg("\"%s\" does not say \"%s\"", st.text, why);
}

static int check_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct elf_file f;
    struct base_status st;
    (void)size;
    if (!strchr(info->dlpi_name, '/')) /* this program has no name here, and the vdso no file */
        return 0;
    if (elf_open(&f, info->dlpi_name, &st) || elf_check_sound(&f, info->dlpi_name, &st))
        fail_msg("%s", st.text);
    elf_close(&f);
    ++*(int *)arg;
    return 0;
}

static void what_is_loaded_is_sound(void **state)
{
    struct copy c = copy_self();
    struct base_status st;
    int n = 0;
    (void)state;
    dl_iterate_phdr(check_object, &n);
    assert_true(n >= 2);
    if (elf_check_sound(&c.f, "copy", &st))
        fail_msg("%s", st.text);
}

/* The first relocation that stands for a symbol; a relative one. */
static Elf64_Rela *relocation(struct copy *c, bool symbol)
{
    for (uint32_t k = 0; k < c->f.n_relocations + c->f.n_plt_relocations; k++) {
        const Elf64_Rela *r = elf_relocation_at(&c->f, k);
        if ((ELF64_R_SYM(r->r_info) != 0) == symbol)
            return (Elf64_Rela *)(c->bytes + ((const unsigned char *)r - c->bytes));
    }
    fail_msg("no such relocation");
    return NULL;
}

static void places_of_relocations(void **state)
{
    struct copy c = copy_self();
    (void)state;
    relocation(&c, false)->r_offset = c.f.image_size + 8;
    refused(&c, "relocation 0");
    c = copy_self();
    relocation(&c, false)->r_offset = 64; /* the headers are not writable */
    refused(&c, "relocation 0");
    c = copy_self();
    relocation(&c, true)->r_offset = UINT64_MAX - 3;
    refused(&c, "its place or its symbol");
}

static void symbols_of_relocations(void **state)
{
    struct copy c = copy_self();
    Elf64_Rela *r = relocation(&c, true);
    (void)state;
    r->r_info = ELF64_R_INFO((uint64_t)c.f.n_symbols, ELF64_R_TYPE(r->r_info));
    refused(&c, "its place or its symbol");
    c = copy_self();
    r = relocation(&c, true);
    ((Elf64_Sym *)c.f.symbol)[ELF64_R_SYM(r->r_info)].st_name = (uint32_t)c.f.strings_size;
    refused(&c, "its symbol");
}

static void *at(struct copy *c, int64_t tag, uint64_t offset)
{
    uint64_t v;
    if (!elf_dynamic_find(&c->f, tag, &v))
        return NULL;
    const void *p = elf_at(&c->f, v + offset, 4);
    assert_non_null(p);
    return c->bytes + ((const unsigned char *)p - c->bytes);
}

static void versions(void **state)
{
    struct copy c = copy_self();
    Elf64_Verneed *need = at(&c, DT_VERNEED, 0);
    (void)state;
    assert_non_null(need); /* of libc at least */
    need->vn_file++;       /* the dynamic linker would end the process */
    refused(&c, "versions of symbols");
    c = copy_self();
    need = at(&c, DT_VERNEED, 0);
    need->vn_aux = 0x7ffffff0;
    refused(&c, "versions of symbols");
    c = copy_self();
    uint16_t *number = at(&c, DT_VERSYM, 0);
    number[ELF64_R_SYM(relocation(&c, true)->r_info)] = 0x7ffe;
    refused(&c, "symbol");
}

static void hash_tables(void **state)
{
    struct copy c = copy_self();
    uint32_t *head = at(&c, DT_GNU_HASH, 0);
    (void)state;
    if (!head) {
        skip();
        return;
    }
    head[0] = 0x7fffffff;
    refused(&c, "hash table");
    c = copy_self();
    head = at(&c, DT_GNU_HASH, 0);
    assert_non_null(head);
    if (head)
        head[4 + 2 * head[2]] = 0x7ffffff0; /* the first bucket */
    refused(&c, "hash table");
}

static Elf64_Dyn *entry(struct copy *c, int64_t tag)
{
    for (uint32_t k = 0; k < c->f.n_dynamic; k++)
        if (c->f.dynamic[k].d_tag == tag)
            return (Elf64_Dyn *)&c->f.dynamic[k];
    fail_msg("no entry %lld", (long long)tag);
    return NULL;
}

static void dynamic_entries(void **state)
{
    static const int64_t lost[] = {DT_RELASZ, DT_SYMTAB, DT_INIT_ARRAYSZ};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(lost); k++) {
        struct copy c = copy_self();
        entry(&c, lost[k])->d_tag = 0x6000000e;
        refused(&c, "dynamic section");
    }
    struct copy c = copy_self();
    entry(&c, DT_NEEDED)->d_un.d_val = c.f.strings_size;
    refused(&c, "dynamic section");
    c = copy_self();
    entry(&c, DT_VERSYM)->d_tag = 0x6000000e;
    refused(&c, "versions of symbols");
}

static void segments(void **state)
{
    static const uint32_t moved[] = {PT_PHDR, PT_DYNAMIC, PT_NOTE, PT_GNU_RELRO};
    (void)state;
    for (size_t k = 0; k < BASE_LENGTH(moved); k++) {
        struct copy c = copy_self();
        for (uint32_t i = 0; i < c.f.n_segments; i++)
            if (c.f.segment[i].p_type == moved[k])
                ((Elf64_Phdr *)c.f.segment)[i].p_vaddr = UINT64_C(1) << 40;
        refused(&c, "segment");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_loaded_is_sound),
        cmocka_unit_test(places_of_relocations),
        cmocka_unit_test(symbols_of_relocations),
        cmocka_unit_test(versions),
        cmocka_unit_test(hash_tables),
        cmocka_unit_test(dynamic_entries),
        cmocka_unit_test(segments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
