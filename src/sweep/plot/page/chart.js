// SPDX-License-Identifier: BSD-3-Clause
// chart: a chart that is looked into: which series are on, which range is seen, where the cursor is.
//   tracks: of all that the filters leave; shown: of what is seen. cursor: { track, item } of shown, or null.

class Chart {
  constructor(spec, data, section, number) {
    Object.assign(this, { data, section, number, chart: chartOf(spec, data), spec });
    this.off = new Set();
    this.ranges = [];
    this.cursor = null;
    this.picked = null; // the other end of a range that is being chosen
    const { xs } = this.chart;
    this.labels = { x: spec.xLabel, y: spec.yLabel, value: this.chart.heat ? spec.valueLabel : spec.yLabel };
    this.static = section.querySelector('svg');
    this.titles = [...this.static.querySelectorAll(':scope > title, :scope > desc')];
    this.values = this.chart.front ? null : xs.values;
    this.table = new Table(this);
    this.build();
    this.keep(data.points.map(() => true));
  }

  build() {
    const { section, number } = this, title = section.querySelector('h2');
    this.said = h('p', { class: 'said', role: 'status' }, 'Arrow keys move through the points.');
    this.svg = s('svg', { role: 'img', 'aria-labelledby': `t${number} d${number}` }, ...this.titles);
    this.layer = s('g');
    this.over = s('g', { class: 'over', 'aria-hidden': 'true' });
    this.svg.append(this.layer, this.over);
    this.field = h('div', { class: 'field', id: `field-${number}`, tabindex: 0, role: 'application', 'aria-roledescription': 'chart',
      'aria-labelledby': title.id, 'aria-describedby': 'keys' }, this.svg);
    const button = (text, does) => h('button', { type: 'button', click: does }, text);
    this.back = button('Zoom back', () => this.zoomBack());
    this.all = button('Whole range', () => this.zoomAll());
    const buttons = h('div', { class: 'buttons' }, button('Zoom in', () => this.zoomBy(0.5)), button('Zoom out', () => this.zoomBy(2)),
      this.back, this.all);
    this.legend = this.legendOf();
    section.querySelector('.picture').replaceWith(h('div', { class: 'picture' }, this.field, this.said, this.legend, buttons));
    section.querySelector('.table').replaceWith(this.table.element);
    listen(this);
    new ResizeObserver(() => this.resized()).observe(this.field);
  }

  legendOf() {
    const { rows, heat } = this.chart, most = 40, only = rows.values.length === 1 && rows.values[0] === '';
    if (heat || only) return h('div');
    const sample = (k) => s('svg', { width: 26, height: 12, 'aria-hidden': 'true', class: colorOf(k) },
      s('path', { class: 'l', d: 'M0 6h26', 'stroke-dasharray': dashesOf(k) }), s('path', { class: 'm', d: mark(k, 13, 6, 3.5) }));
    const entry = (value, k) => h('li', {}, h('button', { type: 'button', 'aria-pressed': 'true', click: (e) => this.toggle(k, e.currentTarget) },
      sample(k), String(value)));
    const list = h('ul', { class: 'legend', 'aria-label': 'Series, on or off' }, ...rows.values.slice(0, most).map(entry));
    if (rows.values.length > most) list.append(h('li', {}, `${count(rows.values.length - most)} more`));
    return list;
  }

  // --- what is there

  keep(mask) {
    const { tracks, items } = gather(this.chart, mask, this.data);
    Object.assign(this, { tracks, items });
    this.table.changed();
    this.redraw();
  }

  toggle(k, button) {
    if (!this.off.delete(k)) this.off.add(k);
    button.setAttribute('aria-pressed', String(!this.off.has(k)));
    this.table.changed();
    this.redraw();
  }

  get range() { return this.ranges.at(-1) ?? null; }

  extent() {
    let low = Infinity, high = -Infinity;
    for (const t of this.tracks) if (t.length) { low = Math.min(low, t[0].x); high = Math.max(high, t.at(-1).x); } // in order
    return low <= high ? [low, high] : [0, 1];
  }

  // --- drawing

