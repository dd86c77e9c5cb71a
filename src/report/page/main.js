// SPDX-License-Identifier: BSD-3-Clause
// main: reads the data (README.md says what it holds) and puts the sections of the page in their order.
import { cards } from './cards.js';
import { collectives } from './collectives.js';
import { critical } from './critical.js';
import { decomposition } from './decomposition.js';
import { h } from './dom.js';
import { energy } from './energy.js';
import { files } from './files.js';
import { gains } from './gains.js';
import { jobs } from './jobs.js';
import { links } from './links.js';
import { matrix } from './matrix.js';
import { operations } from './operations.js';
import { races } from './races.js';
import { sdsm } from './sdsm.js';
import { bottom, summary, top } from './summary.js';
import { startTheme, switchTheme } from './theme.js';
import { timeline } from './timeline.js';

// The parts of the page that the keys 1 to 9 lead to.
const SECTIONS = [['summary', 'Summary', summary], ['jobs', 'Jobs', jobs], ['gains', 'What would help', gains],
  ['races', 'Races', races], ['timeline', 'Timeline', timeline], ['critical', 'Critical path', critical],
  ['time', 'Time by rank', decomposition], ['communication', 'Communication', matrix], ['sdsm', 'Shared memory', sdsm],
  ['cards', 'Cards', cards], ['links', 'Links', links], ['files', 'Files', files],
  ['operations', 'Operations', operations],
  ['collectives', 'Collectives', collectives], ['energy', 'Energy', energy]];

function go(id) {
  const title = document.getElementById(`${id}-title`);
  title.setAttribute('tabindex', '-1');
  title.focus({ preventScroll: true });
  document.getElementById(id).scrollIntoView();
}

function shortcuts(present) {
  document.addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    const at = '123456789'.indexOf(e.key);
    if (at >= 0 && present[at]) go(present[at][0]);
    else if (e.key === 't') switchTheme();
    else if (e.key === '?') document.getElementById('keys').open = true,
    document.getElementById('keys').scrollIntoView();
    else return;
    e.preventDefault();
  });
}

// A section that can't be drawn must not take the others with it.
function draw(make, data) {
  try {
    return make(data) !== false;
  } catch (e) {
    console.error(e);
    document.getElementById('content').append(h('p', { class: 'warning' },
      `A part of this page could not be drawn: ${e.message}`));
    return false;
  }
}

function start() {
  const data = JSON.parse(document.getElementById('data').textContent);
  data.races.forEach((race, k) => { race.number = k; });
  startTheme();
  document.title = `${data.about.program} – pgasim report`;
  // Files of a real run have nothing but the shared memory's events.
  const sections = data.statistics ? SECTIONS.filter(([id]) => id === 'summary' || id === 'sdsm') : SECTIONS;
  const present = sections.filter(([, , make]) => draw(make, data));
  top(data, present);
  bottom(data, present);
  shortcuts(present);
  document.documentElement.dataset.ready = 'true';
}

start();
