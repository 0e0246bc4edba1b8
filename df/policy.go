package df

import "math/bits"

// PE is what a policy knows about the processing element that makes a call. A policy is a
// file that emsim compiles into the calls of a program, with a function
//
//	func choose(pe df.PE, n int32) df.Place
//
// that returns the place of call n, 1 or 2; docs/POLICY.md has the rest. NewPE is for tests.
type PE struct{ facts *Facts }

// Facts are what a PE knows in a test; they may change between calls.
type Facts struct {
	K, Group, Column, Load int32  // see the methods
	Seed                   uint32 // the previous random word
	Sent                   []Packet
}

// Packet is a word that a policy has sent.
type Packet struct {
	To   Place
	Word int32
}

// Place is the address of a PE as a word. Its lowest 18 bits are 0, so a packet can carry
// a number in them.
type Place int32

// NewPE returns a PE with the given facts, for tests.
func NewPE(f *Facts) PE { return PE{f} }

// K returns the size of the machine, which has 1<<K groups of K+1 PEs. K is 4 on the prototype.
func (pe PE) K() int32 { return pe.facts.K }

// Group returns the number of the PE's group, from 0.
func (pe PE) Group() int32 { return pe.facts.Group }

// Column returns the PE's number in the group, from 0.
func (pe PE) Column() int32 { return pe.facts.Column }

// Load returns how full the input buffer is, from 0 (nothing to do) to 15.
func (pe PE) Load() int32 { return pe.facts.Load }

// At returns the place of the PE with a group and a column.
func (pe PE) At(group, column int32) Place {
	return Place((group<<max(3, bits.Len32(uint32(pe.facts.K))) | column) << 18)
}

// Random returns a number from 0 to n-1. Every PE draws separately from the same sequence.
func (pe PE) Random(n int32) int32 {
	pe.facts.Seed = 69069*pe.facts.Seed + 1
	return int32(uint64(pe.facts.Seed) * uint64(uint32(n)) >> 32)
}

// Send sends a word to the policy's function receive on another PE.
func (pe PE) Send(to Place, word int32) { pe.facts.Sent = append(pe.facts.Sent, Packet{to, word}) }
