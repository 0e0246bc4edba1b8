package answer

import (
	"math/big"
	"reflect"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/base/ordered"
)

// Band holds the mean and the range of a number over several runs.
type Band struct {
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// MeanOf returns the answer of one or more runs with consecutive seeds: their means, their bands, and everything that
// is the same in all runs. The mean of several runs has no notes and no causes with numbers, because these are about
// one run.
func MeanOf(runs []*Answer) *Answer {
	bands := map[string]Band{}
	x := *runs[0]
	x.Fields, x.Lists, x.Bands, x.Runs = nil, nil, bands, len(runs)
	workers := List{Heads: []string{"worker"}}
	for _, first := range runs[0].Fields {
		f := *first
		all := lists.Of(runs, func(r *Answer) any { return r.Value(f.Key) })
		_, isNumber := number(f.Value)
		list, isList := f.Value.([]float64)
		_, isTable := f.Value.([]ordered.Object)
		if len(runs) > 1 {
			f.Note = ""
		}
		differs := func(r *Answer) bool { own := r.Field(f.Key); return own == nil || own.Cause != f.Cause }
		if slices.ContainsFunc(runs, differs) {
			f.Cause = ""
		}
		switch {
		case f.Key == "seed":
			x.Say("seed", f.Value)
			f = Field{Key: "seeds", Value: len(runs)}
		case f.Key == "seeds" || isTable:
			continue
		case f.Key == "wall_seconds":
			f.Value = float64(bandOf(all).Mean * float64(len(runs))) // over all runs
		case isNumber:
			bands[f.Key] = bandOf(all)
			f.Value = bands[f.Key].Mean
			f.Instead = instead(runs, f.Key)
		case isList:
			list = meanList(all, len(list))
			f.Value = list
			workers.AddColumn(f.Key, list)
		case slices.ContainsFunc(all, func(v any) bool { return !reflect.DeepEqual(v, f.Value) }):
			continue
		}
		x.Fields = append(x.Fields, &f)
	}
	if x.Say("bands", bands); workers.Rows != nil {
		x.Lists = []List{workers}
	}
	return &x
}

// instead returns the text that replaces a number if the number has no meaning in some run, or "".
func instead(runs []*Answer, key string) string {
	for _, r := range runs {
		if f := r.Field(key); f != nil && f.Instead != "" {
			return f.Instead
		}
	}
	return ""
}

// AddColumn adds a column of numbers to a list that has one row for each worker.
func (l *List) AddColumn(head string, column []float64) {
	l.Heads = append(l.Heads, head)
	for i, v := range column {
		if i == len(l.Rows) {
			l.Rows = append(l.Rows, []any{i})
		}
		l.Rows[i] = append(l.Rows[i], v)
	}
}

// bandOf returns the band of the numbers among all; other values are skipped.
func bandOf(all []any) Band {
	var list []float64
	for _, v := range all {
		if n, ok := number(v); ok {
			list = append(list, n)
		}
	}
	return Band{exactMean(list), slices.Min(list), slices.Max(list)}
}

// meanList returns the mean, element by element, of lists of the given length.
func meanList(all []any, length int) []float64 {
	means, list := make([]float64, length), make([]float64, len(all))
	for k := range means {
		for i, v := range all {
			list[i] = v.([]float64)[k]
		}
		means[k] = exactMean(list)
	}
	return means
}

// exactMean returns the mean, rounded only once so that the order of the runs does not matter.
func exactMean(list []float64) float64 {
	sum := new(big.Float).SetPrec(2200) // exact for any sum of float64 values
	for _, v := range list {
		sum.Add(sum, new(big.Float).SetFloat64(v))
	}
	m, _ := sum.Quo(sum, new(big.Float).SetInt64(int64(len(list)))).Float64()
	return m
}
