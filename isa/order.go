package isa

import "slices"

// An instruction with a PE constant names a PE by where it is from the PE that
// executes it: in the program a number of steps along an order. The loader replaces that,
// in the code of every PE, with the PE's number: "the PE number is just read as a
// constant" [003 §3.2].

// Order is an order of PEs. Steps may be negative.
type Order uint8

// The orders.
const (
	OrderIn     Order = iota // round the group, along in-group links
	OrderOut                 // round the reverse circuit, along out-of-group links
	OrderLine                // round all PEs, along a Hamiltonian cycle of links
	OrderNumber              // round all PEs, by number
	OrderAll                 // all PEs from the own one on: the members of the group first, round again, then the next group's
)

// OrderNames lists the names of the orders.
var OrderNames = [...]string{"in", "out", "line", "number", "all"}

// OrderDocs says what the orders are.
var OrderDocs = [len(OrderNames)]string{
	"round the group, along in-group links",
	"round the reverse circuit, along out-of-group links",
	"round all PEs, along a Hamiltonian cycle of links [003 §3.2]",
	"round all PEs, by number: members first, then groups",
	"all PEs from the own one on: first the members of its group, round again, then the members of the next group, " +
		"beginning with the same member [003 §3.2]",
}

// MaxSteps is the most steps in either direction.
const MaxSteps = 63

// Relation says where a PE is from another one.
type Relation struct {
	Order Order
	Steps int
}

// LookupOrder returns the number of an order.
func LookupOrder(name string) (Order, bool) {
	i := slices.Index(OrderNames[:], name)
	return Order(max(0, i)), i >= 0
}

// Relation returns which PE the instruction names: its row has LetterO and LetterN.
func (in Inst) Relation() Relation { return Relation{Order(in.B), int(in.Imm)} }

// peBits is the width of the PE's number in an instruction that the loader has filled:
// fields B and constant, and the literal bit is 0.
const peBits = regBits + immBits

// FillPE returns the instruction word with the number of the PE that it names, [GA,CA]
// as in the upper part of a continuation.
func FillPE(word, pe uint64) uint64 { return word&^(1<<(peBits+1)-1) | pe }
