// SPDX-License-Identifier: BSD-3-Clause
// timeline_cards: the rows of network cards below those of the ranks: what each card was doing, how many of
// its MSHRs were in use, and when it wrote lines back.
import { tip } from './charts.js';
import { decode } from './codes.js';
import { clean, h, short, swatch } from './dom.js';
import { classColour, theme } from './theme.js';
import { GUTTER } from './timeline_draw.js';
import { hideTip, showTip } from './tip.js';
import * as u from './units.js';

const PARTS = 16, MOST_TICKS = 400;

function decodeRow(text, level) {
  const runs = [];
  let at = 0;
  decode(text, 3, (state, ticks, mshrs) => {
    const begin = level.from + at * level.tick;
    at += ticks;
    runs.push({ state, begin, end: level.from + at * level.tick, mshrs: mshrs / PARTS });
  });
  return runs;
}

// The first run that ends after a time.
function firstAfter(runs, time) {
  let low = 0, high = runs.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (runs[mid].end > time) high = mid;
    else low = mid + 1;
  }
  return low;
}

export class Cards {
  constructor(data, names) {
    this.cards = data;
    this.names = names;
    this.decoded = data.levels.map(() => new Map());
    this.writes = new Map();
    this.canvas = h('canvas', {});
    this.field = h('div', { class: 'field cards', role: 'img',
      'aria-label': `What ${u.plural(data.rows.length, 'network card')} did over time; totals are in the table` },
    this.canvas);
    this.field.addEventListener('pointermove', (e) => this.point(e));
    this.field.addEventListener('pointerleave', hideTip);
  }

  get rowHeight() { return Math.max(4, Math.min(24, 320 / this.cards.rows.length)); }

  legend() {
    this.items = this.cards.states.map((s) => ({ key: s.key, swatch: swatch(classColour(s.key)), text: s.text }));
    return h('ul', { class: 'legend' }, this.items.map((i) => h('li', {}, i.swatch, `card: ${clean(i.text)}`)),
      h('li', {}, 'shaded: MSHRs in use'), h('li', {}, 'ticks: a line is written back'));
  }

  colours() {
    this.items.forEach((i) => { i.swatch.style.background = classColour(i.key); });
  }

  resize(width) {
    const scale = Math.max(2, window.devicePixelRatio || 1), height = this.cards.rows.length * this.rowHeight;
    Object.assign(this, { width, height });
    [this.canvas.width, this.canvas.height] = [width * scale, height * scale];
    [this.canvas.style.width, this.canvas.style.height] = [`${width}px`, `${height}px`];
    this.canvas.getContext('2d').setTransform(scale, 0, 0, scale, 0, 0);
  }

  // The coarsest level that still shows each pixel, else the finest there is.
  pick(view) {
    const pixel = (view.to - view.from) / (this.width - GUTTER);
    const fit = this.cards.levels.filter((l) => l.from <= view.from && l.to >= view.to)
      .sort((a, b) => b.shortest - a.shortest);
    return fit.find((l) => l.shortest <= pixel) ?? fit[fit.length - 1];
  }

  row(level, k) {
    const rows = this.decoded[this.cards.levels.indexOf(level)];
    if (!rows.has(k)) rows.set(k, decodeRow(level.rows[k], level));
    return rows.get(k);
  }

  writesOf(k) {
    if (!this.writes.has(k)) {
      const times = [];
      let at = 0;
      decode(this.cards.writes[k], 1, (ticks) => {
        at += ticks;
        times.push(at * this.cards.writesTick);
      });
      this.writes.set(k, times);
    }
    return this.writes.get(k);
  }

  x(view, time) { return GUTTER + ((time - view.from) / (view.to - view.from)) * (this.width - GUTTER); }

  draw(view) {
    const c = this.canvas.getContext('2d'), t = theme(), high = this.rowHeight, gap = high >= 12 ? 2 : 0.5;
    this.view = view;
    this.level = this.pick(view);
    if (!this.level) return;
    this.top = Math.max(1, ...this.cards.rows.map((r) => r.mostMshrs));
    c.clearRect(0, 0, this.width, this.height);
    c.font = '11px system-ui, sans-serif';
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    const every = Math.ceil(13 / high);
    this.cards.rows.forEach((r, k) => {
      this.drawRow(c, t, view, k, k * high + gap / 2, high - gap);
      c.fillStyle = t.soft;
      if (k % every === 0) c.fillText(short(this.names[k], 9), GUTTER - 8, k * high + high / 2);
    });
  }

  drawRow(c, t, view, k, y, high) {
    const runs = this.row(this.level, k), colour = this.cards.states.map((s) => classColour(s.key));
    c.fillStyle = t.none;
    c.fillRect(GUTTER, y, this.width - GUTTER, high);
    const seen = [];
    for (let i = firstAfter(runs, view.from); i < runs.length && runs[i].begin < view.to; i++) seen.push(runs[i]);
    const place = (r) => [Math.max(GUTTER, this.x(view, r.begin)), Math.min(this.width, this.x(view, r.end))];
    for (const r of seen) {
      const [x, to] = place(r);
      c.fillStyle = colour[r.state];
      c.fillRect(x, y, Math.max(to - x, 0.3), high);
    }
    if (high < 8) return;
    c.fillStyle = t.text;
    c.globalAlpha = 0.45;
    for (const r of seen) {
      const [x, to] = place(r), full = (r.mshrs / this.top) * high * 0.9;
      if (full > 0) c.fillRect(x, y + high - full, Math.max(to - x, 0.3), full);
    }
    c.globalAlpha = 1;
    this.drawWrites(c, t, view, k, y, high);
  }

  drawWrites(c, t, view, k, y, high) {
    const seen = this.writesOf(k).filter((time) => time >= view.from && time <= view.to);
    if (seen.length > MOST_TICKS) return;
    c.fillStyle = t.accent;
    for (const time of seen) c.fillRect(this.x(view, time) - 0.75, y, 1.5, high * 0.35);
  }

  point(e) {
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left,
      k = Math.floor((e.clientY - box.top) / this.rowHeight), r = this.cards.rows[k];
    if (!r || !this.level || x < GUTTER) {
      hideTip();
      return;
    }
    const { view } = this, time = view.from + ((x - GUTTER) / (this.width - GUTTER)) * (view.to - view.from);
    const runs = this.row(this.level, k), run = runs[firstAfter(runs, time)];
    if (!run) {
      hideTip();
      return;
    }
    const s = this.cards.states[run.state], merged = run.end - run.begin < this.level.shortest * 1.999;
    showTip(tip(`Card of ${short(r.host, 40)}`, [[classColour(s.key), merged ? 'Mostly' : 'State', clean(s.text)],
      [null, 'MSHRs in use', String(Number(run.mshrs.toFixed(1)))], [null, 'From', u.time(run.begin, 7)],
      [null, 'For', u.time(run.end - run.begin)]]), e.clientX, e.clientY);
  }
}
