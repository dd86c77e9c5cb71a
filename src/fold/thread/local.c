/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * local: thread-local data of the program's own objects, and pthread keys. A rank's first thread keeps the
 * thread-local blocks of the process's one thread. Each further thread has blocks of its own, made from the
 * initial image at its first access. So the address of a thread-local variable is valid in all threads, as on
 * a real machine. The program finds its variables by calling __tls_get_addr (its general model), which is
 * replaced by in_rank___tls_get_addr.
 */
#include "fold/image/image.h"
#include "fold/thread/thread.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

extern void *__tls_get_addr(size_t *module_and_offset);

/* --- blocks ------------------------------------------------------------------------------------- */

static size_t module_of(const struct sparse_loaded *l)
{
    size_t module = 0;
    return dlinfo(l->handle, RTLD_DI_TLS_MODID, &module) == 0 ? module : 0;
}

static const Elf64_Phdr *tls_segment(const struct elf_file *e)
{
    for (uint32_t k = 0; k < e->n_segments; k++)
        if (e->segment[k].p_type == PT_TLS)
            return &e->segment[k];
    return NULL;
}

/* Its initial bytes lie among the object's relocated data. */
static void fill_block(struct thread_block *b, const Elf64_Phdr *p, uintptr_t base)
{
    uintptr_t align = p->p_align ? p->p_align : 1;
    b->allocated = base_alloc(p->p_memsz + 2 * align, "thread-local data");
    uintptr_t at = ((uintptr_t)b->allocated + align - 1) / align * align + p->p_vaddr % align;
    b->data = (char *)at;
    memcpy(b->data, (const void *)(base + p->p_vaddr), p->p_filesz);
    memset(b->data + p->p_filesz, 0, p->p_memsz - p->p_filesz);
}

/* NULL: the module is not the program's own. */
static char *make_block(struct fold_thread *t, size_t module)
{
    const struct module_view v = modules_view(t->rank);
    struct thread_block b = {.module = module};
    for (size_t k = 0; k < v.n && !b.data; k++) {
        const Elf64_Phdr *p = tls_segment(&v.objects->list.at[k]->elf);
        if (p && v.at[k].handle && module_of(&v.at[k]) == module)
            fill_block(&b, p, v.at[k].base);
    }
    BASE_ARRAY_PUSH(&t->blocks, b);
    return b.data;
}

/* Variables that are not found through a call are shared by all threads. */
static bool is_other_model(uint64_t type)
{
#if defined(__x86_64__)
    return type == R_X86_64_TPOFF64 || type == R_X86_64_TLSDESC;
#else
    return type == R_AARCH64_TLS_TPREL || type == R_AARCH64_TLSDESC;
#endif
}

static void check_objects(const struct objects *o)
{
    for (size_t k = 0; k < o->list.n; k++) {
        const struct elf_file *e = &o->list.at[k]->elf;
        for (uint32_t i = 0; i < e->n_relocations + e->n_plt_relocations; i++)
            if (is_other_model(ELF64_R_TYPE(elf_relocation_at(e, i)->r_info))) {
                base_warn(
                    "not-modelled/thread-local",
                    "%s: the threads of a rank share its thread-local variables, because it was not compiled "
                    "by pgasim cc with GCC (-ftls-model=global-dynamic -mtls-dialect=gnu, on aarch64 trad)",
                    o->list.at[k]->path);
                break;
            }
    }
}

void thread_local_check(const struct fold_job *job)
{
    for (size_t k = 0; k < job->programs; k++)
        check_objects(&job->program[k].images.objects);
}

static char *block_of(struct fold_thread *t, size_t module)
{
    for (size_t k = 0; k < t->blocks.n; k++)
        if (t->blocks.at[k].module == module)
            return t->blocks.at[k].data;
    return make_block(t, module);
}

void *in_rank___tls_get_addr(size_t *module_and_offset)
{
    struct fold_thread *t = fold_thread;
    if (BASE_LIKELY(!t || t->slot == 0))
        return __tls_get_addr(module_and_offset);
    char *block = block_of(t, module_and_offset[0]);
    return block ? block + module_and_offset[1] : __tls_get_addr(module_and_offset);
}

