package main

import (
	"slices"
	"strings"

	"emsim/asm"
	"emsim/isa"
)

// rule describes a piece of a line. At any place, the first rule that matches applies. The expressions mean the same
// in Go, JavaScript and the Oniguruma of TextMate grammars.
type rule struct {
	class   string // the kind of piece
	pattern string
	scope   string // its name in TextMate
	style   string // its name in CodeMirror: a tag of @lezer/highlight
}

// part matches what may follow the first letter of a name, including a macro's parameters.
const part = `(?:[\w.@]|\\(?:@|\(\)|\w+))*`

// rules returns the rules that split a line into pieces; a character that no rule matches is a piece of its own.
func rules() []rule {
	return []rule{
		{"comment", `(?:;|//).*`, "comment.line", "lineComment"},
		{"string", `"(?:[^"\\]|\\.)*"?`, "string.quoted.double", "string"},
		{"character", `'(?:[^'\\]|\\.)*'?`, "constant.character", "character"},
		{"label", `(?:\.?[A-Za-z_]|\\\w)` + part + `\s*:`, "entity.name.function", "labelName"},
		{"directive", `\.(?:` + alternatives(directives()) + `)\b`, "keyword.control.directive", "definitionKeyword"},
		{"parameter", `\\(?:@|\(\)|[A-Za-z_]\w*)`, "variable.parameter", "variableName.special"},
		{"node", `@\s*(?:\.?[A-Za-z_]|\\\w)` + part, "variable.other.node", "labelName"},
		{
			"instruction", `\b(?:` + alternatives(mnemonics(true)) + `)\.(?:[` + suffixes() +
				`]\b|\\[A-Za-z_]\w*(?:\\\(\))?)!?`,
			"keyword.mnemonic", "keyword",
		},
		{"register", `\b(?:r(?:1[0-5]|[0-9])|fp)\b`, "variable.language.register", "variableName.standard"},
		{"name", `\b[A-Za-z_]\w*(?:\.\w+)+`, "variable.other", "variableName"},
		{"instruction", `\b(?:` + alternatives(mnemonics(false)) + `)\b!?`, "keyword.mnemonic", "keyword"},
		{"name", `\.?[A-Za-z_]\w*`, "variable.other", "variableName"},
		{
			"number",
			`\b(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9][0-9_]*(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)\b`,
			"constant.numeric", "number",
		},
		{"operator", `<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>=@.]`, "keyword.operator", "operator"},
	}
}

// alternatives returns a list of words as a regular expression. A longer word comes before its prefixes.
func alternatives(list []string) string {
	list = slices.Clone(list)
	slices.Sort(list)
	slices.Reverse(list)
	return strings.Join(list, "|")
}

// directives returns the names of the directives without their dots.
func directives() []string {
	list := asm.Directives()
	for i := range list {
		list[i] = list[i][1:]
	}
	return list
}

// mnemonics returns the names of all instructions and aliases, or only of the instructions
// that take suffixes.
func mnemonics(suffixed bool) []string {
	var list []string
	for op := range isa.Table {
		if !suffixed || isa.FormsOf(isa.Op(op)) > 1 {
			list = append(list, isa.Table[op].Name)
		}
	}
	for i := range isa.Aliases {
		if !suffixed {
			list = append(list, isa.Aliases[i].Name)
		}
	}
	return list
}

// suffixes returns the letters of the suffixes.
func suffixes() string {
	return strings.ReplaceAll(strings.Join(isa.Suffixes[:], ""), ".", "")
}
