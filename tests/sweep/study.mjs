// SPDX-License-Identifier: BSD-3-Clause
// study BROWSER FOLDER PART: opens the pages that page.sh made. PART all: everything is reached by keyboard, charts and tables
// say the same, filters, series and ranges do what they say, it works without scripts, it is read in the dark, on small
// windows and on paper. PART speed: 10 000 points are drawn within 100 ms. Prints what is wrong; the status is 1 then.
import { join } from 'node:path';
import { expect, fits, launch, open, result, rules } from './browser.mjs';

const [executable, folder, part] = process.argv.slice(2);
const MAP = 6, FRONT = 7; // charts of the page with every kind
const WITHIN = 100, TIMES = 9, ROUNDS = 3; // milliseconds; redraws of which the median counts, at times when others may use the machine

const frames = (page) => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
const said = (page, chart) => page.locator(`#chart-${chart} .picture .said`).innerText();

async function press(page, chart, ...keys) {
  for (const key of keys) await page.locator(`#field-${chart}`).press(key);
  await frames(page);
  return said(page, chart);
}

// --- by keyboard

// Tab goes through all that can be used, in the order of the page, shows where it is, and leaves the page at the end.
async function walk(page, where) {
  const all = await page.evaluate(() => {
    const able = [...document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]')].filter((e) => e.checkVisibility());
    able.forEach((e, k) => { e.dataset.walk = k; });
    return able.length;
  });
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
  const order = [], unseen = [];
  for (let k = 0; k < all + 1; k++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const e = document.activeElement;
      if (e === document.body) return null;
      const style = getComputedStyle(e), r = e.getBoundingClientRect();
      return { walk: Number(e.dataset.walk), seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 && r.bottom > 0 && r.top < innerHeight && r.left > -1, what: e.outerHTML.slice(0, 80) };
    });
    if (!at) break;
    order.push(at.walk);
    if (!at.seen) unseen.push(at.what);
  }
  expect(all > 20 && order.length === all && order.every((n, k) => n === k), where, `Tab goes through ${order.length} of ${all}`, order.slice(0, 40));
  expect(unseen.length === 0, where, 'focus is not seen', unseen.slice(0, 3));
  for (let k = 0; k < 3; k++) await page.keyboard.press('Shift+Tab');
  const back = await page.evaluate(() => Number(document.activeElement.dataset.walk));
  expect(back === all - 3 || back === all - 2, where, 'Shift+Tab goes back', [back, all]);
}

// What the cursor says of each point is what the table has; returns the number of points.
async function points(page, where, chart) {
  const rows = await page.locator(`#chart-${chart} tbody tr`).evaluateAll((r) => r.map((row) => [...row.cells].map((c) => c.textContent)));
  const names = await page.locator(`#chart-${chart} thead th`).allInnerTexts(), missing = [];
  let n = 0;
  let text = await press(page, chart, 'Home', 'Home');
  for (let track = 1; track < names.length; track++) {
    for (const row of rows) {
      if (row[track] === '') continue;
      const [mean] = row[track].split(' ');
      if (!text.includes(` ${row[0]}, `) || !text.includes(` ${mean}`) || !(names[track] === '' || text.includes(names[track]) || names.length === 2)) missing.push([text, row[0], names[track], row[track]]);
      n++;
      text = await press(page, chart, 'ArrowRight');
    }
    text = await press(page, chart, chart === MAP ? 'ArrowUp' : 'ArrowDown', 'Home');
  }
  expect(n > 3 && missing.length === 0, where, `of ${n} points the cursor says something else than the table`, missing.slice(0, 2));
}

async function ranges(page, where) {
  await press(page, 1, '0', 'Home');
  const range = await press(page, 1, 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Enter');
  expect(/^sizes from 2 to 4: 9 points/.test(range), where, 'Shift, arrows and Enter zoom', range);
  let text = await press(page, 1, 'Home');
  expect(text.includes('sizes 2,'), where, 'the range begins there', text);
  text = await press(page, 1, 'End', 'ArrowRight');
  expect(text.includes('sizes 4,') && text.includes('3 of 3'), where, 'the range ends there', text);
  text = await press(page, 1, 'Escape');
  expect(/^The whole range: 36 points/.test(text), where, 'Esc zooms back', text);
  text = await press(page, 1, '+', '+', '0');
  expect(/^The whole range: 36/.test(text), where, '0 shows all', text);
  const box = await page.locator('#field-1 svg').boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 120, { steps: 3 });
  await page.mouse.up();
  await frames(page);
  text = await said(page, 1);
  expect(/^sizes from .*: \d+ points/.test(text), where, 'dragging zooms', text);
  await page.locator('#chart-1 button:has-text("Whole range")').press('Enter');
}

async function series(page, where) {
  const button = page.locator('#chart-1 .legend button').nth(1), columns = () => page.locator('#chart-1 thead th').allInnerTexts();
  const before = await columns(), lines = () => page.locator('#chart-1 .field .l').count();
  expect(before.includes('<b>torus</b>') && await lines() === 3, where, 'three series', before);
  await button.press('Space');
  expect(await button.getAttribute('aria-pressed') === 'false' && await lines() === 2 && !(await columns()).includes('<b>torus</b>'), where, 'a series is off', await columns());
  await button.press('Enter');
  expect(await button.getAttribute('aria-pressed') === 'true' && await lines() === 3, where, 'a series is on again');
}

// The parameter n has many values: only the first 60 points are left.
async function filters(page, where) {
  await page.locator('.filter summary').first().press('Enter');
  const to = page.locator('.filter input[type=number]').nth(1), status = () => page.locator('.filter [role=status]').innerText();
  await to.fill('61');
  expect(/^60 of 239 points/.test(await status()), where, 'a filter says what is left', await status());
  const points = await page.locator(`#chart-${FRONT} .table .buttons span`).innerText();
  expect(/of 60$/.test(points), where, 'the table has what is left', points);
  await page.locator('.filter button:has-text("Show all")').press('Enter');
  expect(/^All 239/.test(await status()), where, 'all points are back', await status());
  await page.locator('.filter summary').first().press('Enter');
}

