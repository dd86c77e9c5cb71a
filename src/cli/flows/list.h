/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list: a list of activities as `pgasim flows` reads it (private to cli/flows/). One activity a line,
 *     ID send SRC DST BYTES AT
 *     ID exec HOST FLOPS AT
 *     ID read HOST DISK BYTES AT
 *     ID write HOST DISK BYTES AT
 * Words stand between blanks; # starts a comment; empty lines are skipped. No ID occurs twice.
 */
#ifndef PGASIM_CLI_FLOWS_LIST_H
#define PGASIM_CLI_FLOWS_LIST_H

#include "platform/platform.h"

enum flows_kind { FLOWS_SEND, FLOWS_EXEC, FLOWS_READ, FLOWS_WRITE };
enum flows_state { FLOWS_WAITING, FLOWS_RUNNING, FLOWS_DONE, FLOWS_FAILED };

/* One line. A million of them are 48 MB. */
struct flows_activity {
    double amount;     /* bytes or flops */
    double at;         /* seconds: when it starts */
    double end;        /* when it was done or failed; the player's */
    uint32_t from, to; /* hosts; equal ones for an execution; `to` of a read or write: the disk */
    uint32_t line;
    uint32_t id; /* where its ID starts in `ids` */
    uint8_t kind, state;
};

struct flows_list {
    const char *name; /* of the file, for messages */
    BASE_ARRAY(struct flows_activity) activity;
    BASE_ARRAY(char) ids;
};

/* Reads all of `in`. -1 with st as "NAME:LINE: what is wrong, what was expected". Release it in both
 * cases. */
int flows_list_read(struct flows_list *l, const struct platform *p, FILE *in, const char *name,
                    struct base_status *st);
void flows_list_release(struct flows_list *l);
static inline const char *flows_list_id(const struct flows_list *l, const struct flows_activity *a)
{
    return l->ids.at + a->id;
}
/* ids.c: -1 with st, "NAME:LINE: why", where an ID occurs a second time. */
int flows_ids_check(const struct flows_list *l, struct base_status *st);

#endif
