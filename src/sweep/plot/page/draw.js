// SPDX-License-Identifier: BSD-3-Clause
// draw: the inside of a picture. A series is a few paths, however many values it has; a large heat map is an image.

const COLORS = 7, DASHES = ['none', '6 3', '2 3', '9 3 2 3'], MANY = 1000, BLACK_UNTIL = 0.643;
const colorOf = (k) => `c${k % COLORS}`, dashesOf = (k) => DASHES[Math.floor(k / COLORS) % DASHES.length];
const near = (p) => Math.round(p * 10) / 10;

// A circle, square, triangle or diamond.
function mark(series, x, y, r) {
  switch (series % 4) {
    case 0: return `M${near(x - r)} ${near(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case 1: return `M${near(x - r)} ${near(y - r)}h${2 * r}v${2 * r}h${-2 * r}z`;
    case 2: return `M${near(x)} ${near(y - r)}l${r} ${2 * r}h${-2 * r}z`;
    default: return `M${near(x)} ${near(y - r - 1)}l${r} ${r + 1}l${-r} ${r + 1}l${-r} ${-r - 1}z`;
  }
}

// Of the items whose x is within a pixel, the first, the least, the greatest and the last: the same picture.
function thinned(track, x) {
  if (track.length < 4 * Math.abs(x.to - x.from)) return track;
  const out = [];
  for (let k = 0; k < track.length;) {
    const pixel = Math.round(x.place(track[k].x)), begin = k;
    let least = k, most = k;
    for (; k < track.length && Math.round(x.place(track[k].x)) === pixel; k++) {
      if (track[k].y < track[least].y) least = k;
      if (track[k].y > track[most].y) most = k;
    }
    for (const at of new Set([begin, Math.min(least, most), Math.max(least, most), k - 1])) out.push(track[at]);
  }
  return out;
}

function drawLine(whole, series, x, y, many) {
  const track = thinned(whole, x), line = [], marks = [], up = [], down = [];
  const repeated = track.some((o) => o.runs > 1);
  for (const o of track) {
    const px = x.place(o.x), py = y.place(o.y);
    line.push(`${near(px)} ${near(py)}`);
    if (!many) marks.push(mark(series, px, py, 3.5));
    if (!repeated) continue;
    up.push(`${near(px)} ${near(y.place(o.most))}`);
    down.push(`${near(px)} ${near(y.place(o.least))}`);
  }
  return s('g', { class: colorOf(series) },
    ...(repeated ? [s('path', { class: 'b', d: `M${up.join('L')}L${down.reverse().join('L')}Z` })] : []),
    s('path', { class: many ? 'l thin' : 'l', d: `M${line.join('L')}`, 'stroke-dasharray': dashesOf(series) }),
    ...(marks.length ? [s('path', { class: 'm', d: marks.join('') })] : []));
}

function drawBars(track, series, place, x, y) {
  const slot = Math.abs(x.place(1) - x.place(0)), width = 0.8 * slot / place.of, bars = [], whiskers = [];
  const base = y.place(y.log ? y.low : Math.max(y.low, 0));
  for (const o of track) {
    const left = x.place(o.x) - 0.4 * slot + width * place.k, top = y.place(o.y);
    bars.push(`M${near(left)} ${near(top)}h${near(Math.max(width - 1, 0.5))}V${near(base)}H${near(left)}z`);
    if (o.runs > 1) whiskers.push(`M${near(left + width / 2)} ${near(y.place(o.least))}V${near(y.place(o.most))}`);
  }
  return s('g', { class: colorOf(series) }, s('path', { class: 'm', d: bars.join('') }), s('path', { class: 'w', d: whiskers.join('') }));
}

// Where there are many, those that are on the same pixel are one.
function cloud(track, x, y) {
  const wide = Math.ceil(Math.max(x.from, x.to)) + 1, tall = Math.ceil(Math.max(y.from, y.to)) + 1, seen = new Uint8Array(wide * tall), d = [];
  for (const o of track) {
    if (o.front) continue;
    const px = Math.round(x.place(o.x)), py = Math.round(y.place(o.y));
    if (!seen[py * wide + px]) { seen[py * wide + px] = 1; d.push('M', px - 1, ' ', py - 1, 'h3v3h-3z'); }
  }
  return d.join('');
}

function drawDots(track, series, x, y, many) {
  const others = many ? [cloud(track, x, y)] : [], front = [];
  for (const o of track) {
    if (o.front) front.push(mark(series, x.place(o.x), y.place(o.y), 5));
    else if (!many) others.push(mark(series, x.place(o.x), y.place(o.y), 3.5));
  }
  return s('g', { class: colorOf(series) },
    s('path', { class: 'p', d: others.join(''), ...(many ? { 'shape-rendering': 'crispEdges' } : {}) }), s('path', { class: 'f', d: front.join('') }));
}

function drawStairs(items, x, y) {
  const d = [];
  for (const o of items)
    if (o.front) d.push(d.length ? `H${near(x.place(o.x))}V${near(y.place(o.y))}` : `M${near(x.place(o.x))} ${near(y.place(o.y))}`);
  return s('path', { class: 's', d: d.join('') });
}

// From light to dark, as in the static picture.
function rgb(part) {
  const light = [0xf1, 0xf6, 0xfb], dark = [0x08, 0x30, 0x6b];
  return light.map((c, k) => Math.round(c + part * (dark[k] - c)));
}

const partOf = (value, least, most) => (most > least ? (value - least) / (most - least) : 0.5);

// Many cells: an image with a pixel for each, made large.
function drawPixels(tracks, x, y, least, most) {
  const first = Math.ceil(x.low), columns = Math.floor(x.high) - first + 1, rows = tracks.length;
  const canvas = h('canvas', { width: columns, height: rows }), context = canvas.getContext('2d'), image = context.createImageData(columns, rows);
  tracks.forEach((track, row) => {
    for (const o of track)
      image.data.set([...rgb(partOf(o.y, least, most)), 255], ((rows - 1 - row) * columns + (o.x - first)) * 4);
  });
  context.putImageData(image, 0, 0);
  return [s('image', { href: canvas.toDataURL(), x: x.from, y: y.to, width: x.to - x.from, height: y.from - y.to,
    preserveAspectRatio: 'none', style: 'image-rendering:pixelated' })];
}

function drawCells(tracks, x, y, least, most) {
  const out = [], wide = Math.abs(x.place(1) - x.place(0)), tall = Math.abs(y.place(1) - y.place(0));
  tracks.forEach((track, row) => {
    for (const o of track) {
      const part = partOf(o.y, least, most), left = x.place(o.x - 0.5), top = y.place(row + 0.5);
      out.push(s('rect', { x: near(left), y: near(top), width: near(wide), height: near(tall), fill: `rgb(${rgb(part)})` }));
      if (wide >= 48 && tall >= 14)
        out.push(s('text', { class: 'k', 'text-anchor': 'middle', x: near(left + wide / 2), y: near(top + tall / 2 + 4),
          style: `fill:${part > BLACK_UNTIL ? '#fff' : '#000'}` }, show(o.y)));
    }
  });
  return out;
}

const drawHeat = (tracks, x, y, least, most, number) => (number > MANY ? drawPixels : drawCells)(tracks, x, y, least, most);
