// SPDX-License-Identifier: BSD-3-Clause
// sample: data of the page's schema (src/report/page/README.md) made by hand, of any number of ranks, and of names that
// try to become more than names.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export const HOSTILE = ['</script><script>window.broken=1</script>', '"><img src=x onerror="window.broken=2">', '${window.broken=3}', "');window.broken=4;('",
  '<!--', '\u202egnp.exe\u0000\u001b[31m', '{a|b}', '</style><style>*{display:none}', '\\u003cb\\u003e', 'javascript:window.broken=5'];

export function encode(numbers) {
  let text = '';
  for (let n of numbers) {
    n = Math.round(n);
    do {
      const rest = Math.floor(n / 32);
      text += LETTERS[(n % 32) + (rest ? 32 : 0)];
      n = rest;
    } while (n);
  }
  return text;
}

// The same numbers each time.
function dice(seed) {
  let x = seed;
  return () => { x = (x * 1103515245 + 12345) % 2147483648; return x / 2147483648; };
}

const CLASSES = [['compute', 'computing'], ['issue', 'within calls'], ['signal', 'waiting for a value'], ['collective', 'in collectives'], ['idle', 'before and after']];

function timeline(ranks, end, roll, names) {
  const tick = end / 2 ** 24, states = [{ class: 0, text: '' }, { class: 1, text: names[0] }, { class: 2, text: 'wait_until' }, { class: 3, text: names[1] }, { class: 4, text: '' }];
  const rows = (n, runs) => Array.from({ length: n }, () => {
    const list = [];
    let left = 2 ** 24;
    for (let k = 0; k < runs && left > 0; k++) {
      const long = Math.min(left, Math.round((2 ** 25 / runs) * roll()));
      list.push([0, 1, 0, 2, 3][k % 5], long);
      left -= long;
    }
    return encode([...list, 4, left]);
  });
  const levels = [{ group: 1, shortest: ranks > 100 ? end / 500 : 0, from: 0, to: end, tick, rows: rows(ranks, ranks > 100 ? 100 : 400) }];
  if (ranks > 100) levels.push({ group: 16, shortest: end / 500, from: 0, to: end, tick, rows: rows(ranks / 16, 100) });
  const operations = Array.from({ length: 400 }, () => Math.floor(roll() * 2 ** 24)).sort((a, b) => a - b);
  let before = 0;
  const list = operations.flatMap((at, k) => {
    const wait = at - before, effect = Math.floor(roll() * 2 ** 17), origin = Math.floor(roll() * ranks);
    before = at;
    return [wait, effect, k % 3 ? effect : 2 * effect, origin, (origin + 1) % ranks, k % 3 ? 0 : 1, k % 2, Math.floor(roll() * 65536), 0, 0,
      k % 8 ? 0 : Math.floor(effect / 2)];
  });
  return {
    ranks, states, levels, marks: [[end / 3, 0, names[2], end / 3], [end / 2, 0, names[3], end * 0.7]],
    arrows: { total: 400, shown: 400, kept: 50, tick, kinds: ['put', 'get', 'atomic', 'message'], calls: [names[0], names[1]], layers: [encode(list)] },
  };
}

function path(ranks, end, roll, names) {
  const tick = end / 2 ** 24, pieces = [];
  let rank = 0;
  for (let k = 0; k < 64; k++) {
    const next = k % 2 ? Math.floor(roll() * ranks) : rank;
    pieces.push(2 ** 18, next, rank, k % 2 ? 4 : 0);
    rank = next;
  }
  const parts = [['computing', 'computing', 0.4], ['calling', 'within calls', 0.1], ['timed', 'timed waits', 0], ['other', 'outside calls', 0], ['latency', 'latency of operations', 0.2], ['transfer', 'transfer at the narrowest link', 0.2], ['contention', 'others in the way', 0.1], ['unknown', 'not known', 0]];
  return {
    length: end, hops: 32, tick, pieces: encode(pieces), parts: parts.map(([key, text, share]) => ({ key, text, seconds: share * end })),
    ranks: [{ rank: 0, seconds: end * 0.3 }, { rank: ranks - 1, seconds: end * 0.2 }], links: [{ name: names[3], seconds: end * 0.2 }], calls: [{ name: names[0], seconds: end * 0.1 }],
    longest: [{ begin: 0, seconds: end / 10, rank: 0, peer: 0, what: 'computing', name: names[0], bytes: 0, link: '' }, { begin: end / 2, seconds: end / 20, rank: ranks - 1, peer: 0, what: 'put', name: names[1], bytes: 4096, link: names[4] }],
  };
}

