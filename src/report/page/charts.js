// SPDX-License-Identifier: BSD-3-Clause
// charts: what all charts share: the library's parts in use, colours, tooltips made of elements, and drawing
// again when the theme or the width changes.
import * as echarts from 'echarts/core';
import { BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart } from 'echarts/charts';
import { DataZoomInsideComponent, DataZoomSliderComponent, GridComponent, LegendComponent, TooltipComponent,
  VisualMapContinuousComponent } from 'echarts/components';
import { CanvasRenderer } from 'echarts/renderers';
import { clean, h, swatch } from './dom.js';
import { onTheme, theme } from './theme.js';

echarts.use([BarChart, CustomChart, HeatmapChart, LineChart, ScatterChart, DataZoomInsideComponent, DataZoomSliderComponent,
  GridComponent,
  LegendComponent, TooltipComponent, VisualMapContinuousComponent, CanvasRenderer]);

const charts = [];

function base(t) {
  return {
    animation: false,
    textStyle: { fontFamily: 'system-ui, sans-serif', color: t.text, fontSize: 12 },
    backgroundColor: 'transparent',
    tooltip: {
      confine: true, backgroundColor: t.card, borderColor: t.line, padding: 0, textStyle: { color: t.text },
      extraCssText: 'box-shadow:0 3px 14px rgba(0,0,0,.22)', transitionDuration: 0,
    },
    grid: { left: 8, right: 16, top: 34, bottom: 8, containLabel: true },
    legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 12, type: 'plain', textStyle: { color: t.text },
      inactiveColor: t.soft },
  };
}

// What every axis has in common with the others; `more` is laid over it.
export function axis(t, type, more = {}) {
  return {
    type, nameLocation: 'middle', nameGap: 30, nameTextStyle: { color: t.soft },
    axisLine: { show: true, lineStyle: { color: t.line } }, axisTick: { show: false },
    splitLine: { show: type === 'value' || type === 'log', lineStyle: { color: t.line, opacity: 0.6 } },
    ...more, axisLabel: { color: t.soft, hideOverlap: true, ...more.axisLabel },
  };
}

// Which of n places of an axis are labelled, so that they are `pixels` apart: every one, or a round number of
// them.
export const every = (n, width, pixels) => {
  const step = 2 ** Math.ceil(Math.log2(Math.max(1, (n * pixels) / width)));
  return (k) => k % step === 0;
};

function merge(below, above) {
  const out = { ...below };
  for (const [key, value] of Object.entries(above))
    out[key] = value && typeof value === 'object' && !Array.isArray(value) && below[key] &&
      !Array.isArray(below[key]) ? merge(below[key], value) : value;
  return out;
}

// A chart under `parent`, `height` pixels high (a number, or a function of the width). option(theme, width):
// the library's description of it. `label` says in words what there is to see.
export function chart(parent, height, label, option) {
  const box = h('div', { class: 'chart', role: 'img', 'aria-label': label });
  parent.append(box);
  let drawn = null, width = 0;
  const high = () => (typeof height === 'function' ? height(width) : height);
  const draw = () => {
    width = box.clientWidth;
    if (!width) return;
    box.style.height = `${high()}px`;
    drawn ??= echarts.init(box, null, { renderer: 'canvas', devicePixelRatio: Math.max(2,
      window.devicePixelRatio || 1) });
    drawn.resize({ width, height: high() });
    drawn.setOption(merge(base(theme()), option(theme(), width)), { notMerge: true });
  };
  draw();
  new ResizeObserver(() => { if (box.clientWidth !== width) draw(); }).observe(box);
  onTheme(draw);
  charts.push(draw);
  return { draw, get instance() { return drawn; } };
}

// The inside of a tooltip: a heading and lines of (colour or null, name, value).
export function tip(heading, lines) {
  return h('div', { class: 'tip-inside' }, heading && h('strong', {}, heading),
    h('dl', {}, lines.filter(Boolean).map(([colour, name, value]) =>
    [h('dt', {}, colour && swatch(colour), name), h('dd', {}, value)])));
}

// Names in a chart are drawn, never read as markup; the library would only lay out line breaks.
export const label = (text) => clean(text);
