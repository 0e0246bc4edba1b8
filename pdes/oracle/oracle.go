// Package oracle runs the banyan of seed 004 in one sequence, slot by slot
// and stage by stage over whole lines of cells, without LPs, messages,
// processors or a network. It shares no code with package banyan, so that the
// parallel run can be held against it.
//
//	oracle.go  the run
//	mean.go    the mean wait at one switch: theory
package oracle

import "math/bits"

// A Result is what a run of the banyan leaves, whoever ran it.
type Result struct {
	Hash       uint64 // fingerprint of the run
	Injected   int64  // cells that entered
	Drops      int64  // cells lost at full queues
	Sunk       int64  // cells that left
	Delay      int64  // slots in the network, summed over the sunk cells
	Queued     int64  // cells still in queues at the end
	WrongSinks int64  // cells that left on another line than their own: must be 0
}

// Run simulates slots slots of an n-stage banyan (wiring "omega",
// "butterfly" or "baseline") with output queues of k cells, 0 for no bound.
func Run(n int, wiring string, load float64, k int, seed uint64, slots int64) Result {
	const none = ^uint64(0)
	lines := uint64(1) << n
	queues := make([][]uint64, n*int(lines)) // one for every line behind every stage
	state := make([]uint64, lines)           // random streams
	for l := range state {
		state[l] = seed*1000003 + uint64(l)*0x9e3779b9
	}
	per := int(lines) / 2
	sum := make([]digest, n*per)
	for i := range sum {
		sum[i].h = 14695981039346656037
	}
	var r Result
	entry, exit := make([]uint64, lines), make([]uint64, lines)
	for t := uint64(0); t < uint64(slots); t++ {
		for l := range entry {
			entry[l] = none
			if float64(random(&state[l])>>11)*0x1p-53 < load {
				entry[l] = (random(&state[l])>>33)%lines + uint64(l)*65536 + t*4294967296
				r.Injected++
			}
		}
		for stage := range n {
			for sw := range per {
				d := &sum[stage*per+sw]
				d.eat(t)
				lower, upper := entry[2*sw], entry[2*sw+1]
				if t%2 == 1 {
					lower, upper = upper, lower
				}
				for _, cell := range []uint64{lower, upper} {
					if cell == none {
						continue
					}
					d.eat(cell)
					way := stage*int(lines) + 2*sw + int(cell>>(n-1-stage)%2)
					if k != 0 && len(queues[way]) == k {
						d.drops++
						d.eat(57005)
						continue
					}
					queues[way] = append(queues[way], cell)
				}
				for side := range 2 {
					l := 2*sw + side
					way := stage*int(lines) + l
					exit[l] = none
					if len(queues[way]) == 0 {
						continue
					}
					cell := queues[way][0]
					queues[way] = queues[way][1:]
					exit[l] = cell
					d.eat(cell>>16%65536*1048576 + uint64(side))
					if stage < n-1 {
						continue
					}
					d.eat(81)
					d.sunk++
					d.delay += t - cell>>32
					if cell%65536 != uint64(l) {
						r.WrongSinks++
					}
				}
			}
			for l := range exit {
				if stage < n-1 {
					entry[follow(wiring, n, stage, l)] = exit[l]
				}
			}
		}
	}
	r.Hash = 1
	for i := range sum {
		for _, v := range []uint64{sum[i].h, uint64(slots), sum[i].drops<<32 + sum[i].sunk, sum[i].delay} {
			r.Hash = fold(r.Hash, v)
		}
		r.Drops += int64(sum[i].drops)
		r.Sunk += int64(sum[i].sunk)
		r.Delay += int64(sum[i].delay)
	}
	for _, q := range queues {
		r.Queued += int64(len(q))
	}
	return r
}

type digest struct{ h, drops, sunk, delay uint64 }

func (d *digest) eat(v uint64) { d.h = fold(d.h, v) }

func fold(h, v uint64) uint64 {
	h = (h ^ v) * 1099511628211
	return h ^ h>>29
}

// random is SplitMix64: the numbers of package banyan, from other code.
func random(state *uint64) uint64 {
	*state += 11400714819323198485
	x := *state
	x ^= x >> 30
	_, x = bits.Mul64(x, 13787848793156543929)
	x ^= x >> 27
	_, x = bits.Mul64(x, 10723151780598845931)
	return x ^ x>>31
}

// follow is the entry line of the next stage, from the digits of a line.
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
