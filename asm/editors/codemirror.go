package main

import (
	"fmt"
	"strings"
)

// codeMirror returns a stream parser for CodeMirror 6.
func codeMirror() string {
	var b strings.Builder
	fmt.Fprintf(&b, `// %s
//
// emsim assembly for CodeMirror 6:
//
//   import {StreamLanguage} from "@codemirror/language"
//   import {emsim} from "./emsim.js"
//   extensions: [StreamLanguage.define(emsim)]

const rules = [
`, generated)
	for _, r := range rules() {
		fmt.Fprintf(&b, "  [%q, /%s/y],\n", r.style, strings.ReplaceAll(r.pattern, "/", `\/`))
	}
	b.WriteString(`]

export const emsim = {
  name: "emsim",
  token(stream) {
    if (stream.eatSpace()) return null
    for (const [style, pattern] of rules) {
      pattern.lastIndex = stream.pos
      const found = pattern.exec(stream.string)
      if (found) {
        stream.pos += found[0].length
        return style
      }
    }
    stream.next()
    return null
  },
  languageData: {commentTokens: {line: ";"}, wordChars: "."},
}
`)
	return b.String()
}
