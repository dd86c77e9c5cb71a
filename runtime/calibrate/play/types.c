/* SPDX-License-Identifier: BSD-3-Clause */
/* types: datatypes that the program makes. */
#include "play/play.h"

/* The new type is the last parameter. */
static void made(struct play_call *c, MPI_Datatype type)
{
    PLAY_MADE(c, c->f->n - 1, type, type);
}

static void need(const struct play_call *c, uint32_t k, int n)
{
    if (c->part[k].n < n)
        play_stop(c->play, c->f->param[k].name, "as many elements as the call names");
}

static void commit(struct play_call *c)
{
    MPI_Datatype type = play_type(c, 0);
    MPI_Type_commit(&type);
}

static void type_free(struct play_call *c)
{
    MPI_Datatype type = play_type(c, 0);
    MPI_Type_free(&type);
}

static void duplicate(struct play_call *c)
{
    MPI_Datatype type;
    MPI_Type_dup(play_type(c, 0), &type);
    made(c, type);
}

static void contiguous(struct play_call *c)
{
    MPI_Datatype type;
    MPI_Type_contiguous(play_int(c, 0), play_type(c, 1), &type);
    made(c, type);
}

static void vector(struct play_call *c)
{
    MPI_Datatype type;
    MPI_Type_vector(play_int(c, 0), play_int(c, 1), (int)play_aint(c, 2), play_type(c, 3), &type);
    made(c, type);
}

static void hvector(struct play_call *c)
{
    MPI_Datatype type;
    MPI_Type_create_hvector(play_int(c, 0), play_int(c, 1), play_aint(c, 2), play_type(c, 3), &type);
    made(c, type);
}

static void indexed(struct play_call *c)
{
    MPI_Datatype type;
    need(c, 1, play_int(c, 0));
    need(c, 2, play_int(c, 0));
    MPI_Type_indexed(play_int(c, 0), play_ints(c, 1), play_ints(c, 2), play_type(c, 3), &type);
    made(c, type);
}

static void hindexed(struct play_call *c)
{
    MPI_Datatype type;
    need(c, 1, play_int(c, 0));
    need(c, 2, play_int(c, 0));
    MPI_Type_create_hindexed(play_int(c, 0), play_ints(c, 1), play_aints(c, 2), play_type(c, 3), &type);
    made(c, type);
}

static void indexed_block(struct play_call *c)
{
    MPI_Datatype type;
    need(c, 2, play_int(c, 0));
    MPI_Type_create_indexed_block(play_int(c, 0), play_int(c, 1), play_ints(c, 2), play_type(c, 3), &type);
    made(c, type);
}

static void hindexed_block(struct play_call *c)
{
    MPI_Datatype type;
    need(c, 2, play_int(c, 0));
    MPI_Type_create_hindexed_block(play_int(c, 0), play_int(c, 1), play_aints(c, 2), play_type(c, 3), &type);
    made(c, type);
}

static void structure(struct play_call *c)
{
    MPI_Datatype type;
    for (uint32_t k = 1; k < 4; k++)
        need(c, k, play_int(c, 0));
    MPI_Type_create_struct(play_int(c, 0), play_ints(c, 1), play_aints(c, 2), play_types(c, 3), &type);
    made(c, type);
}

static void subarray(struct play_call *c)
{
    MPI_Datatype type;
    for (uint32_t k = 1; k < 4; k++)
        need(c, k, play_int(c, 0));
    MPI_Type_create_subarray(play_int(c, 0), play_ints(c, 1), play_ints(c, 2), play_ints(c, 3),
                             play_int(c, 4), play_type(c, 5), &type);
    made(c, type);
}

static void resized(struct play_call *c)
{
    MPI_Datatype type;
    MPI_Type_create_resized(play_type(c, 0), play_aint(c, 1), play_aint(c, 2), &type);
    made(c, type);
}

const struct play_entry play_type_calls[] = {{RECORD_MPI_TYPE_COMMIT, commit},
                                             {RECORD_MPI_TYPE_FREE, type_free},
                                             {RECORD_MPI_TYPE_DUP, duplicate},
                                             {RECORD_MPI_TYPE_CONTIGUOUS, contiguous},
                                             {RECORD_MPI_TYPE_VECTOR, vector},
                                             {RECORD_MPI_TYPE_CREATE_HVECTOR, hvector},
                                             {RECORD_MPI_TYPE_HVECTOR, hvector},
                                             {RECORD_MPI_TYPE_INDEXED, indexed},
                                             {RECORD_MPI_TYPE_CREATE_HINDEXED, hindexed},
                                             {RECORD_MPI_TYPE_HINDEXED, hindexed},
                                             {RECORD_MPI_TYPE_CREATE_INDEXED_BLOCK, indexed_block},
                                             {RECORD_MPI_TYPE_CREATE_HINDEXED_BLOCK, hindexed_block},
                                             {RECORD_MPI_TYPE_CREATE_STRUCT, structure},
                                             {RECORD_MPI_TYPE_STRUCT, structure},
                                             {RECORD_MPI_TYPE_CREATE_SUBARRAY, subarray},
                                             {RECORD_MPI_TYPE_CREATE_RESIZED, resized},
                                             {0, NULL}};
