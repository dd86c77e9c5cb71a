/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_file: this very program, whole, cut short and damaged at random. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fold/elf/elf.h"

int test_elf_marker[37] = {1}; /* looked up by name */

static void find_marker(void *arg, const char *name, uint64_t address, uint64_t size)
{
    (void)address;
    if (strcmp(name, "test_elf_marker") == 0)
        *(uint64_t *)arg = size;
}

static void this_program_is_read(void **state)
{
    struct elf_file f;
    struct base_status st;
    uint64_t size = 0;
    bool libc = false;
    const char *name;
    (void)state;
    if (elf_open(&f, "/proc/self/exe", &st))
        fail_msg("%s", st.text);
    elf_objects_each(&f, find_marker, &size);
    assert_int_equal(size, sizeof test_elf_marker);
    for (uint32_t i = 0; (name = elf_needed(&f, i)); i++)
        libc |= strcmp(name, "libc.so.6") == 0;
    assert_true(libc);
    assert_true(f.n_relocations + f.n_plt_relocations > 0);
    assert_true(f.init_array_size >= 8);
    elf_close(&f);
}

static void errors_say_what_is_wrong(void **state)
{
    struct elf_file f;
    struct base_status st;
    (void)state;
    assert_int_equal(elf_open(&f, "/nowhere/at/all", &st), -1);
    assert_non_null(strstr(st.text, "No such file"));
    assert_int_equal(elf_open(&f, "/", &st), -1);
    assert_non_null(strstr(st.text, "not a program file"));
    _Alignas(8) static const char text[] =
        "#!/bin/sh\necho this is a script, long enough to hold an ELF header......\n";
    assert_int_equal(elf_read(&f, text, sizeof text, "script", &st), -1);
    assert_string_equal(st.text,
                        "script: a script, not a program (libtool leaves the program itself in .libs)");
    assert_int_equal(elf_read(&f, text + 8, 56, "text", &st), -1);
    assert_string_equal(st.text, "text: not an ELF program");
}

static unsigned char *load_self(size_t *size)
{
    struct elf_file f;
    struct base_status st;
    if (elf_open(&f, "/proc/self/exe", &st))
        fail_msg("%s", st.text);
    unsigned char *copy = malloc(f.size);
    assert_non_null(copy);
    memcpy(copy, f.bytes, f.size);
    *size = f.size;
    elf_close(&f);
    return copy;
}

static void note_reference(void *arg, const char *name, bool weak)
{
    *(bool *)arg |= !weak && strcmp(name, "memcpy") == 0;
}

static void names_referred_to_are_found_also_in_fixed_programs(void **state)
{
    struct elf_file f;
    struct base_status st;
    size_t size;
    (void)state;
    unsigned char *copy = load_self(&size);
    Elf64_Half fixed = ET_EXEC;
    memcpy(copy + offsetof(Elf64_Ehdr, e_type), &fixed, sizeof fixed);
    assert_int_equal(elf_read(&f, copy, size, "fixed", &st), -1);
    assert_string_equal(st.text, "fixed: not position-independent");
    assert_int_equal(elf_read_any(&f, copy, size, "fixed", &st), 0);
    assert_true(f.fixed);
    bool found = false;
    elf_references_each(&f, note_reference, &found);
    assert_true(found);
    free(copy);
}

/* Walks what can be walked; the sanitizers judge. */
static void try_read(const void *bytes, size_t size)
{
    struct elf_file f;
    struct base_status st = {""};
    uint64_t sum = 0;
    const char *name;
    if (elf_read(&f, bytes, size, "damaged", &st)) {
        assert_true(strncmp(st.text, "damaged: ", 9) == 0);
        return;
    }
    for (uint32_t i = 0; i < f.n_relocations + f.n_plt_relocations; i++) {
        const Elf64_Sym *s = elf_relocation_symbol(&f, elf_relocation_at(&f, i));
        sum += s ? strlen(elf_string(&f, s->st_name)) : 0;
    }
    for (uint32_t i = 0; (name = elf_needed(&f, i)); i++)
        sum += strlen(name);
    elf_objects_each(&f, find_marker, &sum);
}

static void damage_is_an_error_or_harmless(void **state)
{
    struct base_random r;
    size_t size;
    (void)state;
    unsigned char *whole = load_self(&size), *cut = NULL;
    base_random_seed(&r, 20261121, 1);
    for (int i = 0; i < 300; i++) {
        size_t keep = i < 150 ? base_random_below(&r, size) : size;
        cut = malloc(keep + 1);
        assert_non_null(cut);
        memcpy(cut, whole, keep);
        size_t near =
            keep < 8192 ? keep : 8192; /* headers and tables are in front, the section headers at the end */
        for (int k = 0; k < 20 && near; k++)
            cut[base_random_below(&r, k & 1 ? near : keep)] = (unsigned char)base_random_u64(&r);
        if (keep > 64 && i % 3)
            memcpy(cut, whole, 64);
        try_read(cut, keep);
        free(cut);
    }
    free(whole);
}

/* The dynamic linker would map one over the other, or more than there is. */
static void segments_do_not_overlap(void **state)
{
    struct elf_file f;
    struct base_status st;
    size_t size;
    unsigned char *bytes = load_self(&size);
    (void)state;
    Elf64_Phdr *p = (void *)(bytes + ((const Elf64_Ehdr *)(void *)bytes)->e_phoff);
    while (p->p_type != PT_LOAD)
        p++;
    p->p_memsz = UINT64_C(1) << 38;
    assert_int_equal(elf_read(&f, bytes, size, "overlap", &st), -1);
    assert_non_null(strstr(st.text, "overlaps the one before"));
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(this_program_is_read),
        cmocka_unit_test(errors_say_what_is_wrong),
        cmocka_unit_test(segments_do_not_overlap),
        cmocka_unit_test(names_referred_to_are_found_also_in_fixed_programs),
        cmocka_unit_test(damage_is_an_error_or_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
