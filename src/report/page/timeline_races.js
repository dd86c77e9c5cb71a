// SPDX-License-Identifier: BSD-3-Clause
// timeline_races: races on the timeline: a dot and a name (1a, 1b) at each of the two accesses, a striped line
// between them, and what is said of them.
import { clean, h, short } from './dom.js';
import * as u from './units.js';

const NAMED = 60; // with more in view, they are dots and lines only
const HIGH = 15;

export const raceName = (k, which) => `${k + 1}${'ab'[which]}`;

// "rank 2", "rank 2, thread 3"
export const whose = (a) => `rank ${a.rank}${a.thread ? `, thread ${a.thread + 1}` : ''}`;

// Whose memory it is; of a file's bytes: nobody's.
export const ofOwner = (race) => (race.owner === undefined ? '' : ` of rank ${race.owner}`);

// "MPI_Put" is a name, "a load" is not.
export const called = (a) => (/^an? /.test(a.call) ? clean(a.call) : h('code', {}, short(a.call, 40)));

function ends(d, view, race) {
  return race.accesses.map((a) => ({ x: d.x(view, a.time), y: d.middle(view, a.rank) }));
}

function line(c, t, [a, b], chosen) {
  const stroke = (width, colour, dash) => {
    c.lineWidth = width;
    c.strokeStyle = colour;
    c.setLineDash(dash);
    c.beginPath();
    c.moveTo(a.x, a.y);
    c.lineTo(b.x, b.y);
    c.stroke();
  };
  stroke(chosen ? 9 : 6, t.card, []);
  stroke(chosen ? 5 : 3.5, t.race, []);
  stroke(chosen ? 3 : 2, t.raceOn, [4, 4]);
  c.setLineDash([]);
}

function dot(c, t, p) {
  c.beginPath();
  c.arc(p.x, p.y, 4, 0, 2 * Math.PI);
  c.fillStyle = t.race;
  c.fill();
  c.lineWidth = 1.5;
  c.strokeStyle = t.card;
  c.stroke();
}

// Beside its dot, away from the other end, but within the field.
function badge(d, t, p, text, side, least) {
  const c = d.context, wide = c.measureText(text).width + 9;
  const beside = side < 0 ? p.x - 7 - wide : p.x + 7;
  const x = Math.min(Math.max(beside, least), d.width - wide - 1);
  c.beginPath();
  c.roundRect(x, p.y - HIGH / 2, wide, HIGH, 4);
  c.fillStyle = t.race;
  c.fill();
  c.lineWidth = 1.5;
  c.strokeStyle = t.card;
  c.stroke();
  c.fillStyle = t.raceOn;
  c.fillText(text, x + wide / 2, p.y + 0.5);
  return { x0: x, x1: x + wide };
}

function one(d, view, t, race, { named, chosen, least }) {
  const [a, b] = ends(d, view, race), k = race.number, back = b.x < a.x;
  line(d.context, t, [a, b], chosen);
  d.hits.push({ x0: a.x, y0: a.y, x1: b.x, y1: b.y, race: k });
  [a, b].forEach((p, which) => {
    dot(d.context, t, p);
    const at = named || chosen
      ? badge(d, t, p, raceName(k, which), (which === 1) === back ? -1 : 1, least) : { x0: p.x, x1: p.x };
    for (const off of [-4, 0, 4]) d.hits.push({ ...at, y0: p.y + off, y1: p.y + off, race: k });
    d.hits.push({ x0: p.x, y0: p.y, x1: p.x, y1: p.y, race: k });
  });
}

// `chosen`: the race that the table led to; it comes last, on top. `least`: where the field begins.
export function drawRaces(d, view, t, chosen, least) {
  const c = d.context, seen = d.run.races.filter((race) => {
    const [a, b] = ends(d, view, race);
    return Math.max(a.x, b.x) >= least && Math.min(a.x, b.x) <= d.width &&
      race.accesses.some((x) => x.rank >= view.first - 1 && x.rank <= view.last);
  });
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.font = '600 11px system-ui, sans-serif';
  const named = seen.length <= NAMED;
  for (const race of seen) if (race.number !== chosen) one(d, view, t, race, { named, least });
  for (const race of seen) if (race.number === chosen) one(d, view, t, race, { chosen: true, least });
}

export function raceLegend() {
  return h('li', {}, h('span', { class: 'racemark' }, '1a'), h('span', { class: 'racemark' }, '1b'),
    'a race: its earlier and its later access');
}

export function describeRace(race) {
  const k = race.number;
  return h('div', { class: 'tip-inside' },
    h('strong', {}, `Race ${k + 1}: ${short(race.object, 60)}${ofOwner(race)}`),
    race.accesses.map((a, which) => h('p', { class: 'end' }, h('span', { class: 'racemark' },
      raceName(k, which)), ` ${clean(a.does)} by `, called(a), ` of ${whose(a)}`,
    a.place && [h('br'), `in ${short(a.place, 80)}`], ` at ${u.time(a.time, 7)}`)),
    race.missing && h('p', { class: 'end' }, short(race.missing, 300)));
}
