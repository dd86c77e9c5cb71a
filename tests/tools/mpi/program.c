/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The header made of the sample against the standard's text: what differs does not compile. Then calls the
 * library made of the same lists, under both names, and reads its table for traces.
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "program.h"
#include "trace/trace.h"

/* Every function is in the header, under both names. */
static const void *const addresses[][2] = {
#define DECLARED(RESULT, NAME, PARAMS) {(const void *)(uintptr_t)NAME, (const void *)(uintptr_t)P##NAME},
#include "standard.list"
#undef DECLARED
};
/* And has the standard's type. */
#define DECLARED(RESULT, NAME, PARAMS)                                                                       \
    RESULT NAME PARAMS;                                                                                      \
    RESULT P##NAME PARAMS;
#include "standard.list"
#undef DECLARED

static const char *const names[] = {
#define DECLARED(RESULT, NAME, PARAMS) #NAME,
#include "standard.list"
#undef DECLARED
};
enum { FUNCTIONS = sizeof names / sizeof names[0] };

extern const struct trace_call mpi_calls[];
extern const size_t mpi_calls_count;

static int wrong;

static void check(int right, const char *what)
{
    if (!right) {
        fprintf(stderr, "wrong: %s\n", what);
        wrong++;
    }
}

static void check_called(const char *name, long long count, size_t size)
{
    if (strcmp(called.name, name) || called.count != count || called.size != size) {
        fprintf(stderr, "wrong: expected %s(%lld of %zu bytes), not %s(%lld of %zu bytes)\n", name, count,
                size, called.name, called.count, called.size);
        wrong++;
    }
}

static void check_handles(void)
{
    static const struct {
        uintptr_t have, want;
        const char *name;
    } handles[] = {
        {(uintptr_t)MPI_SUM, 0x21, "MPI_SUM"},
        {(uintptr_t)MPI_COMM_WORLD, 0x101, "MPI_COMM_WORLD"},
        {(uintptr_t)MPI_INFO_ENV, 0x131, "MPI_INFO_ENV"},
        {(uintptr_t)MPI_REQUEST_NULL, 0x180, "MPI_REQUEST_NULL"},
        {(uintptr_t)MPI_INT, 0x209, "MPI_INT"},
        {(uintptr_t)MPI_INT64_T, 0x258, "MPI_INT64_T"},
    };
    for (size_t k = 0; k < sizeof handles / sizeof handles[0]; k++)
        check(handles[k].have == handles[k].want, handles[k].name);
    _Static_assert(_Generic(MPI_COMM_WORLD, MPI_Comm : 1, default : 0), "a handle has its own type");
    _Static_assert(_Generic(MPI_INT, MPI_Datatype : 1, default : 0), "a handle has its own type");
}

static void check_calls(void)
{
    const MPI_Aint displacements[] = {(MPI_Aint)1 << 40};
    MPI_Count position = 0;
    MPI_Send(NULL, 5, MPI_INT, 0, 0, MPI_COMM_WORLD);
    check_called("MPI_Send", 5, 4);
    MPI_Send_c(NULL, (MPI_Count)1 << 33, MPI_INT, 0, 0, MPI_COMM_WORLD);
    check_called("MPI_Send_c", 1LL << 33, 8);
    PMPI_Iallreduce_c(NULL, NULL, (MPI_Count)1 << 34, MPI_INT, MPI_SUM, MPI_COMM_WORLD, NULL);
    check_called("MPI_Iallreduce_c", 1LL << 34, 8);
    MPI_Type_create_struct(1, NULL, displacements, NULL, NULL);
    check_called("MPI_Type_create_struct", 1LL << 40, 8);
    PMPI_Pack_external_c("external32", NULL, 1, MPI_INT, NULL, (MPI_Count)1 << 35, &position);
    check_called("MPI_Pack_external_c", 1LL << 35, 8);
    PMPI_Barrier(MPI_COMM_WORLD);
    check(!strcmp(called.name, "MPI_Barrier"), "PMPI_Barrier");
    MPI_Pcontrol(1, 2, 3.0);
    check(!strcmp(called.name, "MPI_Pcontrol"), "MPI_Pcontrol");
}

static const struct trace_call *row(const char *name)
{
    for (size_t k = 0; k < mpi_calls_count; k++)
        if (!strcmp(mpi_calls[k].name, name))
            return &mpi_calls[k];
    return NULL;
}

static void check_kinds(void)
{
    static const struct {
        const char *name;
        enum trace_kind kind;
        enum trace_awaited awaited;
    } some[] = {
        {"MPI_Send", TRACE_KIND_SEND, 0},
        {"MPI_Send_c", TRACE_KIND_SEND, 0},
        {"MPI_Waitall", TRACE_KIND_WAIT_REQUEST, 0},
        {"MPI_Allreduce_init", TRACE_KIND_SETUP, TRACE_AWAITS_COLLECTIVE},
        {"MPI_Allreduce_init_c", TRACE_KIND_SETUP, TRACE_AWAITS_COLLECTIVE},
        {"MPI_Psend_init_c", TRACE_KIND_SETUP, 0},
        {"MPI_Put_c", TRACE_KIND_PUT, 0},
    };
    check(mpi_calls_count == FUNCTIONS, "the number of functions that a trace knows");
    for (size_t k = 0; k < FUNCTIONS; k++)
        check(row(names[k]) != NULL, names[k]);
    for (size_t k = 1; k < mpi_calls_count; k++)
        check(strcmp(mpi_calls[k - 1].name, mpi_calls[k].name) < 0, "the order of names");
    for (size_t k = 0; k < sizeof some / sizeof some[0]; k++) {
        const struct trace_call *r = row(some[k].name);
        check(r && r->kind == some[k].kind && r->awaited == some[k].awaited, some[k].name);
    }
}

int main(void)
{
    for (size_t k = 0; k < FUNCTIONS; k++)
        check(addresses[k][0] && addresses[k][0] == addresses[k][1], names[k]);
    check_handles();
    check_calls();
    check_kinds();
    printf("%d functions, %d wrong\n", FUNCTIONS, wrong);
    return wrong ? 1 : 0;
}
