/* SPDX-License-Identifier: BSD-3-Clause */
/* none: nobody looks at loads and stores. */
#include "check/watch/watch.h"

bool check_watching;

void check_load(uintptr_t address, size_t bytes, const void *pc)
{
    (void)address, (void)bytes, (void)pc;
}
void check_store(uintptr_t address, size_t bytes, const void *pc)
{
    (void)address, (void)bytes, (void)pc;
}
void check_volatile_load(uintptr_t address, size_t bytes, const void *pc)
{
    (void)address, (void)bytes, (void)pc;
}
void check_volatile_store(uintptr_t address, size_t bytes, const void *pc)
{
    (void)address, (void)bytes, (void)pc;
}
void check_atomic(uintptr_t address, size_t bytes, bool reads, bool writes, int order, const void *pc)
{
    (void)address, (void)bytes, (void)reads, (void)writes, (void)order, (void)pc;
}
void check_enter(const void *pc, const void *frame)
{
    (void)pc, (void)frame;
}
void check_leave(void)
{
}
void check_acquire(const void *object)
{
    (void)object;
}
void check_release(const void *object)
{
    (void)object;
}
