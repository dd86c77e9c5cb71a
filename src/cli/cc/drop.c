/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drop: decides part by part (parts.h).
 */
#include "cli/cc/drop.h"
#include "cli/cc/parts.h"
#include "fold/fold.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dropping {
    struct cc_words *libraries;
    struct cc_parts parts;
    struct cc_words folders;    /* -L, in order */
    struct cc_words stems_gone; /* names of libraries, without "lib" and ending, each once */
    struct cc_words stems_kept;
    struct cc_words stems_made; /* of these, those that -L leads to */
};

/* --- libraries ------------------------------------------------------------------------------------ */

/* "libmpi.so.40" -> "mpi", 3; false when it is no library's file name. */
static bool stem_of(const char *file, const char **stem, size_t *n)
{
    if (strncmp(file, "lib", 3))
        return false;
    const char *so = strstr(file, ".so"), *dot = strrchr(file, '.');
    *stem = file + 3;
    if (so && (!so[3] || so[3] == '.'))
        *n = (size_t)(so - *stem);
    else if (dot && !strcmp(dot, ".a"))
        *n = (size_t)(dot - *stem);
    else
        return false;
    return *n > 0;
}

static bool holds(const char *folder, const char *stem)
{
    static const char *const endings[] = {"so", "a"};
    bool there = false;
    for (size_t k = 0; k < BASE_LENGTH(endings) && !there; k++) {
        char *path = base_strfmt("%s/lib%s.%s", folder, stem, endings[k]);
        there = access(path, F_OK) == 0;
        free(path);
    }
    return there;
}

/* Whether -lNAME means a library that the build made itself. Looked for once for each name. */
static bool made_here(struct dropping *d, const char *name, enum fold_replaced kind)
{
    if (cc_words_have(&d->stems_made, name))
        return true;
    for (size_t k = 0; k < d->folders.n && !cc_words_have(&d->stems_gone, name); k++) {
        const char *folder = d->folders.at[k];
        if ((*folder != '/' || kind == FOLD_PERHAPS_REPLACED) && holds(folder, name)) {
            cc_words_push(&d->stems_made, name);
            return true;
        }
    }
    return false;
}

/* Takes or leaves a library that is named `stem`; `given`: as the user wrote it. */
static bool drop_library(struct dropping *d, const char *stem, size_t n, bool here, const char *given)
{
    enum fold_replaced kind = here ? FOLD_NOT_REPLACED : fold_library_replaced(stem, n);
    char *name = base_strfmt("%.*s", (int)n, stem);
    bool gone = kind != FOLD_NOT_REPLACED && !made_here(d, name, kind);
    struct cc_words *stems = gone ? &d->stems_gone : &d->stems_kept;
    if (!cc_words_have(stems, name))
        cc_words_push(stems, name);
    if (gone)
        cc_words_push(d->libraries, given);
    free(name);
    return gone;
}

/* NAME of -lNAME, which may be :FILE. */
static bool drop_named(struct dropping *d, const char *name, const char *given)
{
    const char *stem = name;
    size_t n = strlen(name);
    if (!strcmp(name, ":Scrt1.o"))
        return true; /* it is linked anyway where it is wanted */
    if (*name == ':' && !stem_of(name + 1, &stem, &n))
        return false;
    return drop_library(d, stem, n, false, given);
}

/* Of the names under which build systems find libpgasim (places.h: root). */
static bool is_ours(const char *path)
{
    char *real = realpath(path, NULL), *slash = real ? strrchr(real, '/') : NULL;
    bool ours =
        slash && (!strncmp(slash + 1, "libpgasim.so", 12) || !strncmp(slash + 1, "libmpi_abi.so", 13));
    free(real);
    return ours;
}

static bool drop_path(struct dropping *d, const char *path)
{
    const char *slash = strrchr(path, '/'), *stem;
    size_t n;
    if (!stem_of(slash ? slash + 1 : path, &stem, &n))
        return false;
    if (fold_library_replaced(stem, n) && is_ours(path))
        return true; /* it is linked anyway */
    return drop_library(d, stem, n, *path != '/', path);
}

