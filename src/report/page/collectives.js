// SPDX-License-Identifier: BSD-3-Clause
// collectives: each by its algorithm and size, and how much of it was waiting for the last member to come.
import { axis, chart, tip } from './charts.js';
import { clean, h, section, short, table } from './dom.js';
import { classColour } from './theme.js';
import * as u from './units.js';

const MOST = 12;

function title(c) {
  return `${short(c.name, 32)} · ${short(c.algorithm || 'no algorithm', 24)}` +
    (c.bytes ? ` · ${c.rounded ? '≤ ' : ''}${u.size(c.bytes, 3)}` : '');
}

function bars(s, list) {
  const rows = list.slice(0, MOST);
  chart(s, 62 + rows.length * 30,
    `Mean time of collectives: ${rows.slice(0, 5).map((c) =>
      `${title(c)} ${u.time(c.imbalance + c.after)}`).join('; ')}`, (t, width) => ({
    yAxis: axis(t, 'category', { data: rows.map(title), inverse: true,
      axisLabel: { width: Math.min(300, width * 0.42), overflow: 'truncate', color: t.text, interval: 0,
      hideOverlap: false } }),
    xAxis: axis(t, 'value', { axisLabel: { formatter: (x) => u.time(x, 3) } }),
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (i) => {
      const c = rows[i[0].dataIndex];
      return tip(title(c), [[null, 'Meetings', u.exact(c.count)],
        [i[0].color, 'Until the last member came', u.time(c.imbalance)],
        [i[1].color, 'After that', u.time(c.after)],
        ...(c.bound ? [[null, 'No algorithm can take less than', u.time(c.bound)]] : []),
        ...(c.why ? [[null, 'Chosen because of', clean(c.why)]] : []),
        ...(c.better ? [[null, `${clean(c.better)} would save`, u.time(c.saves)]] : []), [null, 'Longest part of a member', u.time(c.most)]]);
    } },
    series: [
      { type: 'bar', stack: 't', name: 'until the last member came',
        itemStyle: { color: classColour('wait') }, barMaxWidth: 18, data: rows.map((c) => c.imbalance) },
      { type: 'bar', stack: 't', name: 'after that', itemStyle: { color: classColour('collective') },
        barMaxWidth: 18, data: rows.map((c) => c.after) },
    ],
  }));
}

function choices(s, list) {
  if (!list.length) return;
  s.append(table([
    { head: 'Collective', cell: (c) => h('code', {}, short(c.name, 40)) },
    { head: 'Algorithm', cell: (c) => clean(c.algorithm) },
    { head: 'Bytes', number: true, cell: (c) => `${c.rounded ? '≤ ' : ''}${u.size(c.bytes)}` },
    { head: 'Because of', cell: (c) => clean(c.why) },
    { head: 'After the last came', number: true, cell: (c) => u.time(c.after) },
    { head: 'Bound', number: true, cell: (c) => (c.bound ? u.time(c.bound) : '') },
    { head: 'Ratio', number: true, cell: (c) => (c.bound ? (c.after / c.bound).toFixed(2) : '') },
    { head: 'Quickest', cell: (c) => clean(c.better || '') },
    { head: 'It would save', number: true, cell: (c) => (c.better ? u.time(c.saves * c.count) : '') },
  ], list, { caption: 'Why each algorithm, and how far it is from what the network allows', most: 20 }));
}

export function collectives(data) {
  const list = data.collectives;
  if (!list.length) return false;
  const s = section('collectives', 'Collectives',
    'Mean times of one meeting. What passes until the last member comes is imbalance; what follows is the ' +
    'algorithm’s.');
  bars(s, list);
  s.append(table([
    { head: 'Collective', cell: (c) => h('code', {}, short(c.name, 40)) },
    { head: 'Algorithm', cell: (c) => clean(c.algorithm) },
    { head: 'Bytes', number: true, cell: (c) => `${c.rounded ? '≤ ' : ''}${u.size(c.bytes)}` },
    { head: 'Members', number: true, cell: (c) => (c.membersLeast === c.membersMost ? u.exact(c.membersMost)
      : `${u.exact(c.membersLeast)} – ${u.exact(c.membersMost)}`) },
    { head: 'Meetings', number: true, cell: (c) => u.exact(c.count) },
    { head: 'Mean part', number: true, cell: (c) => u.time(c.mean) },
    { head: 'Longest', number: true, cell: (c) => u.time(c.most) },
    { head: 'Time of all ranks', number: true, cell: (c) => u.time(c.sum) },
  ], list, { caption: 'Collectives by algorithm, most time first', most: 20 }));
  choices(s, list.filter((c) => c.why));
  return true;
}
