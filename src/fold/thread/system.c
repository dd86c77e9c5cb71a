/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * system: the system libraries that came with the program, as far as they concern threads.
 *
 * Their references to the functions of thread.def are redirected, so that std::thread and OpenMP's threads
 * are actors, too. If large blocks are folded, the C++ library's references to malloc and its relatives are
 * redirected as well, so that new and delete match the program's own code. Their thread-local bytes, of which
 * the process has one set, are exchanged at switches.
 *
 * libgomp's writable data, which holds its thread pool and the lock of unnamed critical sections, is private
 * to each rank by means of swap.h. Its threads access each other's thread-local data by address, so each has
 * a block of its own. libgomp finds its variables through offsets from the thread pointer, which it reads
 * from its global offset table (the initial-exec model); these words are exchanged.
 *
 * Libraries that the simulator itself uses are left unchanged.
 */
#include "fold/thread/thread.h"

#include "base/sanitizer.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "fold/annotate/annotate.h"

#if defined(__x86_64__)
#define SLOT_TYPE(t) ((t) == R_X86_64_JUMP_SLOT || (t) == R_X86_64_GLOB_DAT || (t) == R_X86_64_64)
#define TP_OFFSET    R_X86_64_TPOFF64
#else
#define TP_OFFSET    R_AARCH64_TLS_TPREL
#define SLOT_TYPE(t) ((t) == R_AARCH64_JUMP_SLOT || (t) == R_AARCH64_GLOB_DAT || (t) == R_AARCH64_ABS64)
#endif

/* A word that holds the distance of a thread-local variable from the thread pointer. */
struct tp_word {
    intptr_t *at;
    size_t offset; /* of the variable in its object's block */
};

extern void *__tls_get_addr(size_t *module_and_offset);

static struct {
    BASE_ARRAY(uintptr_t) before;      /* objects loaded before the program */
    BASE_ARRAY(struct swap_range) tls; /* thread-local bytes */
    size_t tls_size;                   /* of all of them */
    char *tls_first;                   /* their first values */
    struct swap *openmp;               /* libgomp's data; NULL without it */
    struct swap_range openmp_tls;      /* its block in the process's thread */
    BASE_ARRAY(struct tp_word) openmp_word;
    struct swap_version *version; /* one per rank */
    uint32_t versions;
    void (*set_threads)(int n); /* omp_set_num_threads; NULL: the user has set it */
} sys;

/* --- which libraries ---------------------------------------------------------------------------- */

static const struct link_map *first_loaded(void)
{
    struct link_map *m = NULL;
    void *self = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);
    if (self)
        (void)dlinfo(self, RTLD_DI_LINKMAP, &m);
    while (m && m->l_prev)
        m = m->l_prev;
    return m;
}

static bool is_library(const struct link_map *m, const char *name)
{
    const char *slash = strrchr(m->l_name, '/');
    return strncmp(slash ? slash + 1 : m->l_name, name, strlen(name)) == 0;
}

static bool is_cxx_library(const struct link_map *m)
{
    return is_library(m, "libstdc++.so") || is_library(m, "libc++.so") || is_library(m, "libc++abi.so");
}

static bool came_with_program(const struct link_map *m)
{
    if (sparse_is_copy(m) || !*m->l_name)
        return false;
    if (is_cxx_library(m))
        return true; /* the simulator does not use these, but a sanitizer's library may */
    for (size_t k = 0; k < sys.before.n; k++)
        if (sys.before.at[k] == (uintptr_t)m->l_ld)
            return false;
    return true;
}

/* --- redirecting -------------------------------------------------------------------------------- */

/* Other functions of libraries that let time pass or ask for cores. */
static bool also_elsewhere(const char *symbol)
{
    static const char *const names[] = {"nanosleep",   "clock_nanosleep", "usleep",    "sleep",
                                        "sched_yield", "sysconf",         "get_nprocs"};
    for (size_t k = 0; k < BASE_LENGTH(names); k++)
        if (strcmp(symbol, names[k]) == 0)
            return true;
    return false;
}

