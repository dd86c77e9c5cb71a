// SPDX-License-Identifier: BSD-3-Clause
// summary: the head of the page, what the run was in a few figures, and the foot with keys and licences.
import { clean, h, section, short } from './dom.js';
import { switchTheme } from './theme.js';
import * as u from './units.js';

export function top(data, present) {
  const a = data.about;
  document.getElementById('top').append(
    h('div', { class: 'title' },
      h('p', { class: 'brand' }, 'pgasim report'),
      h('h1', {}, short(a.program, 60)),
      h('p', { class: 'subtitle' }, data.statistics
        ? `statistics of ${u.plural(a.ranks, 'process', 'processes')} on a real MPI · ${u.time(a.end)}`
        : [`${u.plural(a.ranks, 'rank')} on ${u.plural(a.hosts, 'host')} of ${short(a.platform, 60)}`, ' · ',
          u.time(a.end), ' simulated'])),
    h('button', { type: 'button', class: 'theme', onclick: switchTheme, 'aria-keyshortcuts': 't' },
      'Light / dark'),
    h('nav', { 'aria-label': 'Sections' }, present.map(([id, text], k) =>
      h('a', { href: `#${id}`, 'aria-keyshortcuts': k + 1 }, text))));
}

function tile(value, name, more) {
  return h('div', { class: 'tile' }, h('div', { class: 'value' }, value), h('div', { class: 'name' }, name),
    more && h('div', { class: 'more' }, more));
}

// Seconds of all ranks by class.
export function totals(data) {
  const sum = data.classes.map(() => 0);
  data.decomposition.rows.forEach((row) => row.forEach((s, k) => { sum[k] += s; }));
  return sum;
}

function shares(data) {
  const sum = totals(data), idle = data.classes.findIndex((c) => c.key === 'idle');
  const all = sum.reduce((x, y, k) => (k === idle ? x : x + y), 0);
  const of = (keys) => data.classes.reduce((x, c, k) => (keys(c.key) ? x + sum[k] : x), 0) / (all || 1);
  return { computing: of((k) => k === 'compute'), calling: of((k) => k === 'issue'),
    waiting: of((k) => !['compute', 'issue', 'other', 'idle'].includes(k)) };
}

function tiles(data) {
  const a = data.about, share = shares(data);
  const kind = (key) => data.operations.kinds.find((k) => k.key === key) ?? { count: 0, bytes: 0 };
  const one = ['put', 'get', 'atomic'].map(kind), sum = (field) => one.reduce((x, k) => x + k[field], 0),
    message = kind('message'), send = kind('send');
  const busiest = data.links.rows.find((r) => r.shared), best = data.suggestions[0];
  return h('div', { class: 'tiles' },
    tile(u.time(a.end), 'simulated time'),
    best && best.foreseen > 0 && tile(`−${u.percent(best.foreseen / (a.end || 1))}`, 'largest gain found',
      short(best.text, 60)),
    tile(u.percent(share.computing), 'computing', 'of the ranks’ time'),
    tile(u.percent(share.waiting), 'waiting', `and ${u.percent(share.calling)} within calls`),
    tile(u.count(sum('count')), 'one-sided operations', u.size(sum('bytes'))),
    send.count > 0 && tile(u.count(send.count), 'two-sided messages', u.size(send.bytes)),
    tile(u.count(message.count), 'messages of collectives', u.size(message.bytes)),
    busiest && tile(u.percent(busiest.mean), 'mean use of the busiest link',
      `${short(busiest.name, 30)}, peak ${u.percent(busiest.peak)}`));
}

function about(data) {
  const a = data.about;
  const lines = [['Program', `${a.program}${a.arguments ? ` ${a.arguments}` : ''}`], ['Platform', a.platform],
    ['Trace', `${a.trace}, ${u.plural(a.events, 'event')}`],
    ...(data.statistics ? [] : [['Simulated by', `pgasim ${a.version}`]])];
  return h('dl', { class: 'about' }, lines.map(([name, text]) =>
    [h('dt', {}, name), h('dd', {}, short(text, 300))]));
}

export function summary(data) {
  const a = data.about, s = section('summary', 'Summary');
  if (a.damage) s.append(h('p', { class: 'warning', role: 'note' },
    `Not all of the trace could be read: ${clean(a.damage)}. What follows is of the part before.`));
  else if (a.truncated) s.append(h('p', { class: 'warning', role: 'note' },
    'The trace ends before the run did: what follows is of the part that it holds.'));
  if (data.racesFound) s.append(h('p', { class: 'warning', role: 'note' },
    `${u.plural(data.racesFound, 'race')} found: accesses to the same bytes that nothing orders. `,
    h('a', { href: '#races' }, 'Which they are')));
  if (data.statistics) s.append(h('p', { class: 'what' },
    'The files that the shared memory’s library wrote on a real MPI: nothing is simulated, and there are no other events.'));
  s.append(...(data.statistics ? [] : [tiles(data)]), about(data));
}

const KEYS = [['1 … 9', 'go to a section'], ['t', 'light or dark'],
  ['Tab', 'next control; the timeline is one'],
  ['+ −', 'timeline: zoom in time'], ['← →', 'timeline: earlier, later'],
  ['Shift + −', 'timeline: zoom in ranks'], ['↑ ↓', 'timeline: other ranks'],
  ['0', 'timeline: everything'], ['o', 'timeline: operations'], ['c', 'timeline: critical path'], ['r', 'timeline: races'],
  ['wheel', 'timeline: zoom, once it was clicked, or with Ctrl; with Shift: ranks']];

export function bottom() {
  document.getElementById('bottom').append(
    h('details', { id: 'keys' }, h('summary', {}, 'Keys'), h('dl', { class: 'keys' },
      KEYS.map(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)]))),
    h('details', { class: 'licences' }, h('summary', {}, 'Licences of what this page contains'),
      // eslint-disable-next-line no-undef -- put in by build.mjs
      LICENCES.map((l) => h('details', {}, h('summary', {}, `${l.name} ${l.version}, ${l.license}`),
        h('pre', {}, ...l.text.split('\n').flatMap((line) => [line, h('br')]))))),
    h('p', {}, 'This page is complete in itself: it loads nothing.'));
}
