/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frames: whether the guard below a rank's stack is wide enough for the program's code. Code that `pgasim cc`
 * compiles touches each page of a large frame; this is about objects that something else compiled.
 */
#include "fold/image/image.h"

#include <string.h>

static const char *file_of(const struct object_file *f)
{
    return strrchr(f->path, '/') + 1;
}

uint64_t images_largest_frame(const struct objects *o)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < o->list.n; i++) {
        struct elf_frames found;
        elf_frames_read(&o->list.at[i]->elf, &found);
        if (found.largest > largest)
            largest = found.largest;
    }
    return largest;
}

/* "walk" or "?": the function that begins at a virtual address. */
static const char *function_at(const struct object_file *f, uint64_t address)
{
    const char *name = elf_function_at(&f->elf, address);
    return name ? name : "?";
}

static const char remedy[] = "compile it with pgasim cc, which adds -fstack-clash-protection";

void images_check_frames(const struct objects *o, size_t first, size_t guard)
{
    static const char key[] = "fold/frames";
    char shown[32], frame[32];
    base_show_size(shown, (double)guard);
    for (size_t i = first; i < o->list.n; i++) {
        const struct object_file *f = o->list.at[i];
        struct elf_frames found;
        elf_frames_read(&f->elf, &found);
        if (objects_fortran_library(f->path)) /* whose blocks are short */
            continue;
        if (found.variable)
            base_warn(key,
                      "%s: %llu function%s (%s%s) put blocks of any size on the stack unchecked: one of more "
                      "than %s "
                      "may reach another rank's stack unseen; %s",
                      file_of(f), (unsigned long long)found.variable, found.variable == 1 ? "" : "s",
                      function_at(f, found.variable_at), found.variable == 1 ? "" : ", ...", shown, remedy);
        if (found.largest > guard)
            base_warn(key,
                      "%s: the frame of %s (%s) is larger than the guard below a stack (%s): it may reach "
                      "another rank's stack unseen; %s",
                      file_of(f), function_at(f, found.largest_at),
                      base_show_size(frame, (double)found.largest), shown, remedy);
    }
}
