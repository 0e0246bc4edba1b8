//go:build !js

package memlimit

import (
	"math"
	"os"
	"runtime"
	"time"
)

// often is how often Watch looks [chosen: what a computer can fill until then is
// less than spare].
const often = 20 * time.Millisecond

// Watch calls end, once, when nothing is left of the limits of the process: what runs
// is to stop with what it has so far, before Go is refused memory. Without such a
// limit, as usual, it does nothing. The function that it returns ends it.
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
