// SPDX-License-Identifier: BSD-3-Clause
// timeline: the section: controls, keys, wheel and pointer, the overview below, and what is said about what
// is pointed at.
import { clean, h, section, short, swatch } from './dom.js';
import { classColour, onTheme, theme } from './theme.js';
import { hideTip, showTip } from './tip.js';
import { Arrows, decodePath, Levels } from './timeline_data.js';
import { Cards } from './timeline_cards.js';
import { AXIS, Drawing, fieldHeight, GUTTER } from './timeline_draw.js';
import { describeRace, raceLegend } from './timeline_races.js';
import { describeArrow, describeMark, describePiece } from './timeline_said.js';
import { View } from './timeline_view.js';
import { describeHead, headAt } from './timeline_worlds.js';
import { tip } from './charts.js';
import * as u from './units.js';

export function timeline(data) {
  const t = data.timeline;
  if (!t.levels.length) return false;
  const run = {
    ranks: t.ranks, states: t.states, classes: data.classes, marks: t.marks, races: data.races,
    worlds: data.worlds, levels: new Levels(t),
    arrows: new Arrows(t.arrows),
    path: decodePath(data.path), view: new View(data.about.end, t.ranks),
  };
  new Timeline(data, run).build();
  return true;
}

class Timeline {
  constructor(data, run) {
    Object.assign(this, { data, run, view: run.view, shown: { operations: true, critical: true,
      races: data.races.length > 0 } });
  }