function links(end, roll, names) {
  const bins = 300, rows = Array.from({ length: 12 }, (_, id) => ({
    id, name: names[id % names.length], bandwidth: 12.5e9, latency: 5e-7, shared: true, operations: 1000, bytes: 1e6 * (12 - id), mean: 0.5 / (id + 1), peak: 0.9 / (id + 1), transfer: end / 10, contention: end / 30,
    usage: Array.from({ length: bins }, () => LETTERS[Math.floor((roll() * 63) / (id + 1))]).join(''),
  }));
  return { bins, width: end / bins, total: 14, used: 12, top: 1, rows, drawn: rows.flatMap((r) => [r.id, Math.round(10000 * r.mean), Math.round(10000 * r.peak)]) };
}

function drawing(names) {
  const safe = (t) => t.replace(/[&<>\u0000-\u001f]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[c] ?? '?');
  const lines = Array.from({ length: 12 }, (_, k) => `<path class="link" stroke-width="2.0" data-links="${k}" d="M300.0 40.0L${40 + 50 * k}.0 160.0"/><rect class="host" x="${33 + 50 * k}" y="160" width="14" height="14" rx="3"/>
<text class="name" x="${40 + 50 * k}" y="190" font-size="9.0" text-anchor="middle">${safe(names[k % names.length].slice(0, 8))}</text>`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="220" viewBox="0 0 640 220"><style>*{display:none}</style><script>window.broken=6</script>
<rect width="100%" height="100%" fill="#fff"/><g onclick="window.broken=7">${lines.join('\n')}</g><foreignObject><p>x</p></foreignObject><image href="http://example.invalid/x.png"/></svg>`;
}

// One from the first rank to the last, one within a rank, and one whose later access has the earlier time.
function races(ranks, end, names) {
  const access = (rank, time, does, k) => ({ rank, thread: k % 2, time, does, call: k ? names[k] : 'a load', place: k % 3 ? `main, ${names[k]}:${k}` : '' });
  return [[access(0, end / 3, 'written', 1), access(ranks - 1, end / 2, 'read', 0)], [access(1 % ranks, end / 4, 'updated atomically', 2), access(1 % ranks, end * 0.2503, 'written', 4)],
    [access(0, end * 0.8, 'written', 3), access(1 % ranks, end * 0.79, 'read', 0)]].map((accesses, k) => ({ object: `${names[k]}+0x10`, owner: k % ranks, bytes: 8, missing: `${names[k + 1]} was not complete`, accesses }));
}

// Network cards of hosts with these names, and cores.
function cards(ranks, end, roll, names) {
  const tick = end / 2 ** 20, hosts = names.slice(0, 6);
  const row = () => encode(Array.from({ length: 200 }, (_, k) => [k % 4, Math.round(2 ** 20 / 200), Math.floor(roll() * 48)]).flat());
  return {
    cards: {
      total: 6, states: [['cardidle', 'idle'], ['cardexecutes', names[1]], ['cardfills', 'waits'], ['cardbusy', 'moves']].map(([key, text]) => ({ key, text })),
      rows: hosts.map((host, k) => ({ host, requests: 1000 * k, atomics: 900 * k, hits: k, merges: 300 * k, misses: 700 * k, streams: k, conflicts: 1, stalls: k, fills: 700 * k, writes: 600 * k,
        lost: 5, executing: end / 9, waiting: end / 5, fill: 4e-8, inCard: 6e-8, mshrs: 1.25, mostMshrs: 3, mostRequests: 9 })),
      levels: [{ shortest: 0, from: 0, to: end, tick, rows: hosts.map(row) }], writesTick: tick, writes: hosts.map(() => encode([5, 2 ** 18, 2 ** 18])),
    },
    cores: { traps: 3, classes: [names[2], 900, 'integer', 100], stalls: [names[3], 4000], cycles: ['cycles', 5000],
      rows: Array.from({ length: ranks }, (_, rank) => ({ rank, classes: [names[2], 900 / ranks], stalls: [names[3], 4000], cycles: ['cycles', 5000] })) },
  };
}

// Files with these names on disks of hosts with these names.
function files(ranks, end, names) {
  const way = (k, remark) => ({ accesses: 100 * k, together: 10 * k, gaps: k, bytes: 4096 * k * k, rounds: k, requests: 1000 * k, asked: 8192 * k * k,
    remark: remark ? names[k % names.length] : '', hint: remark ? names[(k + 1) % names.length] : '' });
  const shown = (f, most) => Array.from({ length: Math.min(most, ranks) }, (_, k) => f(k));
  return {
    list: names.map((path, k) => ({ path, ways: [way(k, k === 2), way(names.length - k, k < 2)], others: k, seconds: end / (k + 1), longest: end / (k + 2), rank: k % ranks })), found: 1000,
    servers: names.map((name, k) => ({ name, host: names[(k + 2) % names.length], parts: 100, read: 1e6 * k, written: 1e7, seconds: end / 3, waited: end / (k + 4) })), serversFound: names.length,
    disks: names.map((name, k) => ({ name, host: names[(k + 1) % names.length], reads: k, readBytes: 1e6 * k, writes: 3, writtenBytes: 1e5, busy: end / (k + 2), shared: end / 2 })), disksFound: 12,
    group: 1, waits: Array.from({ length: ranks }, (_, r) => Array.from({ length: 9 }, (_, k) => ((r + k) % 3 ? end / (20 + k) : 0))),
    longest: shown((k) => ({ rank: k, name: names[k % names.length], host: names[(k + 3) % names.length], seconds: end / (k + 5) }), 100), waitsFound: ranks * 9,
    steps: names.slice(0, 5).map((name, k) => ({ name, count: 10 * k, bytes: 1e5 * k, seconds: end / (k + 1), longest: end / (k + 3) })),
    aggregators: shown((k) => ({ rank: k, rounds: 3, read: 0, written: 1e6, reading: 0, writing: end / (k + 3), exchanging: end / 20 }), 16), aggregatorsFound: 20,
  };
}

export function sample(ranks, { hostile = false, racing = hostile } = {}) {
  const roll = dice(ranks + 1), end = 0.0123, names = hostile ? HOSTILE : ['shmem_long_put', 'shmem_barrier_all', 'phase two', 'trunk-0', 'node-1', 'node-2'];
  const list = (n) => Array.from({ length: n }, (_, k) => k), n = Math.min(ranks, 64), group = Math.ceil(ranks / n);
  const cells = (f) => list(n).flatMap((o) => list(n).filter((t) => t !== o && ((o ^ t) & ((o ^ t) - 1)) === 0).flatMap((t) => [o, t, Math.ceil(f() * 1000)]));
  const share = () => { const a = 0.4 + 0.2 * roll(), b = 0.1 * roll(), c = 0.2 * roll(); return [a, b, c, 1 - a - b - c, 0].map((x) => x * end); };
  const kind = (key, text) => ({
    key, text, count: 12345, bytes: 12345 * 700, unfinished: 0, least: 1e-6, median: 3e-6, p99: 2e-5, most: 1e-4, sizes: [[8, 16, 6000], [256, 512, 4000], [65536, 131072, 2345]],
    latency: [[8, 16, 1], [256, 512, 1.3], [65536, 131072, 12]].map(([low, high, f]) => ({ low, high, n: 100, least: f * 1e-6, p10: f * 1.5e-6, p50: f * 2e-6, p90: f * 4e-6, most: f * 2e-5 })),
  });
  return {
    format: 'pgasim-report', version: 1,
    about: { trace: hostile ? names[1] : 'sample.pgt', program: hostile ? names[0] : 'sample', arguments: hostile ? names.join(' ') : '-n 4', platform: hostile ? names[2] : 'made by hand', version: '1.0.0', ranks, hosts: Math.min(12, ranks), links: 14, end, events: 1e5, damage: null, truncated: false },
    classes: CLASSES.map(([key, text]) => ({ key, text })),
    hosts: { names: names.slice(0, 6), of: list(ranks).map((r) => r % 6) },
    decomposition: { group: 1, rows: list(ranks).map(share) },
    calls: names.map((name, k) => ({ name, count: 1000 - k, own: end / (k + 1), waiting: end / (k + 3), longest: 1e-4, rank: k % ranks, at: 0, operations: 10, bytes: 1e5 * k })),
    matrices: [{ key: 'count', title: 'Operations', text: 'Operations', unit: 'count', rows: 'origin', columns: 'target', group, n, cells: cells(roll) }, { key: 'bytes', title: 'Bytes', text: 'Bytes', unit: 'bytes', rows: 'origin', columns: 'target', group, n, cells: cells(roll) }],
    timeline: timeline(ranks, end, roll, names), links: links(end, roll, names), drawing: drawing(names), races: racing ? races(ranks, end, names) : [], racesFound: racing ? 1003 : 0,
    files: ranks > 1 ? files(ranks, end, names) : null,
    worlds: ranks > 1 ? [{ first: 0, ranks: 1, begin: 0, end, computing: end / 2, waiting: end / 3 }, { first: 1, ranks: ranks - 1, begin: end / 4, end, computing: end, waiting: 0 }] : [], worldsFound: ranks > 1 ? 2 : 0,
    ...(hostile ? cards(ranks, end, roll, names) : {}),
    operations: { kinds: [kind('put', 'puts'), kind('get', 'gets')] },
    collectives: names.slice(0, 6).map((name, k) => ({ name, algorithm: names[(k + 3) % names.length], bytes: 8 << k, rounded: false, membersLeast: ranks, membersMost: ranks, count: 100, unfinished: 0, mean: 1e-5, least: 1e-6, most: 1e-4, sum: 1e-3 / (k + 1), imbalance: 4e-6, after: 6e-6 / (k + 1) })),
    path: path(ranks, end, roll, names),
    suggestions: names.slice(0, 6).map((name, k) => ({ lever: 'link', text: `link ${name}: twice the bandwidth`, part: end / (k + 4), gain: end / (k + 4) / 2, foreseen: end / (k + 4) / 3 })),
  };
}
