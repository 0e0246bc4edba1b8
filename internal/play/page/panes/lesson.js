// Lessons: texts beside the machine. What a text says about a clock is a link that goes there and
// marks what it speaks of; the engine's tests look whether it is so. At the end of a lesson stand
// its exercises. All that has been laid out before the page is served.
import {now, versions} from "../state/keep.js";
import {arrows, key, listen, sides} from "../state/keys.js";
import {mode, page, pane} from "../state/page.js";
import {all, calm, clockOf, el, get, near} from "../util.js";

/** same is what two setups must share for the statements of one to hold in the other.
 * @param {Emsim.Setup} s */
const same = s => JSON.stringify([s.main, s.args, s.pes, s.params ?? {}, s.sets ?? {}]);

export class Lessons {
  at = -1;
  /** @type {Promise<any>} */ last = Promise.resolve(); // what the page was asked for last
  pending = 0; // of all that, what is not done

  constructor(/** @type {Lesson[]} */ list) {
    this.list = list;
    const menu = get("lesson"), place = get("lesson-text");
    // What opens next to the text must not push the chosen sentence out of sight.
    new ResizeObserver(() => this.reveal(this.chosen)).observe(place);
    menu.append(...list.map((l, i) => el("option", {value: l.file}, `${i + 1}. ${l.title}`)));
    menu.onchange = () => this.show(menu.value);
    place.addEventListener("click", e => {
      if (near(e, "a[href='#']")) e.preventDefault();
      this.click(near(e, "[data-run], [data-clock], [data-lesson], [data-close]"));
    });
    listen(get("learn"), "lesson", "In a lesson", [
      key("sentence", sides, "another sentence", name => this.next(arrows[name][0]))]);
    let from = 0; // a finger that goes sideways is for the next sentence
    place.addEventListener("touchstart", e => { from = e.touches[0].clientX; }, {passive: true});
    place.addEventListener("touchend", e => {
      const by = e.changedTouches[0].clientX - from;
      if (Math.abs(by) > 60) this.next(by < 0 ? 1 : -1);
    });
  }

  get current() { return this.list[this.at]?.file ?? ""; }

  /** turn acts when what was asked for before is done, or given up: two lessons, or two sentences
   * clicked in a hurry, must not share one machine. @param {() => Promise<void>} act */
  turn(act) {
    if (page.running) page.motion.stop();
    this.pending++;
    return this.last = this.last.catch(() => {}).then(act).finally(() => { this.pending--; });
  }

  /** show opens a lesson; its machine, unless quiet. @param {string} file */
  show(file, quiet = false) { return this.turn(() => this.open(file, quiet)); }

  /** @param {string} file @param {boolean} quiet */
  async open(file, quiet) {
    const at = this.list.findIndex(l => l.file === file), place = get("lesson-text");
    if (at < 0) return;
    const {setup, stage, html} = this.list[at];
    this.at = at;
    get("lesson").value = file;
    place.innerHTML = html;
    place.scrollTop = 0;
    this.count();
    if (quiet) return;
    if (mode() !== "learn") await page.go("learn");
    page.inspect.show("");
    await page.versus.close();
    await page.assemble(await this.setup(setup));
    await page.stage.show(stage);
    // A frame around the whole text would say nothing.
    if (!get("lesson").matches(":focus")) get("sentence-after").focus();
  }

  // address is that of the sentence that was gone to, as long as it holds; "" without one.
  get address() {
    const {chosen} = this, i = this.sentences.indexOf(chosen);
    return chosen?.matches(".holds, [data-run]") ? `learn/${this.at + 1}/${i + 1}` : "";
  }

  // count says which of the sentences was gone to.
  count() {
    const list = this.sentences, at = list.indexOf(this.chosen);
    get("nth").textContent = `${at < 0 ? "–" : at + 1} of ${list.length}`;
  }

  get sentences() { return all("a.link", get("lesson-text")); }

  // chosen is the sentence that was gone to.
  get chosen() { return this.sentences.find(a => a.ariaCurrent); }

  /** find goes to a lesson, and to a sentence of it. @param {number} lesson @param {number} i */
  async find(lesson, i) {
    await page.versus.close();
    await this.show(this.list[lesson - 1]?.file ?? this.list[0].file);
    await this.click(this.sentences[i - 1]);
  }

