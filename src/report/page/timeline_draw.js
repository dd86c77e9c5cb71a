// SPDX-License-Identifier: BSD-3-Clause
// timeline_draw: draws a view of the run onto a canvas, and tells what lies under a point of it.
import { classColour, theme } from './theme.js';
import { drawRaces } from './timeline_races.js';
import { drawHeads, HEAD, headsHeight, headsOf } from './timeline_worlds.js';
import { timeTick } from './units.js';

export const GUTTER = 62, AXIS = 24, MOST_ARROWS = 200;
const FONT = '11px system-ui, sans-serif';

export function fieldHeight({ ranks, worlds }, width) {
  return AXIS + headsHeight(worlds) + Math.min(width < 600 ? 360 : 520, Math.max(60, ranks * 26));
}

export class Drawing {
  constructor(canvas, run) {
    Object.assign(this, { canvas, run, hits: [], headings: [], width: 0, height: 0 });
    this.context = canvas.getContext('2d');
  }

  resize(width, height) {
    const scale = Math.max(2, window.devicePixelRatio || 1);
    Object.assign(this, { width, height });
    this.canvas.width = Math.round(width * scale);
    this.canvas.height = Math.round(height * scale);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
  }

  x(view, time) { return GUTTER + ((time - view.from) / (view.to - view.from)) * (this.width - GUTTER); }
  // Headings of worlds take room: a rank is below those of all worlds that begin with it or before.
  ranksHeight() { return this.height - AXIS - HEAD * this.headings.length; }
  rankPixels(view) { return this.ranksHeight() / (view.last - view.first); }
  y(view, rank) {
    return AXIS + (rank - view.first) * this.rankPixels(view) +
      HEAD * this.headings.filter(({ world }) => world.first <= rank).length;
  }
  time(view, x) { return view.from + ((x - GUTTER) / (this.width - GUTTER)) * (view.to - view.from); }
  // The rank at y; within a heading, the first one below it.
  rank(view, y) {
    const above = this.headings.findLast((head) => this.y(view, head.first) - HEAD <= y);
    return above ? Math.max(above.first, above.first + (y - this.y(view, above.first)) / this.rankPixels(view))
      : view.first + (y - AXIS) / this.rankPixels(view);
  }

  draw(view, shown) {
    const c = this.context, t = theme();
    this.hits = [];
    this.headings = headsOf(this.run.worlds, view, this.height - AXIS);
    c.clearRect(0, 0, this.width, this.height);
    c.font = FONT;
    this.level = this.run.levels.pick(view.from, view.to, this.rankPixels(view),
      (view.to - view.from) / (this.width - GUTTER));
    this.states(view, t);
    this.axis(view, t);
    c.save();
    c.beginPath();
    c.rect(GUTTER, AXIS, this.width - GUTTER, this.height - AXIS);
    c.clip();
    this.marks(view, t);
    if (shown.operations) this.arrows(view, t);
    if (shown.critical) this.path(view, t);
    if (shown.races) drawRaces(this, view, t, shown.race, GUTTER);
    c.restore();
    c.font = FONT;
    this.labels(view, t);
    drawHeads(this, view, t, GUTTER);
  }

  states(view, t) {
    const { levels, states, classes } = this.run, { level, context: c } = this, g = level.group;
    const colour = states.map((s) => classColour(classes[s.class].key));
    const high = this.rankPixels(view) * g, gap = high >= 12 ? 1 : high >= 7 ? 0.5 : 0;
    for (let k = Math.floor(view.first / g); k < level.rows.length && k * g < view.last; k++) {
      const y = Math.max(AXIS, this.y(view, k * g)), until = Math.min(this.height,
        this.y(view, Math.min(this.run.ranks, (k + 1) * g) - 1) + this.rankPixels(view)) - gap;
      if (until <= y) continue;
      c.fillStyle = t.none;
      c.fillRect(GUTTER, y, this.width - GUTTER, until - y);
      levels.runs(level, k, view.from, view.to, (state, begin, end) => {
        const x = Math.max(GUTTER, this.x(view, begin)), to = Math.min(this.width, this.x(view, end));
        c.fillStyle = colour[state];
        c.fillRect(x, y, Math.max(to - x, 0.3), until - y);
      });
    }
  }

  axis(view, t) {
    const c = this.context, span = view.to - view.from, most = Math.max(2,
      Math.floor((this.width - GUTTER) / 110));
    const raw = span / most, ten = 10 ** Math.floor(Math.log10(raw)),
      step = [1, 2, 5, 10].map((f) => f * ten).find((s) => s >= raw * 0.999);
    const text = timeTick(view.to, step);
    c.textBaseline = 'middle';
    c.textAlign = 'center';
    for (let k = Math.ceil(view.from / step - 1e-9); k * step <= view.to + step * 1e-9; k++) {
      const x = this.x(view, k * step);
      c.fillStyle = t.line;
      c.fillRect(x - 0.5, AXIS - 5, 1, 5);
      c.globalAlpha = 0.35;
      c.fillRect(x - 0.5, AXIS, 1, this.height - AXIS);
      c.globalAlpha = 1;
      c.fillStyle = t.soft;
      const half = c.measureText(text(k * step)).width / 2;
      if (x + half <= this.width + 14) c.fillText(text(k * step),
        Math.min(Math.max(x, GUTTER + half), this.width - half), AXIS / 2 - 2);
    }
  }