  build() {
    const s = section('timeline', 'Timeline',
      'What each rank did, and the operations between them, from where they were issued to where they took ' +
      'effect; dashed: the way back of a get or an atomic. The red line is the critical path.');
    this.said = h('p', { class: 'window', 'aria-live': 'polite' });
    this.canvas = h('canvas', {});
    this.field = h('div', {
      id: 'timeline-field', class: 'field', tabindex: '0', role: 'application',
      'aria-roledescription': 'timeline', 'aria-describedby': 'timeline-help',
      'aria-label': `Timeline of ${u.plural(this.run.ranks, 'rank')}${
        this.run.worlds.length ? ` in ${u.plural(this.data.worldsFound, 'world')}` : ''}`,
    }, this.canvas);
    this.overview = h('canvas', { class: 'overview', 'aria-hidden': 'true' });
    this.drawing = new Drawing(this.canvas, this.run);
    if (this.data.cards?.levels.length)
      this.cards = new Cards(this.data.cards, this.data.cards.rows.map((r) => r.host));
    s.append(this.controls(), this.legend(), this.field);
    if (this.cards) s.append(this.cards.field, this.cards.legend());
    s.append(this.overview, this.said,
      h('p', { class: 'note', id: 'timeline-help' },
        'Wheel: zoom, after a click or with Ctrl; with Shift: ranks. Drag: move. Double click: zoom in. ' +
        'Keys: + − ← → ↑ ↓, Shift + and Shift − for ranks, 0 for everything.'),
      this.detail = h('p', { class: 'note' }));
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.field);
    onTheme(() => { this.background = null; this.legendColours(); this.cards?.colours();
      this.draw(); });
    this.resize();
  }

  controls() {
    const button = (text, name, f) => h('button', { type: 'button', 'aria-label': name, title: name,
      onclick: f }, text);
    const flag = (key, text) => {
      const b = h('button', { type: 'button', 'aria-pressed': 'true', onclick: () => this.toggle(key) },
        text);
      this.flags = { ...this.flags, [key]: b };
      return b;
    };
    return h('div', { class: 'controls' },
      h('div', { class: 'choice', role: 'group', 'aria-label': 'Zoom' },
        button('+', 'Zoom in', () => this.move(() => this.view.zoomTime(0.5))),
        button('−', 'Zoom out', () => this.move(() => this.view.zoomTime(2))),
        button('←', 'Earlier', () => this.move(() => this.view.pan(-0.4, 0))),
        button('→', 'Later', () => this.move(() => this.view.pan(0.4, 0))),
        button('All', 'Everything', () => this.move(() => this.view.reset()))),
      h('div', { class: 'choice', role: 'group', 'aria-label': 'What is drawn' },
        flag('operations', 'Operations'), flag('critical', 'Critical path'),
        this.run.races.length > 0 && flag('races', 'Races')));
  }

  legend() {
    const used = new Set(this.run.states.map((s) => s.class));
    this.items = this.run.classes.map((c, k) => [c, k]).filter(([, k]) => used.has(k)).map(([c]) => {
      const s = swatch(classColour(c.key));
      return { key: c.key, swatch: s, element: h('li', {}, s, c.text) };
    });
    if (this.data.timeline.arrows.kept > 0) {
      const s = swatch(theme().kept);
      this.items.push({ kept: true, swatch: s,
        element: h('li', {}, s, 'operation kept back by the adversary') });
    }
    return h('ul', { class: 'legend' }, this.items.map((i) => i.element),
      this.run.races.length > 0 && raceLegend());
  }

  legendColours() {
    this.items.forEach((i) => { i.swatch.style.background = i.kept ? theme().kept : classColour(i.key); });
  }

  toggle(key) {
    this.shown[key] = !this.shown[key];
    this.flags[key].setAttribute('aria-pressed', String(this.shown[key]));
    this.draw();
  }

  // The table of races leads here.
  race(k) {
    Object.assign(this.shown, { races: false, race: k });
    this.view.around(this.run.races[k].accesses);
    this.toggle('races');
    document.getElementById('timeline').scrollIntoView();
    this.field.focus({ preventScroll: true });
  }

  resize() {
    const width = this.field.clientWidth;
    if (!width || width === this.drawing.width) return;
    this.drawing.resize(width, fieldHeight(this.run, width));
    this.cards?.resize(width);
    this.background = null;
    this.draw();
  }

  move(change) {
    change();
    if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = 0; this.draw(); });
  }

  draw() {
    if (!this.drawing.width) return;
    const v = this.view;
    this.drawing.draw(v, this.shown);
    this.cards?.draw(v);
    this.drawOverview();
    Object.assign(this.field.dataset, { from: v.from, to: v.to, first: v.first, last: v.last });
    const first = Math.floor(v.first), last = Math.ceil(v.last) - 1;
    this.said.textContent = `${u.time(v.from)} to ${u.time(v.to)} of ${u.time(v.end)}, ` +
      u.ranks(first, last) + (v.whole ? ': everything' : '');
    this.detail.textContent = this.describeDetail();
  }

  describeDetail() {
    const l = this.drawing.level, a = this.run.arrows, parts = [];
    if (l.group > 1)
      parts.push(`Each row is ${l.group} ranks, in the state that most of them were in for longest.`);
    if (l.shortest > 0)
      parts.push(`States are exact from ${u.time(l.shortest, 2)} on; ` +
        `what is shorter is shown as the state that prevailed.`);
    if (a.shown < a.total)
      parts.push(`${u.exact(a.shown)} of ${u.exact(a.total)} operations are in this page.`);
    const px = (this.view.to - this.view.from) / (this.drawing.width - GUTTER);
    if ((l.shortest > 4 * px || a.shown < a.total) && !this.view.whole)
      parts.push(`For all of this window: pgasim report --focus ${this.view.from.toPrecision(6)}:` +
        `${this.view.to.toPrecision(6)} ${short(this.data.about.trace, 80)}`);
    return parts.join(' ');
  }

  // --- the overview: the whole run, and a frame around what is seen

  drawOverview() {
    const width = this.drawing.width, height = 34, scale = Math.max(2, window.devicePixelRatio || 1),
      o = this.overview;
    if (!this.background) {
      const back = document.createElement('canvas'), small = new Drawing(back, { ...this.run, worlds: [] }),
        all = new View(this.view.end, this.run.ranks);
      small.resize(width, height + AXIS);
      small.level = this.run.levels.pick(0, all.end, height / this.run.ranks, all.end / width);
      small.states(all, theme());
      this.background = back;
      [o.width, o.height] = [width * scale, height * scale];
      [o.style.width, o.style.height] = [`${width}px`, `${height}px`];
    }
    const c = o.getContext('2d'), t = theme(), inner = width - GUTTER;
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, width, height);
    c.drawImage(this.background, 0, AXIS * scale, width * scale, height * scale, 0, 0, width, height);
    const x = GUTTER + (this.view.from / this.view.end) * inner, to = GUTTER +
      (this.view.to / this.view.end) * inner;
    c.fillStyle = t.back;
    c.globalAlpha = 0.65;
    c.fillRect(GUTTER, 0, x - GUTTER, height);
    c.fillRect(to, 0, width - to, height);
    c.globalAlpha = 1;
    c.strokeStyle = t.accent;
    c.lineWidth = 2;
    c.strokeRect(x, 1, Math.max(2, Math.min(to, width - 1) - x), height - 2);
  }

  // --- keys, wheel, pointer

  listen() {
    this.field.addEventListener('keydown', (e) => this.key(e));
    this.field.addEventListener('wheel', (e) => this.wheel(e), { passive: false });
    this.field.addEventListener('dblclick', (e) => this.move(() => this.view.zoomTime(0.4, this.at(e).time)));
    this.field.addEventListener('pointerdown', (e) => this.press(e));
    this.field.addEventListener('pointermove', (e) => this.point(e));
    this.field.addEventListener('pointerleave', hideTip);
    for (const name of ['pointerup', 'pointercancel']) this.field.addEventListener(name,
      () => { this.dragged = null; });
    const seek = (e) => {
      if (!e.buttons) return;
      const r = this.overview.getBoundingClientRect(), span = this.view.to - this.view.from;
      const time = ((e.clientX - r.left - GUTTER) / (r.width - GUTTER)) * this.view.end;
      this.move(() => this.view.show(time - span / 2, time + span / 2));
    };
    this.overview.addEventListener('pointerdown', (e) => { this.overview.setPointerCapture(e.pointerId);
      seek(e); });
    this.overview.addEventListener('pointermove', seek);
    document.addEventListener('race', (e) => this.race(e.detail));
  }

  at(e) {
    const r = this.canvas.getBoundingClientRect(), x = e.clientX - r.left, y = e.clientY - r.top;
    return { x, y, time: this.drawing.time(this.view, x), rank: this.drawing.rank(this.view, y) };
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const v = this.view, ranks = e.shiftKey && ['Equal', 'Minus', 'NumpadAdd', 'NumpadSubtract',
      'BracketRight', 'Slash'].includes(e.code);
    const does = {
      '+': () => (ranks ? v.zoomRanks(0.5) : v.zoomTime(0.5)), '=': () => v.zoomTime(0.5), '*': () =>
        v.zoomRanks(0.5),
      '-': () => (ranks ? v.zoomRanks(2) : v.zoomTime(2)), '_': () => v.zoomRanks(2),
      ArrowLeft: () => v.pan(-0.2, 0), ArrowRight: () => v.pan(0.2, 0), ArrowUp: () => v.pan(0, -0.25),
      ArrowDown: () => v.pan(0, 0.25),
      PageUp: () => v.pan(-0.9, 0), PageDown: () => v.pan(0.9, 0), Home: () => v.pan(-1e12, 0), End: () =>
        v.pan(1e12, 0),
      0: () => v.reset(), o: () => this.toggle('operations'), c: () => this.toggle('critical'),
      r: () => this.run.races.length > 0 && this.toggle('races'),
    }[e.key];
    if (!does) return;
    e.preventDefault();
    this.move(does);
  }

  // Without a click before, or Ctrl, the wheel moves the page: who only passes by is not caught.
  wheel(e) {
    if (!(e.ctrlKey || e.metaKey || document.activeElement === this.field)) return;
    e.preventDefault();
    hideTip();
    const at = this.at(e), ranks = e.shiftKey, by = e.deltaY || e.deltaX;
    const factor = Math.exp(Math.max(-1, Math.min(1, by * (e.deltaMode ? 0.05 : 0.002))));
    if (Math.abs(e.deltaX) > Math.abs(e.deltaY) && !ranks) this.move(() =>
      this.view.pan(e.deltaX / this.drawing.width, 0));
    else this.move(() => (ranks ? this.view.zoomRanks(factor, at.rank)
      : this.view.zoomTime(factor, at.time)));
  }

  press(e) {
    if (e.button) return;
    this.dragged = { x: e.clientX, y: e.clientY };
    this.field.setPointerCapture(e.pointerId);
  }

  point(e) {
    if (this.dragged && e.buttons) {
      const dx = e.clientX - this.dragged.x, dy = e.pointerType === 'touch' ? 0 : e.clientY - this.dragged.y;
      this.dragged = { x: e.clientX, y: e.clientY };
      hideTip();
      this.move(() => this.view.pan(-dx / (this.drawing.width - GUTTER), -dy / this.drawing.ranksHeight()));
      return;
    }
    const at = this.at(e), said = at.x >= GUTTER && at.y >= AXIS ? this.describe(at) : null;
    if (said) showTip(said, e.clientX, e.clientY);
    else hideTip();
  }

  // --- what is under the pointer

  describe(at) {
    const head = headAt(this.drawing, this.view, at.y), hit = head ? null : this.drawing.hit(at.x, at.y);
    if (head) return describeHead(head);
    if (hit?.mark) return describeMark(hit.mark);
    if (hit?.race !== undefined) return describeRace(this.run.races[hit.race]);
    if (hit?.arrow) return describeArrow(this.data, hit.arrow);
    if (hit?.piece) return describePiece(this.data, hit.piece);
    return this.describeState(at);
  }

  describeState(at) {
    const l = this.drawing.level, k = Math.floor(at.rank / l.group), found = k < l.rows.length
      ? this.run.levels.at(l, k, at.time) : null;
    if (!found) return null;
    const state = this.run.states[found.state], c = this.run.classes[state.class],
      last = Math.min(this.run.ranks, (k + 1) * l.group) - 1;
    const host = this.data.hosts.of && l.group === 1 ? this.data.hosts.names[this.data.hosts.of[k]] : null;
    const merged = found.end - found.begin < l.shortest * 1.999;
    return tip(u.ranks(k * l.group, last), [[classColour(c.key), clean(c.text), state.text
      ? short(state.text, 60) : ''], [null, merged ? 'Prevails from' : 'From', u.time(found.begin, 7)],
      [null, 'To', u.time(found.end, 7)], [null, 'For', u.time(found.end - found.begin)], host &&
        [null, 'Host', short(host, 40)]]);
  }
}
