package banyan

import (
	"encoding/binary"
	"errors"

	"emsim/internal/base/rng"
)

// Append writes the switch as bytes, its part of an LP's serialisation [004
// §3, step 6]. The words are little-endian, eight bytes each.
func (s *Switch) Append(b []byte) []byte {
	u := binary.LittleEndian.AppendUint64
	b = u(b, uint64(s.ID))
	b = u(b, uint64(s.slot))
	b = u(b, s.hash)
	for _, v := range []int64{s.counts.Injected, s.counts.Drops, s.counts.Sunk, s.counts.Delay} {
		b = u(b, uint64(v))
	}
	for k := range s.queue {
		b = u(b, uint64(s.stream[k]))
		b = u(b, uint64(s.queue[k].len()))
		for _, c := range s.queue[k].cells[s.queue[k].head:] {
			b = u(b, c.packed())
		}
	}
	return b
}

// errShort is the error for a serialised switch that ends too early.
var errShort = errors.New("banyan: a serialised LP ends too early")

// Restore reads what Append wrote and returns the remaining bytes.
func Restore(b []byte) (*Switch, []byte, error) {
	short := false
	u := func() uint64 {
		if len(b) < 8 {
			short = true
			return 0
		}
		v := binary.LittleEndian.Uint64(b)
		b = b[8:]
		return v
	}
	s := &Switch{ID: int(u()), slot: int64(u()), hash: u()}
	s.counts = Counts{int64(u()), int64(u()), int64(u()), int64(u())}
	for k := range s.queue {
		s.stream[k] = rng.Stream(u())
		for range u() {
			v := u()
			if short {
				return nil, nil, errShort
			}
			s.queue[k].push(Cell{Dst: uint16(v), Src: uint16(v >> 16), Born: uint32(v >> 32)})
		}
	}
	if short {
		return nil, nil, errShort
	}
	return s, b, nil
}
