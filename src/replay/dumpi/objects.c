/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * objects: DUMPI numbers handles by their values, so that a handle that is used again has the number again. The first
 * numbers of a kind are those of predefined objects.
 */
#include "replay/dumpi/reader.h"
#include "replay/dumpi/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const predefined[RECORD_OBJECTS][REPLAY_DUMPI_PREDEFINED] = {
    [RECORD_COMM] = {"MPI_COMM_NULL", "MPI_COMM_NULL", "MPI_COMM_WORLD", "MPI_COMM_SELF"},
    [RECORD_GROUP] = {"MPI_GROUP_NULL", "MPI_GROUP_NULL", "MPI_GROUP_EMPTY"},
    [RECORD_OP] = {"MPI_OP_NULL", "MPI_MAX", "MPI_MIN", "MPI_SUM", "MPI_PROD", "MPI_LAND", "MPI_BAND",
                   "MPI_LOR", "MPI_BOR", "MPI_LXOR", "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC", "MPI_REPLACE",
                   "MPI_OP_NULL"},
    [RECORD_REQUEST] = {"MPI_REQUEST_NULL", "MPI_REQUEST_NULL"},
    [RECORD_WIN] = {"MPI_WIN_NULL"},
};
enum { WORLD = 2, SELF };

int64_t replay_dumpi_named(enum record_object o, const char *name)
{
    int64_t value = 0;
    if (!record_value_of(o, name, strlen(name), &value))
        base_fatal(BASE_EXIT_BUG, "no handle is called %s", name);
    return value;
}

static bool is_predefined(enum record_object o, int64_t number)
{
    return number >= 0 && number < REPLAY_DUMPI_PREDEFINED && predefined[o][number];
}

static const char *kind_of(enum record_object o)
{
    switch (o) {
    case RECORD_COMM:
        return "communicator";
    case RECORD_GROUP:
        return "group";
    case RECORD_OP:
        return "operator";
    case RECORD_WIN:
        return "window";
    default:
        return "object";
    }
}

struct replay_dumpi_object *replay_dumpi_object(struct replay_dumpi_rank *x, enum record_object o,
                                                int64_t number)
{
    return is_predefined(o, number) ? NULL : base_table_find(&x->objects[o], (uint64_t)number);
}

int replay_dumpi_taken(struct replay_dumpi_rank *x, enum record_object o, int64_t number, int64_t *word,
                       struct base_status *st)
{
    const struct replay_dumpi_object *found = replay_dumpi_object(x, o, number);
    if (is_predefined(o, number))
        *word = x->predefined[o][number];
    else if (found && found->uses)
        *word = found->word;
    else if (o == RECORD_REQUEST)
        *word = x->predefined[o][0];
    else
        return base_fail(st, "%s number %" PRId64 ": %s", kind_of(o), number,
                         found ? "it was freed before" : "no call that is played has made it before");
    return 0;
}

int64_t replay_dumpi_made(struct replay_dumpi_rank *x, enum record_object o, int64_t number)
{
    bool fresh;
    if (is_predefined(o, number))
        return x->predefined[o][number];
    struct replay_dumpi_object *object = base_table_add(&x->objects[o], (uint64_t)number, &fresh);
    if (fresh)
        *object = (struct replay_dumpi_object){.word = RECORD_MADE + x->made[o]++};
    /* Some libraries have one handle for all sends that are complete at once. */
    if (o == RECORD_REQUEST && object->uses) {
        replay_dumpi_put(x, RECORD_MPI_REQUEST_FREE, &object->word, 1);
        object->uses = 0;
    }
    uint32_t uses = o == RECORD_GROUP ? object->uses + 1 : 1; /* a group may be handed out again */
    *object = (struct replay_dumpi_object){.word = object->word, .uses = uses};
    return object->word;
}

void replay_dumpi_freed(struct replay_dumpi_rank *x, enum record_object o, int64_t number)
{
    struct replay_dumpi_object *object = replay_dumpi_object(x, o, number);
    if (object && object->uses)
        object->uses--;
}

void replay_dumpi_completed(struct replay_dumpi_rank *x, int64_t number)
{
    struct replay_dumpi_object *object = replay_dumpi_object(x, RECORD_REQUEST, number);
    if (object && !object->persistent)
        object->uses = 0;
}

/* --- members of communicators ----------------------------------------------------------------------------- */

static int check_members(int64_t said, int64_t expected, struct base_status *st)
{
    return said == expected
               ? 0
               : base_fail(st, "a communicator of %" PRId64 " members; expected %" PRId64, said, expected);
}

int replay_dumpi_learn(struct replay_dumpi_rank *x, struct base_status *st)
{
    const struct replay_dumpi_value *comm = replay_dumpi_value(&x->record, "comm"),
                                    *members = replay_dumpi_value(&x->record, "members");
    if (!comm || !members)
        return 0;
    if (comm->number == WORLD || comm->number == SELF)
        return check_members(members->number, comm->number == WORLD ? x->ranks : 1, st);
    struct replay_dumpi_object *object = replay_dumpi_object(x, RECORD_COMM, comm->number);
    if (!object)
        return 0;
    if (object->members)
        return check_members(members->number, object->members, st);
    object->members = members->number;
    return 0;
}

/* --- begin and end ------------------------------------------------------------------------------------------ */

void replay_dumpi_objects_begin(struct replay_dumpi_rank *x)
{
    for (int o = 0; o < RECORD_OBJECTS; o++) {
        base_table_init(&x->objects[o], BASE_NUMBERS, sizeof(struct replay_dumpi_object),
                        "objects of a trace");
        for (int k = 0; k < REPLAY_DUMPI_PREDEFINED && predefined[o][k]; k++)
            x->predefined[o][k] = replay_dumpi_named((enum record_object)o, predefined[o][k]);
    }
    base_table_init(&x->types, BASE_NUMBERS, sizeof(int64_t), "types of a trace");
    base_table_init(&x->of_size, BASE_NUMBERS, sizeof(int64_t), "types of a trace");
}

void replay_dumpi_objects_end(struct replay_dumpi_rank *x)
{
    for (int o = 0; o < RECORD_OBJECTS; o++)
        base_table_release(&x->objects[o]);
    base_table_release(&x->types);
    base_table_release(&x->of_size);
    record_words_release(&x->words);
    free(x->record.numbers.at);
    free(x->sizes.at);
}

/* --- writing --------------------------------------------------------------------------------------------------- */

int64_t replay_dumpi_predefined_number(enum record_object o, int64_t word)
{
    const char *name = word < RECORD_MADE ? record_name_of(o, word) : NULL;
    for (int k = 0; name && k < REPLAY_DUMPI_PREDEFINED && predefined[o][k]; k++)
        if (!strcmp(predefined[o][k], name))
            return k;
    return -1;
}

int64_t replay_dumpi_first_number(enum record_object o)
{
    int64_t n = 0;
    while (n < REPLAY_DUMPI_PREDEFINED && predefined[o][n])
        n++;
    return n;
}
