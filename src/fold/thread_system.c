/* SPDX-License-Identifier: BSD-3-Clause */
#include "fold/thread.h"
void thread_system_begin(struct fold_job *job)
{
    (void)job;
}
void thread_system_end(struct fold_job *job)
{
    (void)job;
}
void thread_system_save(struct fold_thread *t)
{
    (void)t;
}
void thread_system_load(const struct fold_thread *t)
{
    (void)t;
}
void thread_system_prepare(const struct images *im)
{
    (void)im;
}
void thread_begin(struct fold_job *job)
{
    thread_costs = (struct thread_costs){.create = base_settings_number(job->settings, "thread/create-cost"),
                                         .wake = base_settings_number(job->settings, "thread/wake-cost"),
                                         .call = base_settings_number(job->settings, "thread/call-cost")};
    thread_park_begin(job);
    thread_system_begin(job);
}

void thread_end(struct fold_job *job)
{
    thread_system_end(job);
    thread_park_end();
}
