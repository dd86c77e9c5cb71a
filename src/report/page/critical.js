// SPDX-License-Identifier: BSD-3-Clause
// critical: what the path consists of that the run's length depends on, and its longest pieces.
import { chart, axis, label, tip } from './charts.js';
import { clean, h, section, short, table } from './dom.js';
import { classColour } from './theme.js';
import * as u from './units.js';

const COLOUR = { computing: 'compute', calling: 'issue', timed: 'cpu', other: 'other', latency: 'signal',
  transfer: 'put', contention: 'get', unknown: 'idle' };

function whole(s, path) {
  const parts = path.parts.filter((p) => p.seconds > 0);
  chart(s, 104, `The critical path: ${parts.map((p) =>
    `${p.text} ${u.percent(p.seconds / path.length)}`).join(', ')}`, (t) => ({
    xAxis: axis(t, 'value', { min: 0, max: path.length, axisLabel: { formatter: (x) => u.time(x, 3),
      showMaxLabel: true } }),
    yAxis: axis(t, 'category', { data: [''], axisLine: { show: false } }),
    grid: { top: 34, bottom: 0, left: 0, right: 28 },
    tooltip: { trigger: 'item', formatter: (i) => tip(i.seriesName,
      [[i.color, u.percent(i.value / path.length), u.time(i.value)]]) },
    series: parts.map((p) => ({ type: 'bar', stack: 'p', name: label(p.text), barWidth: 30,
      itemStyle: { color: classColour(COLOUR[p.key]) }, data: [p.seconds],
      label: { show: p.seconds > 0.07 * path.length, formatter: () => u.percent(p.seconds / path.length),
        color: '#fff', fontWeight: 600, textShadowColor: 'rgba(0,0,0,.55)', textShadowBlur: 3 } })),
  }));
}

function contributors(data) {
  const p = data.path, list = (title, rows, name) => rows.length > 0 &&
    table([{ head: title, cell: name }, { head: 'Time', number: true, cell: (r) => u.time(r.seconds) },
    { head: 'Of the path', number: true, cell: (r) => u.percent(r.seconds / p.length) }], rows,
    { caption: `By ${title.toLowerCase()}`, most: 8 });
  return h('div', { class: 'row' }, [
    list('Rank', p.ranks, (r) => `rank ${r.rank}`), list('Link', p.links, (r) => short(r.name, 40)),
    list('Call', p.calls, (r) => h('code', {}, short(r.name, 40))),
  ].map((l) => l && h('div', {}, l)));
}

function where(r) {
  return r.peer === r.rank ? `rank ${r.rank}` : `rank ${r.peer} → rank ${r.rank}`;
}

export function critical(data) {
  const p = data.path;
  if (!(p.length > 0)) return false;
  const s = section('critical', 'Critical path',
    `The chain of work and messages that decides the run’s length: ${u.time(p.length)}, with ` +
    `${u.plural(p.hops, 'step')} from one rank to another. Whatever is not on it can take longer without ` +
    `anybody noticing.`);
  whole(s, p);
  s.append(contributors(data));
  if (p.longest.length)
    s.append(table([
      { head: 'From', cell: (r) => u.time(r.begin, 6) }, { head: 'For', number: true, cell: (r) =>
        u.time(r.seconds) }, { head: 'Of the path', number: true, cell: (r) =>
        u.percent(r.seconds / p.length) },
      { head: 'Where', cell: where }, { head: 'What', cell: (r) => clean(r.what) },
      { head: 'In', cell: (r) => (r.name ? h('code', {}, short(r.name, 40)) : null) },
      { head: 'Bytes', number: true, cell: (r) => (r.bytes ? u.size(r.bytes) : null) },
      { head: 'Narrowest link', cell: (r) => (r.link ? short(r.link, 40) : null) },
    ], p.longest, { caption: 'Its longest pieces', most: 15 }));
  return true;
}
