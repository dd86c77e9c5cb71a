// SPDX-License-Identifier: BSD-3-Clause
// build OUT: makes one file of the page, its style, its script and the licences of what the script contains.
// Run in a folder that has the sources and node_modules. Where the trace's data belongs the page has @DATA@,
// once.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const out = process.argv[2];
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

// Packages whose code is in the bundle, with their licence and notice: each must have the first.
function licences(metafile) {
  const names = new Set();
  for (const input of Object.keys(metafile.inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
    if (found) names.add(found[1]);
  }
  return [...names].sort().map((name) => {
    const folder = `node_modules/${name}`;
    const { version, license } = JSON.parse(read(`${folder}/package.json`));
    const files = ['LICENSE', 'LICENSE.txt', 'NOTICE'].filter((f) =>
      existsSync(new URL(`${folder}/${f}`, import.meta.url)));
    if (!files.some((f) => f.startsWith('LICENSE'))) throw new Error(`${name}: no licence text`);
    return { name, version, license, text: files.map((f) => read(`${folder}/${f}`)).join('\n') };
  });
}

async function script(define) {
  const made = await build({
    entryPoints: ['main.js'], bundle: true, minify: true, write: false, metafile: true, format: 'iife',
    target: ['chrome100', 'firefox100', 'safari15'], legalComments: 'none', charset: 'ascii', define,
    absWorkingDir: new URL('.', import.meta.url).pathname,
  });
  return { text: made.outputFiles[0].text.trim(), metafile: made.metafile };
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const bare = await script({ LICENCES: '[]' });
const made = await script({ LICENCES: JSON.stringify(licences(bare.metafile)) });
if (/<\/script|<!--/i.test(made.text)) throw new Error('the script would end its own element');
const styled = await build({ entryPoints: ['page.css'], minify: true, write: false,
  absWorkingDir: new URL('.', import.meta.url).pathname });
const style = styled.outputFiles[0].text.trim();
// Nothing may be loaded, from anywhere; the one script and the one style are known by their hashes.
const policy = `default-src 'none'; script-src ${hash(made.text)}; style-src ${hash(style)}; img-src data:; ` +
  "base-uri 'none'; form-action 'none'";
const parts = { '@POLICY@': policy, '@STYLE@': style, '@SCRIPT@': made.text };
const page = read('template.html').replace(/<!--.*?-->\s*/gs, '').replace(/@(POLICY|STYLE|SCRIPT)@/g,
  (name) => parts[name]);
if (page.split('@DATA@').length !== 2) throw new Error('the page must have @DATA@ once');
writeFileSync(out, page);
