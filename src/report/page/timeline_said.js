// SPDX-License-Identifier: BSD-3-Clause
// timeline_said: what is said of a mark, an operation and a piece of the critical path that is pointed at.
import { tip } from './charts.js';
import { clean, short } from './dom.js';
import { theme } from './theme.js';
import * as u from './units.js';

export function describeMark(m) {
  return tip(short(m.text, 80), [[null, 'Mark of', `rank ${m.rank}`],
    [null, m.end > m.time ? 'From' : 'At', u.time(m.time, 7)],
    m.end > m.time && [null, 'For', u.time(m.end - m.time)]]);
}

export function describeArrow(data, a) {
  const kind = data.timeline.arrows.kinds[a.kind], name = data.timeline.arrows.calls[a.call];
  const back = a.end > a.effect;
  return tip(`${clean(kind)}${name ? ` · ${short(name, 60)}` : ''}`,
    [[null, 'From → to', `rank ${a.origin} → rank ${a.target}`], [null, 'Bytes', u.size(a.bytes)],
    a.tag >= 0 && [null, 'Tag, communicator', `${a.tag}, number ${a.context}`],
    [null, 'Issued', u.time(a.issued, 7)],
    [null, back ? 'At the target' : 'Delivered',
      `${u.time(a.effect, 7)} (+${u.time(a.effect - a.issued, 3)})`],
    a.kept > 0 && [theme().kept, 'Kept back by the adversary', u.time(a.kept, 3)],
    back && [null, 'Back', `${u.time(a.end, 7)} (+${u.time(a.end - a.issued, 3)})`]]);
}

export function describePiece(data, p) {
  const part = data.path.parts[p.part];
  return tip('Critical path', [[theme().critical, part ? clean(part.text) : '', p.peer === p.rank
    ? `rank ${p.rank}` : `rank ${p.peer} → rank ${p.rank}`], [null, 'From', u.time(p.begin, 7)],
  [null, 'For', u.time(p.end - p.begin)]]);
}
