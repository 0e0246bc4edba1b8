// Lessons: texts beside the program and the machine. What a text says about a clock is a
// link that goes there and marks what it speaks of; the engine's tests look whether it is so.
import {text} from "../asset.js";
import {show as showEvidence} from "./evidence.js";
import {say} from "./tell.js";
import {count, el, get, near} from "../util.js";

/** @typedef {{file: string, title: string, own?: boolean, setup: Emsim.Setup}} Lesson whether its program is its own */

/** @typedef {{clock: number, pe: string, packet: string, shows: string, vs: Emsim.Setup}} What is to be seen: at a clock (null: the end) a PE, or a packet of one */

/** dated puts into every statement the clock that it goes to. @param {string} words */
const dated = words => words.replace(/<a [^>]*data-clock="(\d+)"[^>]*>[^]*?<\/a>/g, (statement, clock) => statement.replace("{at}", count(Number(clock))));

export class Lessons {
  at = -1;

  /**
   * tell.open gets a setup; tell.see a clock (null: the end), a PE, a packet of one, the
   * words that are to be seen then, and a setup to compare it with; changed is told that a text is shown, or none; exercises are those of a lesson.
   * @param {Lesson[]} list
   * @param {{open: (setup: Emsim.Setup) => Promise<any>, see: (setup: Emsim.Setup, what: What) => Promise<void>, changed: (shown: boolean) => void, exercises: (lesson: string) => Node[]}} tell
   */
  constructor(list, tell) {
    this.list = list;
    this.tell = tell;
    /** @type {Map<string, Promise<string>>} */
    this.texts = new Map();
    // They come at once: later the network may be gone.
    for (const {file, own, setup} of list) for (const name of [`${file}.html`, own && setup.main]) if (name) this.text(name).catch(() => {});
    get("lesson").append(...list.map((l, i) => el("option", {value: l.file}, `${i + 1}. ${l.title}`)));
    get("lesson").onchange = () => (get("lesson").value ? this.show(get("lesson").value) : this.close());
    get("lesson-text").addEventListener("click", e => {
      if (near(e, "a[href='#']")) e.preventDefault();
      this.click(near(e, "[data-run], [data-clock], [data-lesson], [data-close]"));
    });
  }

  /** text brings a file of the lessons; one that did not come is asked for again. @param {string} name */
  text(name) {
    if (!this.texts.has(name)) {
      const coming = text(`lessons/${name}`);
      coming.catch(() => this.texts.delete(name));
      this.texts.set(name, coming);
    }
    return this.texts.get(name);
  }

  get current() { return this.list[this.at]?.file ?? ""; }

  /** show opens a lesson; its machine, unless quiet. @param {string} file */
  async show(file, quiet = false) {
    const i = this.list.findIndex(l => l.file === file);
    if (i < 0) return;
    const {own, setup} = this.list[i];
    /** @type {string} */
    let words;
    try {
      if (own) setup.files = {[setup.main]: await this.text(setup.main)};
      words = await this.text(`${file}.html`);
    } catch (e) {
      get("lesson").value = this.current;
      return say(`The lesson could not be loaded: ${e.message}`, true);
    }
    this.at = i;
    get("lesson").value = file;
    const place = get("lesson-text"), parsed = new DOMParser().parseFromString(dated(words), "text/html");
    place.replaceChildren(el("h2", {}, `${i + 1}. ${this.list[i].title}`, el("button", {"data-close": "", title: "close the lesson", "aria-label": "close the lesson"}, "×")), ...parsed.body.childNodes, ...this.tell.exercises(file), el("p", {className: "nav"},
      i > 0 ? el("button", {"data-lesson": this.list[i - 1].file}, "◀ " + this.list[i - 1].title) : el("span"),
      i + 1 < this.list.length ? el("button", {"data-lesson": this.list[i + 1].file}, this.list[i + 1].title + " ▶") : el("button", {"data-close": ""}, "To the program")));
    this.teach(true);
    place.firstElementChild.scrollIntoView();
    if (!quiet) {
      await this.tell.open(this.setup(this.list[i].setup));
      place.focus({preventScroll: true});
    }
  }

  /** setup is that of the lesson with the changes that a button names, as policy=line.
   * @param {Emsim.Setup} base */
  setup(base, changes = "") {
    const s = structuredClone(base);
    for (const c of changes.split(" ").filter(Boolean)) {
      const [key, value] = c.split("=");
      if (key === "main") s.main = value;
      else if (key === "args") s.args = value.split(",");
      else if (key === "pes") s.pes = Number(value);
      else if (key.startsWith("set.")) (s.sets ??= {})[key.slice(4)] = value;
      else (s.params ??= {})[key] = value;
    }
    return s;
  }

  /** @param {HTMLElement} b a link of the text, or null */
  async click(b) {
    if (!b) return;
    const {run, clock, pe, packet, shows, vs, lesson, close} = b.dataset;
    if (lesson) return this.show(lesson);
    if (close !== undefined) return this.close();
    get("lesson-text").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const setup = this.setup(this.list[this.at].setup, run ?? /** @type {HTMLElement} */ (b.closest("[data-with]"))?.dataset.with);
    await this.tell.see(setup, {clock: clock === undefined ? (run === undefined ? 0 : null) : Number(clock), pe, packet, shows, vs: vs && this.setup(setup, vs)});
    showEvidence(shows);
    b.scrollIntoView({block: "nearest"}); // the machines of two runs may have moved it
    b.setAttribute("aria-current", "true");
  }

  /** light marks the statements that hold at the clock of a run. @param {Emsim.Setup} setup @param {number} clock */
  light(setup, clock) {
    if (this.at < 0) return;
    const {main, args, pes, params, sets} = this.list[this.at].setup, same = JSON.stringify([main, args, pes, params ?? {}, sets ?? {}]) === JSON.stringify([setup.main, setup.args, setup.pes, setup.params ?? {}, setup.sets ?? {}]);
    for (const a of /** @type {NodeListOf<HTMLElement>} */ (get("lesson-text").querySelectorAll("a[data-clock]"))) a.classList.toggle("holds", same && Number(a.dataset.clock) === clock);
  }

  /** teach makes room for a text, or gives it back. @param {boolean} on */
  teach(on) {
    get("lesson-text").hidden = !on;
    document.documentElement.classList.toggle("teaching", on);
    this.tell.changed(on);
  }

  close() {
    this.at = -1;
    get("lesson").value = "";
    this.teach(false);
  }
}
