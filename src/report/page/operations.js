// SPDX-License-Identifier: BSD-3-Clause
// operations: how large they were and how long they took.
import { axis, chart, label, tip } from './charts.js';
import { h, section, table } from './dom.js';
import { classColour } from './theme.js';
import * as u from './units.js';

const COLOUR = { put: 'put', get: 'get', atomic: 'atomic', message: 'collective', send: 'message', notice: 'epoch' };

function bucket([low, high]) {
  return high - low <= 1 || low === 0 ? u.size(low, 3) : `${u.size(low, 3)} – ${u.size(high - 1, 3)}`;
}

function sizes(box, kinds) {
  const lows = [...new Set(kinds.flatMap((k) => k.sizes.map((s) => s[0])))].sort((a, b) => a - b);
  chart(box, 260, `Operations by size: ${kinds.map((k) =>
    `${k.text}, ${u.count(k.count)} of ${u.size(k.bytes / (k.count || 1))} on average`).join('; ')}`,
    (t) => ({
    xAxis: axis(t, 'category', { data: lows.map((b) => u.size(b, 3)), name: 'bytes, from', nameGap: 28 }),
    yAxis: axis(t, 'value', { axisLabel: { formatter: (n) => u.count(n) } }),
    grid: { bottom: 26 },
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (items) => {
      const one = kinds.flatMap((k) => k.sizes).find((b) => b[0] === lows[items[0].dataIndex]);
      return tip(bucket(one), items.filter((i) => i.value).map((i) =>
        [i.color, i.seriesName, u.count(i.value)]));
    } },
    series: kinds.map((k) => ({ type: 'bar', stack: 'n', name: label(k.text), barMaxWidth: 40,
      itemStyle: { color: classColour(COLOUR[k.key]) }, data: lows.map((b) =>
      k.sizes.find((x) => x[0] === b)?.[2] ?? 0) })),
  }));
}

// Boxes from the 10th to the 90th percentile with a line at the median; whiskers to the extremes.
function latencies(box, kinds) {
  const lows = [...new Set(kinds.flatMap((k) => k.latency.map((s) => s.low)))].sort((a, b) => a - b);
  const values = kinds.flatMap((k) => k.latency.flatMap((s) => [s.least, s.most])).filter((x) => x > 0);
  if (!values.length) return;
  const floor = 10 ** Math.floor(Math.log10(Math.min(...values)) + 1e-9),
    above = 10 ** Math.ceil(Math.log10(Math.max(...values)) - 1e-9);
  const draw = (params, api) => {
    const which = api.value(1), n = kinds.length, band = api.size([1, 0])[0] * 0.8,
      each = Math.min(26, band / n);
    const middle = api.coord([api.value(0), floor])[0] + (which - (n - 1) / 2) * each,
      half = Math.max(1.5, each * 0.36);
    const y = (k) => api.coord([api.value(0), Math.max(floor, api.value(k))])[1],
      colour = api.visual('color');
    const line = (x1, y1, x2, y2, width, stroke) => ({ type: 'line', shape: { x1, y1, x2, y2 },
      style: { stroke, lineWidth: width } });
    return { type: 'group', children: [
      line(middle, y(2), middle, y(6), 1.2, colour),
      { type: 'rect', shape: { x: middle - half, y: y(5), width: 2 * half,
        height: Math.max(1.5, y(3) - y(5)) }, style: { fill: colour, opacity: 0.55 } },
      line(middle - half, y(4), middle + half, y(4), 2.5, colour)] };
  };
  chart(box, 290, `How long operations took by size: ${kinds.map((k) =>
    `${k.text}, median ${u.time(k.median)}`).join('; ')}`, (t) => ({
    xAxis: axis(t, 'category', { data: lows.map((b) => u.size(b, 3)), name: 'bytes, from', nameGap: 28 }),
    yAxis: axis(t, 'log', { min: floor, max: above <= floor ? floor * 10 : above,
      axisLabel: { formatter: (x) => u.time(x, 3) } }),
    grid: { bottom: 26 },
    tooltip: { trigger: 'item', formatter: (i) => {
      const k = kinds[i.value[1]], l = k.latency.find((x) => x.low === lows[i.value[0]]);
      return tip(`${k.text} of ${bucket([l.low, l.high])}`, [[null, 'Number', u.count(l.n)],
        [null, 'Least', u.time(l.least)], [null, '10 %', u.time(l.p10)], [null, 'Median', u.time(l.p50)],
        [null, '90 %', u.time(l.p90)], [null, 'Most', u.time(l.most)]]);
    } },
    series: kinds.map((k, which) => ({ type: 'custom', name: label(k.text),
      itemStyle: { color: classColour(COLOUR[k.key]) }, renderItem: draw, encode: { x: 0, y: [2, 6] },
      data: k.latency.map((l) => [lows.indexOf(l.low), which, l.least, l.p10, l.p50, l.p90, l.most]) })),
  }));
}

export function operations(data) {
  const kinds = data.operations.kinds.filter((k) => k.count);
  if (!kinds.length) return false;
  const s = section('operations', 'Operations',
    'Sizes, and how long operations took from their issue to their last instant: a put’s delivery, a get’s ' +
    'or an atomic’s return.');
  const left = h('div', {}, h('h3', {}, 'Sizes')), right = h('div', {}, h('h3', {}, 'Latency by size'),
    h('p', { class: 'note' },
    'Box: from the 10th to the 90th percentile; line: median; whisker: least to most.'));
  s.append(h('div', { class: 'split even' }, left, right));
  sizes(left, kinds);
  latencies(right, kinds);
  s.append(table([
    { head: 'Kind', cell: (k) => k.text }, { head: 'Number', number: true, cell: (k) => u.exact(k.count) },
    { head: 'Bytes', number: true, cell: (k) => u.size(k.bytes) },
    { head: 'Mean size', number: true, cell: (k) => u.size(k.bytes / k.count) },
    { head: 'Least', number: true, cell: (k) => u.time(k.least) },
    { head: 'Median', number: true, cell: (k) => u.time(k.median) },
    { head: '99 %', number: true, cell: (k) => u.time(k.p99) },
    { head: 'Most', number: true, cell: (k) => u.time(k.most) },
    { head: 'Unfinished', number: true, cell: (k) => u.exact(k.unfinished) },
  ], kinds, { caption: 'Operations by kind: number, bytes and duration' }));
  return true;
}
