// What the page uses of CodeMirror 6.
export {autocompletion, completionKeymap} from "@codemirror/autocomplete"
export {defaultKeymap, history, historyKeymap} from "@codemirror/commands"
export {HighlightStyle, StreamLanguage, syntaxHighlighting, bracketMatching} from "@codemirror/language"
export {lintGutter, setDiagnostics, lintKeymap} from "@codemirror/lint"
export {search, searchKeymap, highlightSelectionMatches} from "@codemirror/search"
export {EditorState, StateEffect, StateField} from "@codemirror/state"
export {EditorView, Decoration, GutterMarker, WidgetType, gutter, keymap, lineNumbers, highlightActiveLineGutter, drawSelection, hoverTooltip} from "@codemirror/view"
export {tags} from "@lezer/highlight"
