/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * visible: copies of objects as files with names, for Valgrind: it reads symbols and lines from the file that
 * is mapped, by the name under which it was opened, when it is mapped, and only once for each name.
 */
#include "fold/elf/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct {
    char folder[PATH_MAX]; /* empty: none was made */
    pid_t process;
    unsigned number; /* of files */
    BASE_ARRAY(char *) names;
} visible;

static void remove_all(void)
{
    if (getpid() != visible.process) /* a child that a rank has forked */
        return;
    for (size_t k = 0; k < visible.names.n; k++) {
        (void)unlink(visible.names.at[k]);
        free(visible.names.at[k]);
    }
    free(visible.names.at);
    visible.names.at = NULL;
    visible.names.n = 0;
    (void)rmdir(visible.folder);
}

static void remove_at_fatal(void *arg)
{
    (void)arg;
    remove_all();
}

static bool make_folder(void)
{
    const char *where = getenv("TMPDIR");
    if (*visible.folder)
        return true;
    int n = snprintf(visible.folder, sizeof visible.folder, "%s/pgasim-XXXXXX",
                     where && *where == '/' ? where : "/tmp");
    if (n < 0 || (size_t)n >= sizeof visible.folder || !mkdtemp(visible.folder)) {
        *visible.folder = 0;
        return false;
    }
    visible.process = getpid();
    base_at_fatal(remove_at_fatal, NULL);
    (void)atexit(remove_all);
    return true;
}

static bool write_all(int fd, const unsigned char *bytes, size_t size, size_t at)
{
    for (size_t done = 0; done < size;) {
        ssize_t n = pwrite(fd, bytes + done, size - done, (off_t)(at + done));
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}

int visible_open(const struct object_file *f)
{
    if (!make_folder())
        return -1;
    const char *slash = strrchr(f->path, '/');
    char *name = base_strfmt("%s/%s.%u", visible.folder, slash ? slash + 1 : f->path, visible.number++);
    int fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0700);
    if (fd < 0) {
        free(name);
        return -1;
    }
    BASE_ARRAY_PUSH(&visible.names, name);
    if (!write_all(fd, f->elf.bytes, f->elf.size, 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

/* Pages of the text were not written to, so they show what the file holds. */
int visible_finish(const struct object_file *f, int fd, struct base_status *st)
{
    for (uint32_t i = 0; i < f->elf.n_segments; i++) {
        const Elf64_Phdr *p = &f->elf.segment[i];
        if (p->p_type == PT_LOAD && !(p->p_flags & PF_W) &&
            !write_all(fd, f->elf.bytes + p->p_offset, p->p_filesz, p->p_offset))
            return base_fail(st, "%s: cannot write its text for a rank: %s", f->path, strerror(errno));
    }
    return 0;
}
