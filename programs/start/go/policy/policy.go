// Package policy chooses the PE of every call of a program; each PE of the EM-4 has its own copy.
// Call 1 goes to the end of the link out of the group, call 2 to the next PE of the group, and
// every eighth call stays if its PE has nothing to do. 'emsim docs POLICY' describes policies.
//
//	emsim run fib 20 --policy PROGRAM.go    with any program, in assembly or in Go
package policy

import "emsim/df"

var (
	out, in, own df.Place // words of every PE, 0 before the start
	calls        int32
)

// setup runs on every PE before the start; its clocks do not count.
func setup(pe df.PE) {
	k, group, column := pe.K(), pe.Group(), pe.Column() // of 1<<k groups of k+1 PEs
	next := (column + 1) % (k + 1)
	bit := int32(1) << (k - column)
	out = pe.At((group^bit^bit>>1)&(1<<k-1), next)
	in = pe.At(group, next)
	own = pe.At(group, column)
}

// choose says where call n goes, 1 or 2. Its clocks are the caller's.
func choose(pe df.PE, n int32) df.Place {
	c := calls + 1
	calls = c
	if c&7 == 0 && pe.Load() == 0 { // 0, nothing to do, to 15
		return own
	}
	if n == 1 {
		return out
	}
	return in
}
