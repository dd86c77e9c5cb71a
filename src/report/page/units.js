// SPDX-License-Identifier: BSD-3-Clause
// units: numbers for people.

function scaled(value, steps, digits) {
  const size = Math.abs(value);
  const [factor, unit] = steps.find(([f]) => size >= f * 0.9995) ?? steps[steps.length - 1];
  const n = value / factor;
  const places = Math.abs(n) >= 100 ? digits - 3 : Math.abs(n) >= 10 ? digits - 2 : digits - 1;
  return `${Number(n.toFixed(Math.max(0, places)))}\u00a0${unit}`.trimEnd();
}

const TIMES = [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns'], [1e-12, 'ps']];
const SIZES = [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']];
const COUNTS = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']];
const JOULES = [[1e9, 'GJ'], [1e6, 'MJ'], [1e3, 'kJ'], [1, 'J'], [1e-3, 'mJ'], [1e-6, 'µJ'], [1e-9, 'nJ']];
const WATTS = [[1e6, 'MW'], [1e3, 'kW'], [1, 'W'], [1e-3, 'mW'], [1e-6, 'µW']];
const RATES = [[1e12, 'TB/s'], [1e9, 'GB/s'], [1e6, 'MB/s'], [1e3, 'kB/s'], [1, 'B/s']];

export const time = (s, digits = 4) => (s === 0 ? '0\u00a0s' : scaled(s, TIMES, digits));
export const size = (b, digits = 4) => (b === 0 ? '0\u00a0B' : scaled(b, SIZES, digits));
export const joules = (j, digits = 4) => (j === 0 ? '0\u00a0J' : scaled(j, JOULES, digits));
export const watts = (w, digits = 4) => (w === 0 ? '0\u00a0W' : scaled(w, WATTS, digits));
export const rate = (b, digits = 3) => scaled(b, RATES, digits);
export const count = (n, digits = 4) => (Math.abs(n) < 10000 ? String(Math.round(n))
  : scaled(n, COUNTS, digits).replace('\u00a0', ' '));
export const exact = (n) => Math.round(n).toLocaleString('en').replace(/,/g, '\u202f');
export function percent(x) {
  if (!Number.isFinite(x)) return '–';
  const p = 100 * x;
  if (p !== 0 && Math.abs(p) < 0.1) return '<\u20090.1\u00a0%';
  return `${Number(p.toFixed(Math.abs(p) < 10 ? 1 : 0))}\u00a0%`;
}

// For an axis that reaches so far: all ticks in one unit, with as many digits as ticks `step` apart need.
export function timeTick(reach, step) {
  const [factor, unit] = TIMES.find(([f]) => reach >= f) ?? TIMES[TIMES.length - 1];
  const places = Math.max(0, Math.min(12, Math.ceil(-Math.log10(step / factor) - 1e-9)));
  return (s) => `${(s / factor).toFixed(places)}\u00a0${unit}`;
}

export const ranks = (first, last) => (first === last ? `rank ${first}` : `ranks ${first}–${last}`);
export const plural = (n, one, many = `${one}s`) => `${exact(n)} ${n === 1 ? one : many}`;
