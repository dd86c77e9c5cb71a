/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * otf2: what the parts of the OTF2 writer share (private to trace/): the library's functions, the archive's
 * place, and the numbers by which definitions and events refer to each other.
 *
 * Numbers: a location is rank | thread << 32; the one that records loads comes after the last rank's. The
 * first strings are the names, with the names' own numbers. Other numbers have no gaps, because readers need
 * that: regions and metric instances are numbered as they occur; of tree nodes the platform comes first, then
 * hosts with ranks, then links with loads.
 */
#ifndef PGASIM_TRACE_OTF2_H
#define PGASIM_TRACE_OTF2_H

#include <otf2/otf2.h>

#include "trace/foreign/foreign.h"

/* The functions used, with the types that OTF2's headers declare. */
#define OTF2_EACH_FUNCTION(X)                                                                                \
    X(Archive_Open)                                                                                          \
    X(Archive_Close)                                                                                         \
    X(Archive_SetFlushCallbacks)                                                                             \
    X(Archive_SetMemoryCallbacks)                                                                            \
    X(Archive_SetSerialCollectiveCallbacks)                                                                  \
    X(Archive_SetCreator)                                                                                    \
    X(Archive_SetDescription)                                                                                \
    X(Archive_OpenEvtFiles)                                                                                  \
    X(Archive_CloseEvtFiles)                                                                                 \
    X(Archive_GetEvtWriter)                                                                                  \
    X(Archive_CloseEvtWriter)                                                                                \
    X(Archive_OpenDefFiles)                                                                                  \
    X(Archive_CloseDefFiles)                                                                                 \
    X(Archive_GetDefWriter)                                                                                  \
    X(Archive_CloseDefWriter)                                                                                \
    X(Archive_GetGlobalDefWriter)                                                                            \
    X(Archive_GetTraceId)                                                                                    \
    X(Error_RegisterCallback)                                                                                \
    X(Error_GetDescription)                                                                                  \
    X(EvtWriter_Enter)                                                                                       \
    X(EvtWriter_Leave)                                                                                       \
    X(EvtWriter_Metric)                                                                                      \
    X(EvtWriter_ParameterString)                                                                             \
    X(EvtWriter_ParameterUnsignedInt)                                                                        \
    X(EvtWriter_MpiSend)                                                                                     \
    X(EvtWriter_MpiRecv)                                                                                     \
    X(EvtWriter_RmaPut)                                                                                      \
    X(EvtWriter_RmaGet)                                                                                      \
    X(EvtWriter_RmaAtomic)                                                                                   \
    X(EvtWriter_RmaOpCompleteRemote)                                                                         \
    X(EvtWriter_RmaOpCompleteNonBlocking)                                                                    \
    X(EvtWriter_RmaCollectiveBegin)                                                                          \
    X(EvtWriter_RmaCollectiveEnd)                                                                            \
    X(EvtWriter_IoOperationBegin)                                                                            \
    X(EvtWriter_IoOperationIssued)                                                                           \
    X(EvtWriter_IoOperationComplete)                                                                         \
    X(EvtWriter_GetNumberOfEvents)                                                                           \
    X(GlobalDefWriter_WriteClockProperties)                                                                  \
    X(GlobalDefWriter_WriteParadigm)                                                                         \
    X(GlobalDefWriter_WriteString)                                                                           \
    X(GlobalDefWriter_WriteSystemTreeNode)                                                                   \
    X(GlobalDefWriter_WriteLocationGroup)                                                                    \
    X(GlobalDefWriter_WriteLocation)                                                                         \
    X(GlobalDefWriter_WriteRegion)                                                                           \
    X(GlobalDefWriter_WriteGroup)                                                                            \
    X(GlobalDefWriter_WriteComm)                                                                             \
    X(GlobalDefWriter_WriteRmaWin)                                                                           \
    X(GlobalDefWriter_WriteParameter)                                                                        \
    X(GlobalDefWriter_WriteMetricMember)                                                                     \
    X(GlobalDefWriter_WriteMetricClass)                                                                      \
    X(GlobalDefWriter_WriteMetricInstance)                                                                   \
    X(GlobalDefWriter_WriteIoParadigm)                                                                       \
    X(GlobalDefWriter_WriteIoRegularFile)                                                                    \
    X(GlobalDefWriter_WriteIoHandle)                                                                         \
    X(GlobalDefWriter_WriteIoPreCreatedHandleState)

#define OTF2_MEMBER(f) __typeof__(OTF2_##f) *f;
struct otf2_library {
    OTF2_EACH_FUNCTION(OTF2_MEMBER)
};
#undef OTF2_MEMBER
/* NULL with st: the library is not installed, or lacks a function. Loaded once. */
const struct otf2_library *otf2_library(struct base_status *st);

/* --- the archive (otf2_archive.c) --------------------------------------------------------------------- */

/* FILE.otf2 stands for FILE.otf2, FILE.def and the folder FILE/. */
struct otf2_archive {
    const struct otf2_library *lib;
    OTF2_Archive *archive; /* NULL: not begun */
    char *path, *folder, *name;
    int claim;          /* keeps other runs away; -1: none */
    uint32_t streaming; /* locations that write to their files during the run */
    bool failed;
};
/* Only checks: files are changed from otf2_archive_begin on. */
int otf2_archive_open(struct otf2_archive *a, const char *path, struct base_status *st);
void otf2_archive_begin(struct otf2_archive *a, const struct trace_about *about);
/* 0, or -1 if something failed (it was reported then). */
int otf2_archive_close(struct otf2_archive *a);

/* --- numbers ------------------------------------------------------------------------------------------ */

enum { OTF2_COMM_WORLD };                    /* communicators */
enum { OTF2_WIN_MEMORY, OTF2_WIN_MESSAGES }; /* windows */
enum {
    OTF2_PARAMETER_MARK,
    OTF2_PARAMETER_SIGNAL,
    OTF2_PARAMETER_RACE,
    OTF2_PARAMETER_KEPT
}; /* parameters */
/* Metrics: classes, then instances. */
enum { OTF2_CLASS_LINK, OTF2_CLASS_HOST, OTF2_CLASS_ENERGY, OTF2_CLASS_DISKS, OTF2_METRIC_INSTANCES };

static inline OTF2_LocationRef otf2_location(uint32_t rank, uint32_t thread)
{
    return (OTF2_LocationRef)thread << 32 | rank;
}
/* What events have referred to, for the definitions. `Thing`: what has loads, that is, links, hosts, and then
 * hosts as takers of energy and as owners of disks, numbered in one sequence. */
struct otf2_facts {
    uint64_t first, last;          /* picoseconds */
    BASE_ARRAY(uint32_t) region;   /* by name: its region; of a path: its file */
    BASE_ARRAY(uint32_t) file;     /* by file: its name */
    BASE_ARRAY(uint32_t) name;     /* by region: its name */
    BASE_ARRAY(uint32_t) instance; /* by metric instance: the thing */
    uint32_t *instance_of;         /* by thing: its metric instance + 1; 0: none */
    OTF2_EvtWriter *loads;         /* NULL: there are none */
};
void otf2_definitions_write(struct otf2_archive *a, const struct trace_foreign *f,
                            const struct otf2_facts *facts);

#endif
