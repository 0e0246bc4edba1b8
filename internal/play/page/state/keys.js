// The keys of the page, in one table: the handlers read it and the help shows it. Those
// of the place "page" work wherever no text is typed.
import {all, el, get, near} from "../util.js";

const arrows = ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"];
const sides = ["ArrowLeft", "ArrowRight"];

/** @type {(does: string, keys: string, words: string) => Key} keys stand in a row */
const key = (does, list, words) => ({does, keys: list.split(" ").map(k => k || " "), words});

/** @type {Record<string, {title: string, list: Key[]}>} */
export const keys = {
  page: {title: "", list: [
    {does: "step", keys: ["s", " "], words: "one clock on"},
    key("back", "b Backspace", "one clock back"),
    key("steps", "S", "ten clocks on"),
    key("backs", "B", "ten clocks back"),
    key("run", "r", "run or pause"),
    key("first", "Home", "to the beginning"),
    key("last", "End", "to the end, or to the next stop"),
    key("goal", "g", "to a clock, label, packet or end; or a run: fib 20 on 80 | mlpe=on"),
    key("mark", "x", "mark this clock, or take the mark away"),
    key("markBefore", ",", "to the mark before"),
    key("markAfter", ".", "to the next mark"),
    key("go", "1 2 3 4", "watch, learn, program, compare"),
    key("machine", "m", "to the machine"),
    key("blocks", "v", "to the blocks"),
    key("program", "e", "to the program"),
    key("opened", "o", "to the opened PE"),
    key("console", "c", "to the console"),
    key("form", "k", "program, machine, parameters and knobs"),
    key("lessons", "l", "lessons"),
    key("versus", "w", "a second run beside this one; then from A to B and back"),
    key("alone", "W", "closes B"),
    key("strip", "u", "every PE over the whole run"),
    key("lecture", "p", "for a lecture: the machine and the time line alone, with larger words"),
    key("theme", "t", "dark or light"),
    key("help", "?", "this list"),
  ]},
  typing: {title: "Everywhere", list: [
    key("again", "Ctrl+Enter", "run from the beginning to the next stop, or to the end"),
    key("leave", "Escape", "out of a text, to the machine or the blocks; closes what was opened"),
  ]},
  machine: {title: "In the machine", list: [
    {does: "go", keys: arrows, words: "another PE"},
    key("open", "Enter", "opens it"),
    key("zoom", "+ - 0", "nearer, farther, all; a drag moves the picture"),
  ]},
  editor: {title: "In the program", list: [key("stop", "F9", "a stop at this line, or none")]},
  timeline: {title: "On the time line", list: [
    {does: "step", keys: sides, words: "one clock; with Shift ten"},
    {does: "ten", keys: sides.map(k => "Shift+" + k), words: "ten clocks"},
    key("zoom", "+ - 0", "nearer, farther, all"),
  ]},
  blocks: {title: "In the blocks", list: [
    {does: "go", keys: arrows, words: "another block"},
    key("line", "Enter", "to its line"),
    key("other", "p", "opens a PE that executes it"),
    key("zoom", "+ - 0", "nearer, farther, as at first"),
  ]},
  console: {title: "In the console", list: [
    key("past", "ArrowUp ArrowDown", "an earlier line, a later one"),
    key("complete", "Tab", "completes the line"),
  ]},
  arguments: {title: "In the arguments", list: [key("assemble", "Enter", "runs with them")]},
  lesson: {title: "In a lesson",
    list: [{does: "sentence", keys: sides, words: "another sentence"}]},
  tabs: {title: "On tabs", list: [{does: "beside", keys: sides, words: "the tab beside it"}]},
};

/** @param {KeyboardEvent} e */
const pressed = e => (e.altKey ? "Alt+" : "") + (e.ctrlKey || e.metaKey ? "Ctrl+" : "")
  + (e.shiftKey && e.key.length > 1 ? "Shift+" : "") + e.key;

/** listen lets the keys of a place act: acts are by what they do, and get the key. One that
 * answers false has left the key to others. @param {EventTarget} target @param {string} place
 * @param {Record<string, (key: string, e: KeyboardEvent) => any>} acts */
export function listen(target, place, acts) {
  const {list} = keys[place];
  for (const {does} of list) if (!acts[does])
    throw new Error(`no act ${does} for the keys of ${place}`);
  target.addEventListener("keydown", event => {
    const e = /** @type {KeyboardEvent} */ (event), name = pressed(e);
    const found = list.find(k => k.keys.includes(name));
    if (!found || acts[found.does](name, e) === false) return;
    e.preventDefault();
    e.stopPropagation();
  });
}

/** @type {Record<string, string>} */
const shown = {
  " ": "Space", ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→", ArrowDown: "↓", Escape: "Esc",
  "Shift+ArrowLeft": "Shift ←", "Shift+ArrowRight": "Shift →",
};

// help fills the list of keys.
function help() {
  get("help-body").replaceChildren(...Object.values(keys).map(({title, list}) => el("div",
    {className: "keys"}, title && el("h3", {}, title), ...list.flatMap(k => [
      el("span", {}, ...k.keys.flatMap((name, i) =>
        [i > 0 && " ", el("kbd", {}, shown[name] ?? name)])),
      el("span", {}, k.words),
    ]))));
}

/** bind connects the keys of the page with what they do. leave goes out of a text or a dialog, or
 * without one closes what was opened.
 * @param {Record<string, (key: string) => any>} acts */
export function bind(acts) {
  help();
  for (const d of all("dialog")) d.addEventListener("close", () => {
    // Otherwise the focus may stay in the closed dialog, where keys are text.
    const {activeElement: e} = document;
    if (d.contains(e) || e === document.body) acts.leave("dialog");
  });
  /** @param {Event} e */
  const typing = e => near(e, "input, select, textarea, #editor, dialog[open]");
  listen(globalThis, "typing", {
    again: acts.again, leave: (_, e) =>
      (near(e, "dialog") ? false : acts.leave(typing(e) ? "text" : "")),
  });
  /** @type {Record<string, (key: string, e: KeyboardEvent) => any>} */
  const unlessTyping = {};
  for (const {does} of keys.page.list) {
    unlessTyping[does] = (name, e) => {
      if (typing(e)) return false;
      if (name === " " && near(e, "button, summary, a")) return false; // it presses
      acts[does](name);
    };
  }
  listen(globalThis, "page", unlessTyping);
}
