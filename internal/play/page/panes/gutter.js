// How the editor looks, and stops at lines of the program: a click on the gutter sets one or takes
// it away, a click on its words gives it a condition. The line says how many PEs have come to it,
// and the value of the condition's variable on the chosen one.
import {
  Decoration, EditorView, gutter, GutterMarker, HighlightStyle, RangeSet, syntaxHighlighting, tags,
  WidgetType,
} from "../codemirror.js";
import {page} from "../state/page.js";
import {el} from "../util.js";

const form = /^(\S+):(\d+)(?: if (.*))?$/; // of the debugger's text, as in fib.go:15 if n == 4

/** command sets a stop. @param {KeptStop} s */
const command = ({file, line, condition}) =>
  `break ${file}:${line}${condition ? ` if ${condition}` : ""}`;

export class Stops {
  /** @returns {Stop[]} */
  get list() { return page.run.stops; }

  /** told takes what the debugger says of its stops. @param {Emsim.Moved} x */
  told({stops: list, hits}) {
    if (!list) return;
    const before = this.list.map(command).join();
    page.run.stops = list.flatMap(({number, text}) => {
      const [, file, line, condition = ""] = form.exec(text) ?? [];
      const pes = hits.filter(h => h.startsWith(`stop ${number}: `))
        .map(h => page.run.machine.number(h.match(/\[\d+,\d+\]/)[0]));
      return file ? [{number, file, line: Number(line), condition, pes, value: ""}] : [];
    });
    if (this.list.map(command).join() !== before) page.keep.changed();
    this.draw();
  }

  /** leave leaves a run: the stops, too, if another program comes. @param {boolean} all */
  leave(all) {
    if (all) page.run.stops = [];
    for (const s of this.list) Object.assign(s, {pes: [], value: ""});
  }

  /** look takes the variables of the chosen PE. @param {Emsim.DebugWord[]} locals */
  look(locals) {
    for (const s of this.list) {
      const v = locals.find(w => new RegExp(`\\b${w.name}\\b`).test(s.condition));
      s.value = v && s.pes.length > 0 ? `${v.name} = ${v.text}` : "";
    }
    this.draw();
  }

  draw() { page.editor.view.dispatch({}); }

  /** follow lets the stops of the open file go with their text, which has changed.
   * @param {Doc} before @param {import("../codemirror.js").ChangeDesc} changes */
  follow(before, changes) {
    const {open: file, view: {state: {doc}}} = page.editor;
    for (const s of this.list) if (s.file === file && s.line <= before.lines) {
      s.line = doc.lineAt(changes.mapPos(before.line(s.line).from, 1)).number;
    }
    this.draw();
  }

  /** toggle sets a stop at a line of the open file, or takes it away. @param {number} line */
  toggle(line) {
    const {open: file} = page.editor;
    const s = this.list.find(one => one.file === file && one.line === line);
    return page.motion.once(s ? `delete ${s.number}` : command({file, line, condition: ""}));
  }

  /** change gives a stop another condition. @param {Stop} s @param {string} condition */
  async change(s, condition) {
    await page.motion.once(`delete ${s.number}`);
    await page.motion.once(command({...s, condition}));
  }

  /** restore sets stops that there were. @param {KeptStop[]} list */
  async restore(list) {
    /** @type {Emsim.Moved} */
    let last;
    for (const s of list) last = await page.ask("do", command(s)) ?? last;
    if (last) this.told(last);
  }
}

class Dot extends GutterMarker {
  toDOM() { return el("span", {className: "cm-dot"}, "●"); }
}
const dot = new Dot();

// Note is what stands at the end of a line with a stop.
class Note extends WidgetType {
  constructor(/** @type {Stop} */ stop) {
    super();
    this.stop = stop;
    this.key = JSON.stringify(stop);
  }

  eq(/** @type {Note} */ other) { return other.key === this.key; }

