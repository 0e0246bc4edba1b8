// What the page uses of CodeMirror 6.
export {autocompletion, completionKeymap, acceptCompletion, startCompletion} from "@codemirror/autocomplete"
export {defaultKeymap, history, historyKeymap, indentWithTab, toggleComment} from "@codemirror/commands"
export {HighlightStyle, StreamLanguage, syntaxHighlighting, bracketMatching} from "@codemirror/language"
export {lintGutter, setDiagnostics, lintKeymap, nextDiagnostic} from "@codemirror/lint"
export {search, searchKeymap, highlightSelectionMatches} from "@codemirror/search"
export {EditorState, Compartment, StateEffect, StateField, Annotation} from "@codemirror/state"
export {EditorView, Decoration, keymap, lineNumbers, highlightActiveLineGutter, drawSelection, hoverTooltip, placeholder} from "@codemirror/view"
export {tags} from "@lezer/highlight"
