//go:build js && wasm

// Command wasm is package engine as a WebAssembly module. It gives the worker that started it a function
// emsimCall(name, json, side), which returns a promise of a JSON reply of one of two sessions, and emsimCancel(), which
// ends the current call.
//
// A worker has one thread. To receive messages during a long call, the engine yields regularly: it waits for a message
// that the worker sends to itself, and reports its progress to the page.
package main

import (
	"context"
	"encoding/json"
	"syscall/js"

	"emsim/internal/play/engine"
)

func main() {
	sessions := engine.NewPair()
	var cancel context.CancelFunc
	for side, s := range sessions {
		s.Yield = func() {
			if f := s.Frame(); f != nil {
				text, _ := json.Marshal(f)
				js.Global().Call("emsimProgress", string(text), side)
			}
			done := make(chan struct{})
			resume := js.FuncOf(func(js.Value, []js.Value) any { close(done); return nil })
			js.Global().Call("emsimYield", resume)
			<-done
			resume.Release()
		}
	}
	js.Global().Set("emsimCall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		name, text, s := args[0].String(), args[1].String(), sessions[args[2].Int()]
		var ctx context.Context
		ctx, cancel = context.WithCancel(context.Background())
		return promise(func() string { defer cancel(); return string(s.Call(ctx, name, []byte(text))) })
	}))
	js.Global().Set("emsimCancel", js.FuncOf(func(js.Value, []js.Value) any {
		if cancel != nil {
			cancel()
		}
		return nil
	}))
	js.Global().Call("emsimReady")
	select {}
}

// promise returns a JavaScript promise, and does the work concurrently with the event loop.
func promise(work func() string) js.Value {
	var start js.Func
	start = js.FuncOf(func(_ js.Value, args []js.Value) any {
		resolve := args[0]
		go func() {
			resolve.Invoke(work())
			start.Release()
		}()
		return nil
	})
	return js.Global().Get("Promise").New(start)
}
