/* SPDX-License-Identifier: BSD-3-Clause */
/* names: functions and handles by name. */
#include "record/record.h"

#include <string.h>

uint32_t record_mpi_find(const char *name, size_t length)
{
    size_t low = 0, high = record_mpi_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strncmp(record_mpi[middle].name, name, length);
        if (!order && !record_mpi[middle].name[length])
            return (uint32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)record_mpi_count;
}

const char *record_name_of(enum record_object o, int64_t value)
{
    for (size_t k = 0; k < record_mpi_names_count; k++)
        if (record_mpi_names[k].object == o && record_mpi_names[k].value == value)
            return record_mpi_names[k].name;
    return NULL;
}

bool record_value_of(enum record_object o, const char *name, size_t length, int64_t *value)
{
    for (size_t k = 0; k < record_mpi_names_count; k++)
        if (record_mpi_names[k].object == o && !strncmp(record_mpi_names[k].name, name, length) &&
            !record_mpi_names[k].name[length]) {
            *value = record_mpi_names[k].value;
            return true;
        }
    return false;
}
