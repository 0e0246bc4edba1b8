package machines

import (
	"fmt"
	"math/big"
	"reflect"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/base/ordered"
)

// An Answer is what a run says.
//
// The answers of all machines share five numbers, each in the machine's own terms:
//
//	time        until the last one was done, in the machine's unit
//	efficiency  share of the processors' time until then that went into the work itself
//	transfers   units of work that changed processor
//	messages    what processors sent each other, data and control
//	imbalance   work of the busiest processor over the mean; 1 is even
type Answer struct {
	Title  string          // what ran, on which machine
	SoFar  string          // how far a run got that was interrupted
	Keys   map[string]any  // what JSON's error has of that
	Far    Far             // how much of the run is done
	Fields []Field         // in the order of JSON
	Lists  []List          // tables for people
	Bands  map[string]Band // of a mean: of its numbers by key
}

// A Field is a key of an answer.
type Field struct {
	Key   string
	Value any
	// Of a number, which tables show and sweeps tabulate; others have no Doc.
	Unit, Doc string
	Of        []string // keys whose product it is a part of
	IsShare   bool     // 0..1, or a little more
	Instead   string   `json:",omitempty"` // what tables show in place of a number that has no meaning: "saturated"
}

// A List is a table of an answer; cells are texts, numbers and Percents.
type List struct {
	Heads []string
	Rows  [][]any
}

// Percent is a share, 0..1, that a table shows in per cent.
type Percent float64

// end labels the answer of a run that did not end well: it is that of a part, and says of
// which share.
func (x *Answer) end(err error) {
	if err != nil {
		x.Title += ": " + x.Far.Label()
		x.say("done_share", x.Far.Share())
	}
}

// Share returns the share of the run that is done, nil if its end is not known.
func (f Far) Share() *float64 {
	if f.Total <= 0 {
		return nil
	}
	share := float64(min(f.Done, f.Total)) / float64(f.Total)
	return &share
}

// Label returns how far a run is that was stopped, for its headline.
func (f Far) Label() string {
	if share := f.Share(); share != nil {
		return fmt.Sprintf("%.0f %% done", 100**share)
	}
	return "not complete"
}

// say adds a key that is no number of the run.
func (x *Answer) say(key string, value any) {
	x.Fields = append(x.Fields, Field{Key: key, Value: value})
}

// number adds a number, which is a part of the product of others if there are any.
func (x *Answer) number(key string, value any, unit, doc string, of ...string) {
	x.Fields = append(x.Fields, Field{Key: key, Value: value, Unit: unit, Doc: doc, Of: of})
}

// share adds a share.
func (x *Answer) share(key string, value float64, doc string) {
	x.Fields = append(x.Fields, Field{Key: key, Value: value, Doc: doc, IsShare: true})
}

// Numbers lists the numbers of the answers of a machine, without values.
func Numbers(name string) []Field {
	x := &Answer{}
	models[name].describe(x)
	return slices.DeleteFunc(x.Fields, func(f Field) bool { return f.Doc == "" })
}

// Number returns the value of a key; false if the answer has none.
func (x *Answer) Number(key string) (float64, bool) { return number(x.Value(key)) }

// Value returns the value of a key, or nil.
func (x *Answer) Value(key string) any {
	for i := range x.Fields {
		if x.Fields[i].Key == key {
			return x.Fields[i].Value
		}
	}
	return nil
}

// number returns a number, or what a pointer to one points to.
func number(value any) (float64, bool) {
	v := reflect.ValueOf(value)
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	switch {
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	}
	return 0, false
}

// MarshalJSON writes the keys in their order.
func (x *Answer) MarshalJSON() ([]byte, error) {
	var o ordered.Object
	for _, f := range x.Fields {
		o = append(o, f.Key, f.Value)
	}
	return o.MarshalJSON()
}

// Band is the mean and the range of a number over several runs.
type Band struct {
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// MeanOf returns the answer of one or more runs with consecutive seeds: it has their
// means, their bands, and whatever else is the same in all runs.
func MeanOf(runs []*Answer) *Answer {
	bands := map[string]Band{}
	x := &Answer{Title: runs[0].Title, Bands: bands}
	workers := List{Heads: []string{"worker"}}
	for _, f := range runs[0].Fields {
		all := lists.Of(runs, func(r *Answer) any { return r.Value(f.Key) })
		_, isNumber := number(f.Value)
		list, isList := f.Value.([]float64)
		_, isTable := f.Value.([]ordered.Object)
		switch {
		case f.Key == "seed":
			x.say("seed", f.Value)
			f = Field{Key: "seeds", Value: len(runs)}
		case f.Key == "seeds" || isTable:
			continue
		case f.Key == "wall_seconds":
			f.Value = float64(bandOf(all).Mean * float64(len(runs))) // of all runs
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
		x.Fields = append(x.Fields, f)
	}
	if x.say("bands", bands); workers.Rows != nil {
		x.Lists = []List{workers}
	}
	return x
}

// instead returns what stands in place of a number that has no meaning in some of the runs, or "".
func instead(runs []*Answer, key string) string {
	for _, r := range runs {
		if f, ok := lists.Find(r.Fields, func(f Field) bool { return f.Key == key }); ok && f.Instead != "" {
			return f.Instead
		}
	}
	return ""
}

// AddColumn adds a column of numbers to a list with a row for each worker.
func (l *List) AddColumn(head string, column []float64) {
	l.Heads = append(l.Heads, head)
	for i, v := range column {
		if i == len(l.Rows) {
			l.Rows = append(l.Rows, []any{i})
		}
		l.Rows[i] = append(l.Rows[i], v)
	}
}

// bandOf returns the band of the numbers among some values.
func bandOf(all []any) Band {
	var list []float64
	for _, v := range all {
		if n, ok := number(v); ok {
			list = append(list, n)
		}
	}
	return Band{exactMean(list), slices.Min(list), slices.Max(list)}
}

// meanList returns the mean of lists of some length, place by place.
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

// exactMean rounds a mean once, so that the order of the runs does not matter.
func exactMean(list []float64) float64 {
	sum := new(big.Float).SetPrec(2200) // exact: from the least to the greatest number
	for _, v := range list {
		sum.Add(sum, new(big.Float).SetFloat64(v))
	}
	m, _ := sum.Quo(sum, new(big.Float).SetInt64(int64(len(list)))).Float64()
	return m
}

// imbalance returns the largest number over the mean, 1 if all are 0.
func imbalance(list []int64) float64 {
	sum, most := 0., 0.
	for _, v := range list {
		sum += float64(v)
		most = max(most, float64(v))
	}
	if sum == 0 {
		return 1
	}
	return most * float64(len(list)) / sum
}

// share returns the part of the processors' time that a sum of work is.
func share(work []int64, time float64) float64 {
	if len(work) == 0 || time <= 0 {
		return 0
	}
	sum := lists.Sum(work, func(v int64) float64 { return float64(v) })
	return sum / (float64(len(work)) * time)
}
