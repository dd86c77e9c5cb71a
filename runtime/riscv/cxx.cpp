/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What compiled C++ calls or refers to: new, delete, initialization of static objects, virtual functions.
 * There is no C++ library for bare programs; `pgasim riscv-cc` links this with C++ programs instead. Names
 * are those of the Itanium C++ ABI.
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

extern "C" {
void *__dso_handle;

void __cxa_pure_virtual()
{
    abort();
}

/* A core is one thread: a static object is being initialized only if its initializer needs itself. */
int __cxa_guard_acquire(char *guard)
{
    return !*guard;
}

void __cxa_guard_release(char *guard)
{
    *guard = 1;
}
}

/* Descriptions of classes refer to these. dynamic_cast, which would use them, is not there. */
namespace __cxxabiv1
{
struct __class_type_info {
    virtual ~__class_type_info();
};
struct __si_class_type_info : __class_type_info {
    ~__si_class_type_info();
};
struct __vmi_class_type_info : __class_type_info {
    ~__vmi_class_type_info();
};
__class_type_info::~__class_type_info()
{
}
__si_class_type_info::~__si_class_type_info()
{
}
__vmi_class_type_info::~__vmi_class_type_info()
{
}
} // namespace __cxxabiv1