  toDOM() {
    const s = this.stop, words = `stop at line ${s.line}${s.condition ? ` if ${s.condition}` : ""}`;
    const here = s.pes.length > 0 && ` ${s.pes.length} PE${s.pes.length > 1 ? "s" : ""} here`;
    const place = el("span", {className: "cm-note"}), input = el("input", {
      value: s.condition, placeholder: "n == 4", size: 16, "aria-label": "condition of the stop",
    });
    const ask = () => {
      place.replaceChildren("stops if ", input);
      input.focus();
    };
    input.onkeydown = e => {
      e.stopPropagation();
      if (e.key === "Enter") page.stops.change(s, input.value.trim());
      if (e.key === "Escape") { page.stops.draw(); page.editor.view.focus(); }
    };
    place.append(el("button", {onclick: ask, title: "change the condition"}, words),
      el("b", {}, here), s.value && el("i", {}, ` ${s.value}`),
      el("button", {onclick: () => page.stops.toggle(s.line), "aria-label": "no stop here"}, "×"));
    return place;
  }

  ignoreEvent() { return true; }
}

/** stops shows those of a file in the editor. @param {string} file */
export function stops(file) {
  /** @param {Doc} doc */
  const there = doc => page.run.stops.filter(s => s.file === file && s.line <= doc.lines);
  return [
    EditorView.decorations.of(({state: {doc}}) => Decoration.set(there(doc).flatMap(s => {
      const {from, to} = doc.line(s.line), note = Decoration.widget({widget: new Note(s), side: 1});
      return [Decoration.line({class: "cm-stop"}).range(from), note.range(to)];
    }), true)),
    gutter({
      class: "cm-stops",
      markers: ({state: {doc}}) =>
        RangeSet.of(there(doc).map(s => dot.range(doc.line(s.line).from)), true),
      initialSpacer: () => dot,
      domEventHandlers: {mousedown(view, {from}) {
        page.stops.toggle(view.state.doc.lineAt(from).number);
        return true;
      }},
    }),
  ];
}

const colours = HighlightStyle.define([
  {tag: tags.comment, color: "var(--faint)", fontStyle: "italic"},
  {tag: tags.keyword, color: "var(--runs)", fontWeight: "600"},
  {tag: tags.definitionKeyword, color: "var(--directive)"},
  {tag: tags.labelName, color: "var(--rust)"},
  {tag: tags.string, color: "var(--run-b)"},
  {tag: tags.number, color: "var(--run-b)"},
  {tag: [tags.atom, tags.standard(tags.variableName)], color: "var(--code)"},
  {tag: tags.special(tags.variableName), color: "var(--directive)"},
]);

// theme is how the editor looks.
export const theme = [syntaxHighlighting(colours), EditorView.theme({
  "&": {height: "100%", fontSize: "14px", backgroundColor: "var(--paper)", color: "var(--ink)"},
  ".cm-scroller": {fontFamily: "var(--mono)", lineHeight: "1.45"},
  ".cm-gutters": {backgroundColor: "var(--paper)", color: "var(--faint)", border: "none"},
  ".cm-activeLineGutter": {backgroundColor: "var(--cream)"},
  ".cm-here": {backgroundColor: "var(--here-pale)", boxShadow: "inset 3px 0 var(--here)"},
  ".cm-stops": {width: "1.4em", cursor: "pointer", color: "var(--here)"},
  ".cm-stops .cm-gutterElement": {textAlign: "center"},
  ".cm-stops .cm-gutterElement:hover": {boxShadow: "inset 0 0 0 2px var(--here-pale)"},
  ".cm-stop": {backgroundColor: "var(--here-pale)"},
  ".cm-note": {display: "block", font: "13px var(--font)", color: "var(--here)"},
  ".cm-note + br": {display: "none"},
  ".cm-note button, .cm-note input": {
    font: "inherit", color: "inherit", background: "var(--paper)", cursor: "pointer",
    border: "1px solid var(--here)", borderRadius: "6px", margin: "0 .3em"},
  ".cm-cursor": {borderLeftColor: "var(--ink)"},
  "&.cm-focused": {outline: "2px solid var(--rust)", outlineOffset: "-2px"},
  ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": {
    backgroundColor: "var(--select) !important"},
  ".cm-tooltip": {
    backgroundColor: "var(--paper)", color: "var(--ink)", border: "1px solid var(--line)"},
  ".cm-tooltip-autocomplete ul li[aria-selected]": {
    backgroundColor: "var(--runs)", color: "var(--on-runs)"},
  ".cm-panels": {backgroundColor: "var(--pale)", color: "var(--ink)"},
  ".cm-doc": {padding: "4px 8px", maxWidth: "32em"},
})];
