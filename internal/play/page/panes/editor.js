// The editor: tabs of files, highlighting and completion from the instruction
// table, errors where they are, the line that the opened PE executes.
import {
  autocompletion, bracketMatching, completionKeymap, Decoration, defaultKeymap, drawSelection, EditorState, EditorView, highlightActiveLineGutter,
  highlightSelectionMatches, HighlightStyle, history, historyKeymap, hoverTooltip, keymap, lineNumbers, lintGutter, lintKeymap, search, searchKeymap,
  setDiagnostics, StateEffect, StateField, StreamLanguage, syntaxHighlighting, tags,
} from "../codemirror.js";
import {emsim} from "../emsim.js";
import {go} from "./golang.js";
import {el} from "../util.js";

/** @type {import("../codemirror.js").StateEffectType<number>} */
const mark = StateEffect.define();
/** @type {import("../codemirror.js").StateField<import("../codemirror.js").DecorationSet>} */
const marked = StateField.define({
  create: () => Decoration.none,
  update(old, tr) {
    for (const e of tr.effects) if (e.is(mark)) {
      const line = e.value && e.value <= tr.state.doc.lines ? tr.state.doc.line(e.value) : null;
      return line ? Decoration.set([Decoration.line({class: "cm-here"}).range(line.from)]) : Decoration.none;
    }
    return old.map(tr.changes);
  },
  provide: f => EditorView.decorations.from(f),
});

// The lines at the head of a text in assembly that only keep Go from taking the file for
// its own: they are there, as lines and columns are the file's, but not seen.
const forGo = /^\/\/go:build ignore\n(?:\/\/.*\n)*\n/;
/** @param {EditorState["doc"]} doc */
const headForGo = doc => forGo.exec(doc.sliceString(0, 500))?.[0].length ?? 0;
/** @param {EditorState["doc"]} doc */
const unseen = doc => {
  const end = headForGo(doc);
  return end ? Decoration.set([Decoration.replace({block: true}).range(0, end - 1)]) : Decoration.none;
};
/** @type {import("../codemirror.js").StateField<import("../codemirror.js").DecorationSet>} */
const hidden = StateField.define({
  create: state => unseen(state.doc),
  update: (old, tr) => (tr.docChanged ? unseen(tr.newDoc) : old),
  provide: f => [
    EditorView.decorations.from(f), EditorView.atomicRanges.of(view => view.state.field(f)),
    EditorState.transactionFilter.of(tr => { // the cursor stays where it is seen
      const at = tr.selection?.main, end = at?.empty ? headForGo(tr.newDoc) : 0;
      return end > at?.head ? [tr, {selection: {anchor: end}, sequential: true}] : tr;
    }),
  ],
});

