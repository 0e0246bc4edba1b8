// Package memlimit knows how much memory a machine needs and how much there is, so that
// no run begins that cannot fit. Go does not survive a refusal of the system.
//
//	memlimit.go what a machine needs, and the error
//	left.go     what the process may still take
//	watch.go    what grows beyond its estimate
//	none_js.go  neither, in a page
package memlimit

import (
	"fmt"
	"runtime"
	"runtime/metrics"

	"emsim/internal/base/simerr"
)

// What a machine takes by estimate [measured: docs/PERFORMANCE.md]: an EM-4 has 4.2
// KiB for a PE once its init block has run, and more wherever packets and operands
// pile up. The network with synthetic traffic has less.
const (
	processBytes = 24 << 20
	peBytes      = 4352
	trafficBytes = 768

	// Small is a machine of another kind.
	Small = 64 << 20
)

// EM4Bytes returns what an EM-4 of pes PEs takes by estimate, in bytes.
func EM4Bytes(pes int) uint64 { return processBytes + uint64(pes)*peBytes }

// Traffic returns what the network alone takes under traffic that it can carry.
func Traffic(pes int) uint64 { return processBytes + uint64(pes)*trafficBytes }

// Check refuses what needs more bytes than there are. The error is a *simerr.Limit
// of kind "memory".
func Check(what string, bytes uint64) error { return check(what, bytes, BytesLeft) }

func check(what string, bytes uint64, bytesLeft func() (uint64, string)) error {
	left, of := bytesLeft()
	if bytes > left {
		runtime.GC() // some of it may belong to machines that have ended
		left, of = bytesLeft()
	}
	if bytes <= left {
		return nil
	}
	return &simerr.Limit{
		Name: "memory", Keys: simerr.Keys{"needs": bytes, "available": left, "of": of},
		Err: fmt.Errorf("%s needs %s of memory, %s are available (%s)", what, sizeText(bytes), sizeText(left), of),
	}
}

// sizeText prints a number of bytes.
func sizeText(bytes uint64) string {
	if bytes >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

// HeapBytes returns what the process's data take now, some of which may be garbage.
func HeapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
