/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled C++ calls: new, delete, and what stands for a pure virtual function. There is no C++ library for bare
 * programs; `pgasim riscv-cc` links this with C++ programs instead.
 */
#include <stddef.h>
#include <stdlib.h>

void *operator new(size_t size)
{
    void *block = malloc(size ? size : 1);
    if (!block)
        abort(); /* there are no exceptions */
    return block;
}

void *operator new[](size_t size)
{
    return operator new(size);
}

void operator delete(void *block) noexcept
{
    free(block);
}

void operator delete[](void *block) noexcept
{
    free(block);
}

void operator delete(void *block, size_t) noexcept
{
    free(block);
}

void operator delete[](void *block, size_t) noexcept
{
    free(block);
}

extern "C" void __cxa_pure_virtual()
{
    abort();
}
