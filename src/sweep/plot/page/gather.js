// SPDX-License-Identifier: BSD-3-Clause
// gather: what a chart shows of the points that the filters leave: tracks of items. A track is a series (of a heat map:
// a row), an item a place in it that the cursor can be at.
//   item: x (a number, or the place of a word), y, text (of x), and of means: least, most, runs; of points: point, front

const keyOf = (value) => `${typeof value}${value}`;

// Distinct values in the order of the page: numbers ascending, if all are numbers; else as they come.
class Distinct {
  constructor() { this.values = []; this.places = new Map(); }

  add(value) {
    const key = keyOf(value);
    if (!this.places.has(key)) { this.places.set(key, this.values.length); this.values.push(value); }
  }

  arrange() {
    if (!this.values.every((v) => typeof v === 'number')) return;
    this.values.sort((a, b) => a - b);
    this.values.forEach((v, k) => this.places.set(keyOf(v), k));
  }

  at(value) { return this.places.get(keyOf(value)); }
}

function seriesOf(spec, columns, point) {
  const parts = spec.series.map((name) => columns.get(name).values[point]);
  if (parts.length === 1 && parts[0] !== null) return parts[0];
  return parts.map((p) => (p === null ? '?' : String(p))).join(', ');
}

// Rows, x and their distinct values, of all points: filters move no series, and change no colour.
function chartOf(spec, data) {
  const { columns } = data, value = (name, point) => columns.get(name).values[point];
  const heat = spec.chart === 'heat', front = spec.chart === 'pareto';
  const members = (spec.points ?? data.points.map((_, k) => k)).filter((k) => {
    const x = value(spec.x, k), y = value(spec.y, k), v = heat ? value(spec.value, k) : y;
    return x !== null && y !== null && typeof v === 'number' && (!front || typeof x === 'number');
  });
  const row = (k) => (heat ? value(spec.y, k) : seriesOf(spec, columns, k));
  const xs = new Distinct(), rows = new Distinct();
  for (const k of members) { if (!front) xs.add(value(spec.x, k)); rows.add(row(k)); }
  if (!front) { xs.arrange(); rows.arrange(); }
  const words = spec.chart === 'bars' || heat || !xs.values.every((v) => typeof v === 'number');
  return { spec, members, xs, rows, row, words: words && !front, front, heat,
    x: (k) => value(spec.x, k), y: (k) => value(heat ? spec.value : spec.y, k) };
}

function meansOf(chart, keep) {
  const cells = chart.rows.values.map(() => new Array(chart.xs.values.length).fill(null));
  for (const k of chart.members) {
    if (!keep[k]) continue;
    const row = cells[chart.rows.at(chart.row(k))], at = chart.xs.at(chart.x(k)), y = chart.y(k);
    const c = row[at] ?? (row[at] = { sum: 0, runs: 0, least: y, most: y });
    c.sum += y; c.runs++;
    c.least = Math.min(c.least, y); c.most = Math.max(c.most, y);
  }
  return cells.map((row) => row.flatMap((c, at) => (c === null ? [] : [{ at, y: c.sum / c.runs, least: c.least,
    most: c.most, runs: c.runs, x: chart.words ? at : chart.xs.values[at], text: String(chart.xs.values[at]) }])));
}

// In the order of x, best first, a point is of the front if its y is better than all before; equal ones all are.
function frontOf(chart, keep, data) {
  const { xMost, yMost } = chart.spec, tracks = chart.rows.values.map(() => []);
  const items = chart.members.filter((k) => keep[k]).map((k) => ({ x: chart.x(k), y: chart.y(k), text: show(chart.x(k)),
    point: data.points[k], row: chart.rows.at(chart.row(k)), front: false }));
  items.sort((a, b) => (xMost ? b.x - a.x : a.x - b.x) || (yMost ? b.y - a.y : a.y - b.y) || a.point - b.point);
  let best = null;
  for (const o of items) {
    o.front = best === null || (yMost ? o.y > best.y : o.y < best.y) || (o.y === best.y && o.x === best.x);
    if (o.front) best = o;
  }
  for (const o of items) tracks[o.row].push(o);
  for (const t of tracks) t.sort((a, b) => a.x - b.x);
  return { tracks, items };
}

function gather(chart, keep, data) {
  if (chart.front) return frontOf(chart, keep, data);
  const tracks = meansOf(chart, keep);
  return { tracks, items: null };
}
