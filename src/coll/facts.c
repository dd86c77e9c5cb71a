/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: what debuggers read of coll/: the collectives under way, and their messages. */
#include "coll/job.h"

const struct base_fact coll_facts[] = {
    {"coll_slot", (uintptr_t)&coll_slot},
    {"reason.collective", (uintptr_t)coll_exec_describe},
    BASE_FACT_FIELD("coll_job.messages", struct coll_job, exec.messages),
    BASE_FACT_FIELD("coll_member.instance", struct coll_member, instance),
    BASE_FACT_FIELD("coll_instance.group", struct coll_instance, group),
    BASE_FACT_FIELD("coll_instance.number", struct coll_instance, number),
    BASE_FACT_FIELD("coll_instance.entered", struct coll_instance, entered),
    BASE_FACT_FIELD("coll_instance.name", struct coll_instance, first.name),
    BASE_FACT_FIELD("coll_group.first", struct coll_group_record, key.first),
    BASE_FACT_FIELD("coll_group.stride", struct coll_group_record, key.stride),
    BASE_FACT_FIELD("coll_group.size", struct coll_group_record, key.size),
    BASE_FACT_FIELD("coll_group.list", struct coll_group_record, key.list),
    BASE_FACT_FIELD("coll_list.rank", struct coll_list, rank),
    BASE_FACT_FIELD("coll_message.instance", struct coll_message, instance),
    /* the word behind it has the bytes in its lower bits */
    {"coll_message.bytes", offsetof(struct coll_message, instance) + sizeof(struct coll_instance *)},
    {"coll_message.bytes_mask", COLL_MOST_BYTES},
    BASE_FACT_FIELD("coll_message.from", struct coll_message, from),
    BASE_FACT_FIELD("coll_message.to", struct coll_message, to),
    {NULL, 0},
};
