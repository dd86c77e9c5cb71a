/* SPDX-License-Identifier: BSD-3-Clause */
/* tape: chunks of actions, and where they are kept. */
#include "replay/tape/chunk.h"

#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes of chunks: the first of a rank is small, since most of a million ranks do little; each next one is twice as
 * large, up to a size with which all ranks' open chunks fit in OPEN bytes. */
enum { FIRST = 64, LARGEST = 64 << 10, OPEN = 64 << 20, LEAST = 1 << 20, IN_MEMORY = 256 << 20 };

/* Places in memory stay, addresses do not. */
static void grow(struct replay_tape *t, size_t room)
{
    unsigned char *memory = base_reserve(room, "a tape");
    if (t->memory) {
        memcpy(memory, t->memory, t->used < room ? t->used : room);
        base_unreserve(t->memory, t->room);
    }
    t->memory = memory;
    t->room = room;
}

struct replay_tape *replay_tape_create(void)
{
    struct replay_tape *t = base_zalloc(sizeof *t, "a tape");
    t->file = -1;
    replay_loops_init(&t->loops);
    base_table_init(&t->group_of, BASE_BYTES, sizeof(uint32_t), "groups of a tape");
    t->used = 1; /* place 0 stands for none */
    replay_tape_limit(t, IN_MEMORY);
    return t;
}

void replay_tape_limit(struct replay_tape *t, size_t bytes)
{
    t->limit = bytes;
    grow(t, bytes < LEAST ? bytes : LEAST);
}

void replay_tape_destroy(struct replay_tape *t)
{
    if (!t)
        return;
    replay_threads_release(t);
    for (size_t k = 0; k < t->tracks.n; k++)
        free(t->tracks.at[k].kept);
    free(t->tracks.at);
    for (size_t k = 0; k < t->groups.n; k++)
        free(t->groups.at[k].rank);
    free(t->groups.at);
    base_table_release(&t->group_of);
    replay_loops_release(&t->loops);
    replay_texts_release(&t->texts);
    free(t->counts.at);
    free(t->action.at);
    if (t->memory)
        base_unreserve(t->memory, t->room);
    if (t->file >= 0)
        close(t->file);
    free(t);
}

/* --- where chunks are ------------------------------------------------------------------------------- */

void replay_no_file(const char *what)
{
    const char *folder = getenv("TMPDIR");
    base_fatal(BASE_EXIT_HOST,
               "the trace does not fit in memory, and a temporary file in %s cannot be %s: %s",
               folder && *folder ? folder : "/tmp", what, strerror(errno));
}

static int make_temporary_file(void)
{
    const char *folder = getenv("TMPDIR");
    folder = folder && *folder ? folder : "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd >= 0)
        return fd;
    char *name = base_strfmt("%s/pgasim-tape-XXXXXX", folder);
    fd = mkostemp(name, O_CLOEXEC);
    if (fd >= 0)
        unlink(name);
    free(name);
    return fd;
}

int replay_tape_temporary_file(void)
{
    int file = make_temporary_file();
    if (file < 0)
        replay_no_file("made");
    return file;
}

static void write_file(struct replay_tape *t, uint64_t place, const unsigned char *bytes, size_t n)
{
    while (n) {
        ssize_t done = pwrite(t->file, bytes, n, (off_t)place);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            replay_no_file("written");
        bytes += done;
        place += (uint64_t)done;
        n -= (size_t)done;
    }
}

/* Open chunks are kept from now on. */
static void move_to_file(struct replay_tape *t)
{
    t->file = replay_tape_temporary_file();
    write_file(t, 0, t->memory, t->used);
    for (size_t k = 0; k < t->tracks.n; k++) {
        struct replay_track *track = &t->tracks.at[k];
        if (!track->place)
            continue;
        track->kept = base_alloc(track->size, "a tape");
        memcpy(track->kept, t->memory + track->place + sizeof(struct replay_chunk), track->used);
    }
    base_unreserve(t->memory, t->room);
    t->memory = NULL;
}

