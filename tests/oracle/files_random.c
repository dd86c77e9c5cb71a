/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For files_compare.py: random programs on files, the same for every library that compiles them. All ranks draw the
 * same plan from the seed: files on different communicators and with random hints, views, accesses of all kinds,
 * sizes, pointers, modes, mistakes. Each rank logs what it sees into a file of its own:
 *
 *      SEED STEP WHAT
 *
 *      files_random FOLDER FIRST COUNT STEPS WITHOUT
 *
 * plays the seeds FIRST to FIRST + COUNT - 1; FOLDER has files and logs (log.RANK). WITHOUT is a sum of enum without.
 */
#include "files_random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES = 3, LONG = 1 << 19, ANYWAY = MPI_MODE_CREATE | MPI_MODE_RDWR };
int files_me, files_n, files_without;
static struct file all[FILES];
static unsigned long long state;
static int seed, step;
static FILE *log_file;

int files_draw(int limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (int)((state >> 33) % (unsigned)limit);
}

unsigned long long files_hash(const void *bytes, size_t n)
{
    unsigned long long h = 14695981039346656037ULL;
    for (size_t k = 0; k < n; k++)
        h = (h ^ ((const unsigned char *)bytes)[k]) * 1099511628211ULL;
    return h;
}

int files_forbidden(const struct file *f, int write)
{
    return (f->amode & (write ? MPI_MODE_RDONLY : MPI_MODE_WRONLY)) != 0;
}

/* --- the log --------------------------------------------------------------------------------------------------- */

void files_say(const char *format, ...)
{
    va_list rest;
    fprintf(log_file, "%d %d ", seed, step);
    va_start(rest, format);
    vfprintf(log_file, format, rest);
    va_end(rest);
    fputc('\n', log_file);
    fflush(log_file);
}

int files_went(const char *what, int rc)
{
    static const struct {
        int class;
        const char *name;
    } classes[] = {{MPI_ERR_ACCESS, "ACCESS"},
                   {MPI_ERR_AMODE, "AMODE"},
                   {MPI_ERR_ARG, "ARG"},
                   {MPI_ERR_BAD_FILE, "BAD_FILE"},
                   {MPI_ERR_FILE, "FILE"},
                   {MPI_ERR_FILE_EXISTS, "FILE_EXISTS"},
                   {MPI_ERR_IO, "IO"},
                   {MPI_ERR_NO_SUCH_FILE, "NO_SUCH_FILE"},
                   {MPI_ERR_READ_ONLY, "READ_ONLY"},
                   {MPI_ERR_UNSUPPORTED_DATAREP, "UNSUPPORTED_DATAREP"},
                   {MPI_ERR_UNSUPPORTED_OPERATION, "UNSUPPORTED_OPERATION"}};
    int class = MPI_SUCCESS;
    const char *name = "another one";
    if (rc == MPI_SUCCESS)
        return 1;
    MPI_Error_class(rc, &class);
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        if (classes[k].class == class)
            name = classes[k].name;
    files_say("%s fails: %s", what, name);
    return 0;
}

/* --- opening and closing ---------------------------------------------------------------------------------------- */

static MPI_Info draw_hints(void)
{
    static const char *const ways[] = {"enable", "disable", "automatic"};
    static const char *const keys[] = {"romio_cb_read", "romio_cb_write", "romio_ds_read", "romio_ds_write"};
    char text[20];
    MPI_Info info;
    MPI_Info_create(&info);
    for (int k = 0; k < 4; k++)
        MPI_Info_set(info, keys[k], ways[files_draw(3)]);
    snprintf(text, sizeof text, "%d", 64 << files_draw(8));
    MPI_Info_set(info, "cb_buffer_size", text);
    snprintf(text, sizeof text, "%d", 1 + files_draw(files_n));
    MPI_Info_set(info, "cb_nodes", text);
    return info;
}

static void tell_positions(const struct file *f)
{
    MPI_Offset own = -1, shared = -1, size = -1;
    int amode = 0;
    files_went("get_amode", MPI_File_get_amode(f->handle, &amode));
    files_went("get_size", MPI_File_get_size(f->handle, &size));
    files_went("get_position", MPI_File_get_position(f->handle, &own));
    files_went("get_position_shared", MPI_File_get_position_shared(f->handle, &shared));
    files_say("the mode is %s, the size %lld, positions %lld and %lld",
              amode == f->amode ? "as asked" : "another one", (long long)size, (long long)own,
              (long long)shared);
}

/* From the end. */
static void go_back(const struct file *f)
{
    MPI_Barrier(MPI_COMM_WORLD);
    files_went("seek", MPI_File_seek(f->handle, 0, MPI_SEEK_SET));
    if (f->alike)
        files_went("seek_shared", MPI_File_seek_shared(f->handle, 0, MPI_SEEK_SET));
}

static void open_file(struct file *f, int amode)
{
    MPI_Info info = draw_hints();
    f->amode = amode;
    f->atomic = 0;
    f->open = files_went("open", MPI_File_open(f->comm, f->path, amode, info, &f->handle));
    MPI_Info_free(&info);
    if (!f->open)
        return;
    files_view_bytes(f);
    if (files_without & WITHOUT_END && !(amode & MPI_MODE_RDONLY))
        files_went("set_size", MPI_File_set_size(f->handle, LONG));
    tell_positions(f);
    if (files_without & WITHOUT_END)
        go_back(f);
}

