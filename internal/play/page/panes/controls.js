// The buttons and keys of the page, and what they do.
import {text as asset} from "../asset.js";
import {opens} from "../state/files.js";
import {bind} from "../state/keys.js";
import {restore, share} from "../state/link.js";
import {mode, page} from "../state/page.js";
import {all, get} from "../util.js";
import {listens, palette} from "./palette.js";
import {first, greets} from "./watch.js";

const {dataset} = document.documentElement;

/** own builds files of the user's computer.
 * @param {string} main @param {Record<string, string>} files */
async function own(main, files) {
  if (!page.form) return;
  const done = await page.assemble({...page.form.machine, main, files});
  await page.go("program");
  if (done || page.answer.args.length === 0) return;
  page.form.open();
  get("args").focus();
}

// again runs from the beginning to the next stop, or to the end, what is in the editor.
async function again() {
  if (page.editor.building) await page.editor.build();
  if (page.stale && !await page.assemble()) return;
  await page.motion.settle();
  await page.once("goto 0");
  await page.once("continue");
}

/** @type {Record<string, (key?: string) => any>} what the keys do, by name */
const acts = {
  step: () => page.once("step"),
  back: () => page.once("back"),
  steps: () => page.once("step 10"),
  backs: () => page.once(`goto ${Math.max(0, (page.frame ? page.versus.now : 0) - 10)}`),
  run: () => page.motion.run(),
  first: () => page.once("goto 0"),
  last: () => page.once("continue"),
  goal: palette,
  mark: () => page.stale || page.marks.toggle(),
  markBefore: () => page.running || page.marks.next(-1),
  markAfter: () => page.running || page.marks.next(1),
  go: (/** @type {string} */ key) =>
    page.go(["watch", "learn", "program", "compare"][Number(key) - 1]),
  machine: () => stand("machine"),
  blocks: () => stand("blocks"),
  program: async () => { await page.go("program"); page.editor.view.focus(); },
  opened: async () => {
    await page.inspect.choose(page.opened ?? 0);
    page.show("right");
    get("right").focus();
  },
  console: async () => { await page.go("program"); get("line").focus(); },
  form: () => page.form?.open(),
  lessons: async () => { await page.go("learn"); get("lesson").focus(); },
  versus: () => (page.versus.on ? page.versus.choose(1 - page.versus.side) : page.go("compare")),
  alone: async () => {
    await page.versus.close();
    if (mode() === "compare") await page.go("watch");
  },
  strip: () => get("strip-open").click(),
  lecture: () => page.watch.lecture(),
  theme: () => page.dress(dataset.theme === "dark" ? "light" : "dark"),
  help: () => get("help").showModal(),
  again,
  /** @param {string} from */
  leave: from => (from || !page.tab ? page.stage.focus() : page.inspect.close()),
};

/** stand shows a picture in the middle. @param {string} name */
async function stand(name) {
  await page.stage.show(name);
  page.stage.focus();
}

// wire connects them with the parts of the page.
export function wire() {
  /** @type {Record<string, (key: string) => any>} */
  const keys = {};
  for (const [name, act] of Object.entries(acts)) { // before the doors
    const stays = ["run", "theme", "help", "leave", "lecture", "strip"].includes(name);
    keys[name] = key => (greets() && !stays ? page.enter().then(() => act(key)) : act(key));
  }
  bind(keys);
  for (const b of all("#back, #step, #run, #again, #theme")) b.onclick = () => keys[b.id]("");
  for (const b of all("#modes button")) b.onclick = () => page.go(b.dataset.to);
  get("menu").onclick = () => {
    get("menu").ariaExpanded = String(get("menu").parentElement.classList.toggle("open"));
  };
  get("chip").onclick = () => keys.form("");
  get("share").onclick = share;
  get("help-open").onclick = () => acts.help();
  get("versus-close").onclick = () => acts.alone();
  get("colour").onchange = page.recolour;
  listens();
  get("skip").onclick = e => {
    e.preventDefault(); // its address would be taken for a link to a view
    page.stage.focus();
  };
  get("licences").ontoggle = async () => {
    get("licences").lastElementChild.textContent = await asset("licences.txt");
  };
  get("door-lessons").onclick = () => page.go("learn");
  get("door-try").onclick = () => acts.program();
  opens(get("left"), own);
  addEventListener("hashchange", async () => {
    if (location.hash.length < 2) return;
    await restore(location.hash, first());
    page.restored = location.hash;
  });
}
