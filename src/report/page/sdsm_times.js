// SPDX-License-Identifier: BSD-3-Clause
// sdsm_times: what each process's time went into. User code and sleep are resources well used, the rest is overhead.
import { axis, chart, every, label, tip } from './charts.js';
import { h } from './dom.js';
import { classColour } from './theme.js';
import * as u from './units.js';

const KEYS = ['compute', 'put', 'get', 'idle'];

export function times(s, data) {
  const d = data.sdsm, { rows, serverRows } = d.volume, all = d.times;
  if (!all.some((r) => r.slice(0, 4).some((x) => x > 0))) return;
  const name = (k) => `${k < serverRows ? 'server' : 'client'} ${rows[k][0]}${rows[k][1] === rows[k][0] ? ''
    : `–${rows[k][1]}`}`;
  const sums = d.classes.map((_, c) => all.reduce((x, r) => x + r[c], 0)), whole = sums.reduce((x, y) => x + y, 0) || 1;
  const joules = all.reduce((x, r) => x + r[4], 0);
  s.append(h('h3', {}, 'Time by class'), h('p', { class: 'note' },
    'User code and sleep leave processors to programs; S-DSM code and synchronous message passing are what the shared ' +
    `memory costs: ${u.percent((sums[1] + sums[2]) / whole)}.${joules > 0 ? ` Energy of all processes: ${
      joules.toPrecision(4)}\u00a0J.` : ''}`));
  const legend = h('ul', { class: 'legend' });
  s.append(legend);
  chart(s, 240, `Time of processes by class: ${d.classes.map((c, k) => `${c} ${u.percent(sums[k] / whole)}`).join(', ')}`,
    (t, width) => {
      legend.replaceChildren(...d.classes.map((c, k) => {
        const square = h('span', { class: 'swatch' });
        square.style.background = classColour(KEYS[k]);
        return h('li', {}, square, c, h('b', {}, u.percent(sums[k] / whole)));
      }));
      const most = Math.max(...all.map((r) => r[0] + r[1] + r[2] + r[3]));
      return {
        legend: { show: false }, grid: { top: 8, bottom: 4 },
        xAxis: axis(t, 'category', { data: rows.map((_, k) => name(k)),
          axisLabel: { interval: every(rows.length, width - 60, 78) } }),
        yAxis: axis(t, 'value', { axisLabel: { formatter: (x) => u.timeTick(most, most / 5)(x) } }),
        tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (items) =>
          tip(name(items[0].dataIndex), [...items.map((i) => [i.color, i.seriesName, u.time(i.value)]),
            all[items[0].dataIndex][4] > 0 && [null, 'Energy', `${all[items[0].dataIndex][4].toPrecision(4)}\u00a0J`]]) },
        series: d.classes.map((c, k) => ({ type: 'bar', stack: 'time', name: label(c), barMaxWidth: 60,
          barCategoryGap: '25%', itemStyle: { color: classColour(KEYS[k]) }, data: all.map((r) => r[k]) })),
      };
    });
}
