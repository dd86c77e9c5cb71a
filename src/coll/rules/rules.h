/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rules: selectors as data. A selector is a set of decision trees, one for each operation: tests on what all
 * members of a group know (a point), and leaves that name an algorithm of some library, with parameters. One
 * text form (docs/selectors.md) holds the tables of Open MPI, MPICH, MVAPICH2, Intel MPI and SMPI, and ours;
 * the libraries' own files and environment variables are read into the same trees.
 *
 * Knows nothing of schedules: which algorithm of ours carries a leaf's name is select.c's business.
 *
 * Invariants
 *  R1  A choice depends on the point and the selector alone.
 *  R2  A rule whose tests hold decides: if none of the rules within it holds, its selector does not choose.
 *  R3  Built-in selectors are read without error and refer to each other without a cycle.
 */
#ifndef PGASIM_COLL_RULES_H
#define PGASIM_COLL_RULES_H

#include "base/base.h"

/* Operations as MPI names them; `collect` is OpenSHMEM's, with sizes that the members do not know. */
enum coll_rules_op {
    COLL_RULES_BARRIER,
    COLL_RULES_BCAST,
    COLL_RULES_GATHER,
    COLL_RULES_GATHERV,
    COLL_RULES_SCATTER,
    COLL_RULES_SCATTERV,
    COLL_RULES_ALLGATHER,
    COLL_RULES_ALLGATHERV,
    COLL_RULES_ALLTOALL,
    COLL_RULES_ALLTOALLV,
    COLL_RULES_ALLTOALLW,
    COLL_RULES_REDUCE,
    COLL_RULES_ALLREDUCE,
    COLL_RULES_REDUCE_SCATTER,
    COLL_RULES_REDUCE_SCATTER_BLOCK,
    COLL_RULES_SCAN,
    COLL_RULES_EXSCAN,
    COLL_RULES_NEIGHBOR_ALLGATHER,
    COLL_RULES_NEIGHBOR_ALLGATHERV,
    COLL_RULES_NEIGHBOR_ALLTOALL,
    COLL_RULES_NEIGHBOR_ALLTOALLV,
    COLL_RULES_NEIGHBOR_ALLTOALLW,
    COLL_RULES_COLLECT,
    COLL_RULES_OPS
};
const char *coll_rules_op_name(enum coll_rules_op op);
/* The operation of that name, or COLL_RULES_OPS. */
enum coll_rules_op coll_rules_op_find(const char *name);

/* What is yes or no about a point. Those from COLL_IS_GIVEN on follow from the others. */
enum coll_point_flag {
    COLL_IS_INTER,       /* between two groups */
    COLL_IS_NONBLOCKING, /* started, and waited for later; persistent ones, too, are not blocking */
    COLL_IS_PERSISTENT,
    COLL_IS_COMMUTATIVE, /* the operator is */
    COLL_IS_BUILTIN,     /* the operator is MPI's own */
    COLL_IS_IN_PLACE,
    COLL_IS_REGULAR,     /* all parts have the same size */
    COLL_IS_CONSECUTIVE, /* members of a node are neighbours in the group */
    COLL_IS_UNIFORM,     /* every node has as many members */
    COLL_IS_INNER,       /* part of a two-level algorithm: among leaders, or within a node */
    COLL_IS_DERIVED,     /* the type is not one of MPI's own */
    COLL_IS_NEAR,        /* a message within a node takes less than half of the time of one between two */
    COLL_IS_TWO_SIDED,   /* carried by messages, not by puts */
    COLL_IS_THREADED,    /* several threads may call */
    COLL_IS_GIVEN,
    COLL_IS_BLOCKING = COLL_IS_GIVEN,
    COLL_IS_POW2,        /* ranks is a power of two */
    COLL_IS_EVEN,        /* ranks is even */
    COLL_IS_SINGLE_NODE, /* all members share one */
    COLL_IS_DISJOINT,    /* every member has a node of its own */
    COLL_IS_SHARED,      /* not disjoint and not inner: MPICH's "parent" */
    COLL_IS_BLOCKS,      /* shared, consecutive and not on a single node: MPICH's "node consecutive" */
    COLL_IS_FLAGS
};

enum coll_topology {
    COLL_TOPOLOGY_UNKNOWN,
    COLL_TOPOLOGY_STAR,
    COLL_TOPOLOGY_FAT_TREE,
    COLL_TOPOLOGY_TORUS,
    COLL_TOPOLOGY_DRAGONFLY,
    COLL_TOPOLOGY_MESH,
    COLL_TOPOLOGY_HIERARCHY, /* members in different zones of the platform */
    COLL_TOPOLOGIES
};
/* That of a platform's zone: its routing, as in <zone routing=...>. */
enum coll_topology coll_topology_of_routing(const char *routing);

