// The editor: tabs of files, highlighting and completion from the instruction
// table, errors where they are, the line that the opened PE executes.
import {
  autocompletion, bracketMatching, completionKeymap, Decoration, defaultKeymap, drawSelection,
  EditorState, EditorView, go, highlightActiveLineGutter, highlightSelectionMatches, history,
  historyKeymap, hoverTooltip, keymap, lineNumbers, lintGutter, lintKeymap, search, searchKeymap,
  setDiagnostics, StreamLanguage,
} from "../codemirror.js";
import {emsim} from "../emsim.js";
import {key, listen} from "../state/keys.js";
import {page} from "../state/page.js";
import {el, say} from "../util.js";
import {stops, theme} from "./gutter.js";

const soon = 400; // milliseconds after a change in which the program is built [chosen]

// The lines at the head of a text in assembly that only keep Go from taking the file for
// its own: they are there, as lines and columns are the file's, but not seen.
const forGo = /^\/\/go:build ignore\n(?:\/\/.*\n)*\n/;
const headForGo = (/** @type {Doc} */ doc) => forGo.exec(doc.sliceString(0, 500))?.[0].length ?? 0;
const unseen = (/** @type {Doc} */ doc) => {
  const end = headForGo(doc);
  return end ? Decoration.set([Decoration.replace({block: true}).range(0, end - 1)])
    : Decoration.none;
};
const hidden = [
  EditorView.decorations.compute(["doc"], state => unseen(state.doc)),
  EditorView.atomicRanges.of(view => unseen(view.state.doc)),
  EditorState.transactionFilter.of(tr => { // the cursor stays where it is seen
    const at = tr.selection?.main, end = at?.empty ? headForGo(tr.newDoc) : 0;
    return end > at?.head ? [tr, {selection: {anchor: end}, sequential: true}] : tr;
  }),
];

/** @type {typeof go} Go, whose directives stand out from other comments */
const goCode = {
  ...go, token: (stream, state) => (
    stream.match(/^\/\/(emsim|go):.*/) ? "definitionKeyword" : go.token(stream, state)),
};

export class Editor {
  /** @type {Emsim.Word[]} */ words = [];
  building = 0; // a change that is not built yet
  executed = {file: "", line: 0}; // by the opened PE

