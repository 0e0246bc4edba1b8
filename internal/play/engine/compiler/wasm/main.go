//go:build js && wasm

// Command wasm is package compiler as a WebAssembly module. It gives the worker that started it the functions
// emsimCompile(json) and emsimDraw(json), which return JSON.
package main

import (
	"syscall/js"

	"emsim/internal/play/engine/compiler"
)

func main() {
	for name, f := range map[string]func([]byte) []byte{"emsimCompile": compiler.Answer, "emsimDraw": compiler.Draw} {
		js.Global().Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			return string(f([]byte(args[0].String())))
		}))
	}
	js.Global().Call("emsimCompilerReady")
	select {}
}
