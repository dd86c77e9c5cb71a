// SPDX-License-Identifier: BSD-3-Clause
// browser: pages in a browser, and what is asked of all of them. Counts what is wrong.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const result = { checks: 0, wrong: 0 };

export function expect(holds, where, what, seen = '') {
  result.checks++;
  if (holds) return;
  result.wrong++;
  console.log(`WRONG: ${where}: ${what}${seen === '' ? '' : `: ${JSON.stringify(seen)}`}`);
}

export const launch = (executablePath) =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'] });

// A page that tells of every request beyond its own file, and of all that the browser complains of.
export async function open(browser, file, { width = 1280, height = 900, colorScheme = 'light', scripts = true, scale = 1 } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion: 'reduce',
    javaScriptEnabled: scripts, deviceScaleFactor: scale, bypassCSP: true });
  const page = await context.newPage(), own = pathToFileURL(file).href;
  const where = `${basename(file)} ${width} ${colorScheme}${scripts ? '' : ' without scripts'}`;
  page.on('request', (r) => expect(r.url() === own, where, 'asks for', r.url()));
  page.on('console', (m) => expect(!['error', 'warning'].includes(m.type()), where, 'the console says', m.text()));
  page.on('pageerror', (e) => expect(false, where, 'an error', e.message));
  await page.goto(own);
  if (scripts) await page.waitForSelector('html[data-ready]', { timeout: 30000 });
  return { page, where };
}

// Rules of WCAG 2.2 at levels A and AA that axe-core knows, contrast of texts among them.
export async function rules(page, where) {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] });
    return violations.map((v) => [v.id, v.nodes.slice(0, 2).map((n) => [n.html.slice(0, 160), n.failureSummary.slice(0, 200)])]);
  });
  expect(found.length === 0, where, 'axe-core finds', found);
}

// Nothing is cut off, and only regions that scroll are wider than the window.
export async function fits(page, where) {
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(beyond <= 0, where, 'is wider than the window by', beyond);
  const cut = await page.evaluate(() => [...document.querySelectorAll('h1, h2, p, button, li, label, summary, svg[role=img] text')].filter((e) => {
    const r = e.getBoundingClientRect();
    return r.width > 0 && !e.closest('.rows, .table, .skip') && (r.right > innerWidth + 1 || r.left < -1);
  }).map((e) => e.textContent.slice(0, 40)));
  expect(cut.length === 0, where, 'is cut off', cut.slice(0, 5));
}