  /** @param {HTMLElement} place @param {HTMLElement} tabs */
  constructor(place, tabs) {
    this.tabs = tabs;
    // In a root of its own CodeMirror adds its style as a sheet that the content
    // security policy of the page allows.
    const root = place.attachShadow({mode: "open"}), holder = el("div", {className: "holder"});
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".holder { height: 100%; }");
    root.adoptedStyleSheets = [sheet];
    root.append(holder);
    this.view = new EditorView({parent: holder, root, state: this.state("", "")});
    listen(place, "editor", "In the program", [
      key("stop", "F9", "a stop at this line, or none", () => page.stops.toggle(this.line))]);
  }

  /** @param {string} name @param {string} doc */
  state(name, doc, made = false) {
    const inGo = name.endsWith(".go"), begin = inGo ? 0 : forGo.exec(doc)?.[0].length ?? 0;
    return EditorState.create({doc, selection: {anchor: begin}, extensions: [
      stops(name), lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(),
      bracketMatching(), search({top: true}), highlightSelectionMatches(),
      StreamLanguage.define(inGo ? goCode : emsim),
      theme, lintGutter(), EditorView.decorations.of(view => {
        const {file, line} = this.executed, {lines} = view.state.doc;
        if (file !== name || line < 1 || line > lines) return Decoration.none;
        const {from} = view.state.doc.line(line);
        return Decoration.set(Decoration.line({class: "cm-here"}).range(from));
      }), EditorState.readOnly.of(made),
      ...(inGo ? [] : [hidden, autocompletion({override: [c => this.complete(c)]}),
        hoverTooltip((v, at) => this.explain(v, at))]),
      keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap,
        ...defaultKeymap.filter(k => k.key !== "Mod-Enter")]),
      EditorView.contentAttributes.of({"aria-label": "program text", tabindex: "0"}),
      EditorView.updateListener.of(u => {
        if (u.docChanged) this.edited(u.startState.doc, u.changes);
        if (u.selectionSet || u.docChanged) this.tell();
      }),
    ]});
  }

  // The files of a run are the run's, and so is which of them is open.
  get files() { return page.run.files; }

  get open() { return page.run.open; }

  /** take takes the files of a program that was built. Those of the same program stay as they are
   * in the editor, unless the program comes anew; if it has errors, it is not known what it
   * includes, and all stay.
   * @param {Emsim.File[]} files @param {boolean} anew @param {boolean} wrong */
  take(files, anew, wrong) {
    this.keep();
    const old = anew ? new Map() : this.files, same = this.files.has(files[0].name);
    page.run.files = new Map(wrong ? old : []);
    for (const f of files) {
      const was = old.get(f.name), original = f.given ? null : f.text;
      const /** @type {Source} */ fresh = {...f, loaded: f.text, original, state: null};
      this.files.set(f.name, was?.text === f.text ? was : fresh);
    }
    const stays = same && this.files.has(this.open);
    if (stays && !anew) this.drawTabs();
    else this.fill(stays ? this.open : files[0].name);
  }

  // changes are the texts that differ from emsim's own.
  changes() {
    this.keep();
    const mine = [...this.files.values()].filter(f => f.text !== f.original);
    return Object.fromEntries(mine.map(f => [f.name, f.text]));
  }

  keep() {
    const f = this.files.get(this.open);
    if (!f) return;
    f.state = this.view.state;
    f.text = f.state.doc.toString();
  }

  show(/** @type {string} */ name) {
    this.keep();
    if (name !== this.open && this.files.has(name)) this.fill(name);
  }

  /** fill shows a file, whatever was shown before. @param {string} name */
  fill(name) {
    const f = this.files.get(name);
    this.view.setState(f.state ?? this.state(f.name, f.text, f.made));
    page.run.open = name;
    this.drawTabs();
    this.tell();
  }

  // tell says in which line of which file the cursor is.
  tell() { page.stage?.at(this.open, this.line); }

  // line is that of the cursor.
  get line() {
    const {doc, selection} = this.view.state;
    return doc.lineAt(selection.main.head).number;
  }

  // visit goes to the program.
  async visit() {
    await page.go("program");
    this.view.focus();
  }

  /** to puts the cursor into a line of a file. @param {string} file @param {number} line */
  to(file, line) {
    this.show(file);
    const {doc} = this.view.state;
    if (file === this.open && line <= doc.lines) this.place(doc.line(line).from);
  }

  /** place puts the cursor somewhere and brings it into sight. @param {number} anchor */
  place(anchor) {
    const effects = EditorView.scrollIntoView(anchor, {y: "center"});
    this.view.dispatch({selection: {anchor}, effects});
  }

  /** edited keeps what was changed, and builds it when nothing more comes for a while.
   * @param {Doc} before @param {import("../codemirror.js").ChangeDesc} changes */
  edited(before, changes) {
    this.executed.line = 0; // it was of another text
    this.keep();
    page.stops.follow(before, changes);
    this.drawTabs();
    page.keep?.changed();
    say("The program was changed.");
    this.built();
    this.building = setTimeout(() => this.build(), soon);
  }

  build() { return page.assemble(undefined, true); }

  // built forgets a change that waits: what is assembled now has it, or replaces the text.
  built() {
    clearTimeout(this.building);
    this.building = 0;
  }

  drawTabs() {
    const library = "from emsim's library; a change is for this program only";
    const made = "what the compiler made of the program; it cannot be changed";
    this.tabs.replaceChildren(...[...this.files.values()].map(f => el("button", {
      role: "tab", "aria-selected": f.name === this.open, "aria-controls": "editor",
      title: f.made ? made : f.own ? "" : library,
      onclick: () => { this.show(f.name); this.view.focus(); },
    }, f.name, f.text !== f.loaded ? el("span", {className: "dot", title: "changed"}, " •")
      : null)));
  }

  /** problems shows errors where they are, and goes to the first.
   * @param {Emsim.Problem[]} list @param {boolean} there */
  problems(list, there) {
    if (list.length > 0 && there) this.show(list[0].file);
    const doc = this.view.state.doc;
    const here = list.filter(p => p.file === this.open && p.line <= doc.lines).map(p => {
      const line = doc.line(p.line), from = Math.min(line.to, line.from + p.column - 1);
      const to = Math.min(line.to, from + Math.max(1, p.width));
      return {from, to, severity: /** @type {const} */ ("error"), message: p.message};
    });
    this.view.dispatch(setDiagnostics(this.view.state, here));
    if (here.length > 0 && there) this.place(here[0].from);
  }

  /** here marks the line of a code place, and shows it if it is out of the editor's sight; the
   * page stays. @param {string} file @param {number} line */
  here(file, line) {
    if (file && this.files.has(file) && file !== this.open) this.show(file);
    const doc = this.view.state.doc, known = file === this.open && line >= 1 && line <= doc.lines;
    this.executed = {file, line};
    this.view.dispatch({});
    if (!known) return;
    const {scrollDOM: box} = this.view, {top, bottom} = this.view.lineBlockAt(doc.line(line).from);
    const inside = top >= box.scrollTop && bottom <= box.scrollTop + box.clientHeight;
    if (!inside) box.scrollTop = (top + bottom - box.clientHeight) / 2;
  }

  complete(/** @type {import("../codemirror.js").CompletionContext} */ context) {
    const word = context.matchBefore(/[.@]?[\w./]*/);
    if (!word || word.from === word.to && !context.explicit) return null;
    const line = context.state.doc.lineAt(context.pos).text;
    const inInclude = /^\s*\.include\s+"/.test(line);
    const at = word.text.startsWith("@") ? "@" : "";
    const words = at ? [] : this.words.filter(w => inInclude === (w.type === "text"));
    const labels = inInclude ? []
      : page.run.labels.map(l => ({label: at + l, type: "function", detail: "label"}));
    return {from: word.from, options: [...words, ...labels], validFor: /^[.@]?[\w./]*$/};
  }

  /** explain is the help at a word of the language. @param {EditorView} view @param {number} pos */
  explain(view, pos) {
    const {text, from} = view.state.doc.lineAt(pos), words = [...text.matchAll(/\.?[A-Za-z]\w*/g)];
    const m = words.findLast(({index}) => from + index <= pos), start = from + m?.index;
    const w = this.words.find(x => x.label === m?.[0]), end = start + w?.label.length;
    if (!w?.info || pos > end) return null;
    const name = el("b", {}, `${w.label} ${w.detail ?? ""}`);
    const create = () => ({dom: el("div", {className: "cm-doc"}, name, ` ${w.info}`)});
    return {pos: start, end, above: true, create};
  }
}