  // next goes to the sentence after the one that was gone to, or to the one before.
  next(/** @type {number} */ by) {
    const list = this.sentences, at = list.indexOf(this.chosen);
    list[at < 0 ? (by > 0 ? 0 : list.length - 1) : at + by]?.click();
  }

  // setup is that of the lesson with the changes that a button names, as policy=line.
  setup(/** @type {Emsim.Setup} */ base, changes = "") {
    return page.ask("change", {setup: base, changes: changes.split(" ").filter(Boolean)});
  }

  /** @param {HTMLElement} b a link of the text, or null */
  async click(b) {
    if (!b) return;
    if (b.dataset.lesson) return this.show(b.dataset.lesson);
    if (b.dataset.close !== undefined) return page.go("program");
    return this.turn(() => this.say(b));
  }

  // say shows what a sentence speaks of: a clock of a setup with a PE or a packet, or the end.
  async say(/** @type {HTMLElement} */ b) {
    const {run, pe, packet, shows, vs} = b.dataset, {stage, versus} = page;
    const clock = b.dataset.clock ?? (run === undefined ? 0 : null);
    for (const a of this.sentences) a.ariaCurrent = null;
    const changes = run ?? /** @type {HTMLElement} */ (b.closest("[data-with]"))?.dataset.with;
    const setup = await this.setup(this.list[this.at].setup, changes);
    await stage.show(vs ? "machine" : this.list[this.at].stage);
    await (vs ? versus.choose(page.pair[0]) : versus.close());
    const other = page.run.stale || JSON.stringify(setup) !== JSON.stringify(page.run.setup);
    if (other && !await page.assemble(setup)) return;
    if (vs) await versus.beside(await this.setup(setup, vs));
    if (pe) await page.inspect.open(page.run.machine.number(pe));
    if (clock !== null) await page.motion.once(`goto ${clock}`);
    else if (!versus.ended) await page.motion.once("continue");
    if (packet) await this.way(packet, shows, !pe);
    const end = vs ? "compared" : "result";
    await page.inspect.show(clock === null ? end : packet ? "packet" : "right");
    await versus.sought; // it writes what is to be marked
    showEvidence(shows);
    b.ariaCurrent = "true"; // its mark may break the line anew
    this.count();
    this.reveal(b); // the machines of two runs may have moved it
  }

  /** way follows a packet, and opens the PE of which the sentence speaks, unless it names one.
   * @param {string} packet @param {string} shows @param {boolean} opens */
  async way(packet, shows, opens) {
    const way = await page.inspect.follow(packet);
    await flow();
    const at = way?.stations.find(s => s.text.includes(shows))?.pe ?? page.run.opened;
    if (way && opens) await page.inspect.open(at);
  }

  // reveal scrolls to a sentence; of one that is taller than the box its beginning is seen.
  reveal(/** @type {Element | null} */ sentence) {
    const room = get("lesson-text").clientHeight;
    const tall = sentence?.getBoundingClientRect().height > room - 51; // with what follows it
    sentence?.scrollIntoView({block: tall ? "start" : "nearest"});
  }

  /** light marks the statements that hold at the clock of a run.
   * @param {Emsim.Setup} setup @param {number} clock */
  light(setup, clock) {
    if (this.at < 0) return;
    const holds = same(this.list[this.at].setup) === same(setup);
    for (const a of all("a[data-clock]", get("lesson-text"))) {
      a.classList.toggle("holds", holds && Number(a.dataset.clock) === clock);
    }
  }
}

// What a statement is about is marked where the page shows it.
/** The statement that was chosen last, and the clock that it is about.
 * @type {{shows: string, clock: number}} */
let told = null;

// words are what an element says, a row of the result also with its number first.
const words = (/** @type {HTMLElement} */ e) => {
  const row = e instanceof HTMLTableRowElement && [...e.cells].map(c => c.textContent.trim());
  return (row ? [row[0], row[1], row[0]].join(" ") : e.textContent).replace(/\s+/g, " ");
};

// mark marks the smallest thing that says so in the companion, and brings it into sight.
function mark() {
  for (const e of all(".evidence")) e.classList.remove("evidence");
  const said = all("p, li, dt + dd, tr, h3, pre", get("companion"))
    .filter(e => !e.closest("[hidden], details:not(.more, [open])"))
    .findLast(e => words(e).includes(told.shows));
  said?.closest(".more")?.setAttribute("open", "");
  said?.classList.add("evidence");
  said?.scrollIntoView({block: "nearest"});
}

