//go:build js && wasm

// Command wasm is package compiler as a WebAssembly module: it gives the worker that
// started it a function emsimCompile(json), which returns JSON.
package main

import (
	"syscall/js"

	"emsim/play/engine/compiler"
)

func main() {
	js.Global().Set("emsimCompile", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(compiler.Answer([]byte(args[0].String())))
	}))
	js.Global().Call("emsimCompilerReady")
	select {}
}
