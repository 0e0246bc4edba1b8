package main

import (
	"fmt"
	"strings"
)

// detect tells emsim's assembly from others, which also live in files called *.s.
const detect = `au BufRead,BufNewFile *.s if match(getline(1, 500), '\v^\s*\.%(template|arg|start|init|param)>') >= 0 | set filetype=emsim | endif
`

// vimFolder is a folder for Vim's runtimepath. Of two matches that begin at the
// same place the later one counts there.
func vimFolder() map[string]string {
	var b strings.Builder
	fmt.Fprintf(&b, `" %s
" Language: assembly of emsim

if exists("b:current_syntax")
  finish
endif
syn case match

syn match emsimOperator    /[-+*\/%%&|^~!<>=@.]/
syn match emsimNumber      /\v<%%(0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9][0-9_]*%%(\.[0-9]+)?%%([eE][-+]?[0-9]+)?)>/
syn match emsimName        /\v\.?<\h\w*%%(\.\w+)*/
syn match emsimInstruction /\v\.@<!<%%(%s)>%%(\.)@!\!?/
syn match emsimRegister    /\v\.@<!<%%(r%%(1[0-5]|[0-9])|fp)>%%(\.)@!/
syn match emsimInstruction /\v<%%(%s)\.%%([%s]>|\\\h\w*%%(\\\(\))?)\!?/
syn match emsimNode        /\v\@\s*%%(\.?\h|\\\w)%%([[:alnum:]_.@]|\\%%(\@|\(\)|\w+))*/
syn match emsimParameter   /\v\\%%(\@|\(\)|\h\w*)/
syn match emsimDirective   /\v\.%%(%s)>/
syn match emsimLabel       /\v%%(\.?<\h|\\\w)%%([[:alnum:]_.@]|\\%%(\@|\(\)|\w+))*\s*:/
syn region emsimCharacter  start=/'/ skip=/\\./ end=/'\|$/ oneline
syn region emsimString     start=/"/ skip=/\\./ end=/"\|$/ oneline
syn match emsimComment     /\v%%(;|\/\/).*/ contains=@Spell

hi def link emsimOperator    Operator
hi def link emsimNumber      Number
hi def link emsimInstruction Statement
hi def link emsimRegister    Identifier
hi def link emsimNode        Function
hi def link emsimParameter   Special
hi def link emsimDirective   PreProc
hi def link emsimLabel       Label
hi def link emsimCharacter   Character
hi def link emsimString      String
hi def link emsimComment     Comment

let b:current_syntax = "emsim"
`, generated, words(mnemonics(false)), words(mnemonics(true)), suffixes(), words(directives()))
	return map[string]string{
		"vim/syntax/emsim.vim":   b.String(),
		"vim/ftdetect/emsim.vim": "\" " + generated + "\n" + detect,
		"vim/ftplugin/emsim.vim": "\" " + generated + "\nsetlocal commentstring=;\\ %s comments=:;\nlet b:undo_ftplugin = \"setlocal commentstring< comments<\"\n",
	}
}
