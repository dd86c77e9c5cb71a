/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classifies what a program refers to. survey.def lists what is known of single functions. What libpgasim
 * exports and replaces is read from libpgasim itself, so that the answers are never out of date.
 */
#include "fold/fold.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fold/elf/elf.h"

enum kind { DIFFERS, DEVICE, FOREIGN, THREADS };

struct known {
    enum kind kind;
    const char *text, *note;
};

static const struct known known[] = {
#define SURVEY_DIFFERS(symbol, text) {DIFFERS, #symbol, text},
#define SURVEY_DEVICE(prefix, text)  {DEVICE, prefix, text},
#define SURVEY_FOREIGN(prefix, text) {FOREIGN, prefix, text},
#define SURVEY_THREADS(symbol, text) {THREADS, #symbol, text},
#include "fold/where/survey.def"
#undef SURVEY_DIFFERS
#undef SURVEY_DEVICE
#undef SURVEY_FOREIGN
#undef SURVEY_THREADS
};

/* --- single functions ---------------------------------------------------------------------------- */

static bool exported_by_us(const char *name)
{
    Dl_info there, here;
    void *p = dlsym(RTLD_DEFAULT, name);
    return p && dladdr(p, &there) && dladdr((void *)(uintptr_t)fold_survey_read, &here) &&
           there.dli_fbase == here.dli_fbase;
}

static const struct known *find_known(const char *name)
{
    for (size_t i = 0; i < BASE_LENGTH(known); i++) {
        const struct known *k = &known[i];
        bool prefix = k->kind == DEVICE || k->kind == FOREIGN;
        if (prefix ? strncmp(name, k->text, strlen(k->text)) == 0 : strcmp(name, k->text) == 0)
            return k;
    }
    return NULL;
}

/* Fortran compilers append an underscore to names. */
static bool fortran_name(const char *name)
{
    return name[strlen(name) - 1] == '_';
}

static void add(struct fold_survey_items *to, const char *name, const char *object, const char *note)
{
    for (size_t i = 0; i < to->n; i++)
        if (strcmp(to->at[i].name, name) == 0)
            return;
    BASE_ARRAY_PUSH(to, ((struct fold_survey_item){name, object, note}));
}

struct reader {
    struct fold_survey *survey;
    const char *object;
};

static bool defined_by_program(const struct objects *o, const char *name)
{
    for (size_t i = 0; i < o->list.n; i++)
        if (elf_definition(&o->list.at[i]->elf, name))
            return true;
    return false;
}

static void add_known(struct fold_survey *s, const struct known *k, const char *name, const char *object,
                      bool weak)
{
    switch (k->kind) {
    case THREADS:
        add(&s->threads, k->note, object, NULL);
        break;
    case DIFFERS:
    case DEVICE:
        add(&s->differs, name, object, k->note);
        break;
    case FOREIGN:
        if (weak) /* the program asks whether it is there */
            break;
        add(&s->missing, name, object,
            strncmp(k->text, "shmem_", 6) == 0 && fortran_name(name) ? "pgasim has no Fortran interface"
                                                                     : k->note);
        break;
    }
}

static void classify(void *arg, const char *name, bool weak)
{
    const struct reader *r = arg;
    struct fold_survey *s = r->survey;
    const struct known *k = find_known(name);
    bool ours = exported_by_us(name);
    bool replaced =
        references_interposer(name) && !references_allocates(name); /* memory is libc's unless folded */
    if (!k && !ours && !replaced)
        return;
    if (defined_by_program(s->files, name))
        return;
    if (ours)
        add(&s->supported, name, r->object, NULL);
    else if (replaced && !weak && !(k && k->kind == DIFFERS))
        add(&s->replaced, name, r->object, NULL);
    if (k && (k->kind == THREADS || k->kind == DIFFERS || (!ours && !replaced)))
        add_known(s, k, name, r->object, weak);
}

/* --- objects and libraries ----------------------------------------------------------------------- */

static void obstacle(struct fold_survey *s, char *text)
{
    BASE_ARRAY_PUSH(&s->obstacles, text);
}

