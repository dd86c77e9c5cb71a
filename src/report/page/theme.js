// SPDX-License-Identifier: BSD-3-Clause
// theme: light or dark, and the colours of each. Colours of states can be told apart by people who see fewer
// of them.

const LIGHT = {
  dark: false, text: '#1d2430', soft: '#5b6678', line: '#d9dee6', card: '#ffffff', back: '#f4f6f9',
  accent: '#0b63c5',
  critical: '#c81e3a', arrow: 'rgba(20, 30, 50, 0.55)', none: '#eef1f5', mark: '#7a3db8',
  race: '#141414', raceOn: '#ffd52e', kept: '#b3005e',
  ramp: ['#eef3fa', '#c3d8f0', '#86b6e3', '#4a8ccf', '#1f62ad', '#123f78', '#0a234a'],
  heat: ['#e8edf3', '#a9d6c4', '#f2d16b', '#ee8f3c', '#cf2f2f'],
};
const DARK = {
  dark: true, text: '#e6eaf1', soft: '#9aa7ba', line: '#333c4a', card: '#1a2029', back: '#11151b',
  accent: '#6cb2ff',
  critical: '#ff5d73', arrow: 'rgba(230, 236, 246, 0.55)', none: '#242c37', mark: '#c39bf0',
  race: '#ffd52e', raceOn: '#141414', kept: '#ff6fb0',
  ramp: ['#1f2733', '#1f3d63', '#22609e', '#338bd6', '#6fb6ef', '#b3dbfa', '#eef7ff'],
  heat: ['#2a333f', '#2f7f66', '#c9a227', '#e67a2e', '#ff5a4f'],
};
// By key of the class; the same in both themes but for what is too dark or too light on it.
const CLASSES = {
  compute: ['#2c9c6a', '#35b37c'], issue: ['#4a90d9', '#5aa5ee'], put: ['#e69f00', '#f0b429'],
  get: ['#d55e00', '#ee7a22'],
  atomic: ['#8c6d1f', '#c9a74e'], signal: ['#cc6fa6', '#e58fc1'], collective: ['#6a51a3', '#9b84d6'],
  message: ['#3b6fb6', '#6f9fe0'], epoch: ['#7a8b1f', '#b3c24a'],
  io: ['#0f7c7c', '#3fb5b0'], lock: ['#a0522d', '#c9835f'], wait: ['#8a94a3', '#8793a6'], cpu: ['#5f7f3a', '#8fb55e'],
  readhit: ['#8fbdea', '#3f6f9f'], readmiss: ['#1f62ad', '#6cb2ff'],
  writehit: ['#f0b27a', '#9c6230'], writemiss: ['#c9480f', '#ff9a55'],
  cardexecutes: ['#2c9c6a', '#35b37c'], cardfills: ['#e9b44c', '#c08a2a'], cardbusy: ['#9cc3ea', '#3f6f9f'],
  cardidle: ['#eef1f5', '#242c37'],
  other: ['#b5bdc9', '#566173'],
  idle: ['#e3e7ed', '#2b3441'],
};
const SPARE = [['#1b8a9e', '#3fb6cc'], ['#a3362f', '#d86a62'], ['#566b00', '#a3bd3a']];

const wanted = window.matchMedia('(prefers-color-scheme: dark)');
const listeners = [];
let chosen = null; // 'light', 'dark', or null: what the system says
let printing = false;

export function theme() {
  const dark = !printing && (chosen ? chosen === 'dark' : wanted.matches);
  return dark ? DARK : LIGHT;
}

function apply() {
  document.documentElement.dataset.theme = theme().dark ? 'dark' : 'light';
  listeners.forEach((f) => f());
}

export function onTheme(f) {
  listeners.push(f);
}

export function switchTheme() {
  chosen = theme().dark ? 'light' : 'dark';
  apply();
}

export function startTheme() {
  wanted.addEventListener('change', apply);
  window.addEventListener('beforeprint', () => { printing = true; apply(); });
  window.addEventListener('afterprint', () => { printing = false; apply(); });
  apply();
}

let spares = 0;
export function classColour(key) {
  CLASSES[key] ??= SPARE[spares++ % SPARE.length];
  return CLASSES[key][theme().dark ? 1 : 0];
}

function mix(a, b, t) {
  const part = (c, k) => parseInt(c.slice(1 + 2 * k, 3 + 2 * k), 16);
  const one = (k) => Math.round(part(a, k) + (part(b, k) - part(a, k)) * t);
  return `rgb(${one(0)}, ${one(1)}, ${one(2)})`;
}

// The end of a scale of shares on which the largest can be told from nothing.
export const ceiling = (most) => [0.01, 0.02, 0.05, 0.1, 0.2, 0.5].find((x) => most <= x) ?? 1;

// The colour of x in [0, 1] on a ramp.
export function rampColour(ramp, x) {
  const at = Math.min(1, Math.max(0, x)) * (ramp.length - 1);
  const k = Math.min(ramp.length - 2, Math.floor(at));
  return mix(ramp[k], ramp[k + 1], at - k);
}
