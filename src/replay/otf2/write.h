/* SPDX-License-Identifier: BSD-3-Clause */
/* write: an archive as it is written (private to otf2/). */
#ifndef PGASIM_REPLAY_OTF2_WRITE_H
#define PGASIM_REPLAY_OTF2_WRITE_H

#include "base/table.h"
#include "replay/otf2/library.h"
#include "replay/otf2/otf2.h"
#include "trace/trace.h"

/* Regions are numbered as they occur. A communicator has the number of its group, of which 0 is the world. */
struct replay_otf2_place {
    const char *name;
    bool code; /* the program's */
};
struct replay_otf2_writer {
    const struct replay_otf2_library *lib;
    struct trace_otf2_archive *files;
    OTF2_Archive *archive;
    OTF2_EvtWriter *events; /* of the rank */
    char *path;
    const struct replay_tape *groups;
    uint32_t rank, ranks;
    uint64_t last;           /* the latest time of all */
    uint64_t *count;         /* events of each rank */
    struct base_table named; /* name of a region -> its number + 1 */
    BASE_ARRAY(struct replay_otf2_place) regions;
    BASE_ARRAY(OTF2_RegionRef) inside; /* the rank's regions that it has entered */
};

void replay_otf2_write_definitions(struct replay_otf2_writer *x);

#endif
