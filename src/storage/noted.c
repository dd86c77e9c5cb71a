/* SPDX-License-Identifier: BSD-3-Clause */
/* noted: what front ends that ask for a rank's own requests tell a recorder of them. */
#include "storage/storage.h"

static storage_noted_fn listener;
static void *listens;

void storage_on_noted(storage_noted_fn fn, void *arg)
{
    listener = fn;
    listens = arg;
}

bool storage_is_noted(void)
{
    return listener != NULL;
}

void storage_note(struct rank *r, const struct storage_noted *t)
{
    if (BASE_UNLIKELY(listener != NULL))
        listener(listens, r, t);
}
