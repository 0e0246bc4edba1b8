// The keys of the page, in one table: the handlers read it and the help shows it. Those
// of the place "page" work wherever no text is typed; panes/controls.js has them.
import {all, el, get, near} from "../util.js";

/** @type {Record<string, Point>} how far arrows lead to the right, and down */
export const arrows = {
  ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1],
};
const sides = ["ArrowLeft", "ArrowRight"];

/** key is an entry: its keys stand in a row. @param {string} does @param {string} list
 * @param {string} words @param {(key: string) => any} [act] @returns {Key} */
export const key = (does, list, words, act) => ({does, keys: list.split(" "), words, act});

/** @type {Record<string, {title: string, list: Key[]}>} */
export const keys = {
  page: {title: "", list: []}, // by 'bind', with what they do
  typing: {title: "Everywhere", list: [
    key("again", "Ctrl+Enter", "run from the beginning to the next stop, or to the end"),
    key("leave", "Escape", "out of a text, to the machine or the blocks; closes what was opened"),
  ]},
  machine: {title: "In the machine", list: [
    {does: "go", keys: Object.keys(arrows), words: "another PE"},
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
    {does: "go", keys: Object.keys(arrows), words: "another block"},
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
  " ": "Space", ArrowLeft: "←", ArrowUp: "↑", ArrowRight: "→", ArrowDown: "↓",
  "Shift+ArrowLeft": "Shift ←", "Shift+ArrowRight": "Shift →", Escape: "Esc",
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

/** bind connects the keys of the page, which do nothing where a text is typed. leave goes out of a
 * text or a dialog, or without one closes what was opened.
 * @param {Key[]} list @param {() => any} again @param {(from: string) => any} leave */
export function bind(list, again, leave) {
  keys.page.list = list;
  help();
  for (const d of all("dialog")) d.addEventListener("close", () => {
    // Otherwise the focus may stay in the closed dialog, where keys are text.
    const {activeElement: e} = document;
    if (d.contains(e) || e === document.body) leave("dialog");
  });
  /** @param {Event} e */
  const typing = e => near(e, "input, select, textarea, #editor, dialog[open]");
  listen(globalThis, "typing", {
    again, leave: (_, e) => (near(e, "dialog") ? false : leave(typing(e) ? "text" : "")),
  });
  listen(globalThis, "page", Object.fromEntries(list.map(({does, act}) => [does, (name, e) => {
    const presses = name === " " && near(e, "button, summary, a");
    return typing(e) || presses ? false : void act(name);
  }])));
}
