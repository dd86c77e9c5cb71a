// SPDX-License-Identifier: BSD-3-Clause
// sdsm_volume: the volume that processes have sent each other, in MB; servers first, lines between them and clients.
import { axis, chart, every, tip } from './charts.js';
import { h, table } from './dom.js';
import * as u from './units.js';

// Decimal, as the paper's.
function MB(b) {
  const [factor, unit] = [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB']].find(([f]) => b >= f) ?? [1, 'B'];
  return `${Number((b / factor).toPrecision(3))}\u00a0${unit}`;
}

const rowName = ([first, last]) => (first === last ? String(first) : `${first}–${last}`);

// Totals of the four quadrants.
function quadrants(v, servers) {
  const kinds = ['server', 'client'], sum = new Map();
  for (let k = 0; k < v.cells.length; k += 3) {
    const name = `${kinds[Number(v.cells[k] >= servers)]} → ${kinds[Number(v.cells[k + 1] >= servers)]}`;
    sum.set(name, (sum.get(name) ?? 0) + v.cells[k + 2]);
  }
  const all = [...sum.values()].reduce((x, y) => x + y, 0) || 1;
  return table([{ head: 'From → to', cell: (r) => r }, { head: 'Volume', number: true, cell: (r) =>
    MB(sum.get(r) ?? 0) }, { head: 'Share', number: true, cell: (r) => u.percent((sum.get(r) ?? 0) / all) }],
  kinds.flatMap((a) => kinds.map((b) => `${a} → ${b}`)), { caption: 'By quadrant' });
}

// The lines between servers and clients, over the cells.
const border = (servers, n, colour) => ({
  type: 'custom', silent: true, data: servers > 0 && servers < n ? [[0, 0]] : [], z: 5,
  renderItem: (params) => {
    const { x, y, width, height } = params.coordSys, at = servers / n;
    const line = (x1, y1, x2, y2) => ({ type: 'line', shape: { x1, y1, x2, y2 }, style: { stroke: colour, lineWidth: 2 } });
    return { type: 'group', children: [line(x + width * at, y, x + width * at, y + height),
      line(x, y + height * at, x + width, y + height * at)] };
  },
});

function draw(v) {
  const n = v.rows.length, servers = v.serverRows, cells = [];
  for (let k = 0; k < v.cells.length; k += 3) cells.push(v.cells.slice(k, k + 3));
  const most = Math.max(...cells.map((c) => c[2]), 1), names = v.rows.map(rowName);
  // A process that sends little must still be seen: colours follow the root.
  const height = (bytes) => Math.sqrt(bytes / most);
  const title = (k) => `${k < servers ? 'server' : 'client'} ${names[k]}`;
  return (t, width) => ({
    grid: { left: 56, right: 12, top: 8, bottom: 92, containLabel: false },
    xAxis: axis(t, 'category', { data: names, name: 'receiver', nameGap: 26,
      axisLabel: { interval: every(n, width - 70, v.group > 1 ? 60 : 30) } }),
    yAxis: axis(t, 'category', { data: names, name: 'sender', inverse: true, nameGap: 40,
      axisLabel: { interval: every(n, width - 70, 16) } }),
    legend: { show: false },
    visualMap: { type: 'continuous', min: 0, max: 1, dimension: 3, calculable: false, orient: 'horizontal',
      left: 'center', bottom: 4, itemWidth: 12, itemHeight: Math.min(200, width - 160), seriesIndex: 0,
      inRange: { color: t.ramp.slice(1) }, textStyle: { color: t.soft }, text: [MB(most), '0'] },
    tooltip: { formatter: (i) => tip(`${title(i.value[1])} → ${title(i.value[0])}`, [[null, 'Sent', MB(i.value[2])]]) },
    series: [{ type: 'heatmap', progressive: 0, data: cells.map(([row, column, b]) => ({
      value: [column, row, b, height(b)], label: { color: height(b) > 0.45 ? t.card : t.text } })),
      itemStyle: n <= 60 ? { borderColor: t.card, borderWidth: 1 } : {},
      label: { show: n <= 9 && width > 380, fontSize: 12, formatter: (i) =>
        (i.value[2] < 1e4 ? '' : Number((i.value[2] / 1e6).toPrecision(2))) },
      emphasis: { itemStyle: { borderColor: t.accent, borderWidth: 2 } } }, border(servers, n, t.critical)],
  });
}

export function volume(s, data) {
  const v = data.sdsm.volume;
  if (!v.cells.length) return;
  const left = h('div', {}), right = h('div', {});
  s.append(h('h3', {}, 'Volume sent'), h('div', { class: 'split' }, left, right));
  chart(left, (width) => Math.min(480, width) + 40,
    `Heat map of the volume in MB that processes sent each other, ${v.rows.length} by ${v.rows.length}, servers first; ` +
    'the table beside it has the quadrants', draw(v));
  right.append(h('p', { class: 'note' },
    `In MB. Servers first; the lines part them from clients.${v.group > 1 ? ` A cell is ${v.group} by ${v.group} processes.` : ''}`),
  quadrants(v, v.serverRows), table([{ head: 'Type', cell: (r) => r.text }, { head: 'Messages', number: true,
    cell: (r) => u.count(r.messages) }, { head: 'Volume', number: true, cell: (r) => MB(r.bytes) }], v.types,
  { caption: 'By type of message' }));
}
