/* SPDX-License-Identifier: BSD-3-Clause */
/* table: what the files of the table share (private to table.c and table_read.c). */
#ifndef PGASIM_DEPLOY_TABLE_H
#define PGASIM_DEPLOY_TABLE_H

#include "deploy/parts.h"

/* The first line of a table, with its line end. */
#define DEPLOY_TABLE_HEAD                                                                                    \
    "job,status,time,energy,servers,clients,user,sdsm,sync,sleep,configuration,message\n"

struct deploy_table {
    char *path; /* NULL: in memory only */
    int fd;     /* -1: none */
    uint64_t job;
    BASE_ARRAY(struct deploy_row) row;
    bool mended;
    size_t whole; /* bytes of complete lines, as they were read */
};

/* Appends what is in `text` to the rows; t->whole and t->mended are set. -1 with st ("NAME:LINE: ..."). */
int deploy_table_parse(struct deploy_table *t, const char *text, size_t size, const char *name,
                       struct base_status *st);
void deploy_row_release(struct deploy_row *r);

#endif
