// The buttons and keys of the page, and what they do.
import {text as asset} from "../engine.js";
import {help, key, listen} from "../state/keys.js";
import {restore, share} from "../state/link.js";
import {mode, page} from "../state/page.js";
import {all, el, get, near, say} from "../util.js";
import {begin, check} from "./lesson.js";
import {opens} from "./setup.js";
import {first, greets} from "./watch.js";

const {dataset} = document.documentElement;

// The palette is one line that says where to go, or what is to run.
/** to goes where the line says: to a clock, the end, a packet or a label, or to a run; after a |
 * stands what is another in a second one. @param {string} line */
async function to(line) {
  const what = line.trim(), {setup, vs} = await page.engine.call("runs", what);
  if (setup) {
    if (!await page.assemble(setup) || !vs) return;
    await page.versus.beside(vs);
    return page.go("compare");
  }
  if (/^\+?\d+$/.test(what)) return page.motion.once(`goto ${what}`);
  if (what === "end") return page.motion.once("continue");
  if (page.run.stale) return say("There is no machine to go on with.", true);
  if (/^(\[|data|mlpe|host)/.test(what)) return toPacket(what);
  if (what) return page.motion.once(`until label ${what}`);
}

/** toPacket goes to the next packet of a kind, or of a name, and opens it. @param {string} what */
async function toPacket(what) {
  if (page.versus.ended) await page.motion.once("goto 0");
  const x = await page.motion.once(`until packet ${what}`);
  const [id] = x?.hits.join().match(/\[\d+,\d+\]\.\d+/) ?? [];
  if (id) return page.inspect.follow(id);
  const how = what.startsWith("mlpe") ? ": a program makes some with mlpe=on" : "";
  if (x && !x.error && page.versus.ended) say(`This run has no packet ${what}${how}.`, true);
}

// palette opens it.
function palette() {
  if (!page.catalogue) return;
  const packets = ["data", "mlpe", "host", "mlpe consumed", "host consumed"];
  const goals = ["end", ...packets, ...page.run.labels];
  get("goals").replaceChildren(...goals.map(value => el("option", {value})));
  get("goal").value = "";
  get("palette").showModal();
}

get("palette").addEventListener("close", () => to(get("goal").value));
get("palette").addEventListener("cancel", () => { get("goal").value = ""; });

// again runs from the beginning to the next stop, or to the end, what is in the editor.
async function again() {
  if (greets()) await page.watch.leave();
  if (page.editor.building) await page.editor.build();
  if (page.run.stale && !await page.assemble()) return;
  await page.motion.settle();
  await page.motion.once("goto 0");
  await page.motion.once("continue");
}

/** leave goes out of a text, or closes what was opened. @param {Element} text or null */
const leave = text => (text || !page.tab ? page.stage.focus() : page.inspect.close());

// alone closes B.
async function alone() {
  await page.versus.close();
  if (mode() === "compare") await page.go("watch");
}

const list = [
  {...key("step", "s", "one clock on", () => page.motion.once("step")), keys: ["s", " "]},
  key("back", "b Backspace", "one clock back", () => page.motion.once("back")),
  key("steps", "S", "ten clocks on", () => page.motion.once("step 10")),
  key("backs", "B", "ten clocks back",
    () => page.motion.once(`goto ${Math.max(0, (page.run.frame ? page.versus.now : 0) - 10)}`)),
  key("run", "r", "run or pause", () => page.motion.run()),
  key("first", "Home", "to the beginning", () => page.motion.once("goto 0")),
  key("last", "End", "to the end, or to the next stop", () => page.motion.once("continue")),
  key("goal", "g", "to a clock, label, packet or end; or a run: fib 20 on 80 | mlpe=on", palette),
  key("mark", "x", "mark this clock, or take the mark away",
    () => page.run.stale || page.marks.toggle()),
  key("markBefore", ",", "to the mark before", () => page.marks.next(-1)),
  key("markAfter", ".", "to the next mark", () => page.marks.next(1)),
  key("go", "1 2 3 4", "watch, learn, program, compare",
    name => page.go(["watch", "learn", "program", "compare"][Number(name) - 1])),
  key("machine", "m", "to the machine", () => stand("machine")),
  key("blocks", "v", "to the blocks", () => stand("blocks")),
  key("program", "e", "to the program", () => page.editor.visit()),
  key("opened", "o", "to the opened PE", async () => {
    await page.inspect.choose(page.run.opened ?? 0);
    page.inspect.show("right");
    get("right").focus();
  }),
  key("console", "c", "to the console", async () => {
    await page.go("program");
    get("line").focus();
  }),
  key("form", "k", "program, machine, parameters and knobs", () => page.form?.open()),
  key("lessons", "l", "lessons", async () => { await page.go("learn"); get("lesson").focus(); }),
  key("versus", "w", "a second run beside this one; then from A to B and back",
    () => (page.versus.on ? page.versus.other() : page.go("compare"))),
  key("alone", "W", "closes B", alone),
  key("strip", "u", "every PE over the whole run",
    () => page.strip.show(Boolean(get("strip").hidden))),
  key("lecture", "p", "for a lecture: the machine and the time line alone, with larger words",
    () => page.watch.lecture()),
  key("theme", "t", "dark or light",
    () => page.dress(dataset.theme === "dark" ? "light" : "dark")),
  key("help", "?", "this list", help),
];

/** stand shows a picture in the middle. @param {string} name */
async function stand(name) {
  await page.stage.show(name);
  page.stage.focus();
}

/** menu opens the menu of a phone, or closes it. @param {boolean} [open] */
function menu(open) {
  get("menu").ariaExpanded = String(get("menu").parentElement.classList.toggle("open", open));
}

// What buttons do: the first word of data-act with the others, in index.html and in what the engine
// lays out.
/** @type {Record<string, (words: string[], e: Event) => any>} */
const acts = {
  again, share,
  to([name]) {
    menu(false);
    return page.go(name);
  },
  menu: () => menu(),
  side: ([side]) => page.versus.choose(page.pair[Number(side)]),
  show: ([pane]) => page.inspect.show(pane),
  close: () => page.inspect.close(),
  choose: ([pe]) => page.inspect.choose(Number(pe)),
  open: ([pe]) => page.inspect.open(Number(pe)),
  follow: ([packet]) => page.inspect.follow(packet),
  async at([clock, pe]) {
    await page.motion.travel(Number(clock));
    if (Number(pe) >= 0) await page.inspect.open(Number(pe));
  },
  async line([place]) {
    await page.editor.visit();
    const [file, line] = place.split(":");
    page.editor.here(file, Number(line));
  },
  sentence: ([by]) => page.lessons.next(Number(by)),
  begin: ([name], e) => begin(name, e),
  check: ([name], e) => check(name, e),
};

// wire connects them with the parts of the page.
export function wire() {
  for (const x of list) {
    const {act} = x, stays = ["run", "theme", "help", "lecture", "strip"].includes(x.does);
    // The first sight ends before most of them act.
    x.act = name => (greets() && !stays ? page.watch.leave().then(() => act(name)) : act(name));
    acts[x.does] = () => x.act("");
  }
  for (const d of all("dialog")) d.addEventListener("close", () => {
    // Otherwise the focus may stay in the closed dialog, where keys are text.
    const {activeElement: e} = document;
    if (d.contains(e) || e === document.body) page.stage.focus();
  });
  /** @param {Event} e */
  const typing = e => near(e, "input, select, textarea, #editor, dialog[open]");
  listen(globalThis, "typing", "Everywhere", [
    key("again", "Ctrl+Enter", "run from the beginning to the next stop, or to the end", again),
    key("leave", "Escape", "out of a text, to the machine or the blocks; closes what was opened",
      (_, e) => (near(e, "dialog") ? false : leave(typing(e)))),
  ]);
  listen(globalThis, "page", "", list.map(x => ({...x, act(name, e) {
    const presses = name === " " && near(e, "button, summary, a");
    return typing(e) || presses ? false : void x.act(name);
  }})));
  addEventListener("click", e => {
    const b = near(e, "[data-act]"), [name, ...words] = b?.dataset.act.split(" ") ?? [];
    if (b) acts[name](words, e);
  });
  get("colour").onchange = () => page.stage.recolour();
  get("skip").onclick = e => {
    e.preventDefault(); // its address would be taken for a link to a view
    page.stage.focus();
  };
  get("licences").ontoggle = async () => {
    get("licences").lastElementChild.textContent = await asset("licences.txt");
  };
  opens(get("left"));
  addEventListener("hashchange", async () => {
    if (location.hash.length < 2) return;
    await restore(location.hash, first());
    page.restored = location.hash;
  });
}
