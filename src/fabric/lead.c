/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lead: events of origins that are ahead of the clock. Ranks that run the same code are as far ahead at the
 * same steps, so events that are posted equally far ahead rise in time: they wait in one series, which is
 * short to search and whose next events are known. A series for each origin would rise, too, but a thousand
 * ranks then have a thousand places in the event heap, and each event's record comes from memory unannounced.
 */
#include "fabric/parts.h"

/* A rank is at most some microseconds ahead; what is further ahead shares the last series. */
static const double per_second = 1 / 5e-9;

void fabric_lead_post(struct fabric *f, struct engine_event *ev, double when)
{
    double lead = (when - engine_now(f->engine)) * per_second;
    uint32_t k = lead < FABRIC_LEADS - 1 ? (uint32_t)lead : FABRIC_LEADS - 1;
    engine_series_post(f->engine, &f->leads[k], ev, when);
}

void fabric_leads_release(struct fabric *f)
{
    for (uint32_t k = 0; k < FABRIC_LEADS; k++)
        engine_series_release(&f->leads[k]);
}