static void (*replacement(const char *symbol, bool folds))(void)
{
    const struct fold_interposer *ip = references_interposer_always(symbol);
    bool here =
        ip &&
        (folds && references_allocates(symbol) ? true : references_for_system(ip) || also_elsewhere(symbol));
    return here ? ip->function : NULL;
}

static bool make_writable(uintptr_t at)
{
    uintptr_t page = at & ~(uintptr_t)(base_page_size() - 1);
    return mprotect((void *)page, base_page_size(), PROT_READ | PROT_WRITE) == 0;
}

static void write_slot(uintptr_t at, void (*function)(void))
{
    if (make_writable(at))
        *(void (**)(void))at = function;
}

/* The tables of a loaded object, by the addresses in its dynamic section. */
struct tables {
    const Elf64_Sym *symbol;
    const char *strings;
    const Elf64_Rela *relocation[2];
    size_t n[2];
};

static uintptr_t loaded_address(const struct link_map *m, uint64_t value)
{
    return value < m->l_addr ? m->l_addr + value : value; /* the dynamic linker has relocated most of them */
}

static struct tables tables_of(const struct link_map *m)
{
    struct tables t = {0};
    for (const ElfW(Dyn) *d = m->l_ld; d->d_tag != DT_NULL; d++) {
        uintptr_t at = loaded_address(m, d->d_un.d_ptr);
        switch (d->d_tag) {
        case DT_SYMTAB:
            t.symbol = (const Elf64_Sym *)at;
            break;
        case DT_STRTAB:
            t.strings = (const char *)at;
            break;
        case DT_RELA:
            t.relocation[0] = (const Elf64_Rela *)at;
            break;
        case DT_RELASZ:
            t.n[0] = d->d_un.d_val / sizeof(Elf64_Rela);
            break;
        case DT_JMPREL:
            t.relocation[1] = (const Elf64_Rela *)at;
            break;
        case DT_PLTRELSZ:
            t.n[1] = d->d_un.d_val / sizeof(Elf64_Rela);
            break;
        }
    }
    return t;
}

/* `folds`: memory that it allocates or frees may be folded. */
static void redirect(const struct link_map *m, bool folds)
{
    struct tables t = tables_of(m);
    if (!t.symbol || !t.strings)
        return;
    for (int part = 0; part < 2; part++)
        for (size_t k = 0; t.relocation[part] && k < t.n[part]; k++) {
            const Elf64_Rela *r = &t.relocation[part][k];
            const Elf64_Sym *s = &t.symbol[ELF64_R_SYM(r->r_info)];
            if (!SLOT_TYPE(ELF64_R_TYPE(r->r_info)) || !ELF64_R_SYM(r->r_info) || s->st_shndx != SHN_UNDEF)
                continue;
            void (*function)(void) = replacement(t.strings + s->st_name, folds);
            if (function)
                write_slot(m->l_addr + r->r_offset, function);
        }
}

/* --- what is exchanged -------------------------------------------------------------------------- */

/* A loaded object, found by its dynamic section. */
struct found {
    const struct link_map *m;
    struct swap_range tls, data, text;
    size_t tls_module; /* the dynamic linker's number; 0: none */
};

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct found *f = arg;
    uintptr_t relro_end = 0;
    (void)size;
    if (info->dlpi_addr != f->m->l_addr)
        return 0;
    for (int k = 0; k < info->dlpi_phnum; k++)
        if (info->dlpi_phdr[k].p_type == PT_GNU_RELRO)
            relro_end = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr + info->dlpi_phdr[k].p_memsz;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[k];
        uintptr_t low = info->dlpi_addr + p->p_vaddr, high = low + p->p_memsz;
        if (p->p_type == PT_TLS) {
            f->tls.size = p->p_memsz;
            f->tls_module = info->dlpi_tls_modid;
        }
        if (p->p_type == PT_LOAD && p->p_flags & PF_W)
            f->data = (struct swap_range){relro_end > low ? relro_end : low,
                                          high - (relro_end > low ? relro_end : low), false};
        if (p->p_type == PT_LOAD && p->p_flags & PF_X)
            f->text = (struct swap_range){low, p->p_memsz, false};
    }
    return 1;
}

