// SPDX-License-Identifier: BSD-3-Clause
// links: how full they were over time, on the drawn platform, and as a table.
import { axis, chart, tip } from './charts.js';
import { clean, h, section, short, table } from './dom.js';
import { letters } from './codes.js';
import { topology } from './topology.js';
import * as u from './units.js';

const SHOWN = 24;

function overTime(s, data) {
  const { bins, width } = data.links, rows = data.links.rows.slice(0, SHOWN), use = rows.map((r) => letters(r.usage).map((x) => x / 63));
  const cells = use.flatMap((row, y) => row.map((v, x) => [x, y, v])).filter((c) => c[2] > 0);
  const wide = Math.max(...rows.map((r) => [...clean(r.name)].length));
  chart(s, 76 + rows.length * 20, `Utilization of the ${rows.length} busiest links over time; means are in the table`, (t, all) => ({
    grid: { top: 4, bottom: 60, left: 8, right: 20 },
    legend: { show: false },
    xAxis: axis(t, 'category', { data: Array.from({ length: bins }, (_, k) => k), axisLabel: { formatter: (k) => u.timeAxis(data.about.end)(k * width), interval: Math.max(1, Math.round(bins / (all / 130))) - 1 } }),
    yAxis: axis(t, 'category', { data: rows.map((r) => short(r.name, 44)), inverse: true, axisLabel: { width: Math.min(wide * 7, all * 0.3), overflow: 'truncate', interval: 0, hideOverlap: false } }),
    visualMap: { type: 'continuous', min: 0, max: 1, dimension: 2, orient: 'horizontal', left: 'center', bottom: 0, itemWidth: 12, itemHeight: 180, inRange: { color: t.heat }, text: ['100 %', '0'], textStyle: { color: t.soft }, calculable: false },
    tooltip: { formatter: (i) => tip(short(rows[i.value[1]].name, 60), [[i.color, 'Used', u.percent(i.value[2])], [null, 'From', u.time(i.value[0] * width)], [null, 'To', u.time(Math.min(data.about.end, (i.value[0] + 1) * width))]]) },
    series: [{ type: 'heatmap', data: cells, progressive: 0, emphasis: { disabled: true } }],
  }));
}

function list(data) {
  return table([
    { head: 'Link', cell: (r) => short(r.name, 50) }, { head: 'Bandwidth', number: true, cell: (r) => u.rate(r.bandwidth) }, { head: 'Latency', number: true, cell: (r) => u.time(r.latency, 3) },
    { head: 'Bytes', number: true, cell: (r) => u.size(r.bytes) }, { head: 'Operations', number: true, cell: (r) => u.count(r.operations) }, { head: 'Mean use', number: true, cell: (r) => u.percent(r.mean) },
    { head: 'Peak', number: true, cell: (r) => u.percent(r.peak) }, { head: 'Waiting at it', number: true, cell: (r) => u.time(r.contention) },
  ], data.links.rows, { caption: 'The busiest links', most: 16 });
}

export function links(data) {
  if (!data.links.rows.length) return false;
  const s = section('links', 'Links', `${u.exact(data.links.used)} of ${u.plural(data.links.total, 'link')} carried anything. Utilization: of a link’s bandwidth; “waiting at it”: time of operations for which it was the narrowest place and others were in the way.`);
  if (data.links.bins > 0) {
    s.append(h('h3', {}, 'Utilization over time'));
    overTime(s, data);
  }
  topology(s, data);
  s.append(list(data));
  return true;
}
