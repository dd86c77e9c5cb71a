// SPDX-License-Identifier: BSD-3-Clause
// jobs: jobs that ran side by side, and how much they slowed one another down.
import { h, section, short, table } from './dom.js';
import * as u from './units.js';

const MOST = 50;

export function jobs(data) {
  const list = data.jobs ?? [];
  if (!list.length) return false;
  const alone = list.some((j) => j.alone > 0);
  const s = section('jobs', 'Jobs',
    'Jobs that shared the platform. ' + (alone
      ? 'The slowdown is a job’s duration over that on the same hosts without the others.'
      : 'With pgasim replay --alone, their durations without the others are here, too.'));
  const columns = [
    { head: 'Job', cell: (j) => short(j.name, 60) },
    { head: 'Ranks', number: true, cell: (j) => u.exact(j.ranks) },
    { head: 'Submitted', number: true, cell: (j) => u.time(j.submitted) },
    { head: 'Start', number: true, cell: (j) => u.time(j.begin) },
    { head: 'End', number: true, cell: (j) => u.time(j.end) },
    { head: 'Duration', number: true, cell: (j) => u.time(j.end - j.begin) },
  ];
  if (alone) {
    columns.push({ head: 'Alone', number: true, cell: (j) => (j.alone > 0 ? u.time(j.alone) : null) },
      { head: 'Slowdown', number: true, cell: (j) => (j.alone > 0 ? ((j.end - j.begin) / j.alone).toFixed(3) : null) });
  }
  s.append(table(columns, list, { caption: 'In the order of their list', most: MOST }));
  if (data.jobsFound > list.length)
    s.append(h('p', { class: 'note' }, `This page has the first ${u.exact(list.length)}; pgasim profile prints all.`));
  return true;
}
