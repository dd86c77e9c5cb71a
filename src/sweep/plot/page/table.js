// SPDX-License-Identifier: BSD-3-Clause
// table: the values of a chart, some rows at a time.

const ROWS = 50;

class Table {
  constructor(chart) {
    this.chart = chart;
    this.first = 0;
    const { number, spec } = chart, id = `c${number}`;
    const what = `${chart.chart.heat ? spec.value : spec.y} ${chart.chart.front ? 'against' : 'by'} ${spec.x}`;
    this.head = h('thead');
    this.body = h('tbody');
    this.region = h('div', { class: 'rows', tabindex: 0, role: 'region', 'aria-labelledby': `h${number} ${id}` },
      h('table', {}, h('caption', { id }, what), this.head, this.body));
    const button = (text, to) => h('button', { type: 'button', 'aria-disabled': 'false', click: () => this.turn(to()) }, text);
    const last = () => Math.floor(Math.max(0, this.rows.length - 1) / ROWS) * ROWS;
    this.where = h('span', { role: 'status' });
    this.pages = h('div', { class: 'buttons', role: 'group', 'aria-label': 'Rows of the table' },
      button('First', () => 0), button('Previous', () => this.first - ROWS), button('Next', () => this.first + ROWS), button('Last', last), this.where);
    this.element = h('div', { class: 'table' }, this.region, this.pages);
  }

  turn(to) {
    if (to < 0 || to >= this.rows.length) return;
    this.first = to;
    this.region.scrollTop = 0;
    this.fill();
  }

  // A row is made when it is shown.
  changed() {
    const { chart, tracks, items, off, spec } = this.chart;
    if (chart.front) {
      this.columns = ['point', spec.x, spec.y, 'series', 'front'];
      this.rows = items.filter((o) => !off.has(o.row)).map((o) => () =>
        [String(o.point), show(o.x), show(o.y), String(chart.rows.values[o.row]), o.front ? 'yes' : '']);
    } else {
      const on = tracks.map((_, k) => k).filter((k) => !off.has(k)), at = chart.xs.values.map(() => new Map());
      for (const k of on) for (const o of tracks[k]) at[o.at].set(k, o);
      this.columns = [spec.x, ...on.map((k) => String(chart.rows.values[k]) || spec.y)];
      this.rows = chart.xs.values.flatMap((x, k) => (at[k].size ? [() => [String(x), ...on.map((t) => this.cell(at[k].get(t)))]] : []));
    }
    this.first = 0;
    this.fill();
  }

  cell(o) {
    if (!o) return '';
    return o.least === o.most ? show(o.y) : `${show(o.y)} (${show(o.least)} to ${show(o.most)}, ${o.runs} runs)`;
  }

  fill() {
    const { rows, first } = this, end = Math.min(rows.length, first + ROWS);
    this.head.replaceChildren(h('tr', {}, ...this.columns.map((c) => h('th', { scope: 'col' }, c))));
    this.body.replaceChildren(...rows.slice(first, end).map((row) => h('tr', {}, ...row().map((text, k) =>
      (k === 0 ? h('th', { scope: 'row' }, text) : h('td', {}, text))))));
    this.pages.hidden = rows.length <= ROWS;
    this.where.textContent = `Rows ${count(first + 1)} to ${count(end)} of ${count(rows.length)}`;
    const [begin, previous, next, last] = this.pages.querySelectorAll('button');
    for (const b of [begin, previous]) b.setAttribute('aria-disabled', String(first === 0));
    for (const b of [next, last]) b.setAttribute('aria-disabled', String(end >= rows.length));
  }
}
