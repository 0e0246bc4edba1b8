// Package oracle runs the banyan of paper 004 sequentially, slot by slot and
// stage by stage over whole lines of cells, without LPs, messages, processors
// or a network. It shares no code with package banyan, so the parallel run
// can be compared with it.
//
//	oracle.go  the run
package oracle

import (
	"context"
	"math/bits"
)

// A Result is the outcome of a run of the banyan, sequential or parallel.
type Result struct {
	Hash       uint64 // fingerprint of the run
	Injected   int64  // cells that entered
	Drops      int64  // cells lost at full queues
	Sunk       int64  // cells that left
	Delay      int64  // slots in the network, summed over the sunk cells
	Queued     int64  // cells still in queues at the end
	WrongSinks int64  // cells that left on the wrong line: must be 0
}

// Run simulates the given number of slots of an n-stage banyan (wiring "omega", "butterfly" or "baseline") with
// output queues of k cells; 0 means unbounded queues.
func Run(ctx context.Context, n int, wiring string, load float64, k int, seed uint64, slots int64) (Result, error) {
	lines := 1 << n
	b := bench{
		n: n, lines: lines, k: k, queues: make([][]uint64, n*lines), sum: make([]digest, n*lines/2),
		state: make([]uint64, lines), entry: make([]uint64, lines), exit: make([]uint64, lines),
	}
	for l := range b.state {
		b.state[l] = seed*1000003 + uint64(l)*0x9e3779b9
	}
	for i := range b.sum {
		b.sum[i].h = 14695981039346656037
	}
	for t := range uint64(slots) {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		b.offer(t, load)
		for stage := range n {
			for sw := range lines / 2 {
				b.acceptCells(t, stage, sw)
				b.sendHeads(t, stage, sw)
			}
			for l := range b.exit {
				if stage < n-1 {
					b.entry[follow(wiring, n, stage, l)] = b.exit[l]
				}
			}
		}
	}
	return b.result(uint64(slots)), nil
}

// none marks a line without a cell.
const none = ^uint64(0)

// bench is the state of the whole banyan.
type bench struct {
	n, lines, k int
	queues      [][]uint64 // one for every line after every stage
	sum         []digest   // by stage and switch
	state       []uint64   // random streams, by entry line
	entry, exit []uint64   // cells before and after the current stage
	r           Result
}

// offer draws the cells that enter in slot t.
func (b *bench) offer(t uint64, load float64) {
	for l := range b.entry {
		b.entry[l] = none
		if float64(random(&b.state[l])>>11)*0x1p-53 < load {
			b.entry[l] = (random(&b.state[l])>>33)%uint64(b.lines) + uint64(l)*65536 + t*4294967296
			b.r.Injected++
		}
	}
}

// acceptCells puts the two entry cells of a switch into its queues.
func (b *bench) acceptCells(t uint64, stage, sw int) {
	d := &b.sum[stage*b.lines/2+sw]
	d.absorb(t)
	lower, upper := b.entry[2*sw], b.entry[2*sw+1]
	if t%2 == 1 {
		lower, upper = upper, lower
	}
	for _, cell := range []uint64{lower, upper} {
		if cell == none {
			continue
		}
		d.absorb(cell)
		way := stage*b.lines + 2*sw + int(cell>>(b.n-1-stage)%2)
		if b.k != 0 && len(b.queues[way]) == b.k {
			d.drops++
			d.absorb(57005)
			continue
		}
		b.queues[way] = append(b.queues[way], cell)
	}
}

// sendHeads removes the head of each queue of a switch and sends it.
func (b *bench) sendHeads(t uint64, stage, sw int) {
	d := &b.sum[stage*b.lines/2+sw]
	for side := range 2 {
		l := 2*sw + side
		way := stage*b.lines + l
		b.exit[l] = none
		if len(b.queues[way]) == 0 {
			continue
		}
		cell := b.queues[way][0]
		b.queues[way] = b.queues[way][1:]
		b.exit[l] = cell
		d.absorb(cell>>16%65536*1048576 + uint64(side))
		if stage < b.n-1 {
			continue
		}
		d.absorb(81)
		d.sunk++
		d.delay += t - cell>>32
		if cell%65536 != uint64(l) {
			b.r.WrongSinks++
		}
	}
}

func (b *bench) result(slots uint64) Result {
	r := b.r
	r.Hash = 1
	for _, d := range b.sum {
		for _, v := range []uint64{d.h, slots, d.drops<<32 + d.sunk, d.delay} {
			r.Hash = foldHash(r.Hash, v)
		}
		r.Drops += int64(d.drops)
		r.Sunk += int64(d.sunk)
		r.Delay += int64(d.delay)
	}
	for _, q := range b.queues {
		r.Queued += int64(len(q))
	}
	return r
}

type digest struct{ h, drops, sunk, delay uint64 }

func (d *digest) absorb(v uint64) { d.h = foldHash(d.h, v) }

func foldHash(h, v uint64) uint64 {
	h = (h ^ v) * 1099511628211
	return h ^ h>>29
}

// random returns the next SplitMix64 number: the same numbers as package banyan, from separate code.
func random(state *uint64) uint64 {
	*state += 11400714819323198485
	x := *state
	x ^= x >> 30
	_, x = bits.Mul64(x, 13787848793156543929)
	x ^= x >> 27
	_, x = bits.Mul64(x, 10723151780598845931)
	return x ^ x>>31
}

// follow returns the entry line of the next stage that a line is wired to, computed from the line's binary digits.
func follow(wiring string, n, stage, line int) int {
	digit := make([]int, n) // lowest first
	for i := range digit {
		digit[i] = line / (1 << i) % 2
	}
	switch wiring {
	case "butterfly":
		digit[0], digit[n-1-stage] = digit[n-1-stage], digit[0]
	case "baseline":
		low := digit[:n-stage]
		first := low[0]
		copy(low, low[1:])
		low[len(low)-1] = first
	default: // omega
		top := digit[n-1]
		copy(digit[1:], digit[:n-1])
		digit[0] = top
	}
	sum := 0
	for i, b := range digit {
		sum += b << i
	}
	return sum
}
