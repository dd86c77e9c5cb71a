// SPDX-License-Identifier: BSD-3-Clause
// sdsm: the software distributed shared memory: who sent how much to whom, what time went into, the chunks of one
// process over time, and the chunks that deserve a look.
import { h, section, table } from './dom.js';
import { accesses, allocation } from './sdsm_chunks.js';
import { address } from './sdsm_address.js';
import { times } from './sdsm_times.js';
import { volume } from './sdsm_volume.js';
import * as u from './units.js';

function tile(value, name, more) {
  return h('div', { class: 'tile' }, h('div', { class: 'value' }, value), h('div', { class: 'name' }, name),
    more && h('div', { class: 'more' }, more));
}

function tiles(d) {
  const scopes = d.reads + d.writes;
  return h('div', { class: 'tiles' },
    tile(u.exact(d.processes), d.processes === 1 ? 'process' : 'processes', `${d.servers} of them ${d.servers === 1 ?
      'a server' : 'servers'}`),
    tile(u.count(d.chunks), d.chunks === 1 ? 'chunk' : 'chunks'),
    scopes > 0 && tile(u.count(scopes), 'scopes', `${u.count(d.reads)} reading, ${u.count(d.writes)} writing`),
    scopes > 0 && tile(u.percent(d.hits / scopes), 'hits', `others moved ${u.size(d.moved)}`),
    d.changed > 0 && tile(u.size(d.changed), 'changed', d.moved > 0 &&
      `${(d.moved / d.changed).toPrecision(3)} bytes moved for each`),
    d.waited > 0 && tile(u.time(d.waited), 'waiting for grants', 'of all processes'));
}

// What one process did with its chunks; the process is chosen above the charts.
function chunks(s, data) {
  const d = data.sdsm;
  if (!d.shown.length) return;
  const select = h('select', { id: 'sdsm-process' }, d.shown.map((p, k) => h('option', { value: k },
    `process ${p.rank}${p.role === 0 ? ', a server' : p.role > 0 ? `, role ${p.role}` : ''} (${
      u.plural(p.total, 'scope')})`)));
  const body = h('div', {});
  const show = () => {
    const p = d.shown[Number(select.value)];
    body.replaceChildren();
    allocation(body, data, p);
    accesses(body, data, p);
  };
  select.addEventListener('change', show);
  s.append(h('h3', {}, 'Chunks of one process over time'), h('div', { class: 'controls' },
    h('label', { for: 'sdsm-process' }, 'Process '), select,
    d.accessing > d.shown.length && h('span', { class: 'note' },
      `the first ${d.shown.length} of ${d.accessing} that had scopes`)), body);
  // The client with the most scopes says most.
  const most = Math.max(...d.shown.map((p) => p.total));
  select.value = String(d.shown.findIndex((p) => p.total === most));
  show();
}

const chunk = { head: 'Chunk', cell: (c) => h('code', {}, address(c.id)) };

function tables(s, d) {
  if (d.hot.length)
    s.append(table([chunk,
      { head: 'Size', number: true, cell: (c) => (c.size ? u.size(c.size) : null) },
      { head: 'Scopes', number: true, cell: (c) => u.count(c.reads + c.writes) },
      { head: 'Writing', number: true, cell: (c) => u.count(c.writes) },
      { head: 'Hits', number: true, cell: (c) => u.percent(c.hits / (c.reads + c.writes)) },
      { head: 'Moved', number: true, cell: (c) => u.size(c.moved) },
      { head: 'Changed', number: true, cell: (c) => u.size(c.changed) },
      { head: 'Processes', number: true, cell: (c) => u.exact(c.processes) },
    ], d.hot, { caption: 'Hot chunks: most scopes first', most: 10 }));
  if (d.contended.length)
    s.append(table([chunk,
      { head: 'Waiting for grants', number: true, cell: (c) => `${u.time(c.waited)} (${u.percent(c.waited / d.waited)})` },
      { head: 'Mean', number: true, cell: (c) => u.time(c.waited / ((c.reads + c.writes) || 1), 3) },
      { head: 'Longest', number: true, cell: (c) => u.time(c.longest) },
      { head: 'Of', cell: (c) => h('span', { class: 'whole' }, `process ${c.by} at ${u.time(c.at)}`) },
    ], d.contended, { caption: 'Contended chunks: most waiting first', most: 10 }));
  if (d.apart.length)
    s.append(table([chunk,
      { head: 'Size', number: true, cell: (c) => (c.size ? u.size(c.size) : null) },
      { head: 'Changes of writer', number: true, cell: (c) => u.count(c.handovers) },
      { head: 'Moved', number: true, cell: (c) => u.size(c.moved) },
      { head: 'Changed', number: true, cell: (c) => u.size(c.changed) },
      { head: 'Who changes which bytes', cell: (c) => c.writers.map(([rank, first, end], k) =>
        [k > 0 && '; ', h('span', { class: 'whole' }, `process ${rank}: ${first}–${end - 1}`)]) },
    ], d.apart, { caption: 'False sharing: each writer changes other bytes of the chunk', most: 10 }));
}

export function sdsm(data) {
  const d = data.sdsm;
  if (!d) return false;
  const s = section('sdsm', 'Shared memory',
    'The software distributed shared memory: chunks, the scopes in which processes access them, and the servers ' +
    'that keep them. A hit is a scope for which no data was moved.');
  s.append(tiles(d));
  volume(s, data);
  times(s, data);
  chunks(s, data);
  tables(s, d);
  return true;
}
