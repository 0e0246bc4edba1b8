// Elements of pictures.

/** svg makes an element of a picture. @template {keyof SVGElementTagNameMap} K @param {K} name
 * @param {Record<string, string | number>} attributes @param {(Node | null)[]} children
 * @returns {SVGElementTagNameMap[K]} */
export function svg(name, attributes = {}, ...children) {
  const space = document.getElementById("blocks-picture").namespaceURI;
  const e = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(space, name));
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, String(value));
  e.append(...children.filter(Boolean));
  return e;
}

/** text makes words of a picture. @param {number} x @param {number} y @param {string} words
 * @param {Record<string, any>} more */
export const text = (x, y, words, more = {}) => svg("text", {x, y, ...more}, new Text(words));
