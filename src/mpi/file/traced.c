/* SPDX-License-Identifier: BSD-3-Clause */
/* traced: what traces are told of accesses and of the steps of those in two phases (trace/events.def). */
#include "mpi/file/parts.h"

void mpi_io_tell(struct mpi_io *io)
{
    bool started = io->request || io->file->split == io;
    io->told =
        (struct storage_told){.call = io->call,
                              .path = io->file->opened->path,
                              .offset = (uint64_t)io->low,
                              .bytes = io->bytes,
                              .span = (uint64_t)(io->high - io->low),
                              .kind = io->access.write ? TRACE_KIND_WRITE : TRACE_KIND_READ,
                              .tag = (started ? TRACE_IO_STARTED : 0) | (io->access.all ? TRACE_IO_ALL : 0)};
    storage_tell_begin(io->file->owner->rank, &io->told);
}

void mpi_step_tell(const struct mpi_io *io, bool begins, const struct mpi_step *step, uint32_t round,
                   uint64_t bytes)
{
    const struct rank *r = io->file->owner->rank;
    if (!io->told.number)
        return;
    trace_emit(rank_trace(r->job), &(struct trace_event){.time = engine_now(r->engine),
                                                         .type = begins ? TRACE_PHASE_BEGIN : TRACE_PHASE_END,
                                                         .rank = r->id,
                                                         .thread = io->told.thread,
                                                         .call = step->name,
                                                         .kind = step->kind,
                                                         .op = io->told.number,
                                                         .bytes = bytes,
                                                         .context = round,
                                                         .tag = io->told.tag});
}