static uint64_t take_place(struct replay_tape *t, size_t bytes)
{
    while (t->memory && t->used + bytes > t->room)
        if (t->room < t->limit)
            grow(t, 2 * t->room < t->limit ? 2 * t->room : t->limit);
        else
            move_to_file(t);
    uint64_t place = t->used;
    t->used += bytes;
    return place;
}

static void put_bytes(struct replay_tape *t, uint64_t place, const void *bytes, size_t n)
{
    if (t->memory)
        memcpy(t->memory + place, bytes, n);
    else
        write_file(t, place, bytes, n);
}

static unsigned char *open_bytes(const struct replay_tape *t, const struct replay_track *k)
{
    return k->kept ? k->kept : t->memory + k->place + sizeof(struct replay_chunk);
}

/* --- writing ---------------------------------------------------------------------------------------- */

void replay_tape_ranks_least(struct replay_tape *t, uint32_t ranks)
{
    while (t->tracks.n < ranks)
        BASE_ARRAY_PUSH(&t->tracks, (struct replay_track){0});
}

/* The chunk goes where it was to be; the next one, of `size` bytes, gets its place. */
static void close_chunk(struct replay_tape *t, struct replay_track *k, uint64_t next, uint32_t next_size)
{
    struct replay_chunk head = {.next = next, .next_size = next_size, .used = k->used};
    put_bytes(t, k->place, &head, sizeof head);
    if (k->kept)
        put_bytes(t, k->place + sizeof head, k->kept, k->used);
}

static uint32_t next_size(const struct replay_tape *t, const struct replay_track *k, size_t action)
{
    uint32_t most = (uint32_t)(OPEN / t->tracks.n), size = k->place ? 2 * k->size : FIRST;
    most = most > LARGEST ? LARGEST : most;
    size = size > most ? most : size;
    size = size < FIRST ? FIRST : size;
    return action > size ? (uint32_t)action : size;
}

static void open_chunk(struct replay_tape *t, struct replay_track *k, size_t action)
{
    uint32_t size = next_size(t, k, action);
    uint64_t place = take_place(t, sizeof(struct replay_chunk) + size);
    if (k->place) {
        close_chunk(t, k, place, size);
    } else {
        k->first = place;
        k->first_size = size;
    }
    k->place = place;
    k->size = size;
    k->used = 0;
    if (!t->memory)
        k->kept = base_realloc(k->kept, size, "a tape");
}

static void write_action(struct replay_tape *t, uint32_t rank, const struct replay_action *a)
{
    replay_tape_ranks_least(t, rank + 1);
    struct replay_track *k = &t->tracks.at[rank];
    t->action.n = 0;
    replay_encode(&t->action, &t->texts, a, &k->line);
    if (!k->place || k->used + t->action.n > k->size)
        open_chunk(t, k, t->action.n);
    memcpy(open_bytes(t, k) + k->used, t->action.at, t->action.n);
    k->used += (uint32_t)t->action.n;
    if (a->kind != REPLAY_SOURCE)
        k->last = (uint8_t)a->kind;
}

void replay_tape_write(struct replay_tape *t, uint32_t rank, const struct replay_action *a)
{
    write_action(t, rank, a);
    uint64_t times = replay_loops_times(&t->loops, rank);
    t->actions += a->kind == REPLAY_SOURCE ? 0 : times;
    t->sources |= a->kind == REPLAY_SOURCE;
    t->calls |= a->kind == REPLAY_CALL;
    if (a->kind != REPLAY_CALL || a->number >= RECORD_RISCV_FUNCTIONS)
        return;
    t->symmetric |= a->number >= RECORD_MPI_FUNCTIONS;
    t->cores |= a->number >= RECORD_SHMEM_FUNCTIONS;
}

int replay_tape_loop(struct replay_tape *t, uint32_t rank, uint32_t line, uint32_t times,
                     struct base_status *st)
{
    const struct replay_action a = {.kind = REPLAY_LOOP, .line = line, .number = times};
    if (replay_loops_begin(&t->loops, rank, times, st))
        return -1;
    write_action(t, rank, &a);
    return 0;
}

