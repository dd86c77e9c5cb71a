// SPDX-License-Identifier: BSD-3-Clause
// page TEMPLATE WORK [PAGE...]: opens pages in a real browser: samples made by hand, of 1 to 1 024 ranks and with hostile
// names, and pages that pgasim made. Every chart is drawn, zoom works by wheel and keys, nothing is asked of any network,
// nothing complains, it prints, and what would be markup or code is shown as text. Prints what is wrong; the status is 1 then.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { HOSTILE, sample } from './sample.mjs';

const [template, work, ...made] = process.argv.slice(2);
const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((f) => { try { return statSync(f).isFile(); } catch { return false; } });
let wrong = 0, checks = 0;

function expect(holds, where, what, seen = '') {
  checks++;
  if (holds) return;
  wrong++;
  console.log(`WRONG: ${where}: ${what}${seen === '' ? '' : `: ${JSON.stringify(seen)}`}`);
}

function write(name, data) {
  const file = join(work, `${name}.html`), text = JSON.stringify(data).replace(/</g, '\\u003c');
  writeFileSync(file, readFileSync(template, 'utf8').replace('@DATA@', () => text));
  return file;
}

// A page that tells of every request beyond its own file, and of all that the browser complains of.
async function open(browser, file, { width = 1280, height = 900, colorScheme = 'light' } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce' });
  const where = `${basename(file)} ${width} ${colorScheme}`, own = pathToFileURL(file).href;
  page.on('request', (r) => expect(r.url() === own || r.url().startsWith('data:'), where, 'asks for', r.url()));
  page.on('console', (m) => expect(!['error', 'warning'].includes(m.type()), where, 'the console says', m.text()));
  page.on('pageerror', (e) => expect(false, where, 'an error', e.message));
  page.on('dialog', (d) => { expect(false, where, 'a dialog', d.message()); d.dismiss(); });
  await page.goto(own);
  await page.waitForSelector('html[data-ready]', { timeout: 20000 });
  return { page, where };
}

// --- what is drawn

// Colours of each canvas, coarsely and made small: an empty one has one.
const inks = (page) => page.evaluate(() => [...document.querySelectorAll('canvas')].map((c) => {
  const shades = new Set(), small = new OffscreenCanvas(300, 150).getContext('2d', { willReadFrequently: true });
  small.drawImage(c, 0, 0, 300, 150);
  const { data } = small.getImageData(0, 0, 300, 150);
  for (let k = 0; k < data.length; k += 4) shades.add(((data[k] >> 4) << 12) | ((data[k + 1] >> 4) << 8) | ((data[k + 2] >> 4) << 4) | (data[k + 3] >> 4));
  return { in: c.closest('section')?.id ?? '', shades: shades.size, width: c.width };
}));

async function charts(page, where, sections) {
  const drawn = await inks(page);
  for (const id of sections) expect(drawn.some((c) => c.in === id) || (await page.locator(`#${id} table, #${id} .tile`).count()) > 0, where, `nothing is drawn in ${id}`);
  for (const c of drawn) expect(c.shades > 2 && c.width > 100, where, `a chart of ${c.in} is empty`, c);
  expect((await page.locator('.warning:has-text("could not be drawn")').count()) === 0, where, 'a part of the page failed');
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond <= 0, where, 'is wider than the window by', beyond);
  const untitled = await page.evaluate(() => [...document.querySelectorAll('[role=img], .field, section, button')].filter((e) => !(e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.textContent.trim())).length);
  expect(untitled === 0, where, 'elements without a name for who can not see them', untitled);
}

// --- the timeline

const view = (page) => page.evaluate(() => Object.fromEntries(['from', 'to', 'first', 'last'].map((k) => [k, Number(document.getElementById('timeline-field').dataset[k])])));
const settle = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));

async function press(page, ...keys) {
  for (const key of keys) await page.locator('#timeline-field').press(key);
  await settle(page);
  return view(page);
}

