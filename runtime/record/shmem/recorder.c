/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder: a call of OpenSHMEM, and where recording begins and ends. 0 is when shmem_init of PE 0 ended. PEs of one host
 * share its clock; to others PE 0 tells when it left a barrier, and they take it that they left it then, too.
 */
#include "wrap.h"

#include <stdlib.h>
#include <unistd.h>

static struct {
    bool begun, ended;
    int rank, ranks;
    int64_t zero; /* of this host's clock */
    const char *path;
} state;

void *recorder_shmem_real(const char *name)
{
    char twin[128];
    snprintf(twin, sizeof twin, "p%s", name);
    void *real = recorder_find(twin);
    if (!real)
        real = recorder_find(name);
    if (real)
        return real;
    snprintf(twin, sizeof twin, "the program's OpenSHMEM has no %.80s", name);
    recorder_stop(twin);
}

int64_t recorder_shmem_time(int64_t ns)
{
    return ns - state.zero;
}

/* --- a call ----------------------------------------------------------------------------------------------- */

bool recorder_shmem_enter(struct recorder_shmem_call *c, uint32_t function)
{
    c->operand = 0;
    c->vain = false;
    return recorder_enter(&c->call, function);
}

static void find_words(struct recorder_shmem_call *c, const struct record_value *v)
{
    bool made = false;
    record_before(&c->call.words, record_function_of(c->call.function), v, recorder_library(), &made);
}

static void write_line(struct recorder_shmem_call *c, const struct record_value *v)
{
    bool made = true;
    record_after(&c->call.words, record_function_of(c->call.function), v, recorder_library(), &made);
    recorder_write_call(&c->call);
}

void recorder_shmem_before(struct recorder_shmem_call *c, const struct record_value *v)
{
    recorder_open(&c->call);
    if (v)
        find_words(c, v);
    recorder_go(&c->call);
}

void recorder_shmem_after(struct recorder_shmem_call *c, const struct record_value *v)
{
    recorder_return(&c->call);
    write_line(c, v);
    recorder_note_effects(c, v);
    if (c->call.function == RECORD_SHMEM_TEAM_DESTROY)
        recorder_handle_forget(RECORD_TEAM, c->call.words.at[0]);
    else if (c->call.function == RECORD_SHMEM_CTX_DESTROY)
        recorder_handle_forget(RECORD_CTX, c->call.words.at[0]);
    recorder_close(&c->call);
}

void recorder_shmem_write(struct recorder_shmem_call *c, const struct record_value *v)
{
    find_words(c, v);
    write_line(c, v);
}

/* --- the beginning ---------------------------------------------------------------------------------------- */

/* What PE 0 tells: which host, its zero, and when it left the first barrier. */
struct beginning {
    char host[64];
    int64_t zero, left;
};

static void this_host(char *out, size_t size)
{
    FILE *in = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (!in || !fgets(out, (int)size, in))
        gethostname(out, size);
    if (in)
        fclose(in);
    out[size - 1] = '\0';
}

static int64_t common_zero(int64_t end)
{
    struct beginning own = {.zero = end}, first;
    char *name = malloc(strlen(state.path) + 16);
    FILE *file;
    if (!name)
        recorder_stop("no memory left");
    sprintf(name, "%s_files/begin", state.path);
    this_host(own.host, sizeof own.host);
    recorder_barrier();
    own.left = recorder_now();
    first = own;
    if (!state.rank &&
        (!(file = fopen(name, "wb")) || fwrite(&own, sizeof own, 1, file) != 1 || fclose(file)))
        recorder_stop("the trace's folder cannot be written");
    recorder_barrier();
    if (state.rank &&
        (!(file = fopen(name, "rb")) || fread(&first, sizeof first, 1, file) != 1 || fclose(file)))
        recorder_stop("the trace's folder is not that of PE 0");
    recorder_barrier();
    if (!state.rank)
        remove(name);
    free(name);
    return strcmp(own.host, first.host) ? own.left - (first.left - first.zero) : first.zero;
}

static void leave(void)
{
    if (state.begun && !state.ended && recorder_notes_remove())
        fprintf(stderr,
                "pgasim record: PE %d has not called shmem_finalize: what ended its waits is not in the "
                "trace, and a replay "
                "does not wait there\n",
                state.rank);
}

