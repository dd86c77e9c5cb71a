// SPDX-License-Identifier: BSD-3-Clause
// codes: lists of whole numbers as text, as README.md says: five bits a letter, least first, 32 added while
// more follow.

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUE = new Uint8Array(128);
[...LETTERS].forEach((c, k) => { VALUE[c.charCodeAt(0)] = k; });

// Calls each(number, number, ...) with `width` numbers at a time.
export function decode(text, width, each) {
  const numbers = [];
  let value = 0, scale = 1;
  for (let k = 0; k < text.length; k++) {
    const bits = VALUE[text.charCodeAt(k) & 127];
    value += (bits & 31) * scale;
    scale *= 32;
    if (bits & 32) continue;
    numbers.push(value);
    value = 0;
    scale = 1;
    if (numbers.length === width) {
      each(...numbers);
      numbers.length = 0;
    }
  }
}

// A letter a value, 0 to 63.
export function letters(text) {
  return Array.from(text, (c) => VALUE[c.charCodeAt(0) & 127]);
}