async function timelineKeys(page, where) {
  const all = await view(page), span = (v) => v.to - v.from, rows = (v) => v.last - v.first;
  let v = await press(page, '+', '+');
  expect(Math.abs(span(v) - span(all) / 4) < span(all) * 1e-6, where, '+ zooms', v);
  const later = await press(page, 'ArrowRight');
  expect(later.from > v.from && Math.abs(span(later) - span(v)) < span(all) * 1e-6, where, '→ moves', later);
  v = await press(page, '-');
  expect(span(v) > span(later) * 1.9, where, '− zooms out', v);
  v = await press(page, 'Shift+Equal');
  expect(rows(v) < rows(all) || rows(all) <= 2, where, 'Shift + zooms in ranks', v);
  const down = await press(page, 'ArrowDown');
  expect(down.first > v.first || rows(all) <= 2, where, '↓ moves', down);
  await press(page, ...'++++++++++++');
  v = await press(page, '0');
  expect(span(v) === span(all) && rows(v) === rows(all), where, '0 shows everything', v);
  const before = (await inks(page)).find((c) => c.in === 'timeline').shades;
  await press(page, 'o', 'c');
  expect((await page.locator('#timeline button[aria-pressed="false"]').count()) === 2, where, 'o and c switch what is drawn', before);
  await press(page, 'o', 'c');
}

async function timelineMouse(page, where) {
  const all = await view(page), box = await page.locator('#timeline-field').boundingBox(), x = box.x + box.width * 0.6, y = box.y + box.height / 2;
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, 40);
  await settle(page);
  expect((await view(page)).to === all.to, where, 'the wheel moves the page of who only passes by', await view(page));
  await page.locator('#timeline').scrollIntoViewIfNeeded();
  await page.locator('#timeline-field').focus();
  const there = await page.locator('#timeline-field').boundingBox();
  await page.mouse.move(there.x + there.width * 0.6, there.y + there.height / 2);
  for (let k = 0; k < 4; k++) await page.mouse.wheel(0, -300);
  await settle(page);
  const near = await view(page);
  expect(near.to - near.from < (all.to - all.from) / 4, where, 'the wheel zooms', near);
  await page.mouse.down();
  await page.mouse.move(there.x + there.width * 0.4, there.y + there.height / 2, { steps: 4 });
  await page.mouse.up();
  await settle(page);
  const moved = await view(page);
  expect(moved.from > near.from, where, 'dragging moves', moved);
  await page.mouse.move(there.x + there.width * 0.5, there.y + there.height * 0.5);
  await page.waitForTimeout(60);
  expect(await page.locator('#tip').isVisible(), where, 'what is pointed at is told');
  expect((await page.locator('#tip').innerText()).length > 10, where, 'what is told', await page.locator('#tip').innerText());
  await press(page, '0');
}

// Worlds have headings, of which the first is at the top; below all of them, the last row is the last rank's.
async function worlds(page, where, names) {
  const field = page.locator('#timeline-field'), label = await field.getAttribute('aria-label');
  expect(names.length ? label.endsWith(` in ${names.length} worlds`) : !/world/.test(label), where, `${names.length} worlds are named`, label);
  const told = await field.evaluate((f) => {
    const box = f.getBoundingClientRect(), found = [], all = document.getElementById('timeline-field').dataset;
    let last = '';
    for (let y = box.top + 26; y < box.bottom - 2; y += 4)
      for (const part of [0.2, 0.5, 0.8]) {
        f.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + box.width * part, clientY: y, bubbles: true }));
        const said = document.getElementById('tip').textContent;
        if (/^World/.test(said) && !found.some((t) => said.startsWith(t))) found.push(said.replace(/Ranks.*/, ''));
        if (/^ranks? \d/.test(said)) last = said;
      }
    return { found, last, ranks: Number(all.last) };
  });
  expect(JSON.stringify(told.found) === JSON.stringify(names), where, 'headings tell of worlds', told.found);
  expect(new RegExp(`^ranks? (\\d+–)?${told.ranks - 1}\\D`).test(told.last), where, 'the last row is of the last rank', told.last);
  await page.mouse.move(0, 0);
}
const RUN = 'World 0, started with the run', STARTED = 'World 1, started by the program';

