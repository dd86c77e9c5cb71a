// SPDX-License-Identifier: BSD-3-Clause
// elements: of HTML and of SVG, from names, attributes and texts. No text becomes markup.

function fill(element, attributes, parts) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...parts);
  return element;
}

const h = (name, attributes = {}, ...parts) => fill(document.createElement(name), attributes, parts);
const s = (name, attributes = {}, ...parts) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, parts);
