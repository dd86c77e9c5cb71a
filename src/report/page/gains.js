// SPDX-License-Identifier: BSD-3-Clause
// gains: what would speed the run up, by how much at most.
import { h, section, table } from './dom.js';
import * as u from './units.js';

function bar(part, bound) {
  const b = h('div', { class: 'bar', 'aria-hidden': 'true' }, h('span', { class: 'bound' }),
    h('span', { class: 'part' }));
  b.children[0].style.width = `${100 * Math.min(1, bound)}%`;
  b.children[1].style.width = `${100 * Math.min(1, part)}%`;
  return b;
}

export function gains(data) {
  const s = section('gains', 'What would speed it up',
    'Each line changes one thing of the run as it was. “Foreseen” plays the recorded waits again with it; ' +
    '“at most” is what the critical path could lose: when the path moves elsewhere, less.');
  const all = data.about.end || 1, rows = data.suggestions;
  if (!rows.length) {
    s.append(h('p', { class: 'note' }, 'Nothing that the trace holds would.'));
    return;
  }
  const widest = Math.max(...rows.map((r) => r.gain), 1e-30);
  s.append(table([
    { head: 'Change', cell: (r) => r.text },
    { head: 'Foreseen', number: true, cell: (r) =>
      `${u.time(r.foreseen, 3)} (${u.percent(r.foreseen / all)})` },
    { head: '', cell: (r) => bar(r.foreseen / widest, r.gain / widest) },
    { head: 'At most', number: true, cell: (r) => `${u.time(r.gain, 3)} (${u.percent(r.gain / all)})` },
    { head: 'Of the path', number: true, cell: (r) => u.percent(r.part / all) },
  ], rows, { caption: 'Single changes, the largest gain first', most: 12 }));
}