/* Asking for the block creates it if it was not used so far. */
static struct found find(const struct link_map *m)
{
    struct found f = {.m = m};
    dl_iterate_phdr(look, &f);
    size_t start[2] = {f.tls_module, 0};
    if (f.tls.size && f.tls_module)
        f.tls.base = (uintptr_t)__tls_get_addr(start);
    return f;
}

static void exchange_tls(struct swap_range range)
{
    if (!range.size)
        return;
    BASE_ARRAY_PUSH(&sys.tls, range);
    rank_order_exchanged(range.base, range.size);
    sys.tls_size += range.size;
}

static uintptr_t thread_pointer(void)
{
#if defined(__x86_64__)
    uintptr_t at;
    __asm__("mov %%fs:0, %0" : "=r"(at));
    return at;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

static void find_tp_words(const struct link_map *m)
{
    struct tables t = tables_of(m);
    sys.openmp_word.n = 0;
    for (int part = 0; part < 2; part++)
        for (size_t k = 0; t.relocation[part] && k < t.n[part]; k++) {
            const Elf64_Rela *r = &t.relocation[part][k];
            const Elf64_Sym *s = &t.symbol[ELF64_R_SYM(r->r_info)];
            if (ELF64_R_TYPE(r->r_info) != TP_OFFSET)
                continue;
            size_t offset = (size_t)r->r_addend + (ELF64_R_SYM(r->r_info) ? s->st_value : 0);
            struct tp_word w = {(intptr_t *)(m->l_addr + r->r_offset), offset};
            make_writable((uintptr_t)w.at);
            BASE_ARRAY_PUSH(&sys.openmp_word, w);
        }
}

static void own_openmp(struct fold_job *job, const struct found *f)
{
    void *library = dlopen(f->m->l_name, RTLD_LAZY | RTLD_NOLOAD);
    sys.versions = rank_room(job->job);
    sys.version = base_reserve(sys.versions * sizeof *sys.version, "OpenMP's data of the ranks");
    sys.openmp = swap_create(&f->data, 1, NULL, 0);
    sys.openmp_tls = f->tls;
    find_tp_words(f->m);
    if (!getenv("OMP_NUM_THREADS") && library)
        *(void **)(void *)&sys.set_threads = dlsym(library, "omp_set_num_threads");
    if (rank_checker && library)
        openmp_order_begin(library);
    thread_trap_begin(f->text.base, f->text.base + f->text.size);
}

static void copy_tls(char *to, bool save)
{
    for (size_t k = 0; k < sys.tls.n; k++) {
        if (save)
            memcpy(to, (const void *)sys.tls.at[k].base, sys.tls.at[k].size);
        else
            memcpy((void *)sys.tls.at[k].base, to, sys.tls.at[k].size);
        to += sys.tls.at[k].size;
    }
}

static void keep_values(struct fold_thread *t)
{
    if (!sys.tls_size)
        return;
    if (!t->system_tls)
        t->system_tls = base_alloc(sys.tls_size, "thread-local data of system libraries");
    copy_tls(t->system_tls, true);
}

/* A thread's block begins with zeros: libgomp has no thread-local data with other first values. */
static void point_openmp(struct fold_thread *t)
{
    if (t && !t->openmp_tls)
        t->openmp_tls = base_zalloc(sys.openmp_tls.size, "OpenMP's data of a thread");
    uintptr_t block = t ? (uintptr_t)t->openmp_tls : sys.openmp_tls.base;
    for (size_t k = 0; k < sys.openmp_word.n; k++)
        *sys.openmp_word.at[k].at = (intptr_t)(block + sys.openmp_word.at[k].offset - thread_pointer());
}

static void load_values(struct fold_thread *t)
{
    if (sys.tls_size)
        copy_tls(t && t->system_tls ? t->system_tls : sys.tls_first, false);
    if (sys.openmp)
        point_openmp(t);
}

void thread_system_switch(const struct rank *to)
{
    if (BASE_UNLIKELY(sys.openmp != NULL))
        swap_to(sys.openmp, &sys.version[to->id]);
}

/* --- life --------------------------------------------------------------------------------------- */

/* What libgomp reads when it is loaded. It must not spin, because no other thread runs meanwhile. Under
 * Valgrind, the calls by which its threads wait cannot be told from others (trap.c): each rank gets one. */
static struct {
    const char *name, *value;
    bool valgrind;
    char *users;
} seen_at_load[] = {{"GOMP_SPINCOUNT", "0", false, NULL}, {"OMP_THREAD_LIMIT", "1", true, NULL}};

void thread_system_before_load(void)
{
    for (size_t k = 0; k < BASE_LENGTH(seen_at_load); k++) {
        const char *text = getenv(seen_at_load[k].name);
        seen_at_load[k].users = text ? base_strdup(text) : NULL;
        if (!seen_at_load[k].valgrind || base_sanitizer.valgrind)
            setenv(seen_at_load[k].name, seen_at_load[k].value, 1);
    }
    sys.before.n = 0;
    for (const struct link_map *m = first_loaded(); m; m = m->l_next)
        BASE_ARRAY_PUSH(&sys.before, (uintptr_t)m->l_ld);
}

void thread_system_after_load(void)
{
    for (size_t k = 0; k < BASE_LENGTH(seen_at_load); k++) {
        char *users = seen_at_load[k].users;
        if (users)
            setenv(seen_at_load[k].name, users, 1);
        else
            unsetenv(seen_at_load[k].name);
        free(users);
    }
}

void thread_system_begin(struct fold_job *job)
{
    thread_exchange(keep_values, load_values);
    for (const struct link_map *m = first_loaded(); m; m = m->l_next) {
        if (!came_with_program(m))
            continue;
        struct found f = find(m);
        redirect(m, job->annotated->threshold != SIZE_MAX && is_cxx_library(m));
        if (is_library(m, "libomp.so") || is_library(m, "libiomp"))
            base_warn("not-modelled/openmp", "%s: GCC's libgomp is the only OpenMP library that is modelled",
                      m->l_name);
        if (is_library(m, "libgomp.so"))
            own_openmp(job, &f);
        else
            exchange_tls(f.tls);
    }
    sys.tls_first = base_alloc(sys.tls_size + 1, "thread-local data of system libraries");
    copy_tls(sys.tls_first, true);
}

bool thread_system_openmp(void)
{
    return sys.openmp != NULL;
}

/* libgomp keeps each thread's state in thread-local bytes: every rank needs a record for its own. */
void thread_system_rank_begin(struct rank *r)
{
    if (!sys.openmp)
        return;
    load_values(thread_me());
    if (sys.set_threads)
        sys.set_threads((int)thread_cores(r));
}

void thread_system_rank_end(struct rank *r)
{
    if (sys.openmp && !base_checked()) /* what its data point to is not lost */
        swap_release(sys.openmp, &sys.version[r->id]);
}

void thread_system_end(struct fold_job *job)
{
    (void)job;
    if (sys.openmp && !base_checked()) {
        for (uint32_t k = 0; k < sys.versions; k++)
            swap_release(sys.openmp, &sys.version[k]);
        swap_destroy(sys.openmp);
        base_unreserve(sys.version, sys.versions * sizeof *sys.version);
        sys.openmp = NULL;
    }
    sys.tls.n = sys.tls_size = 0;
    free(sys.tls_first);
    sys.tls_first = NULL;
}
