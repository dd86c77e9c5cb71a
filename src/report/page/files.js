// SPDX-License-Identifier: BSD-3-Clause
// files: bytes by file and what is remarkable of them, who waited for which disk, the disks, and two phases.
import { axis, chart, every, label, tip } from './charts.js';
import { clean, h, section, short, table } from './dom.js';
import { classColour } from './theme.js';
import * as u from './units.js';

const MOST = 20;
const WAYS = ['read', 'written'];
const COLOURS = ['io', 'put', 'collective', 'message', 'epoch', 'get', 'signal', 'cpu', 'other'];

const mean = (bytes, n) => (n ? u.size(bytes / n) : null);
const disk = (s) => `${short(s.name, 30)} of ${short(s.host, 30)}`;
const last = (path) => short(clean(path).split('/').pop(), 24);

function rest(s, rows, found) {
  if (found > rows.length)
    s.append(h('p', { class: 'note' }, `This page has ${u.exact(rows.length)} of ${u.exact(found)}; pgasim profile --top 0 prints all.`));
}

// Bars from top to bottom, a part of each for each of the series: [name, colour, values].
function bars(s, title, names, series, show) {
  const rows = Math.min(names.length, MOST);
  chart(s, 40 + rows * 28, `${title}: ${names.slice(0, 3).map((n, k) => `${n} ${
    series.map(([name, , values]) => `${name} ${show(values[k])}`).join(', ')}`).join('; ')}${names.length > 3 ? '; and others' : ''}`, (t, width) => ({
    grid: { top: 26, bottom: 0 }, xAxis: axis(t, 'value', { min: 0, axisLabel: { formatter: (x) => show(x, 3) } }),
    yAxis: axis(t, 'category', { data: names.slice(0, rows).map(label), inverse: true,
      axisLabel: { interval: 0, width: Math.min(300, width * 0.4), overflow: 'truncate' } }),
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' },
      formatter: (items) => tip(names[items[0].dataIndex], items.map((i) => [i.color, i.seriesName, show(i.value)])) },
    series: series.map(([name, colour, values]) => ({ type: 'bar', stack: 'all', name, barMaxWidth: 18,
      itemStyle: { color: classColour(colour) }, data: values.slice(0, rows) })),
  }));
}

function byFile(s, f) {
  const bytes = (way) => f.list.map((x) => x.ways[way].bytes);
  s.append(h('h3', {}, 'Bytes by file'));
  if (f.list.some((x) => x.ways[0].bytes + x.ways[1].bytes))
    bars(s, 'Bytes by file', f.list.map((x) => last(x.path)), [['read', 'put', bytes(0)], ['written', 'io', bytes(1)]], u.size);
  const rows = f.list.flatMap((x) => x.ways.map((w, k) => ({ ...w, file: x, way: k })).filter((w) => w.accesses + w.requests));
  s.append(table([
    { head: 'File', cell: (w) => h('code', {}, short(w.file.path, 60)) },
    { head: '', cell: (w) => WAYS[w.way] },
    { head: 'Accesses', number: true, cell: (w) => u.count(w.accesses) },
    { head: 'Collective', number: true, cell: (w) => (w.together ? u.count(w.together) : null) },
    { head: 'With gaps', number: true, cell: (w) => (w.gaps ? u.count(w.gaps) : null) },
    { head: 'Bytes', number: true, cell: (w) => u.size(w.bytes) },
    { head: 'Mean', number: true, cell: (w) => mean(w.bytes, w.accesses) },
    { head: 'Requests', number: true, cell: (w) => (w.requests ? u.count(w.requests) : null) },
    { head: 'Their bytes', number: true, cell: (w) => (w.requests ? u.size(w.asked) : null) },
    { head: 'Mean', number: true, cell: (w) => mean(w.asked, w.requests) },
  ], rows, { caption: 'Accesses of the program, and what disks and file systems were asked for', most: 2 * MOST }));
  s.append(table([
    { head: 'File', cell: (x) => h('code', {}, short(x.path, 60)) },
    { head: 'Within accesses, all ranks', number: true, cell: (x) => u.time(x.seconds) },
    { head: 'Longest', number: true, cell: (x) => `${u.time(x.longest)} at rank ${x.rank}` },
    { head: 'Opening, syncing, ...', number: true, cell: (x) => (x.others ? u.count(x.others) : null) },
  ], f.list, { caption: 'Time by file', most: MOST }));
  rest(s, f.list, f.found);
  const remarks = rows.filter((w) => w.remark);
  if (!remarks.length) return;
  s.append(h('h3', {}, 'What could be better'), h('ul', { class: 'remarks' }, remarks.map((w) =>
    h('li', {}, h('code', {}, short(w.file.path, 60)), ` is ${WAYS[w.way]} in ${w.remark}, ${mean(w.asked, w.requests)} in the mean: `, w.hint, '.'))));
}

