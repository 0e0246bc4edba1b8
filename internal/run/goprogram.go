//go:build !js

package run

import (
	"io/fs"

	"emsim/asm"
	"emsim/internal/compile"
	"emsim/internal/input"
	"emsim/internal/simerr"
	"emsim/programs"
)

// goText is what a Go program's file may be.
var goText = input.Want{What: "a Go program", Kinds: []input.Kind{}, Most: 1 << 20, Why: "a hundred times what a PE's memory holds"}

// CompileGo translates a Go program into assembly text.
func CompileGo(name string, opt compile.Options) (string, error) {
	src, err := goText.Read(name)
	if err != nil {
		return "", simerr.Usagef("cannot read the program: %w", err)
	}
	return compile.Compile(name, src, opt)
}

// loadGo compiles and assembles a Go program.
func loadGo(name string, params map[string]string) (*asm.Object, error) {
	text, err := CompileGo(name, compile.Options{})
	if err != nil {
		return nil, err
	}
	return AssembleGo(name, text, params)
}

// AssembleGo assembles what the compiler made of a Go program.
func AssembleGo(name, text string, params map[string]string) (*asm.Object, error) {
	made := name + ".s"
	o, _, err := asm.Assemble(made, asm.Options{
		Params: params, Library: programs.Library(),
		Open: func(path string) ([]byte, error) {
			if path != made {
				return nil, fs.ErrNotExist
			}
			return []byte(text), nil
		},
	})
	return o, err
}