/* Where nothing is known of the network: 2 us of 8 GB/s, 0.5 us for each message. */
enum { COLL_PIPE_USUAL = 16 << 10, COLL_BURST_USUAL = 4 };
/* What a choice may depend on: the same at all members. Without padding, so that points compare as bytes. */
struct coll_point {
    uint64_t part;  /* bytes of one member's part: of bcast, reduce, allreduce and scans the whole vector; of
                       * alltoall what one sends to one; of different sizes the average, rounded down */
    uint64_t total; /* bytes of all members' parts */
    uint64_t largest; /* bytes of the largest part */
    uint64_t pipe;    /* bytes that the network between two nodes takes while a message is on its way */
    uint64_t burst;   /* messages that a member issues in that time */
    uint64_t count;   /* elements of a part; of allgatherv, alltoallv and the reduce_scatters of all parts */
    uint32_t ranks, nodes;
    uint32_t per_node; /* members on each node, if that is uniform; else 0 */
    uint32_t flags;    /* bits: enum coll_point_flag below COLL_IS_GIVEN */
    uint32_t op;       /* enum coll_rules_op */
    uint32_t topology; /* enum coll_topology */
    uint32_t degree; /* of neighbour operations: the most edges of a member, if all know the graph; else 0 */
    uint32_t dimensions; /* of their Cartesian grid; 0: there is none */
};
/* Reads "allreduce ranks=64 part=8KiB commutative ..."; what is not given follows from what is, as in
 * docs/selectors.md. */
int coll_point_parse(struct coll_point *out, const char *text, struct base_status *st);

enum coll_tree {
    COLL_TREE_ANY,
    COLL_TREE_KARY,
    COLL_TREE_KNOMIAL_1,
    COLL_TREE_KNOMIAL_2,
    COLL_TREE_AWARE,
    COLL_TREE_WAVE,
    COLL_TREES
};

/* What is chosen. 0 and NULL stand for what the algorithm does anyway. */
struct coll_leaf {
    const char *library, *algorithm; /* "ompi", "recursive_doubling" */
    const char *use;                 /* instead: the selector that chooses; within a level: for that level */
    bool pass;                       /* instead: this selector does not choose */
    enum coll_tree tree;
    uint32_t k;                            /* radix, fan-out */
    uint32_t outstanding;                  /* requests at a time */
    uint64_t segment;                      /* bytes */
    const struct coll_leaf *intra, *inter; /* of two levels: within a node, among leaders */
};

struct coll_rules;
/* A choice, with the way to it: each hop is a rule, of the selector or of one that it uses. */
enum { COLL_CHOICE_HOPS = 8 };
struct coll_choice {
    const struct coll_leaf *leaf; /* names an algorithm */
    uint32_t hops;
    uint32_t op;
    struct {
        const struct coll_rules *rules;
        uint32_t rule;
    } hop[COLL_CHOICE_HOPS];
};

/* Reads a selector in our form; `name` is the file's, for reports. -1 with st: "file:line: ...". */
int coll_rules_parse(struct coll_rules **out, const char *text, size_t bytes, const char *name,
                     struct base_status *st);
/* Reads any form: ours, Open MPI's dynamic rules (numbers or JSON), MPICH's JSON; the text shows which. */
int coll_rules_read_text(struct coll_rules **out, const char *text, size_t bytes, const char *name,
                         struct base_status *st);
int coll_rules_read(struct coll_rules **out, const char *path,
                    struct base_status *st);   /* the same of a file */
void coll_rules_destroy(struct coll_rules *s); /* NULL is allowed */
/* Writes it in our form; read again, it chooses the same. */
struct base_text;
void coll_rules_print(const struct coll_rules *s, struct base_text *out);
const char *coll_rules_name(const struct coll_rules *s);
const char *coll_rules_source(const struct coll_rules *s); /* where its table is published; "": unsaid */

/* What the variables of the environment (NULL-terminated) say to the library whose built-in selector that is,
 * with the selector below; *out is NULL if they say nothing. -1 with st: a value or a file is wrong. */
int coll_rules_variables(struct coll_rules **out, const char *selector, char **environment,
                         struct base_status *st);

/* Whether "NAME=VALUE" is a variable of that selector's library that concerns collectives and is not followed;
 * coll_rules_variables says so in a notice. */
bool coll_rules_ignores(const char *selector, const char *variable);

/* The built-in selector of that name, which lives until the process ends; NULL: there is none. */
const struct coll_rules *coll_rules_builtin(const char *name);
/* Their names, NULL-terminated. */
const char *const *coll_rules_builtins(void);

/* False: the selector, and the one that it is based on, do not choose. */
bool coll_rules_choose(const struct coll_rules *s, const struct coll_point *p, struct coll_choice *out);
/* Whether its rules test what is known of graphs (degree, dimensions): finding that out takes long. */
bool coll_rules_ask_graphs(const struct coll_rules *s);
/* "ompi-4.1.rules:23: commutative ranks<64 part>=128 -> ompi:rabenseifner". Returns buf. */
char *coll_choice_explain(const struct coll_choice *c, char *buf, size_t size);
/* "ompi:knomial k=4 segment=8192". Returns buf. */
char *coll_leaf_show(const struct coll_leaf *l, char *buf, size_t size);
/* The names to look for in a list of algorithms, the most exact one first: as written, "mpich:sched_binomial",
 * "mpich:binomial", "binomial", with the kind of tree before without. False: `way` is past the last one. */
bool coll_leaf_alias(const struct coll_leaf *l, unsigned way, char *buf, size_t size);

#endif