// --- races

const noRaces = async (page, where) => expect((await page.locator('#races, .racemark').count()) === 0, where, 'races are spoken of where there are none');

// Points down the timeline at the times of races' accesses, which are drawn there, until a race is told of; what is said.
const pointedRace = (page) => page.evaluate(() => {
  const field = document.getElementById('timeline-field'), tip = document.getElementById('tip'), box = field.getBoundingClientRect();
  const { from, to } = field.dataset, left = 62; // where time begins
  const times = JSON.parse(document.getElementById('data').textContent).races.flatMap((r) => r.accesses.map((a) => a.time));
  for (const time of times.filter((t) => t >= from && t <= to))
    for (let y = box.top + 26; y < box.bottom; y += 4) {
      field.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + left + ((time - from) / (to - from)) * (box.width - left), clientY: y, bubbles: true }));
      if (!tip.hidden && tip.textContent.startsWith('Race ')) return tip.innerText;
    }
  return '';
});

// Each row of the table leads to its race on the timeline, by mouse and by keys.
async function races(page, where, expected, texts) {
  const rows = page.locator('#races tbody tr'), all = await view(page);
  expect((await rows.count()) === expected.length, where, 'races in the table', await rows.count());
  expect(/race/.test(await page.locator('#summary .warning').innerText()), where, 'the summary says that there are races');
  for (let k = 0; k < expected.length; k++) {
    const [first, last] = expected[k];
    if (k % 2) await rows.nth(k).getByRole('button').press('Enter');
    else await rows.nth(k).locator('td').last().click();
    await settle(page);
    const v = await view(page);
    expect(v.from < first && v.to > last && v.to - v.from < (all.to - all.from) * 0.9, where, `race ${k + 1} is shown`, [v, first, last]);
    expect((await page.evaluate(() => document.activeElement.id)) === 'timeline-field', where, 'the timeline has the focus then');
  }
  const said = await pointedRace(page);
  for (const text of texts) expect(said.includes(text), where, `what is said of a race: ${text}`, said);
  await page.mouse.move(0, 0);
  await press(page, 'r');
  expect((await page.getByRole('button', { name: 'Races', exact: true }).getAttribute('aria-pressed')) === 'false', where, 'r switches races off');
  expect((await pointedRace(page)) === '', where, 'races that are not drawn are not told of');
  await press(page, 'r', '0');
}

// --- all of a page

const ALL = ['summary', 'gains', 'timeline', 'critical', 'time', 'links', 'operations', 'collectives'];

async function themes(page, where) {
  const back = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await back();
  await page.keyboard.press('t');
  const dark = await back();
  expect(light !== dark, where, 'the key t changes the theme', [light, dark]);
  await page.locator('button.theme').click();
  expect((await back()) === light, where, 'the button changes it back', await back());
}

async function focus(page, where) {
  await page.keyboard.press('Tab');
  const first = await page.evaluate(() => document.activeElement.textContent);
  expect(/^Skip/.test(first), where, 'the first Tab reaches', first);
  await page.keyboard.press('3');
  expect((await page.evaluate(() => document.activeElement.id)) === 'timeline-title', where, 'the key 3 goes to the timeline', await page.evaluate(() => document.activeElement.id));
}

async function topology(page, where) {
  const colours = await page.evaluate(() => [...document.querySelectorAll('.drawing [data-links]')].map((e) => e.style.stroke || e.style.fill));
  expect(colours.length > 0 && colours.every(Boolean) && (colours.length === 1 || new Set(colours).size > 1), where, 'links of the drawing have colours by use', colours.slice(0, 5));
  await page.getByRole('button', { name: 'At a time' }).click();
  expect(await page.locator('.at input').isVisible(), where, 'a time can be chosen');
  await page.locator('.at input').press('End');
  const first = page.locator('.drawing [data-links]').first();
  await first.hover({ force: true });
  expect(await page.locator('#tip').isVisible(), where, 'a link tells what it carried');
}

