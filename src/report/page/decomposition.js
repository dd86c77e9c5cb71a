// SPDX-License-Identifier: BSD-3-Clause
// decomposition: what each rank's time went into, and the calls that took most of it.
import { axis, chart, every, label, tip } from './charts.js';
import { h, section, short, table } from './dom.js';
import { totals } from './summary.js';
import { classColour } from './theme.js';
import * as u from './units.js';

function bars(s, data) {
  const { group, rows } = data.decomposition, end = data.about.end || 1;
  const used = data.classes.map((c, k) => [c, k]).filter(([, k]) => rows.some((r) => r[k] > 0));
  // Of many, steps: bars narrower than pixels would shimmer.
  const many = rows.length > 120;
  const name = (k) => (group > 1 ? `${k * group}–${Math.min(data.about.ranks, (k + 1) * group) - 1}`
    : String(k));
  const few = rows.length <= 8;
  const option = (t, width) => {
    const ranks = axis(t, 'category', { data: rows.map((_, k) => name(k)), name: few ? '' : 'rank',
      inverse: few, axisLabel: few ? { formatter: (v) => `rank ${v}`, interval: 0 }
      : { interval: every(rows.length, width - 80, group > 1 ? 74 : 36), hideOverlap: true } });
    const share = axis(t, 'value', { min: 0, max: 1, axisLabel: { formatter: (x) => u.percent(x) } });
    return {
      xAxis: few ? share : ranks, yAxis: few ? ranks : share,
      legend: { show: false },
      grid: { top: 8, bottom: few ? 0 : 24 },
      tooltip: {
        trigger: 'axis', axisPointer: { type: many ? 'line' : 'shadow' },
        formatter: (items) => tip(group > 1 ? `ranks ${items[0].name}` : `rank ${items[0].name}`,
          items.filter((i) => i.value > 0).map((i) => [i.color, i.seriesName,
            `${u.percent(i.value)} · ${u.time(i.value * end)}`])),
      },
      series: used.map(([c, k]) => ({
        ...(many ? { type: 'line', step: 'middle', symbol: 'none', lineStyle: { width: 0 },
          areaStyle: { color: classColour(c.key), opacity: 1 } } : { type: 'bar', barCategoryGap: '15%' }),
        stack: 'time', name: label(c.text), itemStyle: { color: classColour(c.key) },
        data: rows.map((r) => r[k] / end),
      })),
    };
  };
  const sum = totals(data), all = sum.reduce((x, y) => x + y, 0) || 1;
  const legend = h('ul', { class: 'legend' });
  s.append(legend);
  chart(s, few ? 40 + rows.length * 34 : 260,
    `Shares of time by rank: ${used.map(([c, k]) => `${c.text} ${u.percent(sum[k] / all)}`).join(', ')}`,
  (t, width) => {
    legend.replaceChildren(...used.map(([c, k]) => {
      const square = h('span', { class: 'swatch' });
      square.style.background = classColour(c.key);
      return h('li', {}, square, c.text, h('b', {}, u.percent(sum[k] / all)));
    }));
    return option(t, width);
  });
}

export function decomposition(data) {
  const s = section('time', 'Time by rank',
    'How each rank spent the simulated time. Percentages are of all ranks’ time.');
  bars(s, data);
  const all = totals(data).reduce((x, y) => x + y, 0) || 1;
  if (data.calls.length)
    s.append(table([
      { head: 'Call', cell: (c) => h('code', {}, short(c.name, 60)) },
      { head: 'Calls', number: true, cell: (c) => u.count(c.count) },
      { head: 'Time of all ranks', number: true, cell: (c) =>
        `${u.time(c.own + c.waiting)} (${u.percent((c.own + c.waiting) / all)})` },
      { head: 'Waiting in it', number: true, cell: (c) => u.time(c.waiting) },
      { head: 'Mean', number: true, cell: (c) => u.time((c.own + c.waiting) / c.count, 3) },
      { head: 'Longest', number: true, cell: (c) => (c.longest > 0
        ? `${u.time(c.longest, 3)} at rank ${c.rank}` : null) },
      { head: 'Bytes', number: true, cell: (c) => (c.bytes ? u.size(c.bytes) : null) },
    ], data.calls, { caption: 'Calls, most time first', most: 15 }));
  if (data.worlds.length)
    s.append(table([
      { head: 'World', cell: (w) => (w.number ? `started by the program (${w.number})` : 'started with the run') },
      { head: 'Ranks', cell: (w) => u.ranks(w.first, w.first + w.ranks - 1) },
      { head: 'Begins', number: true, cell: (w) => u.time(w.begin) },
      { head: 'Ends', number: true, cell: (w) => u.time(w.end) },
      { head: 'Computing, all ranks', number: true, cell: (w) => u.time(w.computing) },
      { head: 'Waiting, all ranks', number: true, cell: (w) => u.time(w.waiting) },
    ], data.worlds.map((w, number) => ({ ...w, number })), { caption: 'Worlds: ranks that were started together', most: 15 }));
}
