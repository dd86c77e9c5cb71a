// SPDX-License-Identifier: BSD-3-Clause
// numbers: numbers as texts, as C's %.4g writes them.

function show(value) {
  if (value === 0) return '0';
  const [digits, power] = value.toExponential(40).split('e'), plain = digits.replace(/[-.]/g, '');
  // Halfway between two, the even one.
  const down = /^50*$/.test(plain.slice(4)) && Number(plain[3]) % 2 === 0;
  const cut = `${value < 0 ? '-' : ''}${plain[0]}.${plain.slice(1, 4)}e${power}`;
  const [short, exponent] = (down ? cut : value.toExponential(3)).split('e'), e = Number(exponent);
  if (e < -4 || e >= 4) {
    const tens = String(Math.abs(e)).padStart(2, '0');
    return `${short.replace(/\.?0+$/, '')}e${e < 0 ? '-' : '+'}${tens}`;
  }
  const fixed = Number(`${short}e${e}`).toFixed(Math.max(0, 3 - e));
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed;
}

const count = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ' ');