async function printed(page, where) {
  const pdf = await page.pdf({ format: 'A4' });
  expect(pdf.subarray(0, 5).toString() === '%PDF-' && pdf.length > 50000, where, 'prints', pdf.length);
  await page.emulateMedia({ media: 'print' });
  expect(!(await page.locator('nav').isVisible()), where, 'the navigation is not printed');
  await page.emulateMedia({ media: 'screen' });
}

// Names are text: no element came of them, and no code ran.
async function harmless(page, where) {
  const seen = await page.evaluate(() => ({
    broken: window.broken, scripts: document.querySelectorAll('script').length, styles: document.querySelectorAll('style').length,
    strange: document.querySelectorAll('img, iframe, object, embed, foreignObject, image, a[href^="javascript"], [onclick], [onerror]').length,
    policy: document.querySelector('meta[http-equiv]').content,
  }));
  expect(seen.broken === undefined && seen.scripts === 2 && seen.styles === 1 && seen.strange === 0, where, 'only what belongs there', seen);
  expect(/default-src 'none'/.test(seen.policy) && !/unsafe|http|\*/.test(seen.policy), where, 'the policy', seen.policy);
}

async function handMade(browser, ranks) {
  const file = write(`sample${ranks}`, sample(ranks)), { page, where } = await open(browser, file);
  if (ranks === 4) await focus(page, where);
  await charts(page, where, ranks > 1 ? [...ALL, 'communication', 'files'] : ALL);
  expect((await page.locator('#files').count()) === (ranks > 1 ? 1 : 0), where, 'files are spoken of only where there are some');
  await worlds(page, where, ranks > 1 ? [RUN, STARTED] : []);
  await timelineKeys(page, where);
  await harmless(page, where);
  await noRaces(page, where);
  if (ranks === 4) {
    await timelineMouse(page, where);
    await themes(page, where);
    await topology(page, where);
    await printed(page, where);
  }
  await page.close();
}

async function racing(browser, ranks) {
  const data = sample(ranks, { racing: true }), { page, where } = await open(browser, write(`racing${ranks}`, data));
  await charts(page, where, [...ALL, 'races']);
  await races(page, where, data.races.map((r) => r.accesses.map((a) => a.time).sort((a, b) => a - b)), ['Race 3: phase two+0x10 of rank', '3a', 'written by trunk-0 of rank 0, thread 2', '3b', 'read by a load of rank', 'trunk-0 was not complete']);
  expect(/the first 3;/.test(await page.locator('#races').innerText()), where, 'more races are counted', await page.locator('#races .note').allInnerTexts());
  await page.close();
}

async function hostile(browser) {
  const file = write('hostile', sample(16, { hostile: true })), { page, where } = await open(browser, file);
  await charts(page, where, [...ALL, 'communication', 'cards', 'files']);
  await harmless(page, where);
  await page.locator('.field.cards').scrollIntoViewIfNeeded();
  const row = await page.locator('.field.cards').boundingBox();
  await page.mouse.move(row.x + row.width / 2, row.y + row.height / 2);
  expect(/^Card of /.test(await page.locator('.tip-inside').first().innerText()), where, 'a card is told of');
  const shown = (text) => text.replace(/[\u0000-\u001f\u202e]/g, '\ufffd');
  expect((await page.locator('h1').innerText()) === HOSTILE[0], where, 'the program is called', await page.locator('h1').innerText());
  const calls = await page.locator('#time table code').allInnerTexts();
  for (const name of HOSTILE) expect(calls.includes(shown(name)), where, `no call ${name}`, calls);
  await page.locator('#races tbody tr').first().click();
  expect((await pointedRace(page)).includes(shown(HOSTILE[0])), where, 'a race is told of with its names');
  for (const chart of await page.locator('.chart').all()) {
    await chart.scrollIntoViewIfNeeded();
    const box = await chart.boundingBox();
    for (const part of [0.3, 0.5, 0.7]) await page.mouse.move(box.x + box.width * part, box.y + box.height * part);
  }
  await harmless(page, `${where}, tooltips`);
  await page.close();
}

