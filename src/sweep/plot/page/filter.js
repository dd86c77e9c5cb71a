// SPDX-License-Identifier: BSD-3-Clause
// filter: which points the charts show, by the values of parameters.

const CHOICES = 24; // distinct values that have a box each; of more numbers the least and the greatest are asked for

function choiceOf(column, distinct, changed) {
  const off = new Set();
  const summary = h('summary', {}, `${column.name}: all ${distinct.length}`);
  const boxes = distinct.map((value) => h('label', {}, h('input', { type: 'checkbox', checked: '', change: (e) => {
    if (e.target.checked) off.delete(value); else off.add(value);
    summary.textContent = `${column.name}: ${off.size ? `${distinct.length - off.size} of` : 'all'} ${distinct.length}`;
    changed();
  } }), ` ${value}`));
  const element = h('details', {}, summary, h('fieldset', {}, h('legend', {}, column.name), ...boxes));
  const reset = () => { for (const b of boxes) if (!b.firstChild.checked) b.firstChild.click(); };
  return { element, reset, holds: (k) => !off.has(column.values[k]) };
}

function rangeOf(column, distinct, changed) {
  const least = distinct[0], most = distinct.at(-1), input = (text, value) => h('label', {}, `${text} `,
    h('input', { type: 'number', step: 'any', value, input: changed }));
  const from = input('from', least), to = input('to', most), number = (label, other) => {
    const v = label.lastChild.valueAsNumber;
    return Number.isNaN(v) ? other : v;
  };
  const element = h('details', {}, h('summary', {}, `${column.name}: ${least} to ${most}`),
    h('fieldset', {}, h('legend', {}, column.name), from, to));
  const reset = () => { from.lastChild.value = least; to.lastChild.value = most; };
  return { element, reset, holds: (k) => column.values[k] >= number(from, -Infinity) && column.values[k] <= number(to, Infinity) };
}

// One for each parameter of which there is a choice.
function filterOf(data, apply) {
  const said = h('p', { role: 'status', class: 'said' }), filters = [];
  const changed = () => {
    const mask = data.points.map((_, k) => filters.every((f) => f.holds(k))), n = mask.filter(Boolean).length;
    said.textContent = n === mask.length ? `All ${count(n)} points are shown.` : `${count(n)} of ${count(mask.length)} points are shown.`;
    apply(mask);
  };
  for (const column of data.columns.values()) {
    const values = new Distinct();
    column.values.forEach((v) => values.add(v));
    values.arrange();
    const distinct = values.values;
    if (!column.parameter || distinct.length < 2) continue;
    if (distinct.length <= CHOICES) filters.push(choiceOf(column, distinct, changed));
    else if (typeof distinct[0] === 'number') filters.push(rangeOf(column, distinct, changed));
  }
  if (!filters.length) return null;
  const all = h('button', { type: 'button', click: () => { for (const f of filters) f.reset(); changed(); } }, 'Show all points');
  said.textContent = `All ${count(data.points.length)} points are shown.`;
  return h('section', { class: 'filter', 'aria-labelledby': 'filter-title' }, h('h2', { id: 'filter-title' }, 'Points'),
    h('div', { class: 'choices' }, ...filters.map((f) => f.element)), all, said);
}
