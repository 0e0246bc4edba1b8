package memlimit

import "math"

// BytesLeft returns math.MaxUint64, which means no limit, because a web page cannot query one.
func BytesLeft() (bytes uint64, of string) { return math.MaxUint64, "" }

// Watch does nothing.
func Watch(func(why string)) (stop func()) { return func() {} }
