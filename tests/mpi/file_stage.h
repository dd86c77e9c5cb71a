/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * file_stage: ranks without programs that use files of MPI, on a platform whose file system has all of them; the requests that
 * it is asked for.
 *
 *   files_begin(2, "");            ranks 0, 1 on hosts n0, n1; properties of the file system besides
 *   files_play(body);              each rank calls it
 */
#ifndef PGASIM_TESTS_MPI_FILE_STAGE_H
#define PGASIM_TESTS_MPI_FILE_STAGE_H

#include "mpi/file/parts.h"

#include "coll/coll.h"
#include "fabric/fabric.h"
#include "mpi/mpi_front.h"
#include "p2p/p2p.h"
#include "rank/ranks.h"
#include "rma/rma.h"
#include "seed.h"

#include <math.h>
#include <mpi.h>
#include <unistd.h>

static struct ranks stage;
static char files_path[] = "/tmp/pgasim-files-XXXXXX/file";

/* Hosts n0 to n5, 1 ms from each other; n4 and n5 are servers with a disk each, whose files have stripes of 1000 bytes. */
static inline void files_begin(uint32_t ranks, const char *properties)
{
    static const char text[] =
        "<?xml version='1.0'?>\n<platform version='4.1'><zone id='z' routing='Full'>\n"
        "<prop id='storage/pfs/servers' value='n4 n5'/><prop id='storage/pfs/mount' value='/'/>"
        "<prop id='storage/pfs/read_bw' value='1GBps'/><prop id='storage/pfs/write_bw' value='1GBps'/>"
        "<prop id='storage/pfs/stripe_size' value='1kB'/><prop id='storage/pfs/stripe_count' value='0'/>%s\n"
        "<cluster id='k' prefix='n' radical='0-5' suffix='' speed='1Gf' bw='1GBps' "
        "lat='500us'/></zone></platform>";
    char *platform = base_strfmt(text, properties);
    ranks_prepare(&stage, ranks, 64);
    base_settings_declare(stage.settings, coll_settings, coll_settings_count);
    base_settings_declare(stage.settings, fabric_message_settings, fabric_message_settings_count);
    base_settings_declare(stage.settings, mpi_settings, mpi_settings_count);
    base_settings_declare(stage.settings, storage_settings, storage_settings_count);
    ranks_setting(&stage, "network/model", "raw");
    ranks_begin(&stage, ranks_platform(&stage, platform), NULL);
    free(platform);
}

static ranks_body_fn files_body;
static inline void files_rank(struct rank *r)
{
    MPI_Init(NULL, NULL);
    files_body(r);
    MPI_Finalize();
}

static inline void files_play(ranks_body_fn body)
{
    files_body = body;
    stage.all = files_rank;
    if (ranks_run(&stage) != ENGINE_ALL_DONE)
        fail_msg("the run ended with status %d: %s", stage.status, stage.report);
    ranks_end(&stage);
    unlink(files_path);
}

static inline int files_main(const struct CMUnitTest *tests, size_t n)
{
    files_path[strlen(files_path) - strlen("/file")] = 0;
    if (!mkdtemp(files_path))
        return 1;
    files_path[strlen(files_path)] = '/';
    p2p_register();
    rma_register();
    coll_register();
    storage_register();
    mpi_register();
    int failed = _cmocka_run_group_tests("files", tests, n, NULL, NULL);
    unlink(files_path);
    *strrchr(files_path, '/') = 0;
    rmdir(files_path);
    return failed;
}

static inline void files_fails(const char *what, int rc, int wanted)
{
    int class = MPI_SUCCESS;
    if (rc)
        MPI_Error_class(rc, &class);
    if (class != wanted)
        fail_msg("%s gives class %d, expected %d", what, class, wanted);
}

static inline MPI_File files_open(MPI_Comm comm, int amode, const char *const *hints)
{
    MPI_File f;
    MPI_Info info;
    MPI_Info_create(&info);
    for (; hints && *hints; hints += 2)
        MPI_Info_set(info, hints[0], hints[1]);
    files_fails("opening", MPI_File_open(comm, files_path, amode, info, &f), MPI_SUCCESS);
    MPI_Info_free(&info);
    return f;
}

static inline struct mpi_file *files_of(struct rank *r, MPI_File f)
{
    return mpi_find(mpi_rank_of(r), MPI_KIND_FILE, f);
}

/* Bytes by which the file system's files have grown. */
static inline uint64_t files_used(const struct rank *r)
{
    return storage_volume_totals(storage_of(r->job), 0).used;
}

/* --- requests --------------------------------------------------------------------------------------------- */

struct files_request {
    uint64_t at, bytes;
    uint32_t rank;
    bool write;
};
enum { FILES_REQUESTS = 4096 };
static struct files_request files_request[FILES_REQUESTS];
static size_t files_requests;

static inline void files_note(void *ctx, const struct trace_event *ev)
{
    (void)ctx;
    if (ev->type != TRACE_IO_ASKED || (ev->kind != TRACE_KIND_READ && ev->kind != TRACE_KIND_WRITE))
        return;
    assert_true(files_requests < FILES_REQUESTS);
    files_request[files_requests++] =
        (struct files_request){ev->address, ev->bytes, ev->rank, ev->kind == TRACE_KIND_WRITE};
}

static inline int files_note_end(void *ctx)
{
    (void)ctx;
    return 0;
}

/* From files_begin on, requests of all ranks are noted in their order. */
static inline void files_note_requests(void)
{
    stage.trace.wanted = 1u << TRACE_CATEGORY_IO;
    files_requests = 0;
    trace_attach(&stage.trace, &(struct trace_sink){.event = files_note, .close = files_note_end});
}

#endif
