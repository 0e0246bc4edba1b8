//go:build !js

package memlimit

import (
	"math"
	"os"
	"runtime"
	"time"
)

// often is how often Watch checks [chosen: in this time a computer fills less memory than spare].
const often = 20 * time.Millisecond

// Watch calls end, once, when the limits of the process leave nothing. The run should then stop with the results so
// far, before the system refuses memory to Go. Usually there is no such limit, and Watch does nothing. The returned
// function stops the watch.
func Watch(end func(why string)) (stop func()) {
	root := os.DirFS("/")
	return watch(end, func() uint64 { return process(root, idleBytes()) }, often)
}

func watch(end func(why string), left func() uint64, often time.Duration) (stop func()) {
	if left() == math.MaxUint64 {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(often):
			}
			if left() > 0 {
				continue
			}
			runtime.GC()
			if left() == 0 {
				end("lack of memory (limit of the process)")
				return
			}
		}
	}()
	return func() { close(done) }
}
