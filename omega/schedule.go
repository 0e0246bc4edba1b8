package omega

import "math/bits"

// In hardware every switch decides in every clock. Most of these decisions are
// the same as the clock before: a packet that waits for a full bank waits until
// that bank is emptied. So the model asks a switch only in clocks in which its
// answer can be another one, and this file turns the machine inside out: the
// rules of su.go stay as they are, and each rule also says until when it holds.
//
// A switch in which nothing moves decides the same again until something
// changes for it. Whoever causes the change knows its clock:
//
//	a packet comes into a bank             the unit upstream, hop_clocks ahead (forward)
//	a packet comes to the own port         the PE, through Offer
//	a bank downstream can be filled again  the unit downstream, bank_clocks ahead (move)
//	an own port is free again              the unit itself: hold's until
//	the intake may be empty                the unit itself asks in every clock while a packet waits for it
//	another packet of its own has gone     the unit itself: decide's wake
//
// The wake-ups lie in a wheel of sets, one for each of the next clocks. Being
// asked too often costs time and changes nothing; being asked too late would
// change a clock. Tests hold the state of a machine that sleeps against one that
// asks everybody in every clock (SetPlain), at every clock.
//
// An earlier version asked every switch that held a packet, in every clock, and
// the version after it asked again in every clock while anything was in the way;
// docs/PERFORMANCE.md has what a clock costs now.

// wheel is the number of clocks for which wake-ups can be noted: more than the
// longest hop_clocks and bank_clocks [derived].
const wheel = 32

// schedule says which units are asked in a clock. Its sets have a bit for each
// PE, 64 a word; a thread owns whole words.
type schedule struct {
	plain  bool // every unit is asked in every clock
	words  int
	move   []uint64   // units that were granted something in this clock
	taken  []uint64   // PEs whose Out was taken in this clock
	woken  []uint64   // PEs that got a packet in this clock; the machine clears it
	wakeup [][]uint64 // by thread: for each of the next clocks the units to ask then
}

func newSchedule(units int) schedule {
	words := (units + 63) / 64
	return schedule{
		words: words, move: make([]uint64, words), taken: make([]uint64, words), woken: make([]uint64, words),
		wakeup: [][]uint64{make([]uint64, wheel*words)},
	}
}

// SetThreads prepares for n threads, each of which evaluates units of its own.
func (x *schedule) SetThreads(threads int) {
	for len(x.wakeup) < threads {
		x.wakeup = append(x.wakeup, make([]uint64, wheel*x.words))
	}
	for len(x.wakeup) > threads {
		last := len(x.wakeup) - 1
		for i, set := range x.wakeup[last] {
			x.wakeup[0][i] |= set
		}
		x.wakeup = x.wakeup[:last]
	}
}

// Words returns the length of the sets.
func (x *schedule) Words() int { return x.words }

// Woken returns the set of PEs that got a packet in this clock.
func (x *schedule) Woken() []uint64 { return x.woken }

// Taken returns the set of PEs whose packet on Out was taken in this clock.
func (x *schedule) Taken() []uint64 { return x.taken }

// Offer has unit i asked in clock t, because its EXU holds a packet for it from
// then on.
func (x *schedule) Offer(i int, t uint64) { x.wakeAt(i, t, 0) }

// wakeAt has a unit asked in clock t; th is the calling thread.
func (x *schedule) wakeAt(i int, t uint64, th int) {
	x.wakeup[th][int(t%wheel)*x.words+i>>6] |= 1 << (i & 63)
}

// due returns the units of word w that are asked in clock t, and forgets them.
func (x *schedule) due(w int, t uint64) (set uint64) {
	at := int(t%wheel)*x.words + w
	for _, wakeup := range x.wakeup {
		set |= wakeup[at]
		wakeup[at] = 0
	}
	return set
}

// SetPlain asks every unit in every clock: the plain stepper that the sleeping
// one must equal.
func (n *Network) SetPlain(on bool) {
	n.plain = on
	n.wakeAll()
}

// wakeAll has every unit asked for as long as what has happened before can
// change anything for it.
func (n *Network) wakeAll() {
	for i := range n.wakeup[0] {
		n.wakeup[0][i] = n.present(i % n.words)
	}
}

// present returns the PEs of word w as a bit set.
func (n *Network) present(w int) uint64 {
	if left := n.N - w*64; left < 64 {
		return 1<<left - 1
	}
	return ^uint64(0)
}

// Arbitrate is phase one of clock t for the units of words lo..hi-1 of the
// sets. It reports whether any packet will move.
func (n *Network) Arbitrate(t uint64, lo, hi int) bool {
	moved := false
	for w := lo; w < hi; w++ {
		ask := n.due(w, t)
		if n.plain || n.watch != nil {
			ask = n.present(w)
		}
		var move, taken uint64
		for ; ask != 0; ask &= ask - 1 {
			bit := ask & -ask
			moves, own := n.arbitrate(w<<6+bits.TrailingZeros64(ask), t)
			if moves {
				move |= bit
			}
			if own {
				taken |= bit
			}
		}
		n.move[w], n.taken[w] = move, taken
		moved = moved || move != 0
	}
	return moved
}

// Transfer is phase two: what was granted moves. th is the calling thread.
func (n *Network) Transfer(t uint64, lo, hi, th int) {
	for w := lo; w < hi; w++ {
		for m := n.move[w]; m != 0; m &= m - 1 {
			n.transfer(w<<6+bits.TrailingZeros64(m), t, th)
		}
	}
}

// ArbitrateOne and TransferOne evaluate a single unit, whatever sleeps: for
// tests that evaluate units in another order. ArbitrateOne reports whether a
// packet of the unit will move, and leaves the unit awake.
func (n *Network) ArbitrateOne(i int, t uint64) bool {
	n.wakeAt(i, t+1, 0)
	moves, _ := n.arbitrate(i, t)
	return moves
}

// TransferOne is the second phase of one unit.
func (n *Network) TransferOne(i int, t uint64) { n.transfer(i, t, 0) }