int replay_tape_loop_end(struct replay_tape *t, uint32_t rank, uint32_t line, struct base_status *st)
{
    const struct replay_action a = {.kind = REPLAY_LOOP_END, .line = line};
    if (replay_loops_end(&t->loops, rank, st))
        return -1;
    write_action(t, rank, &a);
    return 0;
}

int replay_tape_loops_closed(const struct replay_tape *t, struct base_status *st)
{
    if (t->threads && t->threads->loops.open.live)
        return base_fail(st, "a further thread of a rank: expected the end of a repeat");
    return replay_loops_closed(&t->loops, st);
}

void replay_tape_keep_times(struct replay_tape *t)
{
    t->times = true;
}

bool replay_tape_keeps_times(const struct replay_tape *t)
{
    return t->times;
}

void replay_tape_set_computes(struct replay_tape *t)
{
    t->computes = true;
}

void replay_tape_set_guessed(struct replay_tape *t)
{
    t->guessed = true;
}

bool replay_tape_guessed(const struct replay_tape *t)
{
    return t->guessed;
}

bool replay_tape_computes(const struct replay_tape *t)
{
    return t->computes;
}

bool replay_tape_cores(const struct replay_tape *t)
{
    return t->cores;
}

bool replay_tape_symmetric(const struct replay_tape *t)
{
    return t->symmetric || (t->threads && t->threads->symmetric);
}

bool replay_tape_sources(const struct replay_tape *t)
{
    return t->sources || (t->threads && t->threads->sources);
}

bool replay_tape_calls(const struct replay_tape *t)
{
    return t->calls || (t->threads && t->threads->calls);
}

void replay_tape_seal(struct replay_tape *t)
{
    if (t->threads)
        replay_tape_seal(t->threads);
    for (size_t k = 0; k < t->tracks.n; k++) {
        struct replay_track *track = &t->tracks.at[k];
        if (track->place)
            close_chunk(t, track, 0, 0);
        free(track->kept);
        track->kept = NULL;
    }
}

uint32_t replay_tape_ranks(const struct replay_tape *t)
{
    return (uint32_t)t->tracks.n;
}

void replay_tape_set_initial(struct replay_tape *t, uint32_t ranks)
{
    t->initial = ranks;
}

uint32_t replay_tape_initial(const struct replay_tape *t)
{
    return t->initial ? t->initial : replay_tape_ranks(t);
}

uint32_t replay_tape_started(const struct replay_tape *t)
{
    return replay_tape_ranks(t) - replay_tape_initial(t);
}

uint64_t replay_tape_actions(const struct replay_tape *t)
{
    return t->actions + (t->threads ? t->threads->actions : 0);
}

/* --- groups ----------------------------------------------------------------------------------------- */

uint32_t replay_tape_group(struct replay_tape *t, const uint32_t *rank, uint32_t n)
{
    const uint32_t *known = base_table_find_bytes(&t->group_of, rank, n * sizeof *rank);
    if (known)
        return *known;
    struct replay_group g = {.n = n, .rank = base_alloc(n * sizeof *rank, "groups of a tape")};
    memcpy(g.rank, rank, n * sizeof *rank);
    BASE_ARRAY_PUSH(&t->groups, g);
    *(uint32_t *)base_table_add_bytes(&t->group_of, g.rank, n * sizeof *rank, NULL) = (uint32_t)t->groups.n;
    return (uint32_t)t->groups.n;
}

uint32_t replay_tape_groups(const struct replay_tape *t)
{
    return (uint32_t)t->groups.n;
}

const struct replay_group *replay_tape_group_at(const struct replay_tape *t, uint32_t group)
{
    return &t->groups.at[group - 1];
}

struct replay_tape *replay_tape_copy_groups(const struct replay_tape *t)
{
    struct replay_tape *out = replay_tape_create();
    replay_tape_ranks_least(out, replay_tape_ranks(t));
    out->initial = t->initial;
    for (size_t k = 0; k < t->groups.n; k++)
        replay_tape_group(out, t->groups.at[k].rank, t->groups.at[k].n);
    return out;
}
