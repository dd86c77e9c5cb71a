// SPDX-License-Identifier: BSD-3-Clause
// topology: the platform's drawing with its links coloured by how full they were. The drawing comes as text
// and is made anew from the few elements and attributes below: nothing else of it gets in. (The browser's own
// parser would complain of the style within, which this page's policy forbids.)
import { choice, clean, h, short } from './dom.js';
import { letters } from './codes.js';
import { ceiling, onTheme, rampColour, theme } from './theme.js';
import { hideTip, showTip } from './tip.js';
import { tip } from './charts.js';
import * as u from './units.js';

const SVG = 'http://www.w3.org/2000/svg';
const ELEMENTS = new Set(['svg', 'g', 'path', 'rect', 'circle', 'line', 'text', 'title']);
const ATTRIBUTES = new Set(['class', 'd', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry',
  'width', 'height', 'viewBox', 'stroke-width', 'font-size', 'text-anchor', 'data-links']);
const PLAIN = /^[\w\s.,%#+-]*$/; // what numbers, classes and paths consist of

const TOKEN = /<(\/?)([A-Za-z]+)((?:\s+[\w:-]+\s*=\s*"[^"<]*")*)\s*(\/?)>|<[^>]*>|([^<]+)/g;
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [, key, value] of attributes.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g))
    if (ATTRIBUTES.has(key) && PLAIN.test(value)) element.setAttribute(key, value);
  return element;
}

// The first svg element of a text. What stands within an element that is not one of ours goes with it.
function parse(text) {
  const open = [];
  let root = null, foreign = 0;
  for (const [, closing, name, attributes, empty, words] of text.matchAll(TOKEN)) {
    const top = open[open.length - 1];
    if (words !== undefined) {
      if (!foreign && (top?.localName === 'text' ||
        top?.localName === 'title')) top.append(clean(words.replace(/&(amp|lt|gt|quot|apos);/g, (_, n) =>
        NAMED[n])));
    } else if (closing) {
      if (foreign) foreign--;
      else open.pop();
    } else if (name && (foreign || !ELEMENTS.has(name))) {
      if (!empty) foreign++;
    } else if (name) {
      const element = make(name, attributes);
      if (top) top.append(element);
      else if (!root && name === 'svg') root = element;
      else break;
      if (!empty) open.push(element);
    }
  }
  root?.removeAttribute('width');
  root?.removeAttribute('height');
  root?.querySelector('rect[width="100%"]')?.remove();
  return root;
}

// "3,5-7" names the links 3, 5, 6 and 7.
function numbers(text) {
  return text.split(',').flatMap((part) => {
    const [low, high = low] = part.split('-').map(Number);
    return high - low < 1e5 ? Array.from({ length: high - low + 1 }, (_, k) => low + k) : [];
  });
}

class Topology {
  constructor(data, svg) {
    Object.assign(this, { data, svg, what: 'mean', bin: 0, use: new Map(), rows: new Map() });
    for (let k = 0; k < data.links.drawn.length; k += 3) this.use.set(data.links.drawn[k],
      { mean: data.links.drawn[k + 1] / 10000, peak: data.links.drawn[k + 2] / 10000 });
    for (const r of data.links.rows) this.rows.set(r.id, { ...r,
      values: letters(r.usage).map((x) => (x / 63) * data.links.top) });
    this.bar = h('span', {});
    this.most = h('b', {});
    this.lines = [...svg.querySelectorAll('[data-links]')].map((element) =>
      ({ element, ids: numbers(element.getAttribute('data-links')),
      title: element.querySelector('title')?.textContent }));
    this.lines.forEach((l) => l.element.querySelector('title')?.remove());
  }

  value(id) {
    if (this.what === 'time') return this.rows.get(id)?.values[this.bin] ?? 0;
    return this.use.get(id)?.[this.what] ?? 0;
  }

  // The end of the scale: of the means, or of everything else.
  get top() {
    let most = 0;
    for (const u of this.use.values()) most = Math.max(most, this.what === 'mean' ? u.mean : u.peak);
    return ceiling(most);
  }

  // Of several links in one line the fullest is shown.
  colour() {
    const t = theme(), top = this.top;
    this.bar.style.background = `linear-gradient(to right, ${t.heat.join(', ')})`;
    this.most.textContent = u.percent(top);
    for (const l of this.lines) {
      const used = l.ids.some((id) => this.use.has(id)), most = l.ids.reduce((x, id) =>
        Math.max(x, this.value(id)), 0);
      const shape = l.element.localName === 'path' || l.element.localName === 'line' ? 'stroke' : 'fill';
      l.element.style[shape] = used ? rampColour(t.heat, most / top) : t.line;
      l.element.classList.toggle('used', used);
    }
  }

  describe(l) {
    const rows = l.ids.map((id) => ({ id, ...this.use.get(id) })).filter((x) =>
      x.mean !== undefined).sort((a, b) => b.mean - a.mean);
    const name = (id) => short(this.rows.get(id)?.name ?? this.data.links.names?.[id] ?? `link ${id}`, 36);
    if (!rows.length) return tip(l.title ? short(l.title, 60) : `${u.plural(l.ids.length, 'link')}`,
      [[null, 'Used', 'never']]);
    return tip(rows.length > 1 || !l.title ? `${u.plural(l.ids.length, 'link')}` : short(l.title, 60),
      rows.slice(0, 6).map((r) => [rampColour(theme().heat, this.value(r.id) / this.top), name(r.id),
      this.rows.get(r.id)?.shared === false ? 'not shared: never full'
      : `${u.percent(r.mean)} on average, peak ${u.percent(r.peak)}`]));
  }
}

export function topology(parent, data) {
  const svg = data.drawing && parse(data.drawing);
  if (!svg) return;
  const t = new Topology(data, svg), clock = h('output', {});
  if (!t.lines.length) return;
  const slider = h('input', { type: 'range', min: 0, max: Math.max(0, data.links.bins - 1), value: 0,
    'aria-label': 'Time', oninput: () => {
    t.bin = Number(slider.value);
    clock.textContent = u.time(t.bin * data.links.width);
    t.colour();
  } });
  const at = h('span', { class: 'at', hidden: true }, slider, clock);
  parent.append(h('h3', {}, 'On the platform'),
    h('div', { class: 'controls' }, choice('Utilization', [['mean', 'Mean'], ['peak', 'Peak'],
      ['time', 'At a time']], 'mean', (what) => {
      t.what = what;
      at.hidden = what !== 'time';
      slider.dispatchEvent(new Event('input'));
      t.colour();
    }), at, h('span', { class: 'scale', 'aria-hidden': 'true' }, '0', t.bar, t.most)),
    h('div', { class: 'drawing', tabindex: '0', role: 'img',
      'aria-label': 'The platform, its links coloured by utilization; the table below has the figures' },
    svg),
    h('p', { class: 'note' },
      'Grey: never used. Of several links that one line stands for the fullest is shown.'));
  svg.addEventListener('pointermove', (e) => {
    const line = e.target.closest?.('[data-links]'), found = line && t.lines.find((l) => l.element === line);
    if (found) showTip(t.describe(found), e.clientX, e.clientY);
    else hideTip();
  });
  svg.addEventListener('pointerleave', hideTip);
  onTheme(() => t.colour());
  t.colour();
}
