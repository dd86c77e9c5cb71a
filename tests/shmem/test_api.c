/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The public functions. Each name of api.list is declared by shmem.h or shmemx.h (or this would not compile).
 * It is defined, visible outside the library, and known to traces. The generated files are up to date.
 * Visibility is read from this program's own symbol table, where a hidden function is a local symbol.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PGASIM_SHMEM_NO_GENERICS
#include <shmemx.h>

#include "shmem/shmem_front.h"

struct function {
    const char *name;
    void (*address)(void);
    unsigned found;
};
static struct function functions[] = {
#define SYMBOL(name) {#name, (void (*)(void))(uintptr_t)name, 0},
#include "shmem/api.list"
#undef SYMBOL
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static int by_name(const void *a, const void *b)
{
    const struct function *f = a, *g = b;
    return strcmp(f->name, g->name);
}

/* Counts the global, default-visible functions of the symbol table at `table` that are in the list. */
static void mark(const char *file, const Elf64_Shdr *table, const char *names)
{
    const Elf64_Sym *sym = (const void *)(file + table->sh_offset);
    for (size_t i = 0; i < table->sh_size / sizeof *sym; i++) {
        struct function key = {names + sym[i].st_name, NULL, 0}, *f;
        if (ELF64_ST_BIND(sym[i].st_info) != STB_GLOBAL || ELF64_ST_TYPE(sym[i].st_info) != STT_FUNC ||
            ELF64_ST_VISIBILITY(sym[i].st_other) != STV_DEFAULT || sym[i].st_shndx == SHN_UNDEF)
            continue;
        f = bsearch(&key, functions, FUNCTIONS, sizeof key, by_name);
        if (f)
            f->found++;
    }
}

/* By what it is called within the library, and by what a rank that is blocked in it waits for. */
static void test_kinds(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum trace_kind kind;
        enum trace_awaited awaited;
    } some[] = {
        {"shmem_ctx_long_put_nbi", TRACE_KIND_PUT, TRACE_AWAITS_PUT},
        {"shmem_ptrdiff_get", TRACE_KIND_GET, TRACE_AWAITS_GET},
        {"shmem_malloc", TRACE_KIND_MEMORY, TRACE_AWAITS_COLLECTIVE},
        {"shmem_int32_atomic_fetch_or_nbi", TRACE_KIND_ATOMIC_FETCH_UPDATE, TRACE_AWAITS_ATOMIC},
        {"shmem_fcollectmem", TRACE_KIND_ALLGATHER, TRACE_AWAITS_COLLECTIVE},
        {"shmem_ctx_destroy", TRACE_KIND_SETUP, TRACE_AWAITS_PUT},
        {"shmem_ulong_wait_until_some_vector", TRACE_KIND_WAIT_VALUE, TRACE_AWAITS_VALUE},
    };
    const struct trace_about about = {.ranks = 1};
    trace_calls_register(shmem_calls, shmem_calls_count);
    for (size_t k = 0; k < FUNCTIONS; k++)
        if (trace_about_call(&about, functions[k].name).kind == TRACE_KIND_OTHER)
            fail_msg("a trace does not know what %s does", functions[k].name);
    for (size_t k = 0; k < BASE_LENGTH(some); k++) {
        const struct trace_call call = trace_about_call(&about, some[k].name);
        if (call.kind != some[k].kind || call.awaited != some[k].awaited)
            fail_msg("%s: kind %d, awaits %d", some[k].name, call.kind, call.awaited);
    }
    assert_int_equal(trace_about_call(&about, "shmem_no_such").kind, TRACE_KIND_OTHER);
    assert_int_equal(trace_about_call(&about, NULL).kind, TRACE_KIND_OTHER);
}

static void test_exported(void **state)
{
    struct stat st = {0};
    int fd = open("/proc/self/exe", O_RDONLY);
    unsigned missing = 0;
    (void)state;
    assert_true(fd >= 0 && fstat(fd, &st) == 0);
    const char *file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    assert_ptr_not_equal(file, MAP_FAILED);
    const Elf64_Ehdr *head = (const void *)file;
    const Elf64_Shdr *section = (const void *)(file + head->e_shoff);
    for (unsigned i = 0; i < head->e_shnum; i++)
        if (section[i].sh_type == SHT_SYMTAB)
            mark(file, &section[i], file + section[section[i].sh_link].sh_offset);
    for (size_t i = 0; i < FUNCTIONS; i++)
        if (functions[i].found != 1 && missing++ < 10)
            print_error("%s is exported %u times\n", functions[i].name, functions[i].found);
    assert_int_equal(missing, 0);
    munmap((void *)(uintptr_t)file, (size_t)st.st_size);
    close(fd);
}

static void test_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < FUNCTIONS; i++)
        if (by_name(&functions[i - 1], &functions[i]) >= 0)
            fail_msg("%s comes after %s", functions[i].name, functions[i - 1].name);
    assert_in_range(FUNCTIONS, 1700, 2000);
}

/* The source tree is found from this file's own path. */
static void test_fresh(void **state)
{
    char command[1200];
    const char *end = strstr(__FILE__, "tests/shmem/");
    (void)state;
    assert_non_null(end);
    snprintf(command, sizeof command, "python3 '%.*stools/gen_api.py' --check", (int)(end - __FILE__),
             __FILE__);
    if (system("python3 -c pass >/dev/null 2>&1") != 0)
        skip();
    int status = system(command);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exported),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_sorted),
        cmocka_unit_test(test_fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
