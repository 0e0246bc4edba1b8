package knob

import (
	"math"
	"math/bits"
	"reflect"
	"time"
)

// Pick returns a random number below n, which is not 0.
type Pick func(n uint64) uint64

// Draw gives the row a random value of its range; texts without a list of
// values stay as they are. Wide ranges are drawn by their order of magnitude
// first, so that small values and the ends come as often as the wide middle.
func (r Row) Draw(pick Pick) {
	switch v := r.Get().(type) {
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
		r.drawReal(pick, v)
	case string:
		if len(r.Values) > 0 {
			_ = r.Put(r.Values[pick(uint64(len(r.Values)))])
		}
	}
}

// drawn is a number up to span: the ends, or one of a random magnitude.
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

// drawReal draws from 1,024 steps between the bounds, those included that are
// values; without an upper bound up to 100 above the lower one.
func (r Row) drawReal(pick Pick, _ float64) {
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

// Narrow returns the row with a narrower range, for tests that need one.
func (r Row) Narrow(low, high int64) Row {
	r.Min, r.Max = low, high
	return r
}

// OnlyReal is Only for real numbers.
func (r Row) OnlyReal(low, high float64) Row {
	r.Real = Interval{Low: low, High: high}
	return r
}

// other gives the row another value, also where Draw leaves it alone.
func (r Row) other(pick Pick) {
	switch v := r.Get().(type) {
	case int64:
		if !r.bounded() {
			_ = r.Put(v + 1)
		}
	case string:
		if r.Values == nil {
			_ = r.Set(v + "1")
		}
	case []string:
		_ = r.Put(append(v, "x"))
	}
	r.Draw(pick)
}

// Uncovered lists the fields of a configuration that no row of its table
// changes, so that a new field without a row fails a test.
func Uncovered[C any](table []Knob[C], c C, pick Pick) []string {
	changed := map[string]bool{}
	for _, k := range table {
		for range 20 {
			was, now := c, c
			k.Bind(&now).other(pick)
			differ(reflect.ValueOf(was), reflect.ValueOf(now), "", changed)
		}
	}
	var list []string
	leaves(reflect.TypeFor[C](), "", func(name string) {
		if !changed[name] {
			list = append(list, name)
		}
	})
	return list
}

// leaves visits the fields of a struct and of the structs in it.
func leaves(t reflect.Type, prefix string, visit func(name string)) {
	for f := range t.Fields() {
		if name := prefix + f.Name; f.Type.Kind() == reflect.Struct {
			leaves(f.Type, name+".", visit)
		} else {
			visit(name)
		}
	}
}

// differ notes the fields in which two values differ.
func differ(a, b reflect.Value, prefix string, changed map[string]bool) {
	for i := range a.NumField() {
		name := prefix + a.Type().Field(i).Name
		if a.Field(i).Kind() == reflect.Struct {
			differ(a.Field(i), b.Field(i), name+".", changed)
		} else if !reflect.DeepEqual(a.Field(i).Interface(), b.Field(i).Interface()) {
			changed[name] = true
		}
	}
}
