// Bars of tabs.
import {listen} from "../state/keys.js";

/**
 * tabs makes a bar of tabs choose among panels: choose is called with the name of the one
 * that the user wants. What it returns shows a panel.
 * @param {HTMLElement} bar
 * @param {(name: string) => void} choose
 */
export function tabs(bar, choose) {
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (bar.querySelectorAll("[role=tab]"))];
  for (const b of all) b.onclick = () => choose(b.dataset.tab);
  listen(bar, "tabs", {
    beside(key) {
      const list = all.filter(x => !x.hidden), by = key === "ArrowRight" ? 1 : -1, at = list.findIndex(x => x === document.activeElement);
      const b = list[(at + by + list.length) % list.length];
      b.focus();
      choose(b.dataset.tab);
    },
  });
  /** @param {string} name */
  return name => {
    for (const b of all) {
      const on = b.dataset.tab === name;
      b.setAttribute("aria-selected", String(on));
      b.tabIndex = on ? 0 : -1;
      document.getElementById(b.dataset.tab).hidden = !on;
    }
  };
}
