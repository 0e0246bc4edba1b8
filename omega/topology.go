package omega

import (
	"fmt"
	"math/bits"

	"emsim/packet"
)

// MinK and MaxK are the bounds of k: the machine has k+1 members in each of 2^k groups.
const (
	MinK = 1
	MaxK = 16
)

// The ports of a switching unit. An input has the name of the output at the other end of its link.
const (
	InGroup  = 0 // to the next member of the group
	OutGroup = 1 // to a member of another group
	Own      = 2 // to and from the unit's own PE
)

// Topology is the circular omega network of (k+1)·2^k PEs. Everything about it is computed from k [derived from 003 §2,
// §3.1, §4.1]. "Seen from each PE this network has two circuits; the EM-4 uses one of them as the circuit within the
// group" [003 §3.1].
//
// Write W(g) for the (k+1)-bit word "g, then the parity bit of g", and R(g,c) for W(g) rotated left by c. The low bit
// of R(g,c) is the bit that the out-of-group link from [g,c] flips. The in-group link does not change it.
type Topology struct {
	K       int // 1..16
	Members int // k+1, the columns
	Groups  int // 2^k
	N       int // PEs
}

// New returns the network for k, or an error if k is out of range.
func New(k int) (Topology, error) {
	if k < MinK || k > MaxK {
		return Topology{}, fmt.Errorf("omega: k is %d, it must be %d..%d", k, MinK, MaxK)
	}
	return Topology{K: k, Members: k + 1, Groups: 1 << k, N: (k + 1) << k}, nil
}

// ForPEs returns the network of n PEs. If no network has that size, the error names the nearest sizes.
func ForPEs(n int) (Topology, error) {
	below, above := 0, 0
	for k := MinK; k <= MaxK; k++ {
		size := (k + 1) << k
		switch {
		case size == n:
			return New(k)
		case size < n:
			below = size
		case above == 0:
			above = size
		}
	}
	near := fmt.Sprintf("the nearest sizes are %d and %d", below, above)
	if below == 0 {
		near = fmt.Sprintf("the smallest is %d", above)
	} else if above == 0 {
		near = fmt.Sprintf("the largest is %d", below)
	}
	return Topology{}, fmt.Errorf("no circular omega network has %d PEs ((k+1)·2^k for k = %d..%d): %s", n, MinK, MaxK,
		near)
}

// Index returns the number of a PE. PEs are numbered group by group, member by member, from 0.
func (t Topology) Index(p packet.PE) int { return int(p.GA)*t.Members + int(p.CA) }

// Address returns the address of PE number i. It is the inverse of Index.
func (t Topology) Address(i int) packet.PE {
	return packet.PE{GA: uint16(i / t.Members), CA: uint8(i % t.Members)}
}

// Contains reports whether the machine has a PE with the address p.
func (t Topology) Contains(p packet.PE) bool {
	return int(p.GA) < t.Groups && int(p.CA) < t.Members
}

// groupWord returns W(g): g followed by its parity bit.
func groupWord(g uint16) uint32 {
	return uint32(g)<<1 | uint32(bits.OnesCount16(g)&1)
}

// lowShift returns the position in W(g) of the low bit of R(g,c).
func (t Topology) lowShift(c uint8) uint8 {
	if c == 0 {
		return 0
	}
	return uint8(t.Members) - c
}

// routeMask returns the bits of a group address whose parity is the low bit of R(g,c).
func (t Topology) routeMask(c uint8) uint16 {
	if shift := t.lowShift(c); shift > 0 {
		return 1 << (shift - 1)
	}
	return uint16(t.Groups - 1)
}

// Next returns the PE at the other end of a network link.
func (t Topology) Next(p packet.PE, port int) packet.PE {
	c := p.CA + 1
	if int(c) == t.Members {
		c = 0
	}
	if port == InGroup {
		return packet.PE{GA: p.GA, CA: c}
	}
	// This is R(g',c+1) = rotl(R(g,c) xor 1, 1) xor 1, rotated back by c+1.
	w := groupWord(p.GA) ^ 1<<t.lowShift(p.CA) ^ 1<<t.lowShift(c)
	return packet.PE{GA: uint16(w >> 1), CA: c}
}

