// SPDX-License-Identifier: BSD-3-Clause
// timeline_data: the levels of detail as pgasim made them, decoded when first looked at, and which of them a
// view needs.
import { decode } from './codes.js';

// One row's runs: until[k] is when run k of state[k] ends; it begins where the one before ends.
function decodeRow(text, level) {
  const until = [], state = [];
  let at = 0;
  decode(text, 2, (s, ticks) => {
    at += ticks;
    until.push(level.from + at * level.tick);
    state.push(s);
  });
  return { until: Float64Array.from(until), state: Uint16Array.from(state) };
}

function firstAfter(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (sorted[mid] > value) high = mid;
    else low = mid + 1;
  }
  return low;
}

export class Levels {
  constructor(data) {
    this.levels = data.levels;
    this.decoded = data.levels.map(() => new Map());
  }

  // What is good enough where a rank has `rankPixels` pixels and a pixel is `seconds`: rows of at least 3
  // pixels, then the coarsest level that still shows each pixel, else the finest there is.
  pick(from, to, rankPixels, seconds) {
    const groups = [...new Set(this.levels.map((l) => l.group))].sort((a, b) => a - b);
    const group = groups.find((g) => g * rankPixels >= 3) ?? groups[groups.length - 1];
    const covers = (l) => l.group === group && l.from <= from && l.to >= to;
    const fit = this.levels.filter(covers).sort((a, b) => b.shortest - a.shortest);
    return fit.find((l) => l.shortest <= seconds) ?? fit[fit.length - 1];
  }

  row(level, k) {
    const rows = this.decoded[this.levels.indexOf(level)];
    if (!rows.has(k)) rows.set(k, decodeRow(level.rows[k], level));
    return rows.get(k);
  }

  // each(state, begin, end) for the runs of a row that touch [from, to).
  runs(level, k, from, to, each) {
    const row = this.row(level, k);
    for (let i = firstAfter(row.until, from); i < row.until.length; i++) {
      const begin = i ? row.until[i - 1] : level.from;
      if (begin >= to) break;
      each(row.state[i], begin, row.until[i]);
    }
  }

  // The run at a time, or null.
  at(level, k, time) {
    let found = null;
    this.runs(level, k, time, time + Number.EPSILON * Math.abs(time) + 1e-300,
      (state, begin, end) => { found ??= { state, begin, end }; });
    return found;
  }
}

// Operations in layers: the first ones are spread over the whole run, each further one fills in.
export class Arrows {
  constructor(data) {
    this.total = data.total;
    this.layers = data.layers.map((l) => ({ text: l, list: null }));
    this.tick = data.tick;
    this.shown = data.shown;
  }

  layer(k) {
    const layer = this.layers[k];
    if (!layer.list) {
      let issued = 0;
      layer.list = [];
      decode(layer.text, 11, (wait, effect, end, origin, target, kind, call, bytes, tag, context, kept) => {
        issued += wait;
        layer.list.push({ issued: issued * this.tick, effect: (issued + effect) * this.tick,
          end: (issued + end) * this.tick, origin, target, kind, call, bytes, tag: tag - 1, context,
          kept: kept * this.tick });
      });
      layer.longest = layer.list.reduce((most, a) => Math.max(most, a.end - a.issued), 0);
    }
    return layer;
  }

  // Those that touch the window, layer by layer until `most` are there.
  within(from, to, first, last, most) {
    const found = [];
    for (let k = 0; k < this.layers.length && found.length < most; k++) {
      const { list, longest } = this.layer(k);
      let low = 0, high = list.length;
      while (low < high) {
        const mid = (low + high) >> 1;
        if (list[mid].issued < from - longest) low = mid + 1;
        else high = mid;
      }
      for (; low < list.length && list[low].issued < to; low++) {
        const a = list[low];
        const seen = (a.origin >= first && a.origin <= last) || (a.target >= first && a.target <= last);
        if (a.end >= from && seen) found.push(a);
      }
    }
    return found;
  }
}

// The critical path, as pieces of a rank's own time (peer is the rank) and flights from one to another.
export function decodePath(data) {
  const pieces = [];
  let at = 0;
  decode(data.pieces, 4, (ticks, rank, peer, part) => {
    const begin = at;
    at += ticks;
    pieces.push({ begin: begin * data.tick, end: at * data.tick, rank, peer, part });
  });
  return pieces;
}