function byRank(s, data) {
  const f = data.files, rows = f.waits, n = rows[0]?.length ?? 0;
  if (!f.longest.length) return;
  const names = Array.from({ length: n }, (_, k) => (k < n - 1 && f.servers[k] ? disk(f.servers[k]) : 'others'));
  const used = names.map((name, k) => [name, k]).filter(([, k]) => rows.some((r) => r[k] > 0));
  const sum = (k) => rows.reduce((x, r) => x + r[k], 0) * f.group;
  const ranks = (k) => u.ranks(k * f.group, Math.min(data.about.ranks, (k + 1) * f.group) - 1);
  s.append(h('h3', {}, 'Who waited for which disk'), h('p', { class: 'note' },
    'The time that a rank waits for a request of its own belongs to the disk that does its last part.'));
  chart(s, 240, `Waiting for disks by rank: ${used.slice(0, 4).map(([name, k]) => `${u.time(sum(k))} for ${name}`).join(', ')}`, (t, width) => ({
    grid: { top: 30, bottom: 24 }, legend: { type: 'scroll' },
    xAxis: axis(t, 'category', { data: rows.map((_, k) => label(String(k * f.group))), name: 'rank',
      axisLabel: { interval: every(rows.length, width - 80, 44) } }),
    yAxis: axis(t, 'value', { axisLabel: { formatter: (x) => u.time(x, 3) } }),
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' }, formatter: (items) => tip(ranks(items[0].dataIndex),
      items.filter((i) => i.value > 0).map((i) => [i.color, i.seriesName, u.time(i.value)])) },
    series: used.map(([name, k], place) => ({ type: 'bar', stack: 'waits', name: label(name), barCategoryGap: '15%',
      itemStyle: { color: classColour(COLOURS[place % COLOURS.length]) }, data: rows.map((r) => r[k]) })),
  }));
  s.append(table([
    { head: 'Rank', number: true, cell: (w) => w.rank },
    { head: 'Disk or server', cell: (w) => short(w.name, 60) },
    { head: 'Host', cell: (w) => short(w.host, 60) },
    { head: 'Waited', number: true, cell: (w) => u.time(w.seconds) },
  ], f.longest, { caption: 'Waits for disks, longest first', most: MOST }));
  rest(s, f.longest, f.waitsFound);
}