  resized() {
    if (this.field.clientWidth !== this.width) this.redraw();
  }

  box() {
    this.width = this.field.clientWidth || 760;
    const height = Math.round(Math.min(420, Math.max(260, this.width * 0.56)));
    return { left: this.width < 480 ? 62 : 84, right: this.width - 14, top: 12, bottom: height - 48, height };
  }

  axes(box) {
    const { spec, chart, range } = this, { words, heat } = chart, [low, high] = range ?? this.extent();
    let least = Infinity, most = -Infinity;
    for (const t of this.shown)
      for (const o of t) {
        const down = o.least ?? o.y, up = o.most ?? o.y;
        if (down < least) least = down;
        if (up > most) most = up;
      }
    if (!(least <= most)) { least = 0; most = 1; }
    this.scale = [least, most];
    const x = words ? axisBetween(low - 0.5, high + 0.5, false, box.left, box.right)
      : range ? axisBetween(low, high, spec.xLog, box.left, box.right) : axisOf(low, high, spec.xLog, box.left, box.right);
    const log = spec.yLog && least > 0, bars = spec.chart === 'bars' && !log;
    const y = heat ? axisBetween(-0.5, chart.rows.values.length - 0.5, false, box.bottom, box.top)
      : axisOf(bars ? Math.min(least, 0) : least, bars ? Math.max(most, 0) : most, log, box.bottom, box.top);
    x.across = true;
    return { x, y };
  }

  redraw() {
    const { chart, range } = this, box = this.box();
    this.shown = this.tracks.map((t, k) => (this.off.has(k) ? [] : range ? t.filter((o) => o.x >= range[0] && o.x <= range[1]) : t));
    const { x, y } = this.axes(box), number = this.shown.reduce((sum, t) => sum + t.length, 0);
    Object.assign(this, { x, y, boxNow: box });
    const wide = Math.max(2, Math.floor((box.right - box.left) / 90));
    const picture = { box, xTicks: ticksOf(x, this.values, chart.words, wide),
      yTicks: ticksOf(y, chart.heat ? chart.rows.values : null, chart.heat, 6) };
    this.svg.setAttribute('viewBox', `0 0 ${this.width} ${box.height}`);
    this.svg.setAttribute('height', box.height);
    this.layer.replaceChildren(...drawAxes(picture, x, y, { x: this.labels.x, y: this.labels.y }), ...this.inside(x, y, number));
    this.back.setAttribute('aria-disabled', String(!range));
    this.all.setAttribute('aria-disabled', String(!range));
    this.stay();
  }

  inside(x, y, number) {
    const { spec, shown } = this, on = shown.map((t, k) => k).filter((k) => shown[k].length);
    switch (spec.chart) {
      case 'lines': return on.map((k) => drawLine(shown[k], k, x, y, shown[k].length > 200));
      case 'bars': {
        const rows = shown.map((_, k) => k).filter((k) => !this.off.has(k));
        return on.map((k) => drawBars(shown[k], k, { k: rows.indexOf(k), of: rows.length }, x, y));
      }
      case 'heat': return drawHeat(shown, x, y, ...this.scale, number);
      default: {
        const { range, off } = this, seen = (o) => !off.has(o.row) && (!range || (o.x >= range[0] && o.x <= range[1]));
        return [drawStairs(this.items.filter((o) => o.front && seen(o)), x, y), ...on.map((k) => drawDots(shown[k], k, x, y, number > MANY))];
      }
    }
  }

  // --- the cursor

  item() {
    return this.cursor && this.shown[this.cursor.track]?.[this.cursor.item];
  }

  // After a change the cursor is at the same item, if it is still seen.
  stay() {
    const was = this.at, track = this.cursor?.track, item = was ? this.shown[track]?.indexOf(was) ?? -1 : -1;
    if (was && item >= 0) {
      this.cursor = { track, item };
    } else if (was) {
      const same = this.shown[track]?.findIndex((o) => o.x === was.x && o.point === was.point) ?? -1;
      this.cursor = same >= 0 ? { track, item: same } : null;
    }
    this.at = this.item() ?? null;
    this.drawOver();
  }