const colours = HighlightStyle.define([
  {tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic"},
  {tag: tags.keyword, color: "var(--code-word)", fontWeight: "600"},
  {tag: tags.definitionKeyword, color: "var(--code-directive)"},
  {tag: tags.labelName, color: "var(--code-label)"},
  {tag: tags.string, color: "var(--code-number)"},
  {tag: tags.number, color: "var(--code-number)"},
  {tag: tags.standard(tags.variableName), color: "var(--code-register)"},
  {tag: tags.special(tags.variableName), color: "var(--code-directive)"},
]);

const theme = EditorView.theme({
  "&": {height: "100%", fontSize: "13px", backgroundColor: "var(--paper)", color: "var(--ink)"},
  ".cm-scroller": {fontFamily: "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace", lineHeight: "1.45"},
  ".cm-gutters": {backgroundColor: "var(--pale)", color: "var(--faint)", border: "none"},
  ".cm-activeLineGutter": {backgroundColor: "var(--cream)"},
  ".cm-here": {backgroundColor: "var(--here-pale)", boxShadow: "inset 3px 0 var(--here)"},
  ".cm-cursor": {borderLeftColor: "var(--ink)"},
  "&.cm-focused": {outline: "2px solid var(--rust)", outlineOffset: "-2px"},
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": {backgroundColor: "var(--select) !important"},
  ".cm-tooltip": {backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)"},
  ".cm-tooltip-autocomplete ul li[aria-selected]": {backgroundColor: "var(--runs)", color: "var(--on-runs)"},
  ".cm-panels": {backgroundColor: "var(--pale)", color: "var(--ink)"},
  ".cm-doc": {padding: "4px 8px", maxWidth: "32em"},
});

/**
 * A file: its text now, when it was loaded and as emsim has it, and whether a link must
 * hold it.
 * @typedef {Emsim.File & {loaded: string, original: string, mine: boolean, state: EditorState}} File
 */

export class Editor {
  /** @type {Map<string, File>} */ files = new Map();
  /** @type {string} */ open = null;
  /** @type {(Emsim.Word & {shown: string})[]} */ words = [];
  /** @type {string[]} */ labels = [];
  loading = false;

  /**
   * changed is told that the program's text is another one, moved in which line of which
   * file the cursor is.
   * @param {HTMLElement} place
   * @param {HTMLElement} tabs
   * @param {() => void} changed
   * @param {(file: string, line: number) => void} moved
   */
  constructor(place, tabs, changed, moved) {
    this.tabs = tabs;
    this.changed = changed;
    this.moved = moved;
    // In a root of its own CodeMirror adds its style as a sheet that the content
    // security policy of the page allows.
    const root = place.attachShadow({mode: "open"}), holder = el("div", {className: "holder"});
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".holder { height: 100%; }");
    root.adoptedStyleSheets = [sheet];
    root.append(holder);
    this.view = new EditorView({parent: holder, root, state: this.state("", "")});
  }

  /** @param {string} name @param {string} text */
  state(name, text, made = false) {
    const inGo = name.endsWith(".go");
    return EditorState.create({doc: text, selection: {anchor: inGo ? 0 : (forGo.exec(text)?.[0].length ?? 0)}, extensions: [
      lineNumbers(), highlightActiveLineGutter(), history(), drawSelection(), bracketMatching(), search({top: true}), highlightSelectionMatches(),
      StreamLanguage.define(inGo ? go : emsim), syntaxHighlighting(colours), theme, marked, lintGutter(), EditorState.readOnly.of(made),
      ...(inGo ? [] : [hidden, autocompletion({override: [c => this.complete(c)]}), hoverTooltip((v, at) => this.explain(v, at))]),
      keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...lintKeymap, ...defaultKeymap.filter(k => k.key !== "Mod-Enter")]),
      EditorView.contentAttributes.of({"aria-label": "program text", tabindex: "0"}),
      EditorView.updateListener.of(u => {
        if (u.docChanged && !this.loading) this.edited();
        if (u.selectionSet || u.docChanged) this.tell();
      }),
    ]});
  }

  /** load replaces all files; of the same program the open one stays so. @param {Emsim.File[]} files */
  load(files) {
    const open = this.files.has(files[0].name) ? this.open : null;
    this.files = new Map(files.map(f => [f.name, this.file(f)]));
    this.open = null;
    this.drawTabs();
    this.show(this.files.has(open) ? open : files[0].name);
  }

  // stash gives the files away, to restore.
  stash() {
    this.keep();
    const {files, open, labels} = this;
    Object.assign(this, {files: new Map(), open: null});
    return {files, open, labels};
  }

  /** restore takes the files of a stash, or none. @param {ReturnType<Editor["stash"]>} was */
  restore(was) {
    if (!was) return;
    Object.assign(this, {files: was.files, labels: was.labels});
    this.show(was.open);
  }

  /** @param {Emsim.File} f @returns {File} */
  file(f) { return {...f, loaded: f.text, original: f.given ? null : f.text, mine: f.given, state: null}; }

  /** renew takes the files of an assembled program; texts in the editor stay, and so do
   * all files if the program has errors, as then it is not known what it includes.
   * @param {Emsim.File[]} files @param {boolean} wrong */
  renew(files, wrong) {
    this.keep();
    const old = this.files;
    this.files = new Map([...(wrong ? old : []), ...files.map(f => /** @type {const} */ ([f.name, old.get(f.name)?.text === f.text ? old.get(f.name) : this.file(f)]))]);
    if (!this.files.has(this.open)) { this.open = null; this.show(files[0].name); }
    this.drawTabs();
  }

  // changes are the texts that differ from emsim's own.
  changes() {
    this.keep();
    return Object.fromEntries([...this.files.values()].filter(f => f.mine).map(f => [f.name, f.text]));
  }

  keep() {
    const f = this.files.get(this.open);
    if (!f) return;
    f.state = this.view.state;
    f.text = f.state.doc.toString();
    f.mine = f.text !== f.original;
  }

  /** @param {string} name */
  show(name) {
    this.keep();
    const f = this.files.get(name);
    if (!f || name === this.open) return;
    this.loading = true;
    this.view.setState(f.state ?? this.state(f.name, f.text, f.made));
    this.loading = false;
    this.open = name;
    this.drawTabs();
    this.tell();
  }

  tell() {
    const {doc, selection} = this.view.state;
    this.moved(this.open, doc.lineAt(selection.main.head).number);
  }

  /** to puts the cursor into a line of a file. @param {string} file @param {number} line */
  to(file, line) {
    this.show(file);
    const {doc} = this.view.state;
    if (file !== this.open || line > doc.lines) return;
    const at = doc.line(line).from;
    this.view.dispatch({selection: {anchor: at}, effects: EditorView.scrollIntoView(at, {y: "center"})});
  }

  edited() {
    this.keep();
    this.drawTabs();
    this.changed();
  }

  drawTabs() {
    this.tabs.replaceChildren(...[...this.files.values()].map(f => el("button", {
      role: "tab", "aria-selected": f.name === this.open, "aria-controls": "editor", title: f.made ? "what the compiler made of the program; it cannot be changed" : f.own ? "" : "from emsim's library; a change is for this program only",
      onclick: () => { this.show(f.name); this.view.focus(); },
    }, f.name, f.text !== f.loaded ? el("span", {className: "dot", title: "changed"}, " •") : null)));
  }

  /** problems shows errors where they are, and goes to the first. @param {Emsim.Problem[]} list */
  problems(list) {
    if (list.length > 0) this.show(list[0].file);
    const doc = this.view.state.doc;
    const here = list.filter(p => p.file === this.open && p.line <= doc.lines).map(p => {
      const line = doc.line(p.line), from = Math.min(line.to, line.from + p.column - 1);
      return {from, to: Math.min(line.to, from + Math.max(1, p.width)), severity: /** @type {const} */ ("error"), message: p.message};
    });
    this.view.dispatch(setDiagnostics(this.view.state, here));
    if (here.length > 0) this.view.dispatch({selection: {anchor: here[0].from}, effects: EditorView.scrollIntoView(here[0].from, {y: "center"})});
  }

  /** here marks the line of a code place, and shows it if it is out of the editor's sight; the page stays.
   * @param {string} file @param {number} line */
  here(file, line) {
    if (file && this.files.has(file) && file !== this.open) this.show(file);
    const doc = this.view.state.doc, known = file === this.open && line >= 1 && line <= doc.lines;
    this.view.dispatch({effects: mark.of(known ? line : 0)});
    if (!known) return;
    const {scrollDOM: box} = this.view, {top, bottom} = this.view.lineBlockAt(doc.line(line).from);
    if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = (top + bottom - box.clientHeight) / 2;
  }

  /** @param {import("../codemirror.js").CompletionContext} context */
  complete(context) {
    const word = context.matchBefore(/[.@]?[\w./]*/);
    if (!word || word.from === word.to && !context.explicit) return null;
    const line = context.state.doc.lineAt(context.pos).text, inInclude = /^\s*\.include\s+"/.test(line);
    /** @type {Record<string, string>} */
    const types = {instruction: "keyword", directive: "type", register: "variable", special: "constant", file: "text"};
    const at = word.text.startsWith("@") ? "@" : "";
    const words = at ? [] : this.words.filter(w => inInclude === (w.kind === "file"))
      .map(w => ({label: w.name, type: types[w.kind], detail: w.shown, info: w.doc || undefined}));
    const labels = inInclude ? [] : this.labels.map(l => ({label: at + l, type: "function", detail: "label"}));
    return {from: word.from, options: [...words, ...labels], validFor: /^[.@]?[\w./]*$/};
  }

  /** explain is the help at a word of the language. @param {EditorView} view @param {number} pos */
  explain(view, pos) {
    const line = view.state.doc.lineAt(pos), text = line.text;
    for (const m of text.matchAll(/\.?[A-Za-z]\w*/g)) {
      const from = line.from + m.index, to = from + m[0].length;
      const w = pos >= from && pos <= to && this.words.find(x => x.name === m[0]);
      if (w && w.doc) return {pos: from, end: to, above: true, create: () => ({dom: el("div", {className: "cm-doc"}, el("b", {}, `${w.name} ${w.shown ?? ""}`), ` ${w.doc}`)})};
    }
    return null;
  }
}
