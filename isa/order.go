package isa

import "slices"

// An instruction with a PE constant names a PE by its relation to the PE that executes the instruction: in the program,
// a number of steps along an order. In the code of every PE, the loader replaces the relation with the PE's number:
// "the PE number is just read as a constant" [003 §3.2].

// Order is an order of the PEs. The number of steps along it may be negative.
type Order uint8

// The orders.
const (
	OrderIn     Order = iota // around the group, along in-group links
	OrderOut                 // around the reverse circuit, along out-of-group links
	OrderLine                // around all PEs, along a Hamiltonian cycle of links
	OrderNumber              // around all PEs, by number
	OrderAll                 // all PEs, starting with this one: around the ring of its group, then the next group's
)

// OrderNames lists the names of the orders.
var OrderNames = [...]string{"in", "out", "line", "number", "all"}

// OrderDocs describes the orders.
var OrderDocs = [len(OrderNames)]string{
	"round the group, along in-group links",
	"round the reverse circuit, along out-of-group links",
	"round all PEs, along a Hamiltonian cycle of links [003 §3.2]",
	"round all PEs, by number: members first, then groups",
	"all PEs, beginning with this one: first the members of its group, wrapping round, then the members of the next " +
		"group, beginning with the same member [003 §3.2]",
}

// MaxSteps is the largest number of steps in either direction.
const MaxSteps = 63

// Relation is the position of one PE relative to another: a number of steps along an order.
type Relation struct {
	Order Order
	Steps int
}

// LookupOrder returns the order with the given name, and whether it exists.
func LookupOrder(name string) (Order, bool) {
	i := slices.Index(OrderNames[:], name)
	return Order(max(0, i)), i >= 0
}

// Relation returns the relation by which the instruction names a PE. The instruction's row must have LetterO and
// LetterN.
func (in Inst) Relation() Relation { return Relation{Order(in.B), int(in.Imm)} }

// peBits is the width of the PE's number in an instruction that the loader has filled in. The number occupies field B
// and the constant, and the literal bit is 0.
const peBits = regBits + immBits

// FillPE returns the instruction word with the number of the PE that the instruction names: [GA,CA], as in the upper
// part of a continuation.
func FillPE(word, pe uint64) uint64 { return word&^(1<<(peBits+1)-1) | pe }