static void add_object(struct fold_survey *s, const struct object_file *f)
{
    struct fold_survey_object o = {.path = f->path,
                                   .thread_local_bytes = f->elf.tls_size,
                                   .static_tls = f->elf.tls_size && elf_static_tls(&f->elf),
                                   .instrumented = elf_instrumented(&f->elf),
                                   .functions = elf_functions(&f->elf)};
    struct base_status st;
    for (size_t k = 0; k < f->spans.n; k++)
        o.globals += f->spans.at[k].size;
    BASE_ARRAY_PUSH(&s->objects, o);
    if (s->built_for_us && objects_check_loadable(f, &st))
        obstacle(s, base_strdup(st.text));
    elf_references_each(&f->elf, classify, &(struct reader){s, f->path});
}

static bool in_a_system_folder(const char *name)
{
    static const char *const folders[] = {
        "/lib",
        "/usr/lib",
        "/lib64",
        "/usr/lib64",
        "/usr/local/lib",
#if defined(__x86_64__)
        "/lib/x86_64-linux-gnu",
        "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
        "/lib/aarch64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
#endif
    };
    for (size_t i = 0; i < BASE_LENGTH(folders); i++) {
        char *path = base_strfmt("%s/%s", folders[i], name);
        bool found = access(path, R_OK) == 0;
        free(path);
        if (found)
            return true;
    }
    return false;
}

/* The dynamic linker may know more folders than we do, so it is asked last. */
static bool can_be_found(const struct object_file *user, const char *name, const char *library_path)
{
    char *path = objects_find_library(user, name, library_path);
    void *handle = path || in_a_system_folder(name) ? NULL : dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    bool found = path || in_a_system_folder(name) || handle;
    free(path);
    if (handle)
        dlclose(handle);
    return found;
}

static bool listed(const struct fold_survey *s, const char *name)
{
    for (size_t i = 0; i < s->system.n; i++)
        if (strcmp(s->system.at[i], name) == 0)
            return true;
    return false;
}

static void add_libraries(struct fold_survey *s, const struct object_file *user, const char *library_path)
{
    const char *name;
    for (uint32_t i = 0; (name = elf_needed(&user->elf, i)); i++) {
        if (objects_simulator(name) || objects_needed(s->files, name) >= 0 || listed(s, name))
            continue;
        BASE_ARRAY_PUSH(&s->system, name);
        if (!objects_foreign(name) && !can_be_found(user, name, library_path))
            obstacle(s, base_strfmt("the dynamic linker does not find %s, which %s needs", name, user->path));
    }
}

static const char *foreign_library(const struct fold_survey *s)
{
    for (size_t i = 0; i < s->system.n; i++)
        if (objects_foreign(s->system.at[i]))
            return s->system.at[i];
    return NULL;
}

static void say_how_to_build(struct fold_survey *s)
{
    static const char how[] =
        "`pgasim cc` (or its wrappers oshcc and mpicc), for example `pgasim env make CC=oshcc`";
    const char *mpi = objects_other_mpi(objects_program(s->files));
    const char *other = mpi ? mpi : foreign_library(s);
    if (s->built_for_us)
        return;
    if (!elf_has_interpreter(&objects_program(s->files)->elf))
        obstacle(s, base_strdup("a shared library or a static program, which cannot run as ranks"));
    else if (other)
        obstacle(s, base_strfmt("built for another library (%s): rebuild it with %s", other, how));
    else
        obstacle(s, base_strfmt("not built for pgasim: build it with %s", how));
}

/* --- the whole ----------------------------------------------------------------------------------- */

int fold_survey_read(struct fold_survey *s, const char *program, const char *library_path,
                     struct base_status *st)
{
    struct base_status runtime;
    *s = (struct fold_survey){.files = base_zalloc(sizeof *s->files, "a survey")};
    if (objects_look(s->files, program, library_path, st)) {
        free(s->files);
        return -1;
    }
    s->built_for_us = objects_built_for_us(objects_program(s->files));
    for (size_t i = s->files->list.n; i-- > 0;) { /* the program is last in the list */
        add_object(s, s->files->list.at[i]);
        add_libraries(s, s->files->list.at[i], library_path);
    }
    say_how_to_build(s);
    if (objects_check_runtime(s->files, &runtime))
        obstacle(s, base_strdup(runtime.text));
    return 0;
}

void fold_survey_release(struct fold_survey *s)
{
    for (size_t i = 0; i < s->obstacles.n; i++)
        free(s->obstacles.at[i]);
    free(s->obstacles.at);
    free(s->objects.at);
    free(s->system.at);
    free(s->supported.at);
    free(s->replaced.at);
    free(s->differs.at);
    free(s->missing.at);
    free(s->threads.at);
    objects_close(s->files);
    free(s->files);
    *s = (struct fold_survey){0};
}