async function looks(browser, file) {
  for (const [width, colorScheme] of [[1280, 'dark'], [400, 'light']]) {
    const { page, where } = await open(browser, file, { width, colorScheme });
    await charts(page, where, ALL);
    if (process.env.PGASIM_TEST_PICTURES) await page.screenshot({ path: join(process.env.PGASIM_TEST_PICTURES, `${basename(file)}-${width}.png`), fullPage: true });
    await page.close();
  }
}

// Of pgasim's own making; names in it may be hostile, too.
async function real(browser, file) {
  const { page, where } = await open(browser, file);
  expect(statSync(file).size < 6e6, where, 'is not too large', statSync(file).size);
  await charts(page, where, ['summary', 'timeline', 'critical', 'time', 'communication', 'links', 'operations', 'collectives']);
  await timelineKeys(page, where);
  await timelineMouse(page, where);
  await topology(page, where);
  await harmless(page, where);
  await page.close();
}

// The shared memory: another process can be chosen; what is pointed at is told of.
async function sharedMemory(browser, file, expected) {
  for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [400, 'light']]) {
    const { page, where } = await open(browser, file, { width, colorScheme });
    await charts(page, where, ['sdsm']);
    const drawn = await page.locator('#sdsm .chart').count();
    expect(drawn === expected, where, `charts of the shared memory, expected ${expected}`, drawn);
    const select = page.locator('#sdsm-process'), processes = await select.locator('option').count(), label = () =>
      page.locator('#sdsm .chart').last().getAttribute('aria-label');
    const before = await label();
    await select.selectOption(String(processes - 1));
    expect(processes > 1 && (await label()) !== before, where, 'another process is shown', await label());
    await charts(page, where, ['sdsm']);
    const chart = page.locator('#sdsm .chart').first(), box = await (await chart.scrollIntoViewIfNeeded(), chart.boundingBox());
    let said = '';
    for (let x = 0.12; !said && x < 0.95; x += 0.04)
      for (let y = 0.06; !said && y < 0.8; y += 0.06) {
        await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
        said = (await page.locator('#sdsm .tip-inside').allInnerTexts()).join('');
      }
    expect(/(server|client) \d+ → (server|client) \d+/.test(said), where, 'a cell tells who sent how much to whom', said);
    await harmless(page, where);
    if (process.env.PGASIM_TEST_PICTURES) await page.screenshot({ path: join(process.env.PGASIM_TEST_PICTURES, `${basename(file)}-${width}-${colorScheme}.png`), fullPage: true });
    await page.close();
  }
}

// Joules: two charts, each with what it shows in words and a table; what is pointed at is told of.
async function joules(browser, file) {
  for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [400, 'light']]) {
    const { page, where } = await open(browser, file, { width, colorScheme });
    await charts(page, where, ['energy']);
    const labels = await page.locator('#energy .chart').evaluateAll((all) => all.map((c) => c.getAttribute('aria-label')));
    expect(labels.length === 2 && /^Power of the hosts over time: from [\d.]+\s\S*W to [\d.]+\s\S*W/.test(labels[0]) && /^Joules by rank: from /.test(labels[1]),
      where, 'the charts say what they show', labels);
    const tables = await page.locator('#energy .table').evaluateAll((all) => all.map((t) => [t.getAttribute('aria-label'), t.querySelectorAll('tbody tr').length]));
    expect(JSON.stringify(tables.map(([, n]) => n)) === '[2,8,2,2]', where, 'rows of the tables of hosts, ranks, phases and links', tables);
    const names = (await page.locator('#energy tbody th').allInnerTexts()).join('\n');
    for (const k of [13, 14, 17]) expect(names.includes(`window.broken=${k}`), where, `a name with ${k} is shown as text`, names);
    for (const chart of await page.locator('#energy .chart').all()) {
      const box = await (await chart.scrollIntoViewIfNeeded(), chart.boundingBox());
      await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
      await settle(page);
      const said = (await chart.locator('.tip-inside').allInnerTexts()).join('');
      expect(/[WJ]/.test(said), where, 'a chart tells of what is pointed at', said);
    }
    await harmless(page, where);
    if (process.env.PGASIM_TEST_PICTURES) await page.screenshot({ path: join(process.env.PGASIM_TEST_PICTURES, `energy-${width}-${colorScheme}.png`), fullPage: true });
    await page.close();
  }
}

