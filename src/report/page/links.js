// SPDX-License-Identifier: BSD-3-Clause
// links: how full they were over time, on the drawn platform, and as a table.
import { axis, chart, tip } from './charts.js';
import { clean, h, section, short, table } from './dom.js';
import { letters } from './codes.js';
import { ceiling } from './theme.js';
import { topology } from './topology.js';
import * as u from './units.js';

const SHOWN = 24;

// Bins at whose begin a round time lies, not more often than every `pixels`.
function roundBins(width, bins, end, all, pixels) {
  const raw = (end * pixels) / all, ten = 10 ** Math.floor(Math.log10(raw)),
    step = [1, 2, 5, 10].map((f) => f * ten).find((x) => x >= raw);
  const at = (k) => Math.floor((k * width) / step + 1e-9);
  return { shown: (k) => k === 0 || at(k) !== at(k - 1), text: (k) => u.timeTick(end, step)(at(k) * step) };
}

function overTime(s, data) {
  const { bins, width, top: scale } = data.links, rows = data.links.rows.filter((r) => r.shared).slice(0,
    SHOWN), use = rows.map((r) => letters(r.usage).map((x) => (x / 63) * scale));
  const cells = use.flatMap((row, y) => row.map((v, x) => [x, y, v])).filter((c) => c[2] > 0);
  const wide = Math.max(...rows.map((r) => [...clean(r.name)].length)),
    top = ceiling(Math.max(...cells.map((c) => c[2]), 0));
  chart(s, 76 + rows.length * 20,
    `Utilization of the ${rows.length} busiest links over time; means are in the table`, (t, all) => ({
    grid: { top: 4, bottom: 60, left: 8, right: 20 },
    legend: { show: false },
    xAxis: axis(t, 'category', { data: Array.from({ length: bins }, (_, k) => k),
      axisLabel: { formatter: (k) => roundBins(width, bins, data.about.end, all, 110).text(Number(k)),
      interval: (k) => roundBins(width, bins, data.about.end, all, 110).shown(k) } }),
    yAxis: axis(t, 'category', { data: rows.map((r) => short(r.name, 44)), inverse: true,
      axisLabel: { width: Math.min(wide * 7.4 + 6, all * 0.34), overflow: 'truncate', interval: 0,
      hideOverlap: false } }),
    visualMap: { type: 'continuous', min: 0, max: top, dimension: 2, orient: 'horizontal', left: 'center',
      bottom: 0, itemWidth: 12, itemHeight: 180, inRange: { color: t.heat }, text: [u.percent(top), '0'],
    textStyle: { color: t.soft }, calculable: false },
    tooltip: { formatter: (i) => tip(short(rows[i.value[1]].name, 60),
      [[i.color, 'Used', u.percent(i.value[2])], [null, 'From', u.time(i.value[0] * width)],
      [null, 'To', u.time(Math.min(data.about.end, (i.value[0] + 1) * width))]]) },
    series: [{ type: 'heatmap', data: cells, progressive: 0, emphasis: { disabled: true } }],
  }));
}

function list(data) {
  return table([
    { head: 'Link', cell: (r) => short(r.name, 50) }, { head: 'Bandwidth', number: true, cell: (r) =>
      u.rate(r.bandwidth) }, { head: 'Latency', number: true, cell: (r) => u.time(r.latency, 3) },
    { head: 'Bytes', number: true, cell: (r) => u.size(r.bytes) },
    { head: 'Operations', number: true, cell: (r) => u.count(r.operations) },
    { head: 'Mean use', number: true, cell: (r) => (r.shared ? u.percent(r.mean) : 'not shared') },
    { head: 'Peak', number: true, cell: (r) => (r.shared ? u.percent(r.peak) : null) },
    { head: 'Waiting at it', number: true, cell: (r) => u.time(r.contention) },
  ], data.links.rows, { caption: 'The busiest links', most: 16 });
}

export function links(data) {
  if (!data.links.rows.length) return false;
  const s = section('links', 'Links',
    `${u.exact(data.links.used)} of ${u.plural(data.links.total, 'link')} carried anything. Utilization: ` +
    `of a link’s bandwidth; “waiting at it”: time of operations for which it was the narrowest place and ` +
    `others were in the way.`);
  if (data.links.bins > 0 && data.links.rows.some((r) => r.shared)) {
    s.append(h('h3', {}, 'Utilization over time'));
    overTime(s, data);
  }
  topology(s, data);
  s.append(list(data));
  return true;
}
