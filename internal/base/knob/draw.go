package knob

import (
	"math"
	"math/bits"
	"time"
)

// Pick returns a random number below n; n is not 0.
type Pick func(n uint64) uint64

// Draw sets the row to a random value in its range. A row without a range is unchanged, such as a string without a list
// of values. In wide ranges the order of magnitude is drawn first, so that small values and the ends are as frequent as
// the wide middle.
func (r Row) Draw(pick Pick) {
	switch r.Get().(type) {
	case bool:
		_ = r.Put(pick(2) == 1)
	case uint64:
		_ = r.Put(drawn(pick, math.MaxUint64))
	case int64:
		if r.bounded() {
			_ = r.Put(r.Min + int64(drawn(pick, uint64(r.Max)-uint64(r.Min))))
		}
	case time.Duration:
		if r.bounded() {
			d := time.Duration(r.Min + int64(drawn(pick, uint64(r.Max)-uint64(r.Min))))
			if r.Put(d) != nil {
				_ = r.Put(max(d.Truncate(time.Microsecond), time.Duration(r.Min)))
			}
		}
	case float64:
		r.drawReal(pick)
	case string:
		if len(r.Values) > 0 {
			_ = r.Put(r.Values[pick(uint64(len(r.Values)))])
		}
	}
}

// drawn returns a number from 0 to span: one of the ends, or a number of a random magnitude.
func drawn(pick Pick, span uint64) uint64 {
	if span < 64 {
		return pick(span + 1)
	}
	n := bits.Len64(span)
	switch b := pick(uint64(n) + 2); {
	case b == uint64(n)+1:
		return span
	case b == 0:
		return 0
	default:
		most := min(span, 1<<(b-1)|(1<<(b-1)-1))
		if most == math.MaxUint64 {
			return pick(math.MaxUint64)
		}
		return pick(most + 1)
	}
}

// drawReal draws one of 1,024 steps between the bounds, and a bound only if it is a valid value. Without an upper
// bound, the range ends 100 above the lower bound.
func (r Row) drawReal(pick Pick) {
	if r.Real == (Interval{}) {
		return
	}
	high := r.Real.High
	if math.IsInf(high, 1) {
		high = r.Real.Low + 100
	}
	for range 64 {
		x := r.Real.Low + (high-r.Real.Low)*float64(pick(1025))/1024
		if r.Real.Holds(x) && r.Put(x) == nil {
			return
		}
	}
}
