// SPDX-License-Identifier: BSD-3-Clause
// cards: tables of network cards with a core and of RISC-V cores.
import { clean, h, section, short, table } from './dom.js';
import * as u from './units.js';

const each = (sum, n) => (n ? sum / n : 0);

// [name, count, name, count, ...] as pairs.
const pairs = (list) => Array.from({ length: list.length / 2 }, (_, k) => [list[2 * k], list[2 * k + 1]]);
const sum = (list) => pairs(list).reduce((all, [, n]) => all + n, 0);

function cardTable(data) {
  const end = data.about.end, { rows, total } = data.cards;
  return table([
    { head: 'Host', cell: (r) => short(r.host, 40) },
    { head: 'Requests', number: true, cell: (r) => u.exact(r.requests) },
    { head: 'Merged', number: true, cell: (r) => u.percent(each(r.merges, r.requests)) },
    { head: 'Hits', number: true, cell: (r) => u.percent(each(r.hits, r.requests)) },
    { head: 'Misses', number: true, cell: (r) => u.percent(each(r.misses, r.requests)) },
    { head: 'By DMA', number: true, cell: (r) => (r.streams ? u.exact(r.streams) : null) },
    { head: 'Stalled', number: true, cell: (r) => (r.stalls ? u.exact(r.stalls) : null) },
    { head: 'Lines read', number: true, cell: (r) => u.exact(r.fills) },
    { head: 'Lines written', number: true, cell: (r) => u.exact(r.writes) },
    { head: 'Per atomic', number: true,
      cell: (r) => (r.atomics ? each(r.fills + r.writes, r.atomics).toFixed(2) : null) },
    { head: 'Executes', number: true, cell: (r) => u.percent(each(r.executing, end)) },
    { head: 'Waits', number: true, cell: (r) => u.percent(each(r.waiting, end)) },
    { head: 'Fill', number: true, cell: (r) => (r.fills ? u.time(r.fill, 3) : null) },
    { head: 'In the card', number: true, cell: (r) => (r.requests ? u.time(r.inCard, 3) : null) },
    { head: 'MSHRs', number: true, cell: (r) => `${Number(r.mshrs.toFixed(1))}, ${r.mostMshrs}` },
  ], [...rows].sort((a, b) => b.requests - a.requests), { caption: `${u.plural(total, 'network card')}, the busiest first`, most: 20 });
}

function shares(title, head, list, all, what) {
  if (!list.length) return null;
  return table([
    { head, cell: ([name]) => short(name, 40) },
    { head: what, number: true, cell: ([, n]) => u.exact(n) },
    { head: 'Share', number: true, cell: ([, n]) => u.percent(each(n, all)) },
  ], pairs(list), { caption: title, most: 30 });
}

function coreTable(data) {
  return table([
    { head: 'Core', cell: (r) => u.ranks(r.rank, r.rank) },
    { head: 'Instructions', number: true, cell: (r) => u.exact(sum(r.classes)) },
    { head: 'Cycles', number: true, cell: (r) => u.exact(sum(r.cycles)) },
    { head: 'Cycles per instruction', number: true,
      cell: (r) => each(sum(r.cycles), sum(r.classes)).toFixed(2) },
    { head: 'Stalled', number: true, cell: (r) => u.percent(each(sum(r.stalls), sum(r.cycles))) },
    { head: 'Most for', cell: (r) => (r.stalls.length ? clean(r.stalls[0]) : null) },
  ], data.cores.rows, { caption: 'RISC-V cores', most: 20 });
}

export function cards(data) {
  if (!data.cards && !data.cores) return false;
  const s = section('cards', data.cores ? 'Cores and network cards' : 'Network cards',
    data.cards ? 'What the cards’ cores executed, and what it cost in host memory: requests to a line that is ' +
      'being worked on merge. “Per atomic”: lines read and written; “waits”: for lines of memory, while its core ' +
      'has nothing to execute; “fill”, “in the card”: means of a line and of a request; “MSHRs”: mean and most in ' +
      'use. The rows below the timeline show the cards over time.' : '');
  if (data.cards) s.append(cardTable(data));
  if (!data.cores) return true;
  const { classes, stalls, cycles, traps } = data.cores;
  s.append(h('div', { class: 'row' },
    shares('Instructions by class', 'Class', classes, sum(classes), 'Instructions'),
    shares('Cycles without instructions', 'Waiting for', stalls, sum(cycles), 'Cycles')));
  if (traps) s.append(h('p', { class: 'note' }, `${u.plural(traps, 'trap')} taken.`));
  s.append(coreTable(data));
  return true;
}
