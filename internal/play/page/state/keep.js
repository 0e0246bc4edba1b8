// What a user has written: every change of a text, of its stops and of marks is kept in the
// browser's storage, under the name of the program, and can be had back.
import {el, get, say} from "../util.js";
import {page} from "./page.js";

const most = 4; // the last text of a program, and three before it [chosen]
const soon = 300; // milliseconds after a change [chosen: less than a reload takes]

const place = (/** @type {string} */ main) => `emsim ${main}`;

/** read reads what is kept. @param {string} main @returns {any} */
function read(main) {
  try { return JSON.parse(localStorage.getItem(place(main))); } catch { return null; }
}

/** versions are the texts of a program that are kept, the last one first.
 * @param {string} main @returns {Version[]} */
export const versions = main => read(main) ?? [];

/** when is a time in words. @param {number} at */
function when(at) {
  const d = new Date(at), today = d.toDateString() === new Date().toDateString();
  const day = today ? "today" : d.toLocaleDateString("en-GB", {day: "numeric", month: "long"});
  return `${day}, ${d.toLocaleTimeString("en-GB", {hour: "2-digit", minute: "2-digit"})}`;
}

/** key is what somebody has made: two works with the same key are the same one.
 * @param {Work} work */
const key = ({setup: {files = {}}, stops = [], marks = []}) =>
  JSON.stringify([files, stops, marks]);

// now is what the editor has.
export const now = () => ({...page.form.chosen, files: page.editor.changes()});

/** work is all that can be kept of what the page has. @returns {Work} */
const work = () => ({setup: now(), marks: page.run.own,
  stops: page.run.stops.map(({file, line, condition}) => ({file, line, condition}))});

const none = key({setup: {main: ""}});

export class Keep {
  going = 0; // a change that is not kept yet
  fresh = true; // the next change begins a version
  told = false;
  /** @type {Version[]} */ list = [];
  main = ""; // whose text was restored

  constructor() {
    addEventListener("pagehide", () => this.keep());
    get("kept-restore").onclick = () => this.restore();
    get("kept-close").onclick = () => { get("kept").hidden = true; };
  }

  // changed keeps what there is soon.
  changed() {
    clearTimeout(this.going);
    this.going = setTimeout(() => this.keep(), soon);
  }

  // keep keeps what was changed.
  keep() {
    if (!this.going) return;
    clearTimeout(this.going);
    this.going = 0;
    const made = work(), {main} = made.setup, list = versions(main), {fresh} = this;
    const empty = key(made) === none; // as before somebody has made anything
    if (empty && fresh || list[0] && key(list[0]) === key(made)) return;
    this.fresh = empty;
    list.splice(0, fresh ? 0 : 1, ...empty ? [] : [{at: Date.now(), ...made}]);
    try {
      localStorage.setItem(place(main), JSON.stringify(list.slice(0, most)));
      localStorage.setItem(place(""), JSON.stringify(main));
    } catch (e) {
      if (!this.told) say(`This browser does not keep your text: ${e.message}`, true);
      this.told = true;
    }
  }

  /** @returns {string} the program that was changed last, or undefined */
  get last() { return read("") ?? undefined; }

  /** offer offers what is kept of a program, unless the page has it. @param {string} main */
  offer(main) {
    const here = work(), list = main ? versions(main) : [];
    this.say(`Your ${main} is kept:`, "Restore",
      list.filter(v => v.setup.main !== here.setup.main || key(v) !== key(here)));
  }

  /** say shows the line below the header: words, works that can be had back, of which the one that
   * the user chooses comes, and what the button does. Without works nothing is shown.
   * @param {string} words @param {string} does @param {Version[]} list */
  say(words, does, list) {
    const which = get("kept-which");
    this.list = list;
    get("kept").hidden = list.length === 0;
    get("kept-words").textContent = words;
    get("kept-restore").textContent = does;
    which.hidden = does === "Undo";
    which.replaceChildren(...list.map((v, i) => el("option", {value: i}, when(v.at))));
  }

  // restore brings back the chosen version, or what the last one has replaced.
  async restore() {
    const version = this.list[get("kept-which").selectedIndex], replaced = work();
    const {main} = version.setup, undone = get("kept-which").hidden;
    this.keep();
    await this.put(version);
    if (undone) this.offer(this.main);
    else this.say(`Your ${main} of ${when(version.at)} is back.`, "Undo", [{at: 0, ...replaced}]);
    this.main = main;
  }

  /** put lets the page have a work. @param {Work} work */
  async put({setup, stops = [], marks = []}) {
    if (!await page.assemble(setup)) return;
    page.run.own = marks;
    page.marks.draw();
    await page.stops.restore(stops);
  }
}
