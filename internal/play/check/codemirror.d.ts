// The bundle has what its source exports; and some types of it.
export * from "../codemirror/index.js";
export type {CompletionContext} from "@codemirror/autocomplete";
export type {StreamParser} from "@codemirror/language";
export type {StateEffectType} from "@codemirror/state";
export type {DecorationSet} from "@codemirror/view";
