// Mistakes in the page's JavaScript that its types do not show.
import js from "@eslint/js"
import globals from "globals"

export default [
  js.configs.recommended,
  {
    languageOptions: {ecmaVersion: 2024, sourceType: "module", globals: globals.browser},
    linterOptions: {reportUnusedDisableDirectives: "error"},
    rules: {
      "no-shadow": ["error", {builtinGlobals: false, hoist: "all"}], "no-unused-vars": ["error", {args: "all", argsIgnorePattern: "^_"}],
      "no-unused-expressions": "error", "no-var": "error", "prefer-const": "error", eqeqeq: "error", "consistent-return": "off",
      "no-implicit-globals": "error", "no-unmodified-loop-condition": "error",
    },
  },
  {files: ["**/fault.js", "**/worker.js"], languageOptions: {sourceType: "script"}},
  {
    files: ["**/worker.js"],
    languageOptions: {globals: {...globals.worker, Go: "readonly", emsimCall: "readonly", emsimCancel: "readonly"}},
    rules: {"no-implicit-globals": "off", "no-restricted-globals": ["error", "document", "window"]},
  },
]