// showEvidence marks the evidence of a statement for as long as the page shows its clock.
function showEvidence(/** @type {string} */ shows) {
  told = {shows, clock: page.versus.now};
  mark();
}

pane({leave() { told = null; }});

// A pane may be written again while the clock stands, as when an answer comes late.
new MutationObserver(() => {
  if (told && page.versus.now === told.clock) mark();
}).observe(get("companion"), {childList: true, subtree: true});
new ResizeObserver(() => told && mark()).observe(get("companion"));

// The dataflow graph of a lesson, and the tokens on its arrows: each arrow names the packet
// that goes along it (data-token), the links of the network that this packet crosses, and
// where it comes from and goes to; where the token is says the packet's way in the run.
/** flow shows the graph at the page's clock. */
export async function flow() {
  const {running, run: {setup, frame, machine}} = page;
  const [picture] = all(".flow", get("lesson-text"));
  if (!picture || picture.dataset.main !== setup?.main) return; // or nothing runs
  const lines = /** @type {any[]} */ (all("[data-token]", picture)), said = [];
  const list = await page.ask("tokens", lines.map(({dataset: {token: packet, links}}) =>
    ({packet, links: Number(links)})));
  for (const [i, {seen, at, waits, value}] of (list ?? []).entries()) {
    const arrow = lines[i], {token: id, to} = arrow.dataset, token = `[data-of="${id}"]`;
    if (!picture.querySelector(token)) arrow.parentNode.insertAdjacentHTML("beforeend",
      `<g class="token" data-of="${id}"><circle r="9"/><text y="3.8"/></g>`);
    const g = all(token, picture)[0];
    g.toggleAttribute("hidden", !seen);
    if (!seen) continue;
    const {x, y} = arrow.getPointAtLength(arrow.getTotalLength() * (0.1 + 0.78 * at));
    g.style.transform = `translate(${x}px, ${y}px)`;
    g.style.transition = calm.matches ? "none" : "transform .15s linear";
    g.classList.toggle("waits", waits);
    g.classList.toggle("followed", id === page.run.packet);
    g.querySelector("text").textContent = value;
    said.push(`${value} ${waits ? "waits at" : at === 1 ? "is at" : "goes to"} ${to}`);
  }
  for (const n of all("[data-node]", picture)) {
    const runs = frame.state[machine.number(n.dataset.pe)] === "R";
    n.classList.toggle("runs", runs);
    if (runs) said.push(`${n.dataset.node} runs`);
  }
  const got = frame.all_words === 0 ? "no word" : frame.answer;
  const does = said.length ? `${said.join(", ")}.`
    : frame.ended ? `The host has received ${got}.` : "Nothing moves yet.";
  const caption = picture.querySelector("figcaption");
  caption.ariaLive = running ? "off" : "polite";
  caption.textContent = `Clock ${clockOf(frame)}: ${does}`;
}

/** task is that of a name. @param {string} name */
const task = name => page.catalogue.exercises.find(x => x.name === name);

/** begin brings the setup of an exercise, with what somebody has written for it. One that asks for
 * a program comes along to the editor. @param {string} name @param {Event} e */
export async function begin(name, e) {
  const {kind, setup} = task(name), place = near(e, ".task");
  const mine = now().main !== setup.main && versions(setup.main)[0]; // of the same program: anew
  await page.assemble(mine ? {...setup, files: mine.setup.files} : setup);
  if (kind !== "program") return;
  get("task").replaceChildren(place);
  await page.go("program");
}

/** check says what the engine says of the program, the parameters or the answers.
 * @param {string} name @param {Event} e */
export async function check(name, e) {
  const {kind, setup: {main}} = task(name), given = now(), place = near(e, ".task");
  const says = all(".verdict", place)[0], fields = /** @type {any[]} */ (all("input", place));
  const button = /** @type {HTMLButtonElement} */ (all("[data-check]", place)[0]);
  if (kind !== "prediction" && given.main !== main) {
    return says.replaceChildren(`Press Begin first: the exercise is about ${main}.`);
  }
  button.disabled = true;
  says.replaceChildren("Checking …");
  if (page.editor.building) await page.editor.build(); // it would end the check
  const answers = Object.fromEntries(fields.map(f => [f.dataset.key, f.value]));
  const verdict = await page.ask("check", {name, setup: given, answers});
  button.disabled = false;
  says.innerHTML = verdict ?? "It was not checked.";
}
