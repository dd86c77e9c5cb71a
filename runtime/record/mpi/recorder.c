/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder: the words of MPI's calls, and where recording begins and ends. 0 is when the first rank's MPI_Init ended. */
#include "mpi_recorder.h"

#include <stdlib.h>
#include <string.h>

void recorder_before(struct recorder_call *c, const struct record_value *v)
{
    bool made = false;
    recorder_open(c);
    record_before(&c->words, &record_mpi[c->function], v, recorder_library(), &made);
    recorder_go(c);
}

static uint64_t bits_at(enum record_object o, const void *p, int64_t k)
{
    unsigned size = recorder_library()->handle[o];
    uint64_t bits = 0;
    memcpy(&bits, (const char *)p + (size_t)k * size, size);
    return bits;
}

/* What the call took and left as a null handle is gone. */
static void forget(const struct record_function *f, const struct record_words *w,
                   const struct record_value *v)
{
    struct record_part part[RECORD_PARAMS];
    bool any = false;
    for (uint32_t k = 0; k < f->n; k++)
        any = any || f->param[k].way == RECORD_CHANGED;
    if (!any || !record_parts(f, w->at, w->n, part))
        return;
    for (uint32_t k = 0; k < f->n; k++) {
        enum record_object o = (enum record_object)f->param[k].object;
        for (int64_t i = 0; f->param[k].way == RECORD_CHANGED && v[k].p && i < part[k].n; i++)
            if (recorder_handle_is_null(o, bits_at(o, v[k].p, i)) || o == RECORD_MESSAGE)
                recorder_handle_forget(o, part[k].at[i]);
    }
}

static void complete(struct recorder_call *c, const struct record_value *v)
{
    bool made = true;
    const struct record_function *f = &record_mpi[c->function];
    record_after(&c->words, f, v, recorder_library(), &made);
    recorder_write_call(c);
    recorder_note_sources(c, v);
    forget(f, &c->words, v);
}

void recorder_tell(struct recorder_call *c, const struct record_value *v)
{
    bool made = false;
    record_before(&c->words, &record_mpi[c->function], v, recorder_library(), &made);
    complete(c, v);
}

bool recorder_has_effect(int error)
{
    int class = MPI_SUCCESS;
    if (error != MPI_SUCCESS)
        PMPI_Error_class(error, &class);
    return class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS;
}

/* A blocking access to a file that has failed met others nevertheless, or may have. Its count becomes one that fails in each
 * replay. */
static bool refuse_count(struct recorder_call *c)
{
    const struct record_function *f = &record_mpi[c->function];
    struct record_part part[RECORD_PARAMS];
    bool access = !strncmp(f->name, "MPI_File_", 9) && f->param[f->n - 1].kind == RECORD_STATUS,
         found = false;
    if (!access || !record_parts(f, c->words.at, c->words.n, part))
        return false;
    for (uint32_t k = 0; k < f->n; k++)
        if (part[k].param && !strcmp(part[k].param->name, "count")) {
            c->words.at[part[k].at - c->words.at] = -1;
            found = true;
        }
    return found;
}

void recorder_after(struct recorder_call *c, const struct record_value *v, int error)
{
    recorder_return(c);
    if (recorder_has_effect(error) || refuse_count(c))
        complete(c, v);
    recorder_close(c);
}

/* --- the beginning and the end ------------------------------------------------------------------------------- */

/* MPI_Init was over at `end`. */
static void begin(uint32_t function, const struct record_value *v, int64_t init, int64_t end, int provided)
{
    const char *path = getenv("PGASIM_RECORD");
    int rank, ranks;
    struct recorder_call c = {.function = function, .begin = init, .end = end};
    static bool known;
    bool made = false;
    MPI_Comm parent;
    PMPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) /* the trace is that of the processes that have started this one */
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    recorder_list_handles();
    recorder_file_open(path && *path ? path : "pgasim-record", rank, ranks);
    int64_t zero = recorder_common_zero(end, rank, ranks);
    recorder_lines_begin(rank, zero);
    record_before(&c.words, &record_mpi[function], v, recorder_library(), &made);
    complete(&c, v);
    record_words_release(&c.words);
    recorder_start(rank, zero, provided == MPI_THREAD_MULTIPLE);
    if (!known) /* a program may not call MPI_Finalize: before the file is closed */
        atexit(recorder_end_sources);
    known = true;
}

RECORDER_REAL(MPI_Init)
RECORDER_REAL(MPI_Init_thread)
RECORDER_REAL(MPI_Finalize)

__attribute__((constructor)) static void find_all(void)
{
    RECORDER_FIND(MPI_Init);
    RECORDER_FIND(MPI_Init_thread);
    RECORDER_FIND(MPI_Finalize);
    recorder_find_wrapped();
    recorder_find_files();
}

int MPI_Init(int *argc, char ***argv)
{
    int64_t init = recorder_now();
    int rc = real_MPI_Init(argc, argv);
    int64_t end = recorder_now();
    const struct record_value v[] = {{.i = 0}, {.i = 0}};
    if (rc != MPI_SUCCESS)
        return rc;
    begin(RECORD_MPI_INIT, v, init, end, MPI_THREAD_SINGLE);
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int64_t init = recorder_now();
    int rc = real_MPI_Init_thread(argc, argv, required, provided);
    int64_t end = recorder_now();
    const struct record_value v[] = {{.i = 0}, {.i = 0}, {.i = required}, {.i = 0}};
    if (rc != MPI_SUCCESS)
        return rc;
    begin(RECORD_MPI_INIT_THREAD, v, init, end, *provided);
    return rc;
}

static void tell_of_unknown(void)
{
    uint64_t unknown = recorder_handles_unknown();
    int rank = 0;
    if (!unknown)
        return;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr,
            "pgasim record: rank %d: %llu times a call named an object that no recorded call has made\n",
            rank, (unsigned long long)unknown);
}

int MPI_Finalize(void)
{
    struct recorder_call c;
    if (!recorder_enter(&c, RECORD_MPI_FINALIZE))
        return real_MPI_Finalize();
    tell_of_unknown();
    recorder_untold_end();
    recorder_before(&c, NULL);
    recorder_end_sources();
    recorder_join_threads();
    int rc = real_MPI_Finalize();
    recorder_after(&c, NULL, MPI_SUCCESS);
    recorder_end();
    return rc;
}

RECORDER_ALSO(MPI_Init)
RECORDER_ALSO(MPI_Init_thread)
RECORDER_ALSO(MPI_Finalize)
