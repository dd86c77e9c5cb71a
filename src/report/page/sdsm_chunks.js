// SPDX-License-Identifier: BSD-3-Clause
// sdsm_chunks: the chunks of one process over time: what was allocated and evicted, and each scope as a segment.
import { axis, chart, label, tip } from './charts.js';
import { decode } from './codes.js';
import { h } from './dom.js';
import { addresses } from './sdsm_address.js';
import { classColour, theme } from './theme.js';
import * as u from './units.js';

const WIDE = 96; // of the addresses beside an axis

function timeAxis(t, end) {
  return axis(t, 'value', { min: 0, max: end, axisLabel: { formatter: (x) => u.timeTick(end, end / 8)(x),
    showMaxLabel: false } });
}

const zoom = (t, width) => [{ type: 'inside', xAxisIndex: 0, zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false,
  filterMode: 'none' },
{ type: 'slider', xAxisIndex: 0, height: 16, bottom: 2, left: WIDE + 44, right: width > 600 ? 60 : 20, filterMode: 'none',
  showDetail: false, borderColor: t.line, fillerColor: t.dark ? 'rgba(108,178,255,.16)' : 'rgba(11,99,197,.12)',
  backgroundColor: t.back, dataBackground: { lineStyle: { opacity: 0 }, areaStyle: { opacity: 0 } },
  selectedDataBackground: { lineStyle: { opacity: 0 }, areaStyle: { opacity: 0 } },
  handleStyle: { color: t.card, borderColor: t.soft }, moveHandleStyle: { color: t.line } }];

const high = (axisOf) => Math.max(250, Math.min(520, 130 + axisOf.n * 14));

/* --- allocation ---------------------------------------------------------------------------------- */

const EVENTS = [
  ['malloc', 'circle', 'compute'], ['lookup', 'triangle', 'issue'], ['free', 'rect', 'signal'],
  ['evicted (LRU)', 'diamond', 'get']];

export function allocation(parent, data, p) {
  const d = data.sdsm, events = [], curve = [];
  let at = 0;
  decode(p.allocations, 3, (step, kind, chunk) => {
    at += step;
    if (kind < EVENTS.length) events.push([at * d.tick, chunk, kind]);
  });
  at = 0;
  decode(p.curve, 3, (step, known, footprint) => {
    at += step;
    curve.push([at * d.tick, known, footprint]);
  });
  if (!curve.length) return;
  const y = addresses(d.ids, events.map((e) => e[1])), end = data.about.end;
  const last = curve[curve.length - 1], line = (k) => [...curve.map((c) => [c[0], c[k]]), [end, last[k]]];
  const present = EVENTS.map((e, k) => [...e, events.filter((x) => x[2] === k)]).filter((e) => e[3].length);
  parent.append(h('h4', {}, 'Allocation'), h('p', { class: 'note' },
    `Chunks: those that the process knows. Footprint: those whose data it holds.${y.note}` +
    (p.allocationsTotal > events.length * 4 && p.allocationsTotal > 20000 ? ' Of the events every n-th is shown.' : '')));
  chart(parent, high(y), `Allocation of chunks by process ${p.rank} over time: ${present.map((e) =>
    `${e[0]} ${u.count(e[3].length)}`).join(', ')}; at most ${Math.max(...curve.map((c) => c[1]))} chunks, ${
    Math.max(...curve.map((c) => c[2]))} with data`, (t, width) => ({
    legend: { data: [...present.map((e) => e[0]), 'Chunks', 'Footprint'] },
    grid: { left: WIDE + 44, right: 60, top: 34, bottom: 46, containLabel: false, outerBoundsMode: 'none' },
    xAxis: timeAxis(t, end), dataZoom: zoom(t, width),
    yAxis: [y.axis(t, WIDE), axis(t, 'value', { name: 'chunks', nameGap: 40, min: 0, minInterval: 1, position: 'right',
      splitLine: { show: false } })],
    tooltip: { formatter: (i) => (i.seriesType === 'scatter' ? tip(`${i.seriesName}: chunk ${y.id(i.value[2])}`,
      [[null, 'At', u.time(i.value[0])]]) : tip(i.seriesName, [[i.color, u.time(i.value[0]), u.exact(i.value[1])]])) },
    series: [
      ...present.map(([name, symbol, key, list]) => ({ type: 'scatter', name: label(name), symbol,
        symbolSize: list.length > 2000 ? 4 : 7, itemStyle: { color: classColour(key), opacity: 0.85 },
        data: list.map(([x, chunk]) => [x, y.place(chunk), chunk]), large: false })),
      { type: 'line', name: 'Chunks', step: 'end', yAxisIndex: 1, symbol: 'none', data: line(1),
        lineStyle: { width: 2, color: t.text }, itemStyle: { color: t.text } },
      { type: 'line', name: 'Footprint', step: 'end', yAxisIndex: 1, symbol: 'none', data: line(2),
        lineStyle: { width: 2, color: t.mark, type: [6, 3] }, itemStyle: { color: t.mark } },
    ],
  }));
}