// --- the same in pictures, tables and without scripts

const tables = (page) => page.evaluate(() => [...document.querySelectorAll('section[id^=chart] table')].map((t) => [...t.rows].map((r) => [...r.cells].map((c) => c.textContent))));

async function same(browser, file) {
  const { page, where } = await open(browser, file, { scripts: false }), plain = await tables(page);
  const shown = await page.evaluate(() => 0).catch(() => 0);
  expect(shown === 0 && await page.locator('svg[role=img]').count() === plain.length && plain.length > 0, where, 'pictures and tables', plain.length);
  await fits(page, where);
  const { page: live, where: there } = await open(browser, file), now = await tables(live);
  now.forEach((t, k) => t.forEach((row, r) => expect(JSON.stringify(row) === JSON.stringify(plain[k][r]), there, `table ${k + 1}, row ${r} differs from the one without scripts`, [row, plain[k][r]])));
  const named = await live.evaluate(() => [...document.querySelectorAll('section[id^=chart]')].map((c) => {
    const svg = c.querySelector('svg[role=img]'), text = (id) => document.getElementById(id)?.textContent.trim() ?? '';
    return svg.getAttribute('aria-labelledby').split(' ').every((id) => text(id)) && c.querySelectorAll('table').length === 1 && c.querySelector('.field').getAttribute('aria-labelledby') !== '';
  }));
  expect(named.length === plain.length && named.every(Boolean), there, 'each chart has a name, a description and a table', named);
  await page.context().close();
  return live;
}

// --- sizes, colours, paper

async function looks(browser, file) {
  for (const options of [{}, { colorScheme: 'dark' }, { width: 320, height: 700 }, { width: 640, height: 450, scale: 2 }]) {
    const { page, where } = await open(browser, file, options);
    await fits(page, where);
    await rules(page, where);
    await page.locator('#field-1').scrollIntoViewIfNeeded();
    const text = await press(page, 1, 'End');
    expect(/12 of 12/.test(text), where, 'the cursor moves', text);
    await page.context().close();
  }
  const { page, where } = await open(browser, file);
  await page.emulateMedia({ media: 'print' });
  const seen = await page.evaluate(() => ({ buttons: [...document.querySelectorAll('.buttons')].some((e) => e.checkVisibility()), charts: [...document.querySelectorAll('svg[role=img]')].every((e) => e.checkVisibility()) }));
  expect(!seen.buttons && seen.charts, where, 'on paper', seen);
  expect((await page.pdf()).length > 20000, where, 'prints');
  await page.context().close();
}

// --- 10 000 points

// From a key to the frame after it is drawn: the median, what the script takes of it, and all, sorted.
const redraws = (page) => page.evaluate(async (n) => {
  const field = document.getElementById('field-1'), out = [], keys = ['-', '0'];
  for (let k = 0; k < n; k++) {
    const since = performance.now();
    field.dispatchEvent(new KeyboardEvent('keydown', { key: keys[k % 2] }));
    const worked = performance.now() - since;
    await new Promise((done) => { requestAnimationFrame(() => { const c = new MessageChannel(); c.port1.onmessage = done; c.port2.postMessage(0); }); });
    out.push([performance.now() - since, worked].map((v) => Math.round(v * 10) / 10));
  }
  out.sort((a, b) => a[0] - b[0]);
  return [...out[Math.floor(n / 2)], out.map((t) => t[0])];
}, TIMES);

// And how long the page takes to open.
async function speed(browser, file) {
  const { page, where } = await open(browser, file);
  const points = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).points.length);
  expect(points === 10000, where, 'points', points);
  await page.locator('#field-1').scrollIntoViewIfNeeded();
  await frames(page);
  let best = [Infinity];
  for (let k = 0; k < ROUNDS && best[0] > WITHIN; k++) {
    const [median, worked, all] = await redraws(page);
    console.log(`${where}: redraws of 10 000 points, ms: ${all.join(', ')}`);
    if (median < best[0]) best = [median, worked];
  }
  const loaded = await page.evaluate(() => Math.round(performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd));
  console.log(`${where}: median ${best[0]} ms, of which the script ${best[1]} ms; opened in ${loaded} ms`);
  expect(best[0] <= WITHIN, where, 'the median redraw takes, ms', best);
  expect(loaded < 5000, where, 'opens slowly, ms', loaded);
  const rows = await page.locator('#chart-1 tbody tr').count();
  expect(rows <= 50, where, 'rows of a table at a time', rows);
  await page.context().close();
}

async function all(browser) {
  const every = join(folder, 'every-240.html'), page = await same(browser, every), where = 'every';
  await walk(page, where);
  for (let k = 1; k <= await page.locator('section[id^=chart]').count(); k++)
    if (await page.locator(`#chart-${k} thead th`).first().innerText() !== 'point') await points(page, `${where}, chart ${k}`, k);
  await ranges(page, where);
  await series(page, where);
  await filters(page, where);
  await page.context().close();
  await looks(browser, every);
  await (await same(browser, join(folder, 'cloud-2.html'))).context().close();
}

const browser = await launch(executable);
try {
  if (part === 'all') await all(browser);
  else for (const shape of ['cloud', 'line', 'map']) await speed(browser, join(folder, `${shape}-10001.html`));
} finally {
  await browser.close();
}
console.log(`${result.checks} checks, ${result.wrong} wrong`);
process.exit(result.wrong ? 1 : 0);