static void begin(int64_t init, int64_t end, bool threads)
{
    struct recorder_shmem_call c = {.call = {.function = RECORD_SHMEM_INIT, .begin = init, .end = end}};
    const char *path = getenv("PGASIM_RECORD");
    struct record_value v[] = {{.i = recorder_heap_size()}, {.width = 8}};
    if (state.begun)
        return;
    state.begun = true;
    state.path = path && *path ? path : "pgasim-record";
    state.rank = recorder_my_pe();
    state.ranks = recorder_n_pes();
    recorder_list_handles();
    recorder_file_open(state.path, state.rank, state.ranks);
    recorder_notes_open(state.path, state.rank);
    state.zero = common_zero(end);
    v[1].p = recorder_statics(&v[1].i);
    recorder_lines_begin(state.rank, state.zero);
    find_words(&c, v);
    write_line(&c, v);
    record_words_release(&c.call.words);
    atexit(leave);
    recorder_start(state.rank, state.zero, threads);
}

#define BEGIN(T, name, params, args, threads)                                                                \
    T name params;                                                                                           \
    T name params                                                                                            \
    {                                                                                                        \
        enum { THREADS_MULTIPLE = 3 };                                                                       \
        REAL(name)                                                                                           \
        int64_t init = recorder_now();                                                                       \
        BEGIN_##T real args;                                                                                 \
        begin(init, recorder_now(), threads);                                                                \
        END_##T                                                                                              \
    }
#define BEGIN_void
#define END_void
#define BEGIN_int int result =
#define END_int   return result;
BEGIN(void, shmem_init, (void), (), false)
BEGIN(void, start_pes, (int n), (n), false)
BEGIN(int, shmem_init_thread, (int wanted, int *provided), (wanted, provided), *provided == THREADS_MULTIPLE)

/* --- the end ---------------------------------------------------------------------------------------------- */

/* All PEs have written their notes before one reads them, and have read them before one removes its own. */
static struct recorder_causes *find_causes(uint64_t *waits)
{
    recorder_notes_flush();
    recorder_barrier();
    struct recorder_causes *causes = recorder_causes_find(state.path, state.rank, state.ranks, waits);
    recorder_barrier();
    recorder_notes_remove();
    return causes;
}

static void write_causes(struct recorder_causes *causes, uint64_t waits)
{
    uint64_t unknown = 0;
    for (uint64_t k = 0; k < waits; k++)
        unknown += causes[k].unknown;
    if (unknown)
        fprintf(stderr,
                "pgasim record: PE %d: %llu of %llu waits ended by what no operation of OpenSHMEM wrote (a "
                "store through a "
                "pointer, a collective): a replay does not wait there\n",
                state.rank, (unsigned long long)unknown, (unsigned long long)waits);
    if (waits)
        recorder_rewrite(state.path, state.rank, causes, waits);
    for (uint64_t k = 0; k < waits; k++)
        free(causes[k].at);
    free(causes);
}

void shmem_finalize(void);
void shmem_finalize(void)
{
    struct recorder_shmem_call c;
    uint64_t waits;
    REAL(shmem_finalize)
    if (!recorder_shmem_enter(&c, RECORD_SHMEM_FINALIZE)) {
        real();
        return;
    }
    recorder_open(&c.call);
    recorder_join_threads();
    struct recorder_causes *causes = find_causes(&waits);
    recorder_go(&c.call);
    state.ended = true;
    real();
    recorder_return(&c.call);
    write_line(&c, NULL);
    recorder_close(&c.call);
    recorder_end();
    recorder_places_release();
    write_causes(causes, waits);
}

void shmem_global_exit(int status);
void shmem_global_exit(int status)
{
    struct recorder_shmem_call c;
    REAL(shmem_global_exit)
    if (recorder_shmem_enter(&c, RECORD_SHMEM_GLOBAL_EXIT)) {
        recorder_shmem_before(&c, NULL);
        recorder_return(&c.call);
        write_line(&c, NULL);
        recorder_close(&c.call);
        leave();
        state.ended = true;
        recorder_end();
    }
    real(status);
}