// Files: charts with words and tables, a hint for the strided writes, disks of both hosts, aggregators; started worlds.
async function filesSeen(browser, file) {
  for (const [width, colorScheme] of [[1280, 'light'], [1280, 'dark'], [400, 'light']]) {
    const { page, where } = await open(browser, file, { width, colorScheme });
    await charts(page, where, ['files', 'time']);
    const labels = await page.locator('#files .chart').evaluateAll((all) => all.map((c) => c.getAttribute('aria-label')));
    const expected = [/^Bytes by file: /, /^Waiting for disks by rank: /, /^Part of the run in which a disk was busy: /, /^Time of all members by step: /, /^Time of aggregators: rank \d/];
    expect(labels.length === expected.length && expected.every((e, k) => e.test(labels[k])), where, 'the charts say what they show', labels);
    const tables = await page.locator('#files .table').evaluateAll((all) => all.map((t) => [t.getAttribute('aria-label'), t.querySelectorAll('tbody tr').length]));
    expect(tables.length >= expected.length && tables.every(([name, n]) => name && n > 0), where, 'each chart has a table', tables);
    const hints = await page.locator('#files .remarks li').allInnerTexts();
    expect(hints.some((t) => /small requests with gaps between them, 1.KiB in the mean: write collectively/.test(t)), where, 'small strided writes have a hint', hints);
    const names = (await page.locator('#files tbody').allInnerTexts()).join('\n');
    for (const k of [13, 14, 18]) expect(names.includes(`window.broken=${k}`), where, `a name with ${k} is shown as text`, names);
    expect(/started by the program/.test(await page.locator('#time').innerText()), where, 'started ranks are a world');
    await worlds(page, where, [RUN, STARTED]);
    for (const chart of await page.locator('#files .chart').all()) {
      const box = await (await chart.scrollIntoViewIfNeeded(), chart.boundingBox());
      let said = '';
      for (const x of [0.5, 0.7, 0.9])
        for (let y = 0.2; !said && y < 0.95; y += 0.1) {
          await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
          await settle(page);
          said = (await chart.locator('.tip-inside').allInnerTexts()).join('');
        }
      expect(/\d/.test(said), where, 'a chart tells of what is pointed at', said);
    }
    await harmless(page, where);
    if (process.env.PGASIM_TEST_PICTURES) await page.screenshot({ path: join(process.env.PGASIM_TEST_PICTURES, `files-${width}-${colorScheme}.png`), fullPage: true });
    await page.close();
  }
}

const kinds = [[/sdsm/, (b, f) => sharedMemory(b, f, 4)], [/stats/, (b, f) => sharedMemory(b, f, 3)], [/energy/, joules], [/files/, filesSeen], [/./, real]];
const tasks = [
  ...[1024, 64, 4, 1].map((ranks) => (b) => handMade(b, ranks)),
  ...[64, 2].map((ranks) => (b) => racing(b, ranks)),
  hostile,
  (b) => looks(b, write('looks64', sample(64))),
  ...made.map((file) => (b) => kinds.find(([pattern]) => pattern.test(basename(file)))[1](b, file)),
];

// Pages are mostly waited for: two at a time, each in a context of its own.
async function worker(browser) {
  for (let task; (task = tasks.shift());) await task(browser);
}

if (!CHROMIUM) throw new Error('no chromium');
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });
try {
  await Promise.all([worker(browser), worker(browser)]);
} finally {
  await browser.close();
}
console.log(`${checks} checks, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
