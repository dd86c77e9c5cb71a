// SPDX-License-Identifier: BSD-3-Clause
// keys: what keys and the mouse do in a chart.

// The track next to this one, up or down, that has something.
function otherTrack(c, by) {
  const n = c.shown.length;
  for (let k = 1; k <= n; k++) {
    const track = (((c.cursor.track + by * k) % n) + n) % n;
    if (c.shown[track].length) return track;
  }
  return c.cursor.track;
}

function nearest(track, x) {
  let low = 0, high = track.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track[middle].x < x) low = middle + 1; else high = middle;
  }
  return low > 0 && Math.abs(track[low - 1].x - x) <= Math.abs(track[low].x - x) ? low - 1 : low;
}

function first(c) {
  const track = c.shown.findIndex((t) => t.length);
  if (track >= 0) c.moveTo(track, 0); else c.say('There are no points.');
}

function step(c, key, choosing) {
  if (!c.item()) { first(c); if (key !== 'End' || !c.item()) return; }
  const { track, item } = c.cursor, list = c.shown[track], page = Math.max(1, Math.round(list.length / 10));
  const to = { ArrowLeft: item - 1, ArrowRight: item + 1, Home: 0, End: list.length - 1, PageUp: item - page, PageDown: item + page }[key];
  if (choosing && c.picked === null) c.picked = c.at.x;
  if (!choosing) c.picked = null;
  if (to !== undefined) { c.moveTo(track, Math.min(list.length - 1, Math.max(0, to))); return; }
  // Rows of a heat map go up as the picture does.
  const other = otherTrack(c, (key === 'ArrowUp') === c.chart.heat ? 1 : -1);
  c.moveTo(other, nearest(c.shown[other], c.at.x));
}

function choose(c) {
  if (c.picked === null || !c.item()) { c.say('Choose a range with Shift and the arrow keys first.'); return; }
  c.zoomTo(Math.min(c.picked, c.at.x), Math.max(c.picked, c.at.x));
}

function leave(c) {
  if (c.picked === null) { c.zoomBack(); return; }
  c.picked = null;
  c.drawOver();
  c.say('No range is chosen.');
}

function key(c, e) {
  if (e.ctrlKey || e.altKey || e.metaKey) return;
  const moves = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'];
  const does = { '+': () => c.zoomBy(0.5), '=': () => c.zoomBy(0.5), '-': () => c.zoomBy(2), 0: () => c.zoomAll(),
    Enter: () => choose(c), Escape: () => leave(c), Backspace: () => c.zoomBack() }[e.key];
  if (moves.includes(e.key)) step(c, e.key, e.shiftKey);
  else if (does) does();
  else return;
  e.preventDefault();
}

// --- the mouse: what is nearest is told, a click puts the cursor there, dragging chooses a range

function pointed(c, e) {
  const box = c.svg.getBoundingClientRect(), scale = c.width / box.width;
  const px = (e.clientX - box.left) * scale, py = (e.clientY - box.top) * scale;
  let best = null, far = 40 * 40;
  c.shown.forEach((list, track) => {
    if (!list.length) return;
    const x = c.x.value(px), at = nearest(list, x), about = c.chart.front ? 200 : 1;
    for (let k = Math.max(0, at - about); k <= Math.min(list.length - 1, at + about); k++) {
      const [qx, qy] = c.placeOf(list[k], track), d = (qx - px) ** 2 + (qy - py) ** 2;
      if (d < far) { far = d; best = { track, item: k }; }
    }
  });
  return { best, x: c.x.value(Math.min(c.boxNow.right, Math.max(c.boxNow.left, px))) };
}

function listen(c) {
  let down = null;
  c.field.addEventListener('keydown', (e) => key(c, e));
  c.field.addEventListener('pointerdown', (e) => { down = { at: pointed(c, e).x, from: e.clientX }; });
  c.field.addEventListener('pointermove', (e) => {
    if (down) return;
    const { best } = pointed(c, e);
    if (best && (best.track !== c.cursor?.track || best.item !== c.cursor?.item)) c.moveTo(best.track, best.item);
  });
  c.field.addEventListener('pointerup', (e) => {
    const { best, x } = pointed(c, e), was = down;
    down = null;
    if (was && Math.abs(e.clientX - was.from) > 8) {
      const [low, high] = [Math.min(was.at, x), Math.max(was.at, x)];
      if (c.chart.words) c.zoomTo(Math.round(low), Math.round(high)); else c.zoomTo(low, high);
    } else if (best) {
      c.moveTo(best.track, best.item);
    }
  });
}
