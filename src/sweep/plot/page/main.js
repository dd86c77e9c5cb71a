// SPDX-License-Identifier: BSD-3-Clause
// main: reads the page's data, and puts charts and tables in the place of the static ones.

function read() {
  const data = JSON.parse(document.getElementById('data').textContent), columns = new Map();
  for (const c of data.columns)
    columns.set(c.name, { name: c.name, parameter: c.parameter, values: c.values ?? c.of.map((k) => (k < 0 ? null : c.distinct[k])) });
  return { points: data.points, columns, charts: data.charts };
}

const KEYS = [['← →', 'the point before or after'], ['↑ ↓', 'another series'], ['Home End', 'the first or last point'],
  ['Page Up Page Down', 'a tenth on'], ['Shift with ← →', 'choose a range'], ['Enter', 'zoom into it'], ['+ −', 'zoom in or out'],
  ['Esc', 'zoom back'], ['0', 'the whole range']];

function help() {
  const rows = KEYS.flatMap(([key, text]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, text)]);
  return h('details', { class: 'help' }, h('summary', {}, 'Keys within a chart'),
    h('dl', {}, ...rows), h('p', {}, 'With the mouse: point at something, and drag to zoom into a range.'));
}

document.addEventListener('DOMContentLoaded', () => {
  const data = read(), main = document.getElementById('charts'), charts = [];
  const keys = h('p', { id: 'keys', hidden: '' }, KEYS.map(([key, text]) => `${key}: ${text}`).join('; '));
  const filter = filterOf(data, (mask) => charts.forEach((c) => c.keep(mask)));
  main.before(keys, help(), ...(filter ? [filter] : []));
  data.charts.forEach((spec, k) => {
    const section = document.getElementById(`chart-${k + 1}`);
    if (section?.querySelector('svg')) charts.push(new Chart(spec, data, section, k + 1));
  });
  document.documentElement.dataset.ready = '';
});
