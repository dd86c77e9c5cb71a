/* SPDX-License-Identifier: BSD-3-Clause */
/* there: the other file of relay. */
#include "relay.h"

int relay_elsewhere = 1000;

int relay_there(int me)
{
    return relay_elsewhere + me;
}
