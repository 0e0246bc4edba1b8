package emcr

import "emsim/internal/state"

// MaxPrefetch is the most prefetch registers that a PE can have.
const MaxPrefetch = 8

// prefetched is the special register mlpe: operand segments found for the next
// calls, the oldest first. The EMC-R holds one [003 §4.1].
type prefetched struct {
	seg   [MaxPrefetch]uint64
	count uint8
}

// take removes the oldest, 0 when there is none.
func (r *prefetched) take() uint64 {
	if r.count == 0 {
		return 0
	}
	v := r.seg[0]
	copy(r.seg[:], r.seg[1:r.count])
	r.count--
	return v
}

// put adds one behind the others; where all registers are full it replaces the
// newest. 0 empties them.
func (r *prefetched) put(v uint64, registers int) {
	if v == 0 {
		r.count = 0
		return
	}
	if int(r.count) < registers {
		r.count++
	}
	r.seg[r.count-1] = v
}

func (r *prefetched) stateWalk(c *state.Codec, registers int) {
	state.Num(c, &r.count)
	if int(r.count) > registers {
		c.Fail("%d of %d prefetch registers are full", r.count, registers)
		r.count = 0
	}
	state.Nums(c, r.seg[:r.count])
}
