/* SPDX-License-Identifier: BSD-3-Clause */
/* facts: what debuggers read of platform/: the names of hosts. */
#include "platform/model/model.h"

const struct base_fact platform_facts[] = {
    {"platform_host", sizeof(struct platform_host)},
    BASE_FACT_FIELD("platform_host.name", struct platform_host, name),
    BASE_FACT_FIELD("platform.hosts", struct platform, hosts.at),
    {NULL, 0},
};
