// SPDX-License-Identifier: BSD-3-Clause
// timeline_worlds: headings on the timeline above the ranks that were started together, if the program has started any.
import { tip } from './charts.js';
import * as u from './units.js';

export const HEAD = 20;
const ROOM = 56; // pixels of height for each heading, else there are none

function worldName(world, number) {
  return number ? `World ${number}, started by the program` : 'World 0, started with the run';
}

export function headsHeight(worlds) {
  return worlds.length > 1 ? Math.min(worlds.length, 6) * HEAD : 0;
}

// Of the worlds that are seen; the first one's heading stays at the top while its ranks move away under it.
export function headsOf(worlds, view, height) {
  const seen = worlds.map((world, number) => ({ world, number, first: Math.max(world.first, view.first) }))
    .filter(({ world, first }) => first < view.last && world.first + world.ranks > first);
  return worlds.length > 1 && seen.length * ROOM <= height ? seen : [];
}

export function headAt(drawing, view, y) {
  return drawing.headings.find((head) => {
    const below = drawing.y(view, head.first);
    return y >= below - HEAD && y < below;
  });
}

export function drawHeads(drawing, view, t, left) {
  const c = drawing.context, wide = drawing.width - left - 8;
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  for (const { world, number, first } of drawing.headings) {
    const y = drawing.y(view, first) - HEAD, name = worldName(world, number),
      long = `${name}: ${u.ranks(world.first, world.first + world.ranks - 1)}, from ${u.time(world.begin)} on`;
    c.fillStyle = t.card;
    c.fillRect(0, y, drawing.width, HEAD);
    c.fillStyle = t.line;
    c.fillRect(0, y + HEAD - 1, drawing.width, 1);
    c.fillStyle = t.text;
    c.fillText(c.measureText(long).width <= wide ? long : name, left, y + HEAD / 2, wide);
  }
}

export function describeHead({ world, number }) {
  return tip(worldName(world, number), [[null, 'Ranks', u.ranks(world.first, world.first + world.ranks - 1)],
    [null, 'Begins', u.time(world.begin, 7)], [null, 'Ends', u.time(world.end, 7)]]);
}
