package answer

import (
	"cmp"
	"slices"
)

// A Limit is a part of the workers' time that was not spent on the work itself.
type Limit struct {
	Name  string
	Cause string  // why this time passes
	Share float64 // of the workers' time, 0..1
}

// Limits returns the nonzero parts of the workers' time that are not work, largest first.
func (x *Answer) Limits() (list []Limit) {
	for _, f := range x.Fields {
		if share := x.PartOfWhole(f); f.Part != "" && f.Part != Work && share > 0 {
			list = append(list, Limit{f.Part, f.Cause, share})
		}
	}
	slices.SortStableFunc(list, func(a, b Limit) int { return cmp.Compare(b.Share, a.Share) })
	return list
}

// PartOfWhole returns a field as a share: a share itself, or a number divided by the product that it is a part of. It
// returns 0 for other fields.
func (x *Answer) PartOfWhole(f *Field) float64 {
	v, ok := number(f.Value)
	switch {
	case !ok:
		return 0
	case f.IsShare:
		return v
	}
	whole := 1.
	for _, key := range f.Of {
		n, _ := x.Float(key)
		whole = float64(whole * n)
	}
	if f.Of == nil || whole == 0 {
		return 0
	}
	return v / whole
}
