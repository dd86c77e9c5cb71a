/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * calls: tables of event types and kinds, and the lookup of names. Emitters register their tables of names at
 * start-up. Names are compared whole and never parsed.
 *
 * Invariants
 *  C1  A table's rows are sorted by name, strictly; this is checked when the table is first searched.
 */
#include "trace/trace.h"

#include <string.h>

/* The fields by the words that events.def uses. */
enum {
    THREAD = TRACE_HAS_THREAD,
    CALL = TRACE_HAS_CALL,
    OP = TRACE_HAS_OP,
    CAUSE = TRACE_HAS_CAUSE,
    PEER = TRACE_HAS_PEER,
    COUNT = TRACE_HAS_COUNT,
    BYTES = TRACE_HAS_BYTES,
    LEAST = TRACE_HAS_LEAST,
    DETAIL = TRACE_HAS_DETAIL,
    CONTEXT = TRACE_HAS_CONTEXT,
    TAG = TRACE_HAS_TAG,
    ADDRESS = TRACE_HAS_ADDRESS,
    KIND = TRACE_HAS_KIND,
    VALUES = TRACE_HAS_VALUES,
};

const struct trace_type_info trace_types[TRACE_TYPES] = {
#define TRACE_EVENT(name, text, category, fields) [TRACE_##name] = {text, TRACE_CATEGORY_##category, fields},
#include "trace/events.def"
};

const struct trace_kind_info trace_kinds[TRACE_KINDS] = {
#define TRACE_KIND(name, text, group, awaited)                                                               \
    [TRACE_KIND_##name] = {text, TRACE_GROUP_##group, TRACE_AWAITS_##awaited},
#include "trace/kinds.def"
};

bool trace_kind_fetches(enum trace_kind kind)
{
    switch (kind) {
    case TRACE_KIND_ATOMIC_FETCH:
    case TRACE_KIND_ATOMIC_FETCH_UPDATE:
    case TRACE_KIND_ATOMIC_FETCH_ADD:
    case TRACE_KIND_ATOMIC_FETCH_INCREMENT:
    case TRACE_KIND_ATOMIC_SWAP:
    case TRACE_KIND_ATOMIC_COMPARE_SWAP:
        return true;
    default:
        return false;
    }
}

const char *trace_access_text(int32_t access)
{
    static const char *const texts[TRACE_ACCESSES] = {[TRACE_ACCESS_READS] = "read",
                                                      [TRACE_ACCESS_WRITES] = "written",
                                                      [TRACE_ACCESS_FETCHES] = "read atomically",
                                                      [TRACE_ACCESS_UPDATES] = "updated atomically"};
    return access >= 0 && access < TRACE_ACCESSES ? texts[access] : "accessed";
}

/* --- names ---------------------------------------------------------------------------------------------- */

static struct {
    const struct trace_call *table;
    size_t n;
    bool checked; /* C1 */
} registered[16];
static unsigned tables;

void trace_calls_register(const struct trace_call *table, size_t n)
{
    for (unsigned k = 0; k < tables; k++)
        if (registered[k].table == table)
            return;
    BASE_ASSERT("C1", tables < BASE_LENGTH(registered));
    registered[tables].table = table;
    registered[tables++].n = n;
}

const struct trace_call *trace_call_in(const struct trace_call *table, size_t n, const char *name)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(table[middle].name, name);
        if (!order)
            return &table[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void check(unsigned which)
{
    const struct trace_call *table = registered[which].table;
    for (size_t k = 0; k < registered[which].n; k++) {
        BASE_ASSERT("C1", !k || strcmp(table[k - 1].name, table[k].name) < 0);
        BASE_ASSERT("C1", table[k].kind < TRACE_KINDS && table[k].awaited < TRACE_AWAITEDS);
    }
    registered[which].checked = true;
}

const struct trace_call *trace_call_find(const char *name)
{
    const struct trace_call *found = NULL;
    for (unsigned k = 0; k < tables && !found; k++) {
        if (!registered[k].checked)
            check(k);
        found = trace_call_in(registered[k].table, registered[k].n, name);
    }
    return found;
}

struct trace_call trace_about_call(const struct trace_about *about, const char *name)
{
    struct trace_call call = {name, TRACE_KIND_OTHER, TRACE_AWAITS_OTHER};
    const struct trace_call *found = NULL;
    if (name)
        found = about->call ? about->call(about->ctx, name) : trace_call_find(name);
    if (found) {
        call.kind = found->kind;
        call.awaited = found->awaited ? found->awaited : (uint8_t)trace_kinds[found->kind].awaited;
    }
    return call;
}

size_t trace_field_name(const char *fields, uint32_t k, const char **name)
{
    for (*name = fields + strspn(fields, " ");; (*name) += strspn(*name, " ")) {
        size_t n = strcspn(*name, " ");
        if (!n || !k--)
            return n;
        *name += n;
    }
}
