// The buttons and keys of the page, and what they do.
import {text as asset} from "../asset.js";
import {opens} from "../state/files.js";
import {bind} from "../state/keys.js";
import {get} from "../util.js";
import {goal} from "./goal.js";
import {say} from "./tell.js";
import {greets} from "./watch.js";

const {classList, dataset} = document.documentElement;
export const below = ["console", "calls", "packet", "result"]; // what can stand below

/**
 * wire connects them with the parts of the page.
 * @param {Emsim.Page} page
 * @param {{editor: import("./editor.js").Editor, marks: import("./marks.js").Marks,
 *   motion: import("../state/motion.js").Motion, stage: import("./stage.js").Stage,
 *   versus: import("./versus.js").Versus, link: import("../state/link.js").Link,
 *   form: () => import("./setup.js").SetupForm,
 *   lessons: () => import("./lesson.js").Lessons}} parts form and lessons come later
 * @param {{assemble: () => Promise<boolean>, dress: (theme: string) => void,
 *   enter: () => Promise<void>, own: (main: string, files: Record<string, string>) => Promise<void>,
 *   recolour: () => Promise<void>, tab: (name: string) => void}} acts
 */
export function wire(page, {editor, marks, motion, stage, versus, link, form, lessons}, acts) {
  const {assemble, dress, enter, own, recolour, tab} = acts;
  const once = (/** @type {string} */ line) => motion.once(line), help = () => get("help").showModal();
  const other = () => dress(dataset.theme === "dark" ? "light" : "dark");
  get("assemble").onclick = () => assemble();
  get("first").onclick = () => once("goto 0");
  get("back").onclick = () => once("back");
  get("step").onclick = () => once("step");
  get("run").onclick = () => motion.run();
  goal(() => page.answer?.labels ?? [], once, say);
  get("colour").onchange = recolour;
  get("share").onclick = () => link.share();
  get("skip").onclick = e => {
    e.preventDefault(); // its address would be taken for a link to a view
    stage.focus();
  };
  get("help-open").onclick = help;
  get("licences").ontoggle = async () => {
    get("licences").lastElementChild.textContent = await asset("licences.txt");
  };
  get("theme").onclick = other;
  get("mark").onclick = () => marks.toggle();
  get("door-lessons").onclick = () => lessons().show(lessons().list[0].file);
  opens(get("left"), own, say);
  const stand = async (/** @type {string} */ name) => { await stage.show(name); stage.focus(); };
  const ten = () => `goto ${Math.max(0, (page.frame ? versus.now : 0) - 10)}`;
  /** @type {Record<string, (key: string) => any>} */
  const keys = {
    step: () => once("step"),
    back: () => once("back"),
    steps: () => once("step 10"),
    backs: () => once(ten()),
    run: () => motion.run(),
    first: () => once("goto 0"),
    last: () => once("continue"),
    goal: () => get("goal-what").focus(),
    mark: () => page.stale || marks.toggle(),
    markBefore: () => page.running || marks.next(-1),
    markAfter: () => page.running || marks.next(1),
    assemble: () => assemble(),
    machine: () => stand("machine"),
    blocks: () => stand("blocks"),
    program: () => editor.view.focus(),
    opened: () => get("right").focus(),
    console: () => { tab("console"); get("line").focus(); },
    form: () => form()?.open(),
    lessons: () => get("lesson").focus(),
    versus: () => (versus.on ? versus.choose(1 - versus.side) : versus.open()),
    alone: () => versus.close(),
    tab: key => tab(below[Number(key) - 1]),
    lecture: () => classList.toggle("lecture"),
    theme: other,
    help,
    leave: () => stage.focus(),
  };
  for (const [name, act] of Object.entries(keys)) { // behind the doors
    if (["run", "theme", "help", "leave"].includes(name)) continue;
    keys[name] = key => (greets() ? enter().then(() => act(key)) : act(key));
  }
  get("door-try").onclick = () => keys.machine("");
  bind(keys);
  addEventListener("hashchange", async () => {
    if (location.hash.length < 2) return;
    await link.restore(location.hash);
    page.restored = location.hash;
  });
}
