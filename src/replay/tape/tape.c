/* SPDX-License-Identifier: BSD-3-Clause */
/* tape: chunks of actions, and where they are kept. */
#include "replay/tape/code.h"
#include "replay/tape/loops.h"

#include "base/table.h"
#include "record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sizes of chunks: the first of a rank is small, since most of a million ranks do little; each next one is twice as
 * large, up to a size with which all ranks' open chunks fit in OPEN bytes. */
enum { FIRST = 64, LARGEST = 64 << 10, OPEN = 64 << 20, LEAST = 1 << 20, IN_MEMORY = 256 << 20 };

struct head {
    uint64_t next; /* 0: there is none */
    uint32_t next_size, used;
};

/* What a rank has written, and its open chunk, whose actions are at its place in memory already; of a tape in a file
 * they are kept until it is full. */
struct track {
    uint64_t first, place; /* of the first chunk, of the open one; 0: none */
    unsigned char *kept;   /* NULL: at its place */
    uint32_t first_size, size, used, line;
};

struct replay_tape {
    BASE_ARRAY(struct track) tracks;
    struct replay_texts texts;
    struct replay_counts counts;
    BASE_ARRAY(struct replay_group) groups;
    struct base_table group_of; /* ranks -> number */
    struct replay_loops loops;  /* that are being written */
    replay_bytes action;        /* the one that is being written */
    unsigned char *memory;      /* NULL: it is in the file */
    size_t room, limit;         /* bytes of memory now, and at most */
    int file;
    uint64_t used, actions;
    bool calls, symmetric, times, computes;
};

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

static _Noreturn void no_file(const char *what)
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
        no_file("made");
    return file;
}

