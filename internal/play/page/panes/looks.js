// Colours and letters of the editor.
import {EditorView, HighlightStyle, syntaxHighlighting, tags} from "../codemirror.js";

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