function disks(s, data) {
  const f = data.files, end = data.about.end || 1;
  if (!f.disks.length && !f.servers.length) return;
  s.append(h('h3', {}, 'Disks and storage hosts'));
  if (f.disks.length) {
    bars(s, 'Part of the run in which a disk was busy', f.disks.map(disk), [['busy', 'io', f.disks.map((d) => d.busy / end)]], u.percent);
    s.append(table([
      { head: 'Disk', cell: (d) => short(d.name, 60) }, { head: 'Host', cell: (d) => short(d.host, 60) },
      { head: 'Reads', number: true, cell: (d) => u.count(d.reads) }, { head: 'Bytes read', number: true, cell: (d) => u.size(d.readBytes) },
      { head: 'Writes', number: true, cell: (d) => u.count(d.writes) }, { head: 'Bytes written', number: true, cell: (d) => u.size(d.writtenBytes) },
      { head: 'Busy', number: true, cell: (d) => `${u.time(d.busy)} (${u.percent(d.busy / end)})` },
      { head: 'Accesses at a time, while busy', number: true, cell: (d) => (d.busy > 0 ? (d.shared / d.busy).toFixed(2) : null) },
    ], f.disks, { caption: 'Disks, the busiest first', most: MOST }));
    rest(s, f.disks, f.disksFound);
  }
  s.append(table([
    { head: 'Disk or server', cell: (x) => short(x.name, 60) }, { head: 'Host', cell: (x) => short(x.host, 60) },
    { head: 'Parts of requests', number: true, cell: (x) => u.count(x.parts) },
    { head: 'Read', number: true, cell: (x) => u.size(x.read) }, { head: 'Written', number: true, cell: (x) => u.size(x.written) },
    { head: 'Mean time of a part, with the network', number: true, cell: (x) => u.time(x.parts ? x.seconds / x.parts : 0) },
    { head: 'Waited for', number: true, cell: (x) => u.time(x.waited) },
  ], f.servers, { caption: 'Disks and servers of names as requests met them, most waited for first', most: MOST }));
  rest(s, f.servers, f.serversFound);
}

function phases(s, f) {
  if (!f.steps.length) return;
  s.append(h('h3', {}, 'Two phases'), h('p', { class: 'note' },
    'Steps of collective accesses: members tell where they access the file, exchange data with aggregators, and these read or write.'));
  bars(s, 'Time of all members by step', f.steps.map((x) => clean(x.name)), [['time', 'io', f.steps.map((x) => x.seconds)]], u.time);
  s.append(table([
    { head: 'Step', cell: (x) => clean(x.name) }, { head: 'Times', number: true, cell: (x) => u.count(x.count) },
    { head: 'Bytes', number: true, cell: (x) => (x.bytes ? u.size(x.bytes) : null) },
    { head: 'Time of all members', number: true, cell: (x) => u.time(x.seconds) },
    { head: 'Longest', number: true, cell: (x) => u.time(x.longest) },
  ], f.steps, { caption: 'Steps of two phases', most: MOST }));
  if (!f.aggregators.length) return;
  bars(s, 'Time of aggregators', f.aggregators.map((g) => `rank ${g.rank}`), [
    ['reading', 'put', f.aggregators.map((g) => g.reading)], ['writing', 'io', f.aggregators.map((g) => g.writing)],
    ['exchanging', 'message', f.aggregators.map((g) => g.exchanging)]], u.time);
  s.append(table([
    { head: 'Aggregator', cell: (g) => `rank ${g.rank}` }, { head: 'Rounds', number: true, cell: (g) => u.count(g.rounds) },
    { head: 'Read', number: true, cell: (g) => (g.read ? u.size(g.read) : null) },
    { head: 'Reading', number: true, cell: (g) => (g.reading ? u.time(g.reading) : null) },
    { head: 'Written', number: true, cell: (g) => (g.written ? u.size(g.written) : null) },
    { head: 'Writing', number: true, cell: (g) => (g.writing ? u.time(g.writing) : null) },
    { head: 'Exchanging', number: true, cell: (g) => u.time(g.exchanging) },
  ], f.aggregators, { caption: 'Aggregators, most bytes first', most: MOST }));
  rest(s, f.aggregators, f.aggregatorsFound);
}

export function files(data) {
  const f = data.files;
  if (!f) return false;
  const sum = (way) => f.list.reduce((x, file) => x + file.ways[way].bytes, 0);
  const s = section('files', 'Files', `${u.plural(f.found, 'file')}: ${u.size(sum(0))} read, ${u.size(sum(1))} written.`);
  byFile(s, f);
  byRank(s, data);
  disks(s, data);
  phases(s, f);
  return true;
}
