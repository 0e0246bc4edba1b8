// The keys of the page, in one table: the handlers read it and the help shows it. Those
// of the place "page" work wherever no text is typed.
import {el, get, near} from "../util.js";

/** @typedef {{does: string, keys: string[], words: string}} Key what it does, for handlers and in words */

const arrows = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"], sides = ["ArrowLeft", "ArrowRight"];

/** @type {Record<string, {title: string, list: Key[]}>} */
export const keys = {
  page: {title: "", list: [
    {does: "step", keys: ["s", " "], words: "one clock on"},
    {does: "back", keys: ["b", "Backspace"], words: "one clock back"},
    {does: "steps", keys: ["S"], words: "ten clocks on"},
    {does: "backs", keys: ["B"], words: "ten clocks back"},
    {does: "run", keys: ["r"], words: "run or pause"},
    {does: "first", keys: ["Home"], words: "to the beginning"},
    {does: "last", keys: ["End"], words: "to the end, or to the next stop"},
    {does: "goal", keys: ["g"], words: "to a clock, a label, a packet or a fault"},
    {does: "mark", keys: ["x"], words: "mark this clock, or take the mark away"},
    {does: "markBefore", keys: [","], words: "to the mark before"},
    {does: "markAfter", keys: ["."], words: "to the next mark"},
    {does: "assemble", keys: ["a"], words: "assemble"},
    {does: "machine", keys: ["m"], words: "to the machine"},
    {does: "blocks", keys: ["v"], words: "to the blocks"},
    {does: "program", keys: ["e"], words: "to the program"},
    {does: "opened", keys: ["o"], words: "to the opened PE"},
    {does: "console", keys: ["c"], words: "to the console"},
    {does: "form", keys: ["k"], words: "parameters and knobs"},
    {does: "lessons", keys: ["l"], words: "lessons"},
    {does: "versus", keys: ["w"], words: "a second run beside this one; then from A to B and back"},
    {does: "alone", keys: ["W"], words: "closes B"},
    {does: "tab", keys: ["1", "2", "3", "4"], words: "console, calls, packet, result"},
    {does: "lecture", keys: ["p"], words: "for a lecture: the machine and the time line alone, with larger words"},
    {does: "theme", keys: ["t"], words: "dark or light"},
    {does: "help", keys: ["?"], words: "this list"},
  ]},
  typing: {title: "Everywhere", list: [
    {does: "assemble", keys: ["Ctrl+Enter"], words: "assemble"},
    {does: "leave", keys: ["Escape"], words: "out of the program or the console, to the machine or the blocks"},
  ]},
  machine: {title: "In the machine", list: [
    {does: "go", keys: arrows, words: "another PE"},
    {does: "open", keys: ["Enter"], words: "opens it"},
    {does: "zoom", keys: ["+", "-", "0"], words: "nearer, farther, all; a drag moves the picture"},
  ]},
  blocks: {title: "In the blocks", list: [
    {does: "go", keys: arrows, words: "another block"},
    {does: "line", keys: ["Enter"], words: "to its line"},
    {does: "other", keys: ["p"], words: "opens a PE that executes it"},
    {does: "zoom", keys: ["+", "-", "0"], words: "nearer, farther, as at first"},
  ]},
  console: {title: "In the console", list: [
    {does: "past", keys: ["ArrowUp", "ArrowDown"], words: "an earlier line, a later one"},
    {does: "complete", keys: ["Tab"], words: "completes the line"},
  ]},
  arguments: {title: "In the arguments", list: [{does: "assemble", keys: ["Enter"], words: "assemble"}]},
  tabs: {title: "On tabs", list: [{does: "beside", keys: sides, words: "the tab beside it"}]},
  split: {title: "On a bar between columns", list: [{does: "wider", keys: sides, words: "moves it"}]},
};

/** @param {KeyboardEvent} e */
const pressed = e => (e.altKey ? "Alt+" : "") + (e.ctrlKey || e.metaKey ? "Ctrl+" : "") + e.key;

/**
 * listen lets the keys of a place act: acts are by what they do, and get the key. One
 * that answers false has left the key to others.
 * @param {EventTarget} target
 * @param {string} place
 * @param {Record<string, (key: string, e: KeyboardEvent) => any>} acts
 */
export function listen(target, place, acts) {
  const {list} = keys[place];
  for (const {does} of list) if (!acts[does]) throw new Error(`no act ${does} for the keys of ${place}`);
  target.addEventListener("keydown", event => {
    const e = /** @type {KeyboardEvent} */ (event), name = pressed(e), found = list.find(k => k.keys.includes(name));
    if (!found || acts[found.does](name, e) === false) return;
    e.preventDefault();
    e.stopPropagation();
  });
}

const shown = {" ": "Space", ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→", ArrowDown: "↓", Escape: "Esc"};

// help fills the list of keys.
function help() {
  get("help-body").replaceChildren(...Object.values(keys).map(({title, list}) => el("div", {className: "keys"}, title && el("h3", {}, title), ...list.flatMap(k => [
    el("span", {}, ...k.keys.flatMap((key, i) => [i > 0 && " ", el("kbd", {}, /** @type {Record<string, string>} */ (shown)[key] ?? key)])),
    el("span", {}, k.words),
  ]))));
}

/**
 * bind connects the keys of the page with what they do. leave goes out of a text.
 * @param {Record<string, (key: string) => any>} acts
 */
export function bind(acts) {
  help();
  for (const d of document.querySelectorAll("dialog")) {
    // Otherwise the focus may stay in the closed dialog, where keys are text.
    d.addEventListener("close", () => { if (d.contains(document.activeElement) || document.activeElement === document.body) acts.leave(""); });
  }
  /** @param {Event} e */
  const typing = e => near(e, "input:not([type=range]), select, textarea, #editor, dialog[open]");
  listen(globalThis, "typing", {assemble: acts.assemble, leave: (key, e) => !typing(e) || near(e, "dialog") ? false : acts.leave(key)});
  /** @type {Record<string, (key: string, e: KeyboardEvent) => any>} */
  const unlessTyping = {};
  for (const {does} of keys.page.list) {
    unlessTyping[does] = (key, e) => {
      if (typing(e)) return false;
      if (key === " " && near(e, "button, summary, a")) return false; // it presses
      if (near(e, "#slider") && ["Home", "End"].includes(key)) return false;
      acts[does](key);
    };
  }
  listen(globalThis, "page", unlessTyping);
}

// splits lets the bars between the columns be moved, with the pointer or with keys.
export function splits() {
  for (const bar of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".split"))) {
    const left = bar.dataset.for === "left", column = get(left ? "left" : "right"), sign = left ? 1 : -1;
    /** @param {number} w */
    const set = w => document.documentElement.style.setProperty("--" + bar.dataset.for, `${Math.max(120, Math.min(innerWidth * 0.6, w))}px`);
    new ResizeObserver(() => bar.setAttribute("aria-valuenow", String(column.offsetWidth))).observe(column);
    bar.onpointerdown = e => {
      bar.setPointerCapture(e.pointerId);
      const from = e.clientX, width = column.offsetWidth;
      bar.onpointermove = m => set(width + sign * (m.clientX - from));
    };
    bar.onpointerup = () => { bar.onpointermove = null; };
    listen(bar, "split", {wider: key => set(column.offsetWidth + sign * (key === "ArrowRight" ? 24 : -24))});
  }
}