static void close_file(struct file *f)
{
    if (!f->open)
        return;
    files_went("close", MPI_File_close(&f->handle));
    MPI_Type_free(&f->etype);
    f->open = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    files_say("after the close it is %s", access(f->path, F_OK) ? "not there" : "there");
    MPI_Barrier(MPI_COMM_WORLD);
}

static void reopen(struct file *f)
{
    static const int modes[] = {ANYWAY,
                                MPI_MODE_RDONLY,
                                MPI_MODE_WRONLY | MPI_MODE_CREATE,
                                ANYWAY | MPI_MODE_APPEND,
                                ANYWAY | MPI_MODE_EXCL,
                                ANYWAY | MPI_MODE_DELETE_ON_CLOSE,
                                ANYWAY | MPI_MODE_UNIQUE_OPEN,
                                MPI_MODE_CREATE};
    int mode = modes[files_draw((int)(sizeof modes / sizeof *modes))];
    close_file(f);
    open_file(f, mode);
}

/* --- steps ------------------------------------------------------------------------------------------------------- */

static void resize(struct file *f)
{
    int size = files_draw(5000) + (files_without & WITHOUT_END ? LONG : 0), kind = files_draw(2);
    int forbidden = files_forbidden(f, 1);
    if (files_without & WITHOUT_PREALLOCATE || (forbidden && files_without & WITHOUT_SOME_MISTAKES))
        kind = 1;
    if (forbidden && files_without & WITHOUT_MISTAKES)
        return;
    files_went(kind ? "set_size" : "preallocate",
               (kind ? MPI_File_set_size : MPI_File_preallocate)(f->handle, size));
    files_settle(f);
    tell_positions(f);
}

static void seek(struct file *f)
{
    static const int from[] = {MPI_SEEK_SET, MPI_SEEK_CUR, MPI_SEEK_END};
    int whence = files_draw(3), by = files_draw(40) - (whence ? 10 : 2), shared = f->alike && files_draw(2);
    if (files_without & WITHOUT_SEEK_END && whence == 2)
        whence = 0;
    if (by < 0 &&
        files_without & (shared ? WITHOUT_SEEKS_BEFORE | WITHOUT_SOME_MISTAKES : WITHOUT_SEEKS_BEFORE))
        by = -by;
    MPI_Barrier(MPI_COMM_WORLD);
    files_went(shared ? "seek_shared" : "seek",
               (shared ? MPI_File_seek_shared : MPI_File_seek)(f->handle, by, from[whence]));
    MPI_Barrier(MPI_COMM_WORLD);
    tell_positions(f);
    if (files_without & WITHOUT_END && whence == 2)
        go_back(f);
}

static void change_atomicity(struct file *f)
{
    int to = !f->atomic, is = -1;
    if (files_went("set_atomicity", MPI_File_set_atomicity(f->handle, to)))
        f->atomic = to;
    files_went("get_atomicity", MPI_File_get_atomicity(f->handle, &is));
    files_say("atomic: %d", is);
}

static void access_file(struct file *f, int write)
{
    int shared = files_draw(3) == 0, forbidden = files_forbidden(f, write);
    if (forbidden && files_without & WITHOUT_MISTAKES)
        return;
    if (forbidden && files_without & WITHOUT_SOME_MISTAKES)
        shared = 0;
    if (f->alike && write && f->atomic && f->amode & MPI_MODE_RDWR && files_draw(2))
        files_access_contested(f);
    else if (f->alike && shared)
        files_access_shared(f, write);
    else
        files_access_own(f, write);
}

static void take_step(struct file *f)
{
    int what = files_draw(16);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!f->open)
        open_file(f, ANYWAY);
    else if (what < 3)
        files_view_draw(f);
    else if (what < 8)
        access_file(f, 1);
    else if (what < 12)
        access_file(f, 0);
    else if (what == 12)
        resize(f);
    else if (what == 13)
        seek(f);
    else if (what == 14)
        change_atomicity(f);
    else
        reopen(f);
}

static void play(const char *folder, int steps)
{
    state = (unsigned long long)seed * 2654435761ULL + 1;
    for (int k = 0; k < FILES; k++) {
        snprintf(all[k].path, sizeof all[k].path, "%s/%d.%d", folder, seed, k);
        MPI_Comm_split(MPI_COMM_WORLD, 0, k == 1 ? -files_me : files_me, &all[k].comm);
    }
    for (step = 0; step < steps; step++)
        take_step(&all[files_draw(FILES)]);
    for (int k = 0; k < FILES; k++) {
        close_file(&all[k]);
        MPI_Comm_free(&all[k].comm);
        if (files_me == 0)
            files_went("delete", MPI_File_delete(all[k].path, MPI_INFO_NULL));
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    char name[4096];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &files_me);
    MPI_Comm_size(MPI_COMM_WORLD, &files_n);
    if (argc != 6 || files_n < 1 || files_n > MOST_RANKS) {
        fprintf(stderr, "expected FOLDER FIRST COUNT STEPS WITHOUT, and 1 to %d ranks\n", MOST_RANKS);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    snprintf(name, sizeof name, "%s/log.%d", argv[1], files_me);
    log_file = fopen(name, "w");
    files_without = atoi(argv[5]);
    int first = atoi(argv[2]), count = atoi(argv[3]);
    for (seed = first; seed < first + count; seed++)
        play(argv[1], atoi(argv[4]));
    fclose(log_file);
    MPI_Finalize();
    return 0;
}
