/* SPDX-License-Identifier: BSD-3-Clause */
/* told: what instrumented code does, told to the race detector. */
#include "check/race/race.h"
#include "check/watch/watch.h"

bool check_watching;

void check_load(uintptr_t address, size_t bytes, const void *pc)
{
    race_load(address, bytes, pc);
}

void check_store(uintptr_t address, size_t bytes, const void *pc)
{
    race_store(address, bytes, pc);
}

void check_volatile_load(uintptr_t address, size_t bytes, const void *pc)
{
    race_load(address, bytes, pc);
}

void check_volatile_store(uintptr_t address, size_t bytes, const void *pc)
{
    race_store(address, bytes, pc);
}

void check_atomic(uintptr_t address, size_t bytes, bool reads, bool writes, int order, const void *pc)
{
    race_atomic(&(struct race_atomic){
        .address = address, .bytes = bytes, .reads = reads, .writes = writes, .order = order, .pc = pc});
}

void check_enter(const void *pc, const void *frame)
{
    race_enter(pc, frame);
}

void check_leave(const void *pc, const void *frame)
{
    race_leave(pc, frame);
}

void check_acquire(const void *object)
{
    race_acquired(object);
}

void check_release(const void *object)
{
    race_released(object);
}
