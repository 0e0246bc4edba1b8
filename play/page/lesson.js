// Lessons: texts beside the machine. What a text says about a clock is a link
// that goes there; the engine's tests look whether it is so.
import {el, get} from "./util.js";

export class Lessons {
  // open gets a setup; see a clock and a PE; shown and closed are told of the text.
  constructor(list, {open, see, shown, closed}) {
    Object.assign(this, {list, open, see, shown, closed, at: -1});
    get("lesson").append(...list.map((l, i) => el("option", {value: l.file}, `${i + 1}. ${l.title}`)));
    get("lesson").onchange = () => (get("lesson").value ? this.show(get("lesson").value) : this.close());
    get("lesson-text").addEventListener("click", e => {
      if (e.target.closest("a[href='#']")) e.preventDefault();
      this.click(e.target.closest("[data-run], [data-clock], [data-lesson], [data-close]"));
    });
  }

  get current() { return this.list[this.at]?.file ?? ""; }

  // show opens a lesson; its machine, unless quiet.
  async show(file, quiet) {
    const i = this.list.findIndex(l => l.file === file);
    if (i < 0) return;
    this.at = i;
    get("lesson").value = file;
    const text = await (await fetch(`lessons/${file}.html`)).text();
    const place = get("lesson-text"), parsed = new DOMParser().parseFromString(text, "text/html");
    place.replaceChildren(el("h2", {}, `${i + 1}. ${this.list[i].title}`), ...parsed.body.childNodes, el("p", {className: "nav"},
      i > 0 ? el("button", {"data-lesson": this.list[i - 1].file}, "◀ " + this.list[i - 1].title) : el("span"),
      i + 1 < this.list.length ? el("button", {"data-lesson": this.list[i + 1].file}, this.list[i + 1].title + " ▶") : el("button", {"data-close": ""}, "To the program")));
    place.hidden = false;
    get("editor").hidden = get("file-bar").hidden = true;
    place.scrollTop = 0;
    this.shown();
    if (!quiet) {
      await this.open(this.setup(this.list[i].setup));
      place.focus({preventScroll: true});
    }
  }

  // setup is that of the lesson with the changes that a button names, as policy=line.
  setup(base, changes = "") {
    const s = structuredClone(base);
    for (const c of changes.split(" ").filter(Boolean)) {
      const [key, value] = c.split("=");
      if (key === "args") s.args = value.split(",");
      else if (key === "pes") s.pes = Number(value);
      else if (key.startsWith("set.")) (s.sets ??= {})[key.slice(4)] = value;
      else (s.params ??= {})[key] = value;
    }
    return s;
  }

  async click(b) {
    if (!b) return;
    const {run, clock, pe, packet, lesson, close} = b.dataset;
    if (lesson) return this.show(lesson);
    if (close !== undefined) return this.close();
    const setup = this.setup(this.list[this.at].setup, run ?? b.closest("[data-with]")?.dataset.with);
    await this.see(setup, {clock: clock === undefined ? (run === undefined ? 0 : null) : Number(clock), pe, packet});
  }

  close() {
    this.at = -1;
    get("lesson").value = "";
    get("lesson-text").hidden = true;
    get("editor").hidden = get("file-bar").hidden = false;
    this.closed();
  }
}
