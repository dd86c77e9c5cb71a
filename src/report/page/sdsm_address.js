// SPDX-License-Identifier: BSD-3-Clause
// sdsm_address: an axis of logical addresses. Ids of chunks are texts of numbers up to 2^64: too large for a double, and
// mostly far apart. So a chunk's place on the axis is its id only where ids lie close together, else its rank among those
// that the process knows; the axis says which.
import { axis } from './charts.js';

const TOP = 2n ** 64n;

// The topmost ones are those of tables: their distance from the end says more.
export function address(id) {
  const n = BigInt(id);
  return n > TOP - 2n ** 20n ? `2⁶⁴ − ${TOP - n}` : id;
}

// `places`: of the chunks in `ids` that are to be seen.
export function addresses(ids, places) {
  const used = [...new Set(places)].sort((a, b) => a - b), n = used.length;
  const low = n ? BigInt(ids[used[0]]) : 0n, span = n ? BigInt(ids[used[n - 1]]) - low + 1n : 1n;
  const scaled = span <= BigInt(4 * n);
  const rank = new Map(used.map((place, k) => [place, scaled ? Number(BigInt(ids[place]) - low) : k]));
  const most = scaled ? Number(span) : n;
  const at = (y) => {
    const k = Math.round(y);
    if (Math.abs(y - k) > 1e-6 || k < 0 || k >= most) return '';
    return address(scaled ? String(low + BigInt(k)) : ids[used[k]]);
  };
  return {
    note: scaled || n < 2 ? '' : ' Chunks stand in order of their addresses, which are too far apart for a scale.',
    place: (p) => rank.get(p), id: (p) => address(ids[p]), n: most,
    axis: (t, wide) => axis(t, 'value', { min: -0.5, max: most - 0.5, minInterval: 1, name: scaled ? 'address'
      : 'address (not to scale)', nameGap: wide + 12, splitLine: { show: false },
    axisLabel: { formatter: at, width: wide, overflow: 'truncate', customValues: ticks(most) } }),
  };
}

// Not more than sixteen, at whole places.
function ticks(n) {
  const step = Math.max(1, Math.ceil(n / 16));
  return Array.from({ length: Math.ceil(n / step) }, (_, k) => k * step);
}
