/* SPDX-License-Identifier: BSD-3-Clause */
/* write: a rank's file of DUMPI as it is written (private to dumpi/). */
#ifndef PGASIM_REPLAY_DUMPI_WRITE_H
#define PGASIM_REPLAY_DUMPI_WRITE_H

#include "base/table.h"
#include "replay/dumpi/dumpi.h"
#include "replay/dumpi/reader.h"
#include "replay/write/write.h"

struct replay_dumpi_writer {
    char *prefix, *text; /* names: of the ranks' files, of the text */
    uint32_t ranks, rank;
    struct replay_dumpi_layouts layouts;
    int16_t call_of[RECORD_MPI_FUNCTIONS]; /* -1: DUMPI has no such call */
    struct replay_output *out;             /* the rank's */
    uint64_t at;                           /* bytes of it */
    int64_t now;                           /* its clock, in nanoseconds */
    double rest;                           /* of a nanosecond */
    struct base_table made;                /* kind and word of objects that are in records */
    uint64_t calls[REPLAY_DUMPI_CALLS];
    BASE_ARRAY(int32_t) sizes; /* of types, by number */
};

/* write.c: a number of so many bytes, the highest first. */
void replay_dumpi_write(struct replay_dumpi_writer *x, unsigned bytes, uint64_t value);

/* types.c: the number of a type that DUMPI has by name; -1: it has none. */
int64_t replay_dumpi_type_number(int64_t word);
int32_t replay_dumpi_type_size(int64_t number); /* 0: it is no such type, or not known */
enum { REPLAY_DUMPI_FIRST_TYPE = 28 };          /* of the program's */

/* objects.c: the number of a predefined object; -1: it is none of DUMPI's. */
int64_t replay_dumpi_predefined_number(enum record_object o, int64_t word);
int64_t replay_dumpi_first_number(enum record_object o); /* of those of the program's */

#endif
