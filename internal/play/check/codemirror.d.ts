// The bundle has what its source exports; and some types of it.
export * from "../codemirror/index.js";
export type {CompletionContext} from "@codemirror/autocomplete";
export type {ChangeDesc} from "@codemirror/state";
export type {StreamParser} from "@codemirror/language";
