// Package memlimit estimates the memory that a machine needs and measures how much is left, so that no run begins that
// cannot fit. A Go program does not survive a refused allocation.
//
//	memlimit.go estimates for machines, and the error
//	left.go     the memory that the process may still allocate
//	watch.go    stopping a run that outgrows its estimate
//	none_js.go  neither, in a web page
package memlimit

import (
	"fmt"
	"runtime"
	"runtime/metrics"

	"emsim/internal/base/simerr"
)

// Estimated sizes of machines [measured: docs/PERFORMANCE.md]. An EM-4 has 4.2 KiB per PE after its init block has run,
// and more if packets and operands accumulate. The network with synthetic traffic needs less.
const (
	processBytes = 24 << 20
	peBytes      = 4352
	trafficBytes = 768

	// Small is the estimate for a machine of any other kind.
	Small = 64 << 20
)

// EM4Bytes returns the estimated size in bytes of an EM-4 with the given number of PEs.
func EM4Bytes(pes int) uint64 { return processBytes + uint64(pes)*peBytes }

// Traffic returns the estimated size in bytes of the network alone, under traffic that it can carry.
func Traffic(pes int) uint64 { return processBytes + uint64(pes)*trafficBytes }

// Check returns an error if fewer bytes are left than needed: a *simerr.Limit of kind "memory".
func Check(what string, bytes uint64) error { return check(what, bytes, BytesLeft) }

func check(what string, bytes uint64, bytesLeft func() (uint64, string)) error {
	left, of := bytesLeft()
	if bytes > left {
		runtime.GC() // some memory may belong to machines that have ended
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

// sizeText returns a number of bytes as text, in GiB or MiB.
func sizeText(bytes uint64) string {
	if bytes >= 1<<30 {
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	}
	return fmt.Sprintf("%d MiB", bytes>>20)
}

// HeapBytes returns the bytes of all objects on the heap, including garbage not yet freed.
func HeapBytes() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
