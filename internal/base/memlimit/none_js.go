package memlimit

import "math"

// BytesLeft knows of no bound: a page has none that it can ask for.
func BytesLeft() (bytes uint64, of string) { return math.MaxUint64, "" }

// Watch watches nothing.
func Watch(func(why string)) (stop func()) { return func() {} }