/* --- accesses ------------------------------------------------------------------------------------ */

const KINDS = [['read hit', 'readhit'], ['read miss', 'readmiss'], ['write hit', 'writehit'], ['write miss', 'writemiss'],
  ['not granted', 'lock']];

function kindOf(code) {
  return code & 2 ? (code >> 2) * 2 + (code & 1 ? 0 : 1) : 4;
}

// A thin line while the process waits for the grant, a bar from then on.
function segment(half) {
  return (params, api) => {
    const [x0, y] = api.coord([api.value(0), api.value(3)]), x1 = api.coord([api.value(1), api.value(3)])[0],
      x2 = api.coord([api.value(2), api.value(3)])[0], cs = params.coordSys;
    const left = cs.x, right = cs.x + cs.width, cut = (x) => Math.max(left, Math.min(right, x));
    if (x2 < left || x0 > right) return null;
    const fill = api.visual('color'), rect = (a, b, tall, opacity) => ({ type: 'rect',
      shape: { x: cut(a), y: y - tall, width: Math.max(1.5, cut(b) - cut(a)), height: 2 * tall }, style: { fill, opacity } });
    return { type: 'group', children: [x1 > x0 && rect(x0, x1, Math.max(0.7, half / 4), 0.75),
      x2 > x1 && rect(x1, x2, half, 1), x2 === x0 && rect(x0, x0, half, 1)].filter(Boolean) };
  };
}

function said(p, y, i) {
  const [begin, granted, end, , bytes, chunk, code] = i.value;
  return tip(`${i.seriesName}: chunk ${y.id(chunk)}`, [[null, 'From', u.time(begin, 6)],
    [null, code & 2 ? 'Waited' : 'Waits', u.time(granted - begin)], (code & 2) > 0 && [null, 'Held', u.time(end - granted)],
    bytes > 0 && [null, 'Moved', u.size(bytes)]]);
}

export function accesses(parent, data, p) {
  const d = data.sdsm, end = data.about.end, lists = KINDS.map(() => []), seen = [];
  let at = 0;
  decode(p.scopes, 6, (step, wait, held, chunk, code, bytes) => {
    at += step;
    seen.push(chunk);
    lists[kindOf(code)].push([at * d.tick, (at + wait) * d.tick, (at + wait + held) * d.tick, chunk, bytes, code]);
  });
  if (!seen.length) return;
  const y = addresses(d.ids, seen), present = KINDS.map((k, n) => [...k, lists[n]]).filter((k) => k[2].length);
  parent.append(h('h4', {}, 'Accesses'), h('p', { class: 'note' },
    `A segment for each scope: thin while it waits for the grant, then thick until the release.${y.note}` + (p.shown < p.total ?
      ` ${u.exact(p.shown)} of ${u.exact(p.total)} scopes are drawn: the longest, and of the others a sample.` : '')));
  chart(parent, high(y), `Accesses of process ${p.rank} to chunks over time: ${present.map((k) =>
    `${k[0]} ${u.count(k[2].length)}`).join(', ')}`, (t, width) => {
    const tall = Math.max(1.5, Math.min(6, (high(y) - 90) / y.n / 2.6));
    return {
      legend: { data: present.map((k) => k[0]) },
      grid: { left: WIDE + 44, right: 60, top: 34, bottom: 46, containLabel: false, outerBoundsMode: 'none' },
      xAxis: timeAxis(theme(), end), yAxis: y.axis(t, WIDE), dataZoom: zoom(t, width),
      tooltip: { formatter: (i) => said(p, y, i) },
      series: present.map(([name, key, list]) => ({ type: 'custom', name: label(name), clip: true,
        itemStyle: { color: classColour(key) }, renderItem: segment(tall), encode: { x: [0, 2], y: 3 },
        data: list.map(([a, b, c, chunk, bytes, code]) => [a, b, c, y.place(chunk), bytes, chunk, code]) })),
    };
  });
}