// Route returns the output port that a packet for dest takes at a PE. At the destination this is Own. Otherwise it is
// in-group if R of both groups has the same low bit at this column, else out-of-group. The path is a shortest one for
// every pair of PEs.
func (t Topology) Route(at, dest packet.PE) int {
	if at == dest {
		return Own
	}
	return int((groupWord(at.GA) ^ groupWord(dest.GA)) >> t.lowShift(at.CA) & 1) // InGroup or OutGroup
}

// BalancedRoute works like Route, but loads the links more evenly. Its paths are equally short. If the way to dest
// passes a column twice, the two links of that column may be taken in either order. Route corrects the column's bit of
// R the first time, so its second time around uses only in-group links; BalancedRoute takes the other link first
// [remedy: the successor chip; a reading of "optimal packet routing"].
func (t Topology) BalancedRoute(at, dest packet.PE) int {
	o := t.Route(at, dest)
	if t.twice(at, dest) {
		o = 1 - o
	}
	return o
}

// twice reports whether the way from one PE to another passes the first one's column again. This is so if a bit of R
// must change there that no link on the direct way to the column of dest can flip.
func (t Topology) twice(at, dest packet.PE) bool {
	columns := int(dest.CA) - int(at.CA)
	if columns < 0 {
		columns += t.Members
	}
	w, shift := groupWord(at.GA)^groupWord(dest.GA), t.lowShift(at.CA)
	r := w>>shift | w<<(uint8(t.Members)-shift)
	return columns > 0 && r&(1<<(t.Members-columns)-2) != 0
}

// Distance returns the number of links on the way from one PE to another: 0..2k.
func (t Topology) Distance(from, to packet.PE) int {
	d := 0
	for from != to {
		from = t.Next(from, t.Route(from, to))
		d++
	}
	return d
}

// Ring returns the circuit of one port, beginning with p: the group ring for InGroup, the reverse circuit for OutGroup.
// Both have k+1 PEs.
func (t Topology) Ring(p packet.PE, port int) []packet.PE {
	ring := []packet.PE{p}
	for q := t.Next(p, port); q != p; q = t.Next(q, port) {
		ring = append(ring, q)
	}
	return ring
}

// Line returns all PEs in the order of a Hamiltonian cycle along the links, from [0,0] on. From [g,c] it continues
// out-of-group if c > 0 and g < 2^(k-c+1), otherwise in-group. The paper says "all PEs as one closed path in one
// dimension" [003 §3.2]. The choice of the path is derived: groups are the nodes of a hypercube, whose edges are the
// pairs of groups that column c joins. The rule takes the edges of a spanning tree, each of which merges two group
// rings into one.
func (t Topology) Line() []int {
	line := make([]int, 0, t.N)
	for p := (packet.PE{}); len(line) < t.N; {
		line = append(line, t.Index(p))
		port := InGroup
		if p.CA > 0 && int(p.GA) < 2<<(t.K-int(p.CA)) {
			port = OutGroup
		}
		p = t.Next(p, port)
	}
	return line
}

// Distances returns the sum of the distances over all ordered pairs, and the largest distance. It uses only one source
// per column. That is enough, because the network looks the same from every PE of a column: exclusive or on the group
// addresses maps it onto itself.
func (t Topology) Distances() (sum uint64, diameter int) {
	for c := range t.Members {
		from := packet.PE{CA: uint8(c)}
		var column uint64
		for i := range t.N {
			d := t.Distance(from, t.Address(i))
			column += uint64(d)
			diameter = max(diameter, d)
		}
		sum += column * uint64(t.Groups)
	}
	return sum, diameter
}
