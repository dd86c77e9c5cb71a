/* SPDX-License-Identifier: BSD-3-Clause */
/* schedule: what algorithms are written with. */
#ifndef PGASIM_COLL_SCHEDULE_H
#define PGASIM_COLL_SCHEDULE_H

#include "coll/schedule/buffer.h"
#include "coll/schedule/circle.h"
#include "coll/schedule/circulant.h"
#include "coll/schedule/flow.h"
#include "coll/schedule/pairing.h"
#include "coll/schedule/part.h"
#include "coll/schedule/parts.h"
#include "coll/schedule/program.h"
#include "coll/schedule/seats.h"
#include "coll/schedule/spans.h"
#include "coll/schedule/steps.h"
#include "coll/schedule/tiers.h"
#include "coll/schedule/tree.h"
#include "coll/schedule/vector.h"

#endif