  labels(view, t) {
    const c = this.context, g = this.level.group, high = this.rankPixels(view) * g;
    const every = Math.max(1, Math.ceil(15 / high));
    const round = every === 1 ? 1 : 2 ** Math.ceil(Math.log2(every));
    c.textAlign = 'right';
    c.textBaseline = 'middle';
    c.fillStyle = t.soft;
    c.fillText('rank', GUTTER - 8, AXIS / 2 - 2);
    for (let k = Math.ceil(view.first / g / round - 1e-9) * round; k * g < view.last; k += round) {
      const last = Math.min(this.run.ranks, (k + 1) * g) - 1, y = (this.y(view, k * g) + this.y(view, last) + this.rankPixels(view)) / 2;
      if (y < AXIS + 4 || y > this.height - 4) continue;
      c.fillText(g > 1 ? `${k * g}–${last}` : String(k), GUTTER - 8, y);
    }
  }

  marks(view, t) {
    const c = this.context, high = this.rankPixels(view);
    c.fillStyle = t.mark;
    for (const [time, rank, text, end] of this.run.marks) {
      if (end < view.from || time > view.to || rank < view.first - 1 || rank > view.last) continue;
      const x = this.x(view, time), y = this.y(view, rank);
      if (end > time) {
        const until = this.x(view, end), thick = Math.min(3, high / 4);
        c.fillRect(x, y, Math.max(1, until - x), thick);
        c.fillRect(x, y, 1, Math.min(high, 10));
        this.hits.push({ x0: x, y0: y + 1, x1: until, y1: y + 1, mark: { time, rank, text, end } });
        continue;
      }
      c.beginPath();
      c.moveTo(x, y + Math.min(high, 14));
      c.lineTo(x - 4, y);
      c.lineTo(x + 4, y);
      c.fill();
      this.hits.push({ x0: x, y0: y, x1: x, y1: y + 6, mark: { time, rank, text, end } });
    }
  }

  middle(view, rank) { return this.y(view, rank) + this.rankPixels(view) / 2; }

  arrows(view, t) {
    const c = this.context, list = this.run.arrows.within(view.from, view.to, Math.floor(view.first),
      Math.ceil(view.last) - 1, MOST_ARROWS);
    this.arrowsShown = list.length;
    c.lineWidth = list.length > 150 ? 0.9 : 1.2;
    c.globalAlpha = Math.min(1, Math.max(0.3, 120 / list.length));
    this.heads = list.length < 400 && this.rankPixels(view) >= 6;
    for (const a of list) {
      c.strokeStyle = c.fillStyle = a.kept > 0 ? t.kept : t.arrow;
      const there = [this.x(view, a.issued), this.middle(view, a.origin), this.x(view, a.effect),
        this.middle(view, a.target)];
      this.line(there, a);
      if (a.end > a.effect) this.line([there[2], there[3], this.x(view, a.end), this.middle(view, a.origin)],
        a, [3, 3]);
    }
    c.globalAlpha = 1;
  }

  line([x0, y0, x1, y1], arrow, dash = []) {
    const c = this.context, long = Math.hypot(x1 - x0, y1 - y0);
    if (long < 2) return;
    c.setLineDash(dash);
    c.beginPath();
    c.moveTo(x0, y0);
    c.lineTo(x1, y1);
    c.stroke();
    c.setLineDash([]);
    if (this.heads && long > 12) this.head(x0, y0, x1, y1, long);
    this.hits.push({ x0, y0, x1, y1, arrow });
  }

  head(x0, y0, x1, y1, long) {
    const c = this.context, ux = (x1 - x0) / long, uy = (y1 - y0) / long;
    c.beginPath();
    c.moveTo(x1, y1);
    c.lineTo(x1 - 7 * ux + 3 * uy, y1 - 7 * uy - 3 * ux);
    c.lineTo(x1 - 7 * ux - 3 * uy, y1 - 7 * uy + 3 * ux);
    c.fill();
  }

  path(view, t) {
    const c = this.context, seen = this.run.path.filter((p) => p.end > view.from && p.begin < view.to);
    const stroke = (width, colour) => {
      c.lineWidth = width;
      c.strokeStyle = colour;
      c.lineJoin = 'round';
      c.beginPath();
      seen.forEach((p, k) => {
        const x0 = this.x(view, p.begin), y0 = this.middle(view, p.peer);
        if (k) c.lineTo(x0, y0);
        else c.moveTo(x0, y0);
        c.lineTo(this.x(view, p.end), this.middle(view, p.rank));
      });
      c.stroke();
    };
    const wide = this.rankPixels(view) >= 8;
    stroke(wide ? 4 : 3, t.card);
    stroke(wide ? 2 : 1.5, t.critical);
    for (const p of seen)
      this.hits.push({ x0: this.x(view, p.begin), y0: this.middle(view, p.peer), x1: this.x(view, p.end),
        y1: this.middle(view, p.rank), piece: p });
  }

  // What is within 4 pixels: a mark, a race, a piece of the path or an operation; the one drawn last.
  hit(x, y) {
    let best = null, least = 4.5;
    for (const h of this.hits) {
      const dx = h.x1 - h.x0, dy = h.y1 - h.y0, all = dx * dx + dy * dy;
      const at = all ? Math.min(1, Math.max(0, ((x - h.x0) * dx + (y - h.y0) * dy) / all)) : 0;
      const far = Math.hypot(x - h.x0 - at * dx, y - h.y0 - at * dy);
      if (far <= least) [best, least] = [h, far];
    }
    return best;
  }
}
