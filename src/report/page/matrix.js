// SPDX-License-Identifier: BSD-3-Clause
// matrix: who sent how much to whom, and who waited for whom.
import { axis, chart, every, tip } from './charts.js';
import { choice, h, section, table } from './dom.js';
import * as u from './units.js';

const UNITS = { count: u.count, bytes: u.size, seconds: u.time };

function name(m, ranks, k) {
  return u.ranks(k * m.group, Math.min(ranks, (k + 1) * m.group) - 1);
}

// Cells are [row, column, value]. Colours follow the logarithm: what is ten times as much looks one step
// darker.
function draw(m, ranks) {
  const cells = [];
  for (let k = 0; k < m.cells.length; k += 3) cells.push(m.cells.slice(k, k + 3));
  const values = cells.map((c) => c[2]), most = Math.max(...values), least = Math.min(...values),
    show = UNITS[m.unit];
  const low = Math.max(least, most / 1e6), spread = Math.log10(most / low) || 1;
  const height = (v) => (most === least ? 6 : 1 + (9 * Math.log10(Math.max(v, low) / low)) / spread);
  const names = Array.from({ length: m.n }, (_, k) => String(k * m.group));
  return (t, width) => ({
    grid: { left: 46, right: 12, top: 8, bottom: 92, containLabel: false },
    xAxis: axis(t, 'category', { data: names, name: m.columns, nameGap: 26,
      axisLabel: { interval: every(m.n, width - 60, 34) } }),
    yAxis: axis(t, 'category', { data: names, name: m.rows, inverse: true, nameGap: 34,
      axisLabel: { interval: every(m.n, width - 60, 16) } }),
    legend: { show: false },
    visualMap: {
      type: 'continuous', min: 1, max: 10, dimension: 3, calculable: false, orient: 'horizontal',
      left: 'center', bottom: 4, itemWidth: 12, itemHeight: Math.min(200, width - 160),
      inRange: { color: t.ramp.slice(1) }, textStyle: { color: t.soft },
      text: [show(most), least === most ? '' : show(low)],
    },
    tooltip: { formatter: (i) => tip(`${name(m, ranks, i.value[1])} → ${name(m, ranks, i.value[0])}`,
      [[null, m.text, show(i.value[2])]]) },
    series: [{ type: 'heatmap', data: cells.map(([row, column, v]) => [column, row, v, height(v)]),
      progressive: 0, itemStyle: m.n <= 40 ? { borderColor: t.card, borderWidth: 1 } : {},
    emphasis: { itemStyle: { borderColor: t.accent, borderWidth: 2 } } }],
  });
}

function top(m, ranks) {
  const rows = [];
  for (let k = 0; k < m.cells.length; k += 3) rows.push(m.cells.slice(k, k + 3));
  rows.sort((a, b) => b[2] - a[2] || a[0] - b[0] || a[1] - b[1]);
  const all = rows.reduce((x, r) => x + r[2], 0);
  return table([
    { head: m.rows[0].toUpperCase() + m.rows.slice(1), cell: (r) => name(m, ranks, r[0]) },
    { head: m.columns[0].toUpperCase() + m.columns.slice(1), cell: (r) => name(m, ranks, r[1]) },
    { head: m.text, number: true, cell: (r) => UNITS[m.unit](r[2]) },
    { head: 'Share', number: true, cell: (r) => u.percent(r[2] / all) },
  ], rows, { caption: 'Most first', most: 12 });
}

export function matrix(data) {
  const present = data.matrices.filter((m) => m.cells.length);
  if (!present.length) return false;
  const s = section('communication', 'Communication',
    'From the rank of the row to the rank of the column. Empty: nothing. The colour tells the order of ' +
    'magnitude.');
  const body = h('div', { class: 'split' });
  const show = (key) => {
    const m = present.find((x) => x.key === key), left = h('div', {}), right = h('div', {});
    body.replaceChildren(left, right);
    chart(left, (width) => Math.min(560, width) + 60,
      `Heat map of ${m.text}, ${m.n} by ${m.n}; the largest values are in the table`,
    draw(m, data.about.ranks));
    if (m.group > 1) right.append(h('p', { class: 'note' }, `A cell is ${m.group} by ${m.group} ranks.`));
    right.append(top(m, data.about.ranks));
  };
  s.append(choice('What is counted', present.map((m) => [m.key, m.title]), present[0].key, show), body);
  show(present[0].key);
  return true;
}
