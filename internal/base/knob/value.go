package knob

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"emsim/internal/base/lists"
)

// Value is a parameter that is stored in a different form from the one that users write.
type Value interface {
	// Get returns an int64, uint64, float64, bool, string, time.Duration or
	// []string, always of the same type.
	Get() any
	// Put stores a value of the type that Get returns, or returns an error that says why it is impossible.
	Put(v any) error
}

// Get returns the row's value: an int64, uint64, float64, bool, string,
// time.Duration or []string.
func (r Row) Get() any {
	switch p := r.ref.(type) {
	case Value:
		return p.Get()
	case *int:
		return int64(*p)
	case *[]string:
		return slices.Clone(*p)
	}
	return reflect.ValueOf(r.ref).Elem().Interface()
}

// Put stores a value of the type that Get returns. It does not check the range; Check does.
func (r Row) Put(v any) error {
	switch p := r.ref.(type) {
	case Value:
		return p.Put(v)
	case *int:
		*p = int(v.(int64))
	case *[]string:
		*p = append([]string(nil), v.([]string)...) // an empty list is nil
	default:
		reflect.ValueOf(p).Elem().Set(reflect.ValueOf(v))
	}
	return nil
}

// Fixed is a real number that is stored as a number of steps.
type Fixed struct {
	P   *int64
	One float64 // steps per 1.0
}

// Get returns the number.
func (f Fixed) Get() any { return float64(*f.P) / f.One }

// Put rounds to the nearest step. It rejects a nonzero number that would become 0.
func (f Fixed) Put(v any) error {
	x := v.(float64)
	q := math.Round(x * f.One)
	switch {
	case math.IsNaN(x):
		return fmt.Errorf("%v: expected a number", x)
	case math.Abs(q) >= 1<<62:
		return fmt.Errorf("%v: expected a number up to %g", x, 0x1p62/f.One)
	case q == 0 && x != 0:
		return fmt.Errorf("%v is less than the step of 1/%v", x, f.One)
	}
	*f.P = int64(q)
	return nil
}

// Micros is a duration stored in microseconds.
type Micros struct{ P *int64 }

// Get returns the duration, limited to the longest one that fits.
func (m Micros) Get() any {
	const longest = math.MaxInt64 / int64(time.Microsecond)
	return time.Duration(max(-longest, min(longest, *m.P))) * time.Microsecond
}

// Put rejects a duration that is not a whole number of microseconds.
func (m Micros) Put(v any) error {
	d := v.(time.Duration)
	if d%time.Microsecond != 0 {
		return fmt.Errorf("%v is not a whole number of microseconds", d)
	}
	*m.P = d.Microseconds()
	return nil
}

// Word is a parameter that users write as a word, and that is stored as a value of another type.
type Word struct {
	Is    func() string
	Parse func(s string) error
}

// Get returns the word.
func (w Word) Get() any { return w.Is() }

// Put parses the word.
func (w Word) Put(v any) error { return w.Parse(v.(string)) }

// Numbers returns the numbers of a list such as "1,3,6", in ascending order.
func Numbers(list string) ([]int, error) {
	out := []int{}
	for s := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Errorf("%q is not a number: expected a list such as 1,3,6", s)
		}
		out = append(out, n)
	}
	slices.Sort(out)
	return out, nil
}

// NumbersText returns the list that Numbers parses.
func NumbersText(list []int) string { return strings.Join(lists.Of(list, strconv.Itoa), ",") }

// Same is an integer that several fields share.
type Same []*int

// Get returns the value of the first field.
func (s Same) Get() any { return int64(*s[0]) }

// Put sets all fields.
func (s Same) Put(v any) error {
	for _, p := range s {
		*p = int(v.(int64))
	}
	return nil
}

// IsInt reports whether the row's value is stored as an int.
func (r Row) IsInt() bool {
	switch r.ref.(type) {
	case *int, Same:
		return true
	}
	return false
}
