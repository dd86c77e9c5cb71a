// SPDX-License-Identifier: BSD-3-Clause
// energy: what hosts, ranks, phases and links took, and the power of the hosts over time.
import { axis, chart, every, label, tip } from './charts.js';
import { h, section, short, table } from './dom.js';
import { classColour } from './theme.js';
import * as u from './units.js';

const MOST = 20;

function power(s, data) {
  const e = data.energy, end = data.about.end || 1, most = Math.max(...e.power);
  if (!(most > 0)) return;
  const mean = e.hosts / end, least = Math.min(...e.power);
  s.append(h('h3', {}, 'Power of the hosts over time'), h('p', { class: 'note' },
    'From what each host had taken at its marks and at the ends of its computations; between these, the mean.'));
  chart(s, 200, `Power of the hosts over time: from ${u.watts(least)} to ${u.watts(most)}, ${u.watts(mean)} in the mean`, (t) => ({
    grid: { top: 8, bottom: 24 }, legend: { show: false },
    xAxis: axis(t, 'value', { min: 0, max: end, axisLabel: { formatter: u.timeTick(end, end / 5) } }),
    yAxis: axis(t, 'value', { min: 0, axisLabel: { formatter: (x) => u.watts(x, 3) } }),
    tooltip: { trigger: 'axis', formatter: (items) => tip(u.time(items[0].value[0]), [[items[0].color, 'power', u.watts(items[0].value[1])]]) },
    series: [{ type: 'line', step: 'end', symbol: 'none', lineStyle: { width: 1.5, color: classColour('compute') },
      areaStyle: { color: classColour('compute'), opacity: 0.25 }, itemStyle: { color: classColour('compute') },
      data: [[0, e.power[0]], ...e.power.map((x, k) => [Math.min(end, (k + 1) * e.width), x])] }],
  }));
}

function byRank(s, data) {
  const e = data.energy, rows = e.ranks, all = rows.map((r) => r[0]), most = Math.max(...all);
  if (!(most > 0) || rows.length < 2) return;
  const name = (k) => u.ranks(k * e.group, Math.min(data.about.ranks, (k + 1) * e.group) - 1);
  s.append(h('h3', {}, 'By rank'), h('p', { class: 'note' },
    'A host’s joules above Idle go to its ranks by what they have computed, the rest evenly.'));
  chart(s, 200, `Joules by rank: from ${u.joules(Math.min(...all))} to ${u.joules(most)}`, (t, width) => ({
    grid: { top: 8, bottom: 24 }, legend: { show: false },
    xAxis: axis(t, 'category', { data: rows.map((_, k) => label(String(k * e.group))), name: 'rank',
      axisLabel: { interval: every(rows.length, width - 80, 44) } }),
    yAxis: axis(t, 'value', { axisLabel: { formatter: (x) => u.joules(x, 3) } }),
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (items) => tip(name(items[0].dataIndex), [
      [items[0].color, e.group > 1 ? 'mean' : 'energy', u.joules(items[0].value)],
      [null, 'core seconds', u.time(rows[items[0].dataIndex][1])]]) },
    series: [{ type: 'bar', barCategoryGap: '15%', itemStyle: { color: classColour('put') }, data: all }],
  }));
  s.append(table([
    { head: 'Ranks', cell: (r) => name(r[2]) },
    { head: e.group > 1 ? 'Mean energy' : 'Energy', number: true, cell: (r) => u.joules(r[0]) },
    { head: 'Core seconds', number: true, cell: (r) => u.time(r[1]) },
  ], rows.map((r, k) => [...r, k]).sort((a, b) => b[0] - a[0]), { caption: 'Ranks, most energy first', most: MOST }));
}

function list(s, rows, found, what, caption, more) {
  if (!rows.length) return;
  const all = rows.reduce((x, r) => x + r.joules, 0) || 1;
  s.append(table([
    { head: what, cell: (r) => short(r.name, 60) || '(outside of phases)' },
    { head: 'Energy', number: true, cell: (r) => u.joules(r.joules) },
    { head: 'Share', number: true, cell: (r) => u.percent(r.joules / all) }, more,
  ], rows, { caption, most: MOST }));
  if (found > rows.length)
    s.append(h('p', { class: 'note' }, `This page has ${u.exact(rows.length)} of ${u.exact(found)}; pgasim profile --top 0 prints all.`));
}

export function energy(data) {
  const e = data.energy, end = data.about.end || 1;
  if (!e) return false;
  const s = section('energy', 'Energy', `${u.joules(e.hosts + e.links)} in ${u.time(end)}: ${
    u.joules(e.hosts)} of hosts, ${u.joules(e.links)} of links; ${u.watts((e.hosts + e.links) / end)} in the mean.`);
  const mean = { head: 'Mean power', number: true, cell: (r) => u.watts(r.joules / end) };
  power(s, data);
  list(s, e.byHost, e.hostsFound, 'Host', 'Hosts, most energy first', mean);
  byRank(s, data);
  list(s, e.byPhase, e.phasesFound, 'Phase', 'Phases, most energy first',
    { head: 'Time of all ranks', number: true, cell: (r) => u.time(r.more) });
  list(s, e.byLink, e.linksFound, 'Link', 'Links, most energy first', mean);
  return true;
}
