// SPDX-License-Identifier: BSD-3-Clause
// axes: where values are in a picture, and the frame with its ticks.

const CHARACTER = 7; // pixels, about

// An axis from least to most with a margin, from pixel `from` to pixel `to`.
function axisOf(least, most, log, from, to) {
  const a = { log: log && least > 0, from, to };
  let margin = a.log ? Math.max((most / least) ** 0.04, 1.02) : (most - least) * 0.05;
  if (!a.log && !(margin > Math.abs(most) * 1e-9)) margin = most !== 0 ? Math.abs(most) * 0.1 : 1;
  a.low = a.log ? least / margin : least >= 0 ? Math.max(least - margin, 0) : least - margin;
  a.high = a.log ? most * margin : most + margin;
  return scaled(a);
}

// From a value to another, without a margin.
const axisBetween = (low, high, log, from, to) => scaled({ low, high, log: log && low > 0, from, to });

function scaled(a) {
  const span = a.to - a.from;
  const whole = a.log ? Math.log(a.high / a.low) : a.high - a.low;
  a.place = a.log ? (v) => a.from + (Math.log(v / a.low) / whole) * span : (v) => a.from + ((v - a.low) / whole) * span;
  a.value = a.log ? (p) => a.low * Math.exp(((p - a.from) / span) * whole) : (p) => a.low + ((p - a.from) / span) * whole;
  return a;
}

function roundTicks(a, wanted) {
  const rough = (a.high - a.low) / wanted, power = 10 ** Math.floor(Math.log10(rough)), digit = rough / power;
  const step = (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power, first = Math.ceil(a.low / step - 1e-9);
  const out = [];
  for (let k = 0; k < 30 && (first + k) * step <= a.high + step * 1e-9; k++) out.push(first + k === 0 ? 0 : (first + k) * step);
  return out;
}

function logTicks(a, wanted) {
  const decades = Math.log10(a.high / a.low), stride = Math.max(1, Math.ceil(decades / wanted)), out = [];
  if (decades < 1) return roundTicks(a, wanted);
  for (let p = Math.floor(Math.log10(a.low)); p <= Math.ceil(Math.log10(a.high)); p += stride)
    for (const k of decades < 3 ? [1, 2, 5] : [1]) if (k * 10 ** p >= a.low && k * 10 ** p <= a.high) out.push(k * 10 ** p);
  return out;
}

// Ticks as [value, text]: words, the values themselves where they are few, else round numbers.
function ticksOf(a, values, words, wanted) {
  if (words) {
    const first = Math.max(0, Math.ceil(a.low)), last = Math.min(values.length - 1, Math.floor(a.high));
    let longest = 1;
    for (let k = first; k <= last; k++) longest = Math.max(longest, Math.min(14, String(values[k]).length));
    const stride = a.across ? Math.max(1, Math.ceil((last - first + 1) * (longest + 1) * CHARACTER / Math.abs(a.to - a.from)))
      : Math.max(1, Math.ceil((last - first + 1) * 16 / Math.abs(a.to - a.from)));
    const out = [];
    for (let k = first; k <= last; k += stride) {
      const text = [...String(values[k])];
      out.push([k, text.length > 14 ? `${text.slice(0, 14).join('')}…` : text.join('')]);
    }
    return out;
  }
  const seen = a.log && values ? values.filter((v) => v >= a.low && v <= a.high) : [];
  const numbers = seen.length > 1 && seen.length <= wanted * 1.5 ? seen : (a.log ? logTicks : roundTicks)(a, wanted);
  return numbers.map((v) => [v, show(v)]);
}

function drawAxes(picture, x, y, labels) {
  const { left, right, top, bottom } = picture.box, out = [];
  for (const [value, text] of picture.xTicks) {
    const p = x.place(value).toFixed(1);
    out.push(s('path', { class: 'g', d: `M${p} ${top}V${bottom}` }),
      s('text', { class: 'k', 'text-anchor': 'middle', x: p, y: bottom + 17 }, text));
  }
  for (const [value, text] of picture.yTicks) {
    const p = y.place(value);
    out.push(s('path', { class: 'g', d: `M${left} ${p.toFixed(1)}H${right}` }),
      s('text', { class: 'k', 'text-anchor': 'end', x: left - 6, y: (p + 4).toFixed(1) }, text));
  }
  out.push(s('path', { class: 'x', d: `M${left} ${top}V${bottom}H${right}` }),
    s('text', { 'text-anchor': 'middle', x: (left + right) / 2, y: bottom + 38 }, labels.x + (x.log ? ' (logarithmic)' : '')),
    s('text', { 'text-anchor': 'middle', transform: `translate(14 ${(top + bottom) / 2}) rotate(-90)` },
      labels.y + (y.log ? ' (logarithmic)' : '')));
  return out;
}
