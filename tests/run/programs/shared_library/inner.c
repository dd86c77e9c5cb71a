/* SPDX-License-Identifier: BSD-3-Clause */
int inner_public[4] = {1, 2, 3, 4};
static int hidden, made;

__attribute__((constructor)) static void make(void)
{
    made++;
}

int inner_made_by_constructor(void)
{
    return made;
}

int inner_next(void)
{
    static _Thread_local int calls;
    return ++calls;
}

int *inner_hidden(void)
{
    return &hidden;
}