  placeOf(o, track) {
    const bars = this.spec.chart === 'bars', px = this.x.place(o.x);
    if (this.chart.heat) return [px, this.y.place(track)];
    if (!bars) return [px, this.y.place(o.y)];
    const rows = this.shown.map((_, k) => k).filter((k) => !this.off.has(k)), slot = Math.abs(this.x.place(1) - this.x.place(0));
    return [px - 0.4 * slot + (0.8 * slot / rows.length) * (rows.indexOf(track) + 0.5), this.y.place(o.y)];
  }

  drawOver() {
    const o = this.item(), box = this.boxNow, parts = [];
    if (this.picked !== null && o) {
      const a = this.x.place(this.picked), b = this.x.place(o.x);
      parts.push(s('rect', { class: 'range', x: Math.min(a, b), y: box.top, width: Math.max(1, Math.abs(b - a)), height: box.bottom - box.top }));
    }
    if (o) {
      const [px, py] = this.placeOf(o, this.cursor.track);
      parts.push(s('path', { class: 'cross', d: `M${near(px)} ${box.top}V${box.bottom}` }), s('circle', { class: 'ring', cx: near(px), cy: near(py), r: 8 }));
    }
    this.over.replaceChildren(...parts);
  }

  told(o, track) {
    const { chart, labels } = this, name = String(chart.rows.values[track]), list = this.shown[track];
    const spread = o.runs > 1 ? ` (${show(o.least)} to ${show(o.most)}, ${o.runs} runs)` : '';
    const more = chart.front ? `, point ${o.point}${o.front ? ', of the front' : ''}` : '';
    const where = chart.heat ? `${labels.y} ${name}` : name;
    return `${where === '' ? '' : `${where}: `}${labels.x} ${o.text}, ${labels.value} ${show(o.y)}${spread}${more}. ${count(list.indexOf(o) + 1)} of ${count(list.length)}.`;
  }

  moveTo(track, item) {
    this.cursor = { track, item };
    this.at = this.item();
    this.drawOver();
    this.say(this.told(this.at, track));
  }

  say(text) { this.said.textContent = text; }

  // --- the range

  zoomTo(low, high) {
    const within = this.shown.some((t) => t.some((o) => o.x >= low && o.x <= high));
    this.picked = null;
    if (!within) { this.drawOver(); this.say('There is nothing in this range.'); return; }
    if (!this.chart.words && low === high) { this.drawOver(); this.say('A range has two ends.'); return; }
    this.ranges.push([low, high]);
    this.redraw();
    this.sayRange();
  }

  // About the cursor, else about the middle.
  zoomBy(factor) {
    const whole = this.extent(), [low, high] = this.range ?? whole, { log } = this.x;
    const to = log ? Math.log : (v) => v, from = log ? Math.exp : (v) => v;
    const a = to(low), b = to(high), middle = this.at ? to(this.at.x) : (a + b) / 2, half = (b - a) * factor / 2;
    const least = Math.max(low < whole[0] ? low : whole[0], from(middle - half)), most = Math.min(whole[1], from(middle + half));
    if (factor > 1 && least <= whole[0] && most >= whole[1]) { this.zoomAll(); return; }
    if (this.chart.words) this.zoomTo(Math.round(least), Math.round(most));
    else if (most > least) this.zoomTo(least, most);
  }

  zoomBack() {
    if (!this.ranges.length) { this.say('The whole range is shown.'); return; }
    this.ranges.pop();
    this.redraw();
    this.sayRange();
  }

  zoomAll() {
    this.ranges = [];
    this.redraw();
    this.sayRange();
  }

  sayRange() {
    const n = this.shown.reduce((sum, t) => sum + t.length, 0);
    if (!this.range) { this.say(`The whole range: ${count(n)} points.`); return; }
    const text = (v) => (this.chart.words ? String(this.chart.xs.values[v]) : show(v));
    this.say(`${this.labels.x} from ${text(this.range[0])} to ${text(this.range[1])}: ${count(n)} points.`);
  }
}
