/* SPDX-License-Identifier: BSD-3-Clause */
/* cursor: a rank's way over a sealed tape, from chunk to chunk, and through loops as often as they say. */
#include "replay/tape/chunk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void replay_cursor_begin(const struct replay_tape *t, uint32_t rank, struct replay_cursor *c)
{
    const struct replay_track *k = &t->tracks.at[rank];
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
            replay_no_file("read");
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

static const unsigned char *load(struct replay_tape *t, struct replay_cursor *c, uint64_t place,
                                 uint32_t size)
{
    struct own own = {place, size};
    size_t bytes = sizeof(struct replay_chunk) + size;
    if (t->memory)
        return t->memory + place;
    c->chunk = base_realloc(c->chunk, sizeof own + bytes, "a piece of a tape");
    memcpy(c->chunk, &own, sizeof own);
    read_file(t, place, c->chunk + sizeof own, bytes);
    return c->chunk + sizeof own;
}

static bool next_chunk(struct replay_tape *t, struct replay_cursor *c)
{
    struct replay_chunk head;
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
    struct turn turn = {.next = c->next,
                        .next_size = c->next_size,
                        .left = (uint32_t)(c->end - c->at),
                        .line = c->line,
                        .times = times};
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
        if (BASE_LIKELY(out->kind < REPLAY_SOURCE) || (out->kind == REPLAY_SOURCE && c->sources))
            return true;
        if (out->kind == REPLAY_LOOP)
            begin_turns(t, c, out->number);
        else if (out->kind == REPLAY_LOOP_END)
            take_turn(t, c);
    }
}

void replay_cursor_end(struct replay_cursor *c)
{
    free(c->chunk);
    free(c->turns);
    *c = (struct replay_cursor){0};
}
