// SPDX-License-Identifier: BSD-3-Clause
// tip: the one tooltip of what the page draws by itself. It keeps clear of the window's edges.

const box = () => document.getElementById('tip');

export function showTip(content, x, y) {
  const b = box();
  b.replaceChildren(content);
  b.hidden = false;
  const { width, height } = b.getBoundingClientRect(), wide = document.documentElement.clientWidth,
    high = window.innerHeight;
  const left = x + 16 + width > wide ? x - 16 - width : x + 16, top = y + 16 + height > high ? y - 16 - height
    : y + 16;
  b.style.left = `${Math.max(4, Math.min(left, wide - width - 4))}px`;
  b.style.top = `${Math.max(4, top)}px`;
}

export function hideTip() {
  box().hidden = true;
}
