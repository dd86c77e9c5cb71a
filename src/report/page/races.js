// SPDX-License-Identifier: BSD-3-Clause
// races: the races that were found, and the way to each on the timeline.
import { clean, h, section, short, table } from './dom.js';
import { called, ofOwner, raceName, whose } from './timeline_races.js';
import * as u from './units.js';

const MOST = 200;

// The timeline, if there is one, shows this race.
function show(k) {
  document.dispatchEvent(new CustomEvent('race', { detail: k }));
}

function access(race, which) {
  const a = race.accesses[which];
  return [h('span', { class: 'racemark' }, raceName(race.number, which)), ` ${clean(a.does)} by `,
    called(a), ` of ${whose(a)}`, a.place && [h('br'), `in ${short(a.place, 80)}`]];
}

export function races(data) {
  const list = data.races;
  if (!list.length) return false;
  const s = section('races', 'Races',
    'Two accesses to the same bytes, of which one writes, and nothing makes one wait until the other is over: ' +
    'on another machine or another day they may come the other way round. Choose one to see it on the timeline.');
  const t = table([
    { head: 'Race', cell: (r) => h('button', { type: 'button', 'aria-label':
        `Show race ${r.number + 1} on the timeline` }, `${r.number + 1}`) },
    { head: 'Memory or file', cell: (r) => [h('code', {}, short(r.object, 60)), ofOwner(r)] },
    { head: 'First access', cell: (r) => access(r, 0) },
    { head: 'at', number: true, cell: (r) => u.time(r.accesses[0].time) },
    { head: 'Second access', cell: (r) => access(r, 1) },
    { head: 'at', number: true, cell: (r) => u.time(r.accesses[1].time) },
    { head: 'What is missing', cell: (r) => (r.missing ? short(r.missing, 300) : null) },
  ], list, { caption: `${u.plural(data.racesFound, 'race')}, in the order in which they were found`, most: MOST });
  t.querySelectorAll('tbody tr').forEach((row, k) => {
    row.classList.add('choose');
    row.addEventListener('click', () => show(k));
  });
  t.classList.add('races');
  s.append(t);
  if (data.racesFound > list.length)
    s.append(h('p', { class: 'note' },
      `This page has the first ${u.exact(list.length)}; pgasim profile prints all.`));
  return true;
}