static void write_file(struct replay_tape *t, uint64_t place, const unsigned char *bytes, size_t n)
{
    while (n) {
        ssize_t done = pwrite(t->file, bytes, n, (off_t)place);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            no_file("written");
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
        struct track *track = &t->tracks.at[k];
        if (!track->place)
            continue;
        track->kept = base_alloc(track->size, "a tape");
        memcpy(track->kept, t->memory + track->place + sizeof(struct head), track->used);
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

static unsigned char *open_bytes(const struct replay_tape *t, const struct track *k)
{
    return k->kept ? k->kept : t->memory + k->place + sizeof(struct head);
}

/* --- writing ---------------------------------------------------------------------------------------- */

void replay_tape_ranks_least(struct replay_tape *t, uint32_t ranks)
{
    while (t->tracks.n < ranks)
        BASE_ARRAY_PUSH(&t->tracks, (struct track){0});
}

/* The chunk goes where it was to be; the next one, of `size` bytes, gets its place. */
static void close_chunk(struct replay_tape *t, struct track *k, uint64_t next, uint32_t next_size)
{
    struct head head = {.next = next, .next_size = next_size, .used = k->used};
    put_bytes(t, k->place, &head, sizeof head);
    if (k->kept)
        put_bytes(t, k->place + sizeof head, k->kept, k->used);
}

static uint32_t next_size(const struct replay_tape *t, const struct track *k, size_t action)
{
    uint32_t most = (uint32_t)(OPEN / t->tracks.n), size = k->place ? 2 * k->size : FIRST;
    most = most > LARGEST ? LARGEST : most;
    size = size > most ? most : size;
    size = size < FIRST ? FIRST : size;
    return action > size ? (uint32_t)action : size;
}

static void open_chunk(struct replay_tape *t, struct track *k, size_t action)
{
    uint32_t size = next_size(t, k, action);
    uint64_t place = take_place(t, sizeof(struct head) + size);
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
    struct track *k = &t->tracks.at[rank];
    t->action.n = 0;
    replay_encode(&t->action, &t->texts, a, &k->line);
    if (!k->place || k->used + t->action.n > k->size)
        open_chunk(t, k, t->action.n);
    memcpy(open_bytes(t, k) + k->used, t->action.at, t->action.n);
    k->used += (uint32_t)t->action.n;
}

void replay_tape_write(struct replay_tape *t, uint32_t rank, const struct replay_action *a)
{
    write_action(t, rank, a);
    t->actions += replay_loops_times(&t->loops, rank);
    t->calls |= a->kind == REPLAY_CALL;
    t->symmetric |= a->kind == REPLAY_CALL && a->number >= RECORD_MPI_FUNCTIONS;
}

int replay_tape_loop(struct replay_tape *t, uint32_t rank, uint32_t line, uint32_t times, struct base_status *st)
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

bool replay_tape_computes(const struct replay_tape *t)
{
    return t->computes;
}

bool replay_tape_symmetric(const struct replay_tape *t)
{
    return t->symmetric;
}

bool replay_tape_calls(const struct replay_tape *t)
{
    return t->calls;
}

void replay_tape_seal(struct replay_tape *t)
{
    for (size_t k = 0; k < t->tracks.n; k++) {
        struct track *track = &t->tracks.at[k];
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

uint64_t replay_tape_actions(const struct replay_tape *t)
{
    return t->actions;
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

/* --- reading ---------------------------------------------------------------------------------------- */

void replay_cursor_begin(const struct replay_tape *t, uint32_t rank, struct replay_cursor *c)
{
    const struct track *k = &t->tracks.at[rank];
    *c = (struct replay_cursor){.next = k->first, .next_size = k->first_size};
}

static void read_file(const struct replay_tape *t, uint64_t place, unsigned char *bytes, size_t n)
{
    while (n) {
        ssize_t done = pread(t->file, bytes, n, (off_t)place);
        if (done < 0 && errno == EINTR)
            continue;
        if (done == 0)
            return; /* behind the last chunk's end */
        if (done < 0)
            no_file("read");
        bytes += done;
        place += (uint64_t)done;
        n -= (size_t)done;
    }
}

/* In front of a chunk that was read from a file. */
struct own {
    uint64_t place;
    uint32_t size;
};

static const unsigned char *load(struct replay_tape *t, struct replay_cursor *c, uint64_t place, uint32_t size)
{
    struct own own = {place, size};
    size_t bytes = sizeof(struct head) + size;
    if (t->memory)
        return t->memory + place;
    c->chunk = base_realloc(c->chunk, sizeof own + bytes, "a piece of a tape");
    memcpy(c->chunk, &own, sizeof own);
    read_file(t, place, c->chunk + sizeof own, bytes);
    return c->chunk + sizeof own;
}

static bool next_chunk(struct replay_tape *t, struct replay_cursor *c)
{
    struct head head;
    if (!c->next) {
        replay_cursor_end(c);
        return false;
    }
    const unsigned char *chunk = load(t, c, c->next, c->next_size);
    memcpy(&head, chunk, sizeof head);
    c->at = chunk + sizeof head;
    c->end = c->at + head.used;
    c->next = head.next;
    c->next_size = head.next_size;
    return true;
}

/* Where a loop's first action is. Of a tape in memory `place` is the action's, and `left` the bytes behind it. */
struct turn {
    uint64_t place, next;
    uint32_t size, next_size, offset, left, line;
    uint32_t times; /* still to come */
};
struct replay_turns {
    uint32_t n;
    struct turn at[REPLAY_LOOPS];
};

static void begin_turns(struct replay_tape *t, struct replay_cursor *c, uint32_t times)
{
    struct turn turn = {
        .next = c->next, .next_size = c->next_size, .left = (uint32_t)(c->end - c->at), .line = c->line, .times = times};
    struct own own;
    if (t->memory) {
        turn.place = (uint64_t)(c->at - t->memory);
    } else {
        memcpy(&own, c->chunk, sizeof own);
        turn.place = own.place;
        turn.size = own.size;
        turn.offset = (uint32_t)(c->at - c->chunk - sizeof own);
    }
    if (!c->turns)
        c->turns = base_zalloc(sizeof *c->turns, "loops of a tape");
    c->turns->at[c->turns->n++] = turn;
}

/* At a loop's end: back to its beginning, or out of it. */
static void take_turn(struct replay_tape *t, struct replay_cursor *c)
{
    struct turn *turn = &c->turns->at[c->turns->n - 1];
    struct own own;
    if (!--turn->times) {
        c->turns->n--;
        return;
    }
    if (t->memory) {
        c->at = t->memory + turn->place;
    } else {
        memcpy(&own, c->chunk, sizeof own);
        if (own.place != turn->place)
            load(t, c, turn->place, turn->size);
        c->at = c->chunk + sizeof own + turn->offset;
    }
    c->end = c->at + turn->left;
    c->next = turn->next;
    c->next_size = turn->next_size;
    c->line = turn->line;
}

bool replay_cursor_next(struct replay_tape *t, struct replay_cursor *c, struct replay_action *out)
{
    for (;;) {
        if (c->at == c->end && !next_chunk(t, c))
            return false;
        c->at = replay_decode(c->at, &t->texts, &t->counts, out, &c->line);
        if (BASE_LIKELY(out->kind < REPLAY_LOOP))
            return true;
        if (out->kind == REPLAY_LOOP)
            begin_turns(t, c, out->number);
        else
            take_turn(t, c);
    }
}

void replay_cursor_end(struct replay_cursor *c)
{
    free(c->chunk);
    free(c->turns);
    *c = (struct replay_cursor){0};
}
