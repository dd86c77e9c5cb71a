/* SPDX-License-Identifier: BSD-3-Clause */
/* names: functions and handles by name, in tables of hashes that are made once. */
#include "record/record.h"

#include <string.h>

enum { PLACES = 1024 }; /* more than twice as many as there are names of a kind */

static unsigned place_of(const char *name, size_t length)
{
    uint32_t hash = 2166136261U;
    for (size_t k = 0; k < length; k++)
        hash = (hash ^ (unsigned char)name[k]) * 16777619U;
    return (hash ^ hash >> 15) % PLACES;
}

static void enter(uint16_t *places, const char *name, size_t index)
{
    unsigned at = place_of(name, strlen(name));
    while (places[at])
        at = (at + 1) % PLACES;
    places[at] = (uint16_t)(index + 1);
}

static bool is(const char *known, const char *name, size_t length)
{
    return !strncmp(known, name, length) && !known[length];
}

uint32_t record_mpi_find(const char *name, size_t length)
{
    static uint16_t places[PLACES];
    static bool made;
    for (size_t k = 0; !made && k < record_mpi_count; k++)
        enter(places, record_mpi[k].name, k);
    made = true;
    for (unsigned at = place_of(name, length); places[at]; at = (at + 1) % PLACES)
        if (is(record_mpi[places[at] - 1].name, name, length))
            return places[at] - 1U;
    return (uint32_t)record_mpi_count;
}

uint32_t record_find(const char *name, size_t length)
{
    static uint16_t places[PLACES];
    static bool made;
    if (!strncmp(name, "MPI_", 4)) {
        uint32_t function = record_mpi_find(name, length);
        return function == record_mpi_count ? RECORD_FUNCTIONS : function;
    }
    for (uint32_t k = RECORD_MPI_FUNCTIONS; !made && k < RECORD_FUNCTIONS; k++)
        enter(places, record_function_of(k)->name, k);
    made = true;
    for (unsigned at = place_of(name, length); places[at]; at = (at + 1) % PLACES)
        if (is(record_function_of(places[at] - 1U)->name, name, length))
            return places[at] - 1U;
    return RECORD_FUNCTIONS;
}

enum { VALUES = 1024 }; /* of handles, which no two names share but for those of the same object */

const char *record_name_of(enum record_object o, int64_t value)
{
    if (o == RECORD_CTX || o == RECORD_TEAM)
        return record_shmem_name_of(o, value);
    static unsigned short at[VALUES]; /* place + 1 of the first name; 0: none */
    if (!at[record_mpi_names[0].value])
        for (size_t k = record_mpi_names_count; k-- > 0;)
            at[record_mpi_names[k].value % VALUES] = (unsigned short)(k + 1);
    size_t k = value >= 0 && value < VALUES ? at[value] : 0;
    return k && record_mpi_names[k - 1].object == o ? record_mpi_names[k - 1].name : NULL;
}

bool record_value_of(enum record_object o, const char *name, size_t length, int64_t *value)
{
    if (o == RECORD_CTX || o == RECORD_TEAM)
        return record_shmem_value_of(o, name, length, value);
    static uint16_t places[PLACES];
    static bool made;
    for (size_t k = 0; !made && k < record_mpi_names_count; k++)
        enter(places, record_mpi_names[k].name, k);
    made = true;
    for (unsigned at = place_of(name, length); places[at]; at = (at + 1) % PLACES) {
        const struct record_name *found = &record_mpi_names[places[at] - 1];
        if (found->object == o && is(found->name, name, length)) {
            *value = found->value;
            return true;
        }
    }
    return false;
}
