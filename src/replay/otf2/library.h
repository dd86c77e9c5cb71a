/* SPDX-License-Identifier: BSD-3-Clause */
/* library: OTF2's functions that the reader and the writer use (private to otf2/). */
#ifndef PGASIM_REPLAY_OTF2_LIBRARY_H
#define PGASIM_REPLAY_OTF2_LIBRARY_H

#include <otf2/otf2.h>

#include "base/base.h"

#define REPLAY_OTF2_EACH(X)                                                                                  \
    X(Error_RegisterCallback)                                                                                \
    X(Error_GetDescription)                                                                                  \
    X(Reader_Open)                                                                                           \
    X(Reader_Close)                                                                                          \
    X(Reader_SetSerialCollectiveCallbacks)                                                                   \
    X(Reader_GetCreator)                                                                                     \
    X(Reader_GetGlobalDefReader)                                                                             \
    X(Reader_RegisterGlobalDefCallbacks)                                                                     \
    X(Reader_ReadAllGlobalDefinitions)                                                                       \
    X(Reader_CloseGlobalDefReader)                                                                           \
    X(Reader_SelectLocation)                                                                                 \
    X(Reader_OpenDefFiles)                                                                                   \
    X(Reader_CloseDefFiles)                                                                                  \
    X(Reader_GetDefReader)                                                                                   \
    X(Reader_ReadAllLocalDefinitions)                                                                        \
    X(Reader_CloseDefReader)                                                                                 \
    X(Reader_OpenEvtFiles)                                                                                   \
    X(Reader_CloseEvtFiles)                                                                                  \
    X(Reader_GetEvtReader)                                                                                   \
    X(Reader_RegisterEvtCallbacks)                                                                           \
    X(Reader_ReadAllLocalEvents)                                                                             \
    X(Reader_CloseEvtReader)                                                                                 \
    X(EvtReader_ApplyMappingTables)                                                                          \
    X(GlobalDefReaderCallbacks_New)                                                                          \
    X(GlobalDefReaderCallbacks_Delete)                                                                       \
    X(GlobalDefReaderCallbacks_SetClockPropertiesCallback)                                                   \
    X(GlobalDefReaderCallbacks_SetStringCallback)                                                            \
    X(GlobalDefReaderCallbacks_SetLocationCallback)                                                          \
    X(GlobalDefReaderCallbacks_SetRegionCallback)                                                            \
    X(GlobalDefReaderCallbacks_SetGroupCallback)                                                             \
    X(GlobalDefReaderCallbacks_SetCommCallback)                                                              \
    X(GlobalDefReaderCallbacks_SetRmaWinCallback)                                                            \
    X(EvtReaderCallbacks_New)                                                                                \
    X(EvtReaderCallbacks_Delete)                                                                             \
    X(EvtReaderCallbacks_SetEnterCallback)                                                                   \
    X(EvtReaderCallbacks_SetLeaveCallback)                                                                   \
    X(EvtReaderCallbacks_SetMpiSendCallback)                                                                 \
    X(EvtReaderCallbacks_SetMpiIsendCallback)                                                                \
    X(EvtReaderCallbacks_SetMpiIsendCompleteCallback)                                                        \
    X(EvtReaderCallbacks_SetMpiIrecvRequestCallback)                                                         \
    X(EvtReaderCallbacks_SetMpiRecvCallback)                                                                 \
    X(EvtReaderCallbacks_SetMpiIrecvCallback)                                                                \
    X(EvtReaderCallbacks_SetMpiRequestCancelledCallback)                                                     \
    X(EvtReaderCallbacks_SetMpiCollectiveEndCallback)                                                        \
    X(EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback)                                            \
    X(EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback)                                           \
    X(EvtReaderCallbacks_SetRmaCollectiveEndCallback)                                                        \
    X(EvtReaderCallbacks_SetRmaPutCallback)                                                                  \
    X(EvtReaderCallbacks_SetRmaGetCallback)                                                                  \
    X(EvtReaderCallbacks_SetRmaAtomicCallback)                                                               \
    X(EvtReaderCallbacks_SetRmaGroupSyncCallback)                                                            \
    X(EvtReaderCallbacks_SetRmaAcquireLockCallback)                                                          \
    X(EvtReaderCallbacks_SetRmaWaitChangeCallback)

/* And those that the writer uses. */
#define REPLAY_OTF2_EACH_WRITTEN(X)                                                                          \
    X(Archive_GetEvtWriter)                                                                                  \
    X(Archive_CloseEvtWriter)                                                                                \
    X(Archive_CloseEvtFiles)                                                                                 \
    X(Archive_OpenDefFiles)                                                                                  \
    X(Archive_GetDefWriter)                                                                                  \
    X(Archive_CloseDefWriter)                                                                                \
    X(Archive_CloseDefFiles)                                                                                 \
    X(Archive_GetGlobalDefWriter)                                                                            \
    X(EvtWriter_Enter)                                                                                       \
    X(EvtWriter_Leave)                                                                                       \
    X(EvtWriter_MpiSend)                                                                                     \
    X(EvtWriter_MpiIsend)                                                                                    \
    X(EvtWriter_MpiIsendComplete)                                                                            \
    X(EvtWriter_MpiIrecvRequest)                                                                             \
    X(EvtWriter_MpiIrecv)                                                                                    \
    X(EvtWriter_MpiRecv)                                                                                     \
    X(EvtWriter_MpiRequestTest)                                                                              \
    X(EvtWriter_MpiCollectiveBegin)                                                                          \
    X(EvtWriter_MpiCollectiveEnd)                                                                            \
    X(EvtWriter_NonBlockingCollectiveRequest)                                                                \
    X(EvtWriter_NonBlockingCollectiveComplete)                                                               \
    X(EvtWriter_GetNumberOfEvents)                                                                           \
    X(GlobalDefWriter_WriteClockProperties)                                                                  \
    X(GlobalDefWriter_WriteParadigm)                                                                         \
    X(GlobalDefWriter_WriteString)                                                                           \
    X(GlobalDefWriter_WriteSystemTreeNode)                                                                   \
    X(GlobalDefWriter_WriteLocationGroup)                                                                    \
    X(GlobalDefWriter_WriteLocation)                                                                         \
    X(GlobalDefWriter_WriteRegion)                                                                           \
    X(GlobalDefWriter_WriteGroup)                                                                            \
    X(GlobalDefWriter_WriteComm)

#define REPLAY_OTF2_MEMBER(f) __typeof__(OTF2_##f) *f;
struct replay_otf2_library {
    REPLAY_OTF2_EACH(REPLAY_OTF2_MEMBER)
    REPLAY_OTF2_EACH_WRITTEN(REPLAY_OTF2_MEMBER)
};
#undef REPLAY_OTF2_MEMBER
/* NULL with st: the library is not installed, or lacks a function. Loaded once. */
const struct replay_otf2_library *replay_otf2_library(struct base_status *st);

#endif