static void read_folders(struct dropping *d)
{
    for (size_t k = 0; k < d->parts.n; k++) {
        const char *text = d->parts.at[k].text;
        bool apart =
            !strcmp(text, "-L") || !strcmp(text, "--library-path") || !strcmp(text, "--library-directory");
        if (d->parts.at[k].value)
            continue;
        if (apart && k + 1 < d->parts.n)
            cc_words_push(&d->folders, d->parts.at[k + 1].text);
        else if (!apart && !strncmp(text, "-L", 2))
            cc_words_push(&d->folders, text + 2);
    }
}

static void drop_libraries(struct dropping *d)
{
    for (size_t k = 0; k < d->parts.n; k++) {
        struct cc_part *p = &d->parts.at[k], *next = k + 1 < d->parts.n ? p + 1 : NULL;
        if (p->value)
            continue;
        if (!strcmp(p->text, "-l") && next) {
            char *given = base_strfmt("-l%s", next->text);
            p->gone = next->gone = drop_named(d, next->text, given);
            free(given);
            k++;
        } else if (!strncmp(p->text, "-l", 2)) {
            p->gone = drop_named(d, p->text + 2, p->text);
        } else if (p->linker && !strncmp(p->text, "--library=", 10)) {
            p->gone = drop_named(d, p->text + 10, p->text);
        } else if (p->text[0] != '-') {
            p->gone = drop_path(d, p->text);
        }
    }
}

/* --- run paths and options -------------------------------------------------------------------------- */

static bool holds_any(const char *folder, const struct cc_words *stems)
{
    for (size_t k = 0; k < stems->n; k++)
        if (holds(folder, stems->at[k]))
            return true;
    return false;
}

static void drop_run_paths(struct dropping *d)
{
    static const char names[] = "-rpath --rpath -rpath-link --rpath-link -R";
    for (size_t k = 0; k < d->parts.n; k++) {
        struct cc_part *p = &d->parts.at[k], *value = p;
        const char *equals = strchr(p->text, '=');
        char *name = base_strfmt("%.*s", equals ? (int)(equals - p->text) : (int)strlen(p->text), p->text);
        bool is = p->linker && !p->value && cc_word_in(name, names);
        free(name);
        for (size_t i = k + 1; is && !equals && i < d->parts.n && value == p; i++)
            if (d->parts.at[i].linker)
                value = &d->parts.at[i];
        const char *folder = equals ? equals + 1 : value->text;
        if (is && (equals || value != p) && holds_any(folder, &d->stems_gone) &&
            !holds_any(folder, &d->stems_kept))
            p->gone = value->gone = true;
    }
}

/* Options that make position-dependent code or programs, or static programs. */
static bool fights_pic(const struct cc_part *p)
{
    static const char compiler[] = "-pie --pie -no-pie --no-pie -nopie -static-pie --static-pie "
                                   "-fPIE -fpie -fno-pie -fno-PIE -fno-pic -fno-PIC";
    static const char linker[] = "-pie --pie -no-pie --no-pie -pic-executable --pic-executable";
    return cc_word_in(p->text, p->linker ? linker : compiler);
}

static void release(struct dropping *d)
{
    cc_parts_release(&d->parts);
    cc_words_release(&d->folders);
    cc_words_release(&d->stems_gone);
    cc_words_release(&d->stems_kept);
    cc_words_release(&d->stems_made);
}

void cc_drop(struct cc_words *kept, struct cc_words *libraries, const struct cc_words *all, enum cc_goal goal)
{
    struct dropping d = {.libraries = libraries};
    if (goal != CC_PROGRAM && goal != CC_SHARED) {
        cc_words_push_all(kept, all);
        return;
    }
    cc_parts_find(&d.parts, all);
    read_folders(&d);
    drop_libraries(&d);
    if (d.stems_gone.n)
        drop_run_paths(&d);
    for (size_t k = 0; goal == CC_PROGRAM && k < d.parts.n; k++)
        d.parts.at[k].gone |= !d.parts.at[k].value && fights_pic(&d.parts.at[k]);
    cc_parts_join(&d.parts, kept);
    release(&d);
}