void thread_local_release(struct fold_thread *t)
{
    for (size_t k = 0; k < t->blocks.n; k++)
        free(t->blocks.at[k].allocated);
    free(t->blocks.at);
    free(t->values.at);
    free(t->at_exit.at);
}

/* --- keys --------------------------------------------------------------------------------------- */

/* The numbers below these are the process's own keys: system libraries make theirs before a rank runs. */
enum { FIRST_KEY = PTHREAD_KEYS_MAX, LAST_KEY = 2 * PTHREAD_KEYS_MAX };

static struct thread_key *find_key(pthread_key_t key)
{
    const struct fold_crew *c = fold_part(rank_current)->crew;
    size_t k = (size_t)key - FIRST_KEY;
    return c && k < c->keys.n && c->keys.at[k].used ? &c->keys.at[k] : NULL;
}

int in_rank_pthread_key_create(pthread_key_t *out, void (*destroy)(void *))
{
    if (!rank_current)
        return pthread_key_create(out, destroy);
    (void)thread_me();
    struct fold_crew *c = fold_part(rank_current)->crew;
    size_t k = 0;
    while (k < c->keys.n && c->keys.at[k].used)
        k++;
    if (k == LAST_KEY - FIRST_KEY)
        return EAGAIN;
    if (k == c->keys.n)
        BASE_ARRAY_PUSH(&c->keys, ((struct thread_key){0}));
    c->keys.at[k] = (struct thread_key){true, destroy};
    *out = (pthread_key_t)(FIRST_KEY + k);
    return 0;
}

/* When a key's number is used again, its value is NULL in each thread. */
int in_rank_pthread_key_delete(pthread_key_t key)
{
    if (!rank_current)
        return pthread_key_delete(key);
    struct thread_key *k = find_key(key);
    if (!k)
        return EINVAL;
    const struct fold_crew *c = fold_part(rank_current)->crew;
    for (size_t s = 0; s < c->slot.n; s++)
        if (c->slot.at[s] && key < c->slot.at[s]->values.n)
            c->slot.at[s]->values.at[key] = NULL;
    k->used = false;
    return 0;
}

int in_rank_pthread_setspecific(pthread_key_t key, const void *value)
{
    if (!rank_current)
        return pthread_setspecific(key, value);
    struct fold_thread *t = thread_me();
    if (key >= LAST_KEY || (key >= FIRST_KEY && !find_key(key)))
        return EINVAL;
    while (t->values.n <= key)
        BASE_ARRAY_PUSH(&t->values, NULL);
    t->values.at[key] = value;
    return 0;
}

void *in_rank_pthread_getspecific(pthread_key_t key)
{
    const struct fold_thread *t = fold_thread;
    if (!rank_current)
        return pthread_getspecific(key);
    return t && key < t->values.n ? (void *)(uintptr_t)t->values.at[key] : NULL;
}

void thread_keys_destroy(struct fold_thread *t)
{
    bool again = true;
    for (int round = 0; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        again = false;
        for (size_t key = FIRST_KEY; key < t->values.n; key++) {
            const struct thread_key *k = find_key((pthread_key_t)key);
            void *value = (void *)(uintptr_t)t->values.at[key];
            t->values.at[key] = NULL;
            if (!k || !k->destroy || !value)
                continue;
            again = true;
            k->destroy(value);
        }
    }
}

int in_rank_tss_create(tss_t *key, tss_dtor_t destroy)
{
    if (!rank_current)
        return tss_create(key, destroy);
    return in_rank_pthread_key_create(key, destroy) ? thrd_error : thrd_success;
}

void in_rank_tss_delete(tss_t key)
{
    if (rank_current)
        (void)in_rank_pthread_key_delete(key);
    else
        tss_delete(key);
}

void *in_rank_tss_get(tss_t key)
{
    return rank_current ? in_rank_pthread_getspecific(key) : tss_get(key);
}

int in_rank_tss_set(tss_t key, void *value)
{
    if (!rank_current)
        return tss_set(key, value);
    return in_rank_pthread_setspecific(key, value) ? thrd_error : thrd_success;
}
