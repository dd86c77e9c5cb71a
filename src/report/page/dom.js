// SPDX-License-Identifier: BSD-3-Clause
// dom: elements made of names and texts. Whatever comes from the trace reaches the page as text only: no
// function here or elsewhere takes markup.

// Control characters, and those that turn the direction of the text around them, are shown as a sign.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g;

export function clean(text) {
  return String(text ?? '').replace(UNSEEN, '\ufffd');
}

// Names may be very long; the middle is what tells least.
export function short(text, most = 40) {
  const all = [...clean(text)];
  if (all.length <= most) return all.join('');
  const head = Math.ceil((most - 1) * 0.6);
  return `${all.slice(0, head).join('')}…${all.slice(all.length - (most - 1 - head)).join('')}`;
}

function append(element, child) {
  if (child === null || child === undefined || child === false) return;
  if (Array.isArray(child)) child.forEach((c) => append(element, c));
  else element.append(child instanceof Node ? child : clean(child));
}

// h('p', {class: 'x', onclick: f}, children...). Attribute names come from this program, never from data.
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  append(element, children);
  return element;
}

// A small square of a colour class, for legends and tooltips.
export function swatch(colour) {
  const s = h('span', { class: 'swatch', 'aria-hidden': 'true' });
  s.style.background = colour;
  return s;
}

// columns: [{head, cell(row), number}]; a column whose cells are all null is left out. Rows beyond `most` are
// counted, not shown.
export function table(all, rows, { caption, most = 20 } = {}) {
  const columns = all.filter((c) => rows.slice(0, most).some((r) => (c.cell(r) ?? null) !== null));
  const head = h('tr', {}, columns.map((c) => h('th', { scope: 'col', class: c.number ? 'number' : null },
    c.head)));
  const body = rows.slice(0, most).map((r) => h('tr', {}, columns.map((c, k) => {
    const cell = c.cell(r) ?? '–';
    return h(k ? 'td' : 'th', { scope: k ? null : 'row', class: c.number ? 'number' : null }, cell);
  })));
  const left = rows.length - most;
  return h('div', { class: 'table', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {}, caption && h('caption', {}, caption), h('thead', {}, head), h('tbody', {}, body)),
    left > 0 && h('p', { class: 'note' }, `and ${left} more`));
}

// Buttons of which one is on.
export function choice(label, options, chosen, onchange) {
  const group = h('div', { class: 'choice', role: 'group', 'aria-label': label });
  const buttons = options.map(([value, text]) => h('button', {
    type: 'button', 'aria-pressed': value === chosen ? 'true' : 'false',
    onclick: () => {
      buttons.forEach((b, k) => b.setAttribute('aria-pressed', options[k][0] === value ? 'true' : 'false'));
      onchange(value);
    },
  }, text));
  group.append(...buttons);
  return group;
}

export function section(id, title, what) {
  const s = h('section', { id, class: 'card', 'aria-labelledby': `${id}-title` },
    h('h2', { id: `${id}-title` }, title), what && h('p', { class: 'what' }, what));
  document.getElementById('content').append(s);
  return s;
}
