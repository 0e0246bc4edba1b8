// Package asm assembles programs for the modelled EMC-R, and disassembles
// them.
//
//	file.s --lex--> tokens --parse--> statements --pass 2--> words --check--> Object
//	         ^        |
//	         +--------+ include, macros, .if
//
//	asm.go        Assemble: the two passes
//	source.go     lines, conditionals
//	include.go    included files: where they are searched for
//	macro.go      macros
//	lex.go        tokens: state functions, words with macro parameters
//	lexword.go    numbers, characters, strings, names
//	parse.go      statements and labels
//	expr.go       expressions
//	symbols.go    names and their values
//	directive.go  directives
//	param.go      .param, .arg, .init, .start, .result
//	encode.go     instructions, driven by isa.Table
//	check.go      blocks whose execution leaves their code
//	errors.go     errors with their places
//	line.go       .line: places in the program from which a compiler made the text
//	chain.go      how an erroneous line got into the program
//	suggest.go    misspelt names, and other parts of messages
//	listing.go    the listing
//	object.go     Object, the assembled program
//	validate.go   the rules that every object obeys
//	objfile.go    the object file: writing and reading it
//	load.go       Load: a program from assembly text or an object file
//	dis.go        Disassemble, and the text of single instructions
//
// editors/ writes the syntax files of docs/syntax: go generate ./asm
//
// docs/ASSEMBLY.md describes the language, docs/FORMATS.md the object file. We
// chose everything here; the papers show no assembly text.
package asm

//go:generate go run ./editors ../docs/syntax
